package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redline/bench"
	"redline/bench/report"
	"redline/ui/view"
)

const findHelp = `find looks for the redline: the greatest load that keeps every promise. It raises the load in steps until a promise breaks, halves the way back,
and confirms what it has found once. Each load is held until its verdict is sure, or until a cap decides. It never raises past a load at which the server
limited requests (429), unless --past-limits says so.

It takes the flags of a run: promises are those of --scenario, or --slo; --rate looks for the greatest rate of the open loop. With a terminal it has
the dashboard, in which any load key takes over; without one, or with --plain or --json, it ends by itself. The last line tells the redline.

It ends with 0 when the redline is known, or every promise is kept at the greatest load that may be set; with 3 when no load keeps them all, and with 4
when it is not known: the search was left before, or this client was too busy to ask for more, so that the redline is at least what it says.`

// seeking is what find was asked for.
type seeking struct {
	asked           bool
	from, to, steps string
	cap             string
	pastLimits      bool
	json            bool
	// out is where what is for machines goes.
	out io.Writer
	// ramp is what check made of it; nil where it found nothing to look with.
	ramp *bench.Ramp
}

// findFlags are those of the ramp; they are no settings, and stand in no file.
var findFlags = []string{"from", "to", "steps", "cap", "past-limits", "json"}

func (k *seeking) define(f flags) {
	f.StringVar(&k.from, "from", "", "`LOAD` to begin with (that of -c or --rate)")
	f.StringVar(&k.to, "to", "", "greatest `LOAD` that may be set (--max, or --max-rate)")
	f.StringVar(&k.steps, "steps", "", "how the load goes up: `x2|+4|LIST`, a list as in 4,8,16 names all loads (default x2)")
	f.StringVar(&k.cap, "cap", "", "what a step may take at most: `TIME`, or a number of requests, or both as in '30s 200' (default 1m 400)")
	f.BoolVar(&k.pastLimits, "past-limits", false, "go on past a load at which the server limited requests (429)")
	f.BoolVar(&k.json, "json", false, "print the summary for machines; the lines of the run go to the error output")
}

// findVerb looks for the redline.
func (m *Main) findVerb(forced chan<- int) *cobra.Command {
	s, found := defaults(), problems{}
	s.seek.asked = true
	cmd := &cobra.Command{
		Use: "find", Short: "find the redline: the greatest load that keeps every promise", Long: findHelp, Args: noWords,
		Example: "  redline find\n  redline find --url http://gpu-7:8000/v1 --from 4 --to 128 --slo 'ttft.p95<=500ms' --slo 'tps.p5>=20'\n" +
			"  redline find --url http://gpu-7:8000/v1 --rate 2 --steps +2 --cap 30s --plain\n  redline find --json > redline.json",
	}
	cmd.Flags().SortFlags = false
	f := flags{cmd.Flags(), &found}
	f.group("Search", s.seek.define)
	s.define(f)
	m.complete(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		run := *m
		if s.seek.json {
			// What is for people goes where it is not in the way.
			run.Stdout, s.screen.plain, s.seek.out = m.Stderr, true, m.Stdout
		}
		return run.launch(cmd.Context(), &s, cmd.Flags(), &found, forced)
	}
	return cmd
}

// look makes the ramp of what find was asked for. What is wrong is told of the flag that says it.
func (s *settings) look(found *problems) {
	k := &s.seek
	if !k.asked {
		return
	}
	if s.targets > 1 {
		found.addSwitch("targets", "want one target with find")
	}
	if s.plan != nil {
		found.add("profile", s.profile, "want no profile with find, which sets the load by itself")
	}
	if !slices.ContainsFunc(s.thresholds, func(t bench.Threshold) bool { return !t.Quota() }) {
		found.add("slo", "none", "want a promise that a load could break, as in --slo 'ttft.p95<=500ms'")
	}
	now := s.loading.load()
	before := len(found.list)
	read := func(flag, value, text string) *bench.Ramp {
		r, err := bench.ParseRamp(text, now, s.most)
		if err != nil {
			found.add(flag, value, reason(err))
		}
		return r
	}
	text, flag, value := strings.TrimSpace(k.from)+".."+strings.TrimSpace(k.to), "to", k.to
	list := strings.Contains(k.steps, ",")
	switch {
	case list && (k.from != "" || k.to != ""):
		found.add("steps", k.steps, "want no --from and --to with a list, which names all loads")
	case list:
		text, flag, value = k.steps, "steps", k.steps
	case k.from != "" && k.to == "":
		flag, value = "from", k.from
	}
	if k.steps != "" && !list {
		read("steps", k.steps, k.steps)
		text += " " + k.steps
	}
	for _, word := range strings.Fields(k.cap) {
		read("cap", k.cap, "x2 cap "+word)
		text += " cap " + word
	}
	if k.pastLimits {
		text += " past 429"
	}
	if len(found.list) > before {
		return
	}
	r := read(flag, value, text)
	if r == nil {
		return
	}
	if bound := s.most(r.Mode); r.Most > bound {
		found.add(flag, value, fmt.Sprintf("want at most %s, it comes to %s (raise %s)", strconv.FormatFloat(bound, 'f', -1, 64), bench.Setpoint{Mode: r.Mode, N: r.Most}, view.BoundFlag(r.Mode)))
		return
	}
	k.ramp = r
}

// load is the load to begin with: that of a search, where one is asked for.
func (s *settings) load() bench.Setpoint {
	if r := s.seek.ramp; r != nil {
		return bench.Setpoint{Mode: r.Mode, N: r.From}.Round()
	}
	return s.loading.load()
}

// tell writes the last line, and with --json the summary to where only that goes.
func (k *seeking) tell(s *bench.Snapshot, words io.Writer, private bool, kept *report.Kept) error {
	if !k.asked {
		return nil
	}
	line := report.Printable(view.RedlineWords(s.Ramping))
	if line == "" {
		line = "redline: not found, the search has not ended"
	}
	if _, err := fmt.Fprintf(words, "\n%s\n", line); err != nil {
		return err
	}
	if !k.json {
		return nil
	}
	end := wording()
	end.Private, end.Saved, end.Kept = private, time.Now(), kept
	data, err := report.Of(s, end).JSON()
	if err == nil {
		_, err = k.out.Write(data)
	}
	return err
}

// code is the exit code of a search that ended so.
func (k *seeking) code(s *bench.Snapshot) int {
	switch r := s.Ramping; {
	case !k.asked:
		return exitOK
	case r != nil && r.Phase == bench.RampFound && r.Found != nil && r.Found.AtLeast():
		return exitLeft
	case r != nil && (r.Phase == bench.RampFound || r.Phase == bench.RampOpen):
		return exitOK
	case r != nil && r.Phase == bench.RampNone:
		return exitNone
	}
	return exitLeft
}
