package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"redline/bench"
	"redline/bench/report"
)

const runHelp = `run drives a load to its end without a screen, and ends with a code that says whether the promises were kept. It is for scripts and CI.

It takes the flags of redline, and must have an end: --duration, --requests, --profile, --ramp, a workload that is sent once, or a budget. On a terminal it
shows a bar; elsewhere it writes a line for each level when it ends, or with --plain one a second; then the summary. With --json the output has objects and nothing
else, one a line (%s): second, level, and at the end summary; the summary for people goes to the error output.

Ctrl+c ends it early: what runs may finish, and all that was measured is told. A second one does not wait for what runs.

It ends with
%s
A level counts for a promise once its load was reached and the promise's number is ready, which takes 20 requests from then on (tokens, for itl). A promise has to be judged
at one level or more, and must be broken at none: with --slo none there is nothing to judge. One that is changed from afar counts as it was, too. Of a ramp its outcome counts instead of its levels; of a cruise all promises but
the one at whose edge it keeps the load. Of several targets all have to keep the promises.`

// headless is what run was asked for.
type headless struct {
	asked, json, quiet, annotate bool
	// plain: a line a second.
	plain bool
	// ramp is a search for the redline, as it was written.
	ramp string
	// markdown is the file that the summary is appended to, files are those of reports.
	markdown string
	files    []string
}

// runFlags are those of run alone; they are no settings, and stand in no file.
var runFlags = []string{"json", "quiet", "ramp", "summary-markdown", "report", "annotations"}

func (h *headless) define(f flags) {
	f.BoolVar(&h.json, "json", false, "write objects for machines, one a line, and nothing else; the summary for people goes to the error output")
	f.BoolVarP(&h.quiet, "quiet", "q", false, "no bar and no lines while it runs; with --json no summary for people either")
	f.StringVar(&h.markdown, "summary-markdown", "", "append the summary as Markdown to the file `PATH`, as in \"$GITHUB_STEP_SUMMARY\"; empty is none")
	f.StringArrayVar(&h.files, "report", nil, "write a report to the file `PATH` at the end, repeatable; its name ends with "+strings.Join(reportEndings(), ", "))
	f.BoolVar(&h.annotate, "annotations", false, "write what was broken as annotations of GitHub (::error::) to the error output")
	f.StringVar(&h.ramp, "ramp", "", "look for the redline, and end with it: `RANGE` as in 4..64 or '4..64 x2 cap 30s'; redline find does the same with a screen")
}

// screenFlags mean nothing where there is no screen. A file or a variable that is there for other runs may have them, a flag may not.
var screenFlags = []string{"theme", "graph", "fps", "no-sync", "mouse", "window", "bell", "no-title", "save-dir", "ghost", "step", "paused"}

// runVerb drives without a screen.
func (m *Main) runVerb(forced chan<- int) *cobra.Command {
	s, found := defaults(), problems{}
	s.headless.asked = true
	cmd := &cobra.Command{
		Use: "run", Short: "drive a load without a screen, and say with the exit code whether the promises were kept", Args: noWords,
		Long: fmt.Sprintf(runHelp, streamFormat, runCodeList("  ")),
		Example: "  redline run --url http://gpu-7:8000/v1 -c 16 --duration 1m --slo 'ttft.p95<=500ms' --slo 'errors<=1%'\n" +
			"  redline run --url http://gpu-7:8000/v1 --profile '4:1m, 8:1m, 16:1m' --json > run.ndjson\n" +
			"  redline run --target staging --requests 500 --summary-markdown \"$GITHUB_STEP_SUMMARY\" --report run.json",
	}
	cmd.Flags().SortFlags = false
	f := flags{cmd.Flags(), &found}
	f.group("Output", s.headless.define)
	s.define(f)
	for _, name := range screenFlags {
		cmd.Flags().Lookup(name).Hidden = true
	}
	m.complete(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return m.launch(cmd.Context(), &s, cmd.Flags(), &found, forced)
	}
	return cmd
}

// withoutScreen refuses flags of the screen.
func (h *headless) withoutScreen(fs *pflag.FlagSet, found *problems) {
	for _, name := range screenFlags {
		if f := fs.Lookup(name); f != nil && found.from[name].source == fromFlag {
			found.addSwitch(name, "want none with run, which has no screen and nobody at it")
		}
	}
}

// headed completes what run was asked for, once the load and the workloads are known: it finds the search, and refuses a run without an end.
func (s *settings) headed(fs *pflag.FlagSet, found *problems) {
	h := &s.headless
	if !h.asked {
		return
	}
	h.withoutScreen(fs, found)
	h.checkFiles(found)
	if h.json && h.plain {
		found.addSwitch("json", "want no --plain with it; it has an object a second")
	}
	if h.ramp != "" {
		s.rampAhead(found)
	} else if n := len(s.thresholds); n > 0 && !slices.ContainsFunc(s.thresholds, promise) {
		found.add("slo", report.ThresholdList(s.thresholds), "want a promise with it, as in ttft.p95<=500ms, or none: a quota is not judged")
	}
	if s.endless(found.from) {
		found.keep("run: want an end, as with --duration 1m, --requests 500, --profile '4:1m, 8:1m' or --ramp 4..64: nobody is there to end it", false)
	}
}

// promise tells that a threshold is one that a load could break, and no quota.
func promise(t bench.Threshold) bool { return !t.Quota() }

// rampAhead makes the search that the run begins with.
func (s *settings) rampAhead(found *problems) {
	tell := func(why string) { found.add("ramp", s.headless.ramp, why) }
	switch {
	case s.targets > 1:
		tell("want one target with it")
	case s.profile != "" || s.cruise != "":
		tell("want no --profile and no --cruise with it; each sets the load by itself")
	case !slices.ContainsFunc(s.thresholds, promise):
		tell("want a promise that a load could break, as in --slo 'ttft.p95<=500ms'")
	}
	r, err := bench.ParseRamp(s.headless.ramp, s.loading.load(), s.most)
	if err != nil {
		tell(reason(err))
		return
	}
	if most := s.most(r.Mode); r.Most > most {
		tell(fmt.Sprintf("want at most %s, it comes to %s", bench.Setpoint{Mode: r.Mode, N: most}, bench.Setpoint{Mode: r.Mode, N: r.Most}))
		return
	}
	s.seek.ramp = r
}

// endless tells whether nothing that was asked for ends the run, and nobody can from afar. The budget of tokens that public hosts have by themselves is no end that anybody meant.
func (s *settings) endless(from origins) bool {
	once := len(s.specs) > 0 && s.specs[0].Once
	spent := s.budget > 0 || s.budgetTokens > 0 && from.asked("budget-tokens")
	return s.duration == 0 && s.requests == 0 && s.profile == "" && s.headless.ramp == "" && s.listening.address == "" && !once && !spent
}

// checkFiles finds out whether what is to be written can be, before anything is driven for it.
func (h *headless) checkFiles(found *problems) {
	for _, path := range h.files {
		if !slices.Contains(reportEndings(), strings.ToLower(filepath.Ext(path))) {
			found.add("report", path, "want a name that ends with "+strings.Join(reportEndings(), ", "))
			continue
		}
		if why := unwritable(path); why != "" {
			found.add("report", path, why)
		}
	}
	if h.markdown != "" {
		if why := unwritable(h.markdown); why != "" {
			found.add("summary-markdown", h.markdown, why)
		}
	}
}

// unwritable is why nothing can be written to a path, without writing there; empty where it seems that it can.
func unwritable(path string) string {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return "want a file, this is a folder"
	case err == nil && !info.Mode().IsRegular():
		return "" // A pipe must not be opened twice.
	case err == nil:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return "want a file that can be written"
		}
		_ = f.Close()
		return ""
	case !errors.Is(err, os.ErrNotExist):
		return "want a file that can be written"
	}
	if dir, err := os.Stat(filepath.Dir(path)); err != nil || !dir.IsDir() {
		return "want a file in a folder that is there"
	}
	return ""
}
