package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"redline/bench"
	"redline/bench/record"
	"redline/bench/report"
)

const runsHelp = `runs lists the runs that are kept, the newest at the end. What stands under NAME, or a beginning of it that only one has, names a run for other verbs;
so does last.

With --trend it draws one number over the runs of a target, the newest of which there are two or more: of each run the level at the same load, with the
difference to the run before, its 95 % interval, and what may be said of it, as by redline compare: better and worse are only what is more than noise, among all
that are drawn. A number counts once it is ready in itself; runs that are still being written and levels that have not settled are marked; which runs are left out
is said, and why. Names are those of --slo: ttft.p95, itl.p50, tps.p5, e2e.p99, tpot, ttfa, rpm, tpm, errors.`

// runsAsked is what runs was asked for.
type runsAsked struct {
	target, model, since string
	trend, load          string
	json, private, ascii bool
	// after is the instant that since means.
	after time.Time
}

// runsVerb lists the runs that are kept.
func (m *Main) runsVerb() *cobra.Command {
	a := &runsAsked{}
	cmd := &cobra.Command{
		Use: "runs", Short: "list the runs that are kept, or draw a number over them", Long: runsHelp, Args: noWords,
		Example: "  redline runs\n  redline runs --target gpu-7 --since 7d\n  redline runs --trend ttft.p95 --load 16\n  redline replay last",
		RunE: func(*cobra.Command, []string) error {
			if err := a.check(time.Now()); err != nil {
				return err
			}
			return m.runs(a)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&a.target, "target", "", "only runs of which a target's host or name has `TEXT` in it")
	fs.StringVar(&a.model, "model", "", "only runs of which the model has `TEXT` in it")
	fs.StringVar(&a.since, "since", "", "only runs that began since `WHEN`: 12h, 7d, or a day such as 2026-11-30")
	fs.StringVar(&a.trend, "trend", "", "draw the number `METRIC` over the runs of a target, as in ttft.p95")
	fs.StringVar(&a.load, "load", "", "of --trend: at the load `LOAD`, 16 or 2.5/s (default: the one that most of them have)")
	fs.BoolVar(&a.json, "json", false, "print it for machines")
	fs.BoolVar(&a.private, "private", false, "hide hosts and names of targets")
	fs.BoolVar(&a.ascii, "ascii", false, "write ASCII only")
	_ = cmd.RegisterFlagCompletionFunc("trend", cobra.FixedCompletions([]string{"ttft.p50", "ttft.p95", "ttft.p99", "itl.p50", "itl.p95", "tps.p50", "tps.p5", "rpm", "tpm", "e2e.p95", "errors"}, cobra.ShellCompDirectiveNoFileComp))
	for _, name := range []string{"target", "model", "since", "load"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// check reads what was asked for.
func (a *runsAsked) check(now time.Time) error {
	if a.load != "" && a.trend == "" {
		return errors.New("--load: want --trend with it")
	}
	if a.since == "" {
		return nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, a.since, time.Local); err == nil {
		a.after = day
		return nil
	}
	text, unit := a.since, time.Duration(1)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		text, unit = days+"h", 24
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > 100*365*24*time.Hour/unit {
		return fmt.Errorf("--since %s: want how long ago, or a day, as in 12h, 7d or 2026-11-30", report.Printable(a.since))
	}
	a.after = now.Add(-d * unit)
	return nil
}

// stored is a run that is kept, with how it was shown last.
type stored struct {
	record.Entry
	// last is nil where it was not read: in time, or at all.
	last *bench.Snapshot
	err  error
	// letter is that of its target, where that is one of several of its run.
	letter string
	// beginning is how many bytes of its name tell it from the others of its folder.
	beginning int
}

// name is what the run is called for other verbs.
func (s *stored) name() string { return strings.TrimSuffix(filepath.Base(s.Path), record.Extension) }

// runs lists the runs, or draws a number over them.
func (m *Main) runs(a *runsAsked) error {
	dir := m.runsFolder()
	entries, err := record.List(dir)
	if err != nil {
		return fmt.Errorf("runs: %s: want a folder that can be read (%w)", report.Printable(dir), errors.Unwrap(err))
	}
	alone := apartAt(entries)
	entries = slices.DeleteFunc(entries, func(e record.Entry) bool { return !a.takes(&e) })
	all := read(entries, time.Now().Add(readLimit))
	for _, s := range all {
		s.beginning = alone[s.Path]
	}
	out := m.Stdout
	if a.ascii {
		out = asciiWords{m.Stdout}
	}
	if late := lateOf(all); late != "" {
		fmt.Fprintf(m.Stderr, "redline: runs: %s\n", late)
	}
	if a.trend != "" {
		return m.trend(a, all, out)
	}
	if a.private {
		for _, s := range all {
			s.veil()
		}
	}
	if a.json {
		return writeJSON(m.Stdout, runsListOf(all))
	}
	if len(all) == 0 {
		text := "there is no run in " + report.Printable(dir)
		if a.target+a.model+a.since != "" {
			text = "no run fits; there are others in " + report.Printable(dir)
		}
		_, err := fmt.Fprintln(m.Stderr, "redline: runs: "+text)
		return err
	}
	_, err = out.Write([]byte(runsTable(all, m.width())))
	return err
}

// simulatedAlone tells whether a run is of the simulated server, and called so: where that listened is nobody's target.
func simulatedAlone(e *record.Entry) bool { return e.Demo && len(e.Targets) == 1 }

// takes tells whether a run is one of those that were asked for.
func (a *runsAsked) takes(e *record.Entry) bool {
	has := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	return (a.target == "" || simulatedAlone(e) && has(simulatedTarget, a.target) || !simulatedAlone(e) && slices.ContainsFunc(e.Targets, func(t string) bool { return has(t, a.target) })) &&
		(a.model == "" || has(e.Model, a.model)) && !e.Began.Before(a.after)
}

const (
	// readLimit bounds how long runs are read for a table: what is not read by then has no numbers in it.
	readLimit = 5 * time.Second
)

// read reads how each run was shown last, from its last checkpoint on; the newest first, since time may not do for all.
func read(entries []record.Entry, until time.Time) []*stored {
	out := make([]*stored, len(entries))
	next := make(chan int)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				out[i].read()
			}
		})
	}
	for i := len(entries) - 1; i >= 0; i-- {
		if out[i] = (&stored{Entry: entries[i], err: entries[i].Err}); out[i].err != nil {
			continue
		}
		if time.Now().After(until) {
			out[i].err = errLate
			continue
		}
		next <- i
	}
	close(next)
	all.Wait()
	return out
}

// errLate says that a run was not read, since newer ones took the time.
var errLate = errors.New("not read in time")

// lateOf says how many runs were not read in time; empty where none is left.
func lateOf(all []*stored) string {
	late := 0
	for _, s := range all {
		if errors.Is(s.err, errLate) {
			late++
		}
	}
	if late == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d were not read within %v, the older ones; --since, --target and --model name fewer", late, len(all), readLimit)
}

func (s *stored) read() {
	f, err := record.Open(s.Path)
	if err != nil {
		s.err = err
		return
	}
	defer f.Close()
	if s.last, s.err = f.Final(); s.err == nil && s.last == nil {
		s.err = errors.New("it has no second")
	}
}

// veil hides what is private of a run.
func (s *stored) veil() {
	s.Targets = slices.Repeat([]string{bench.Hidden}, len(s.Targets))
	one := bench.Run{Model: s.Model}
	var v bench.Veil
	s.Model = v.Snapshot(&bench.Snapshot{Run: &one}).Run.Model
	if s.last != nil {
		s.last = v.Snapshot(s.last)
	}
	if s.err != nil && !errors.Is(s.err, errLate) {
		s.err = errors.New("it cannot be read")
	}
}

// state is how the file stands, in a word.
func (s *stored) state() string {
	switch {
	case s.Err != nil:
		return "unreadable"
	case s.Writing:
		return "being written"
	case !s.Complete:
		return "cut off"
	case s.Lost > 0:
		return "lacks " + lengthText(s.Lost)
	}
	return "complete"
}

// apartAt is how many bytes of each run's name tell it from the others of its folder, by its path.
func apartAt(entries []record.Entry) map[string]int {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = filepath.Base(e.Path)
	}
	slices.Sort(names)
	out := map[string]int{}
	for _, e := range entries {
		name := filepath.Base(e.Path)
		at, _ := slices.BinarySearch(names, name)
		shared := 0
		for _, by := range []int{at - 1, at + 1} {
			if by >= 0 && by < len(names) {
				n := 0
				for n < min(len(name), len(names[by])) && name[n] == names[by][n] {
					n++
				}
				shared = max(shared, n)
			}
		}
		out[e.Path] = shared + 1
	}
	return out
}

// targetsOf are the snapshots of all targets of a run.
func targetsOf(s *bench.Snapshot) []*bench.Snapshot {
	if s.Rivals != nil {
		return s.Rivals.Of
	}
	return []*bench.Snapshot{s}
}

// loadsOf are the loads of a run's levels, each once, in the order in which they came.
func loadsOf(s *bench.Snapshot) []bench.Setpoint {
	var out []bench.Setpoint
	for _, of := range targetsOf(s) {
		for _, l := range of.Levels {
			if !slices.Contains(out, l.Load) {
				out = append(out, l.Load)
			}
		}
	}
	return out
}

// errorsOf is the share of failures in percent, among all requests of the run, as the number of its requests is: of all targets, and with those that were forgotten.
func errorsOf(s *bench.Snapshot) bench.Value {
	var all bench.Tally
	for _, of := range targetsOf(s) {
		all.Add(of.Total.Tally)
		all.Add(of.Forgotten)
	}
	return all.ErrorShare()
}

// bestOf is the settled level that keeps every promise with the most output, and its target's letter where there are several; nil where there is none.
func bestOf(s *bench.Snapshot) (best *bench.Level, letter string) {
	for i, of := range targetsOf(s) {
		for _, l := range of.Levels {
			broken := slices.ContainsFunc(l.Verdicts, func(v bench.Verdict) bool { return v.Known && v.Broken && !v.Threshold.Quota() })
			if l.State != bench.Settled || broken || !l.OutputRate.OK || best != nil && l.OutputRate.V <= best.OutputRate.V {
				continue
			}
			if best = l; s.Rivals != nil {
				letter = bench.Letter(i)
			}
		}
	}
	return best, letter
}

// bytesText is a size in a few characters.
func bytesText(n int64) string {
	for _, of := range []struct {
		unit string
		size float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}} {
		if float64(n) >= of.size {
			return strconv.FormatFloat(float64(n)/of.size, 'f', 1, 64) + " " + of.unit
		}
	}
	return strconv.FormatInt(n, 10) + " B"
}
