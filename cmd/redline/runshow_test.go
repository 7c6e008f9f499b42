package main

import (
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/report"
	"redline/bench/report/reporttest"
)

func TestWhatNobodyCouldGoOnWithIsEnded(t *testing.T) {
	in := func(state bench.RunState, since time.Duration, why string) *bench.Snapshot {
		s := reporttest.Story()
		s.State, s.Since, s.Why, s.At = state, since, why, 10*time.Minute
		return s
	}
	for _, row := range []struct {
		sentence string
		s        *bench.Snapshot
		a        attendant
		blocked  time.Duration
		want     string
	}{
		{"it runs", in(bench.Running, 0, ""), attendant{}, time.Hour, ""},
		{"a pause", in(bench.Paused, 0, "HTTP 401"), attendant{}, 0, "HTTP 401"},
		{"a pause that somebody from afar has asked for", in(bench.Paused, 0, ""), attendant{halted: func() bool { return true }}, 0, ""},
		{"a target that has just gone", in(bench.Down, 9*time.Minute, "refused"), attendant{}, 0, ""},
		{"a target that stays away", in(bench.Down, 4*time.Minute, "refused"), attendant{}, 0, "the target is down"},
		{"a target that stays away, and the run ends in time", in(bench.Down, 4*time.Minute, "refused"), attendant{bounded: true}, 0, ""},
		{"an output that takes nothing", in(bench.Running, 0, ""), attendant{blockedLimit: 30 * time.Second}, 31 * time.Second, "the output took nothing for 30s"},
		{"one that is only slow", in(bench.Running, 0, ""), attendant{blockedLimit: 30 * time.Second}, 29 * time.Second, ""},
	} {
		if got := row.a.hopeless(row.s, row.blocked); got != row.want {
			t.Errorf("%s: %q, want %q", row.sentence, got, row.want)
		}
	}
}

func TestARunIsEndedOnceAndToldWhy(t *testing.T) {
	paused := reporttest.Story()
	paused.State, paused.Why = bench.Paused, "HTTP 401"
	r := &told{shots: []*bench.Snapshot{paused}, done: make(chan struct{})}
	var out output
	left := []string{}
	a := &attendant{run: r, out: &out, left: func(why string) { left = append(left, why) }, tell: func(*bench.Snapshot) []string { return []string{"x\n"} }}
	ticks, finished := make(chan time.Time), make(chan error)
	go func() { finished <- a.follow(t.Context(), ticks) }()
	for range 3 {
		ticks <- time.Time{}
	}
	close(r.done)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r.posted, []bench.Command{bench.Stop{Why: "HTTP 401"}}) || !reflect.DeepEqual(left, []string{"HTTP 401"}) || out.String() != "x\nx\nx\nx\n" {
		t.Errorf("posted %v, left %v, told %q", r.posted, left, out.String())
	}
}

func TestASlowReaderOfObjectsLosesSecondsInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &told{shots: []*bench.Snapshot{reporttest.Story()}, done: make(chan struct{})}
		out := &stuck{release: make(chan struct{})}
		a := &attendant{run: r, out: out, json: true, left: func(string) {}, tell: func(*bench.Snapshot) []string {
			return []string{`{"pad":"` + strings.Repeat("x", 1<<20) + "\"}\n"}
		}}
		ticks, finished := make(chan time.Time), make(chan error)
		go func() { finished <- a.follow(t.Context(), ticks) }()
		for range 20 {
			ticks <- time.Time{}
			synctest.Wait()
		}
		close(r.done)
		synctest.Wait()
		close(out.release)
		if err := <-finished; err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if n := strings.Count(text, `{"pad"`); n < 5 || n > 10 || strings.Count(text, `{"type":"missing","objects":`) != 1 || strings.Count(text, "\n") != n+1 {
			t.Errorf("%d objects, and %q at the end", n, text[len(text)-100:])
		}
	})
}

func TestAnOutcomeHasItsCode(t *testing.T) {
	broken := reporttest.Story()
	kept := reporttest.Story()
	kept.Levels = kept.Levels[:1]
	strained := reporttest.Story()
	strained.Levels[0].Strained[1] = 30
	nothing := reporttest.Story()
	nothing.Total.Tally = bench.Tally{Sent: 3, Failed: 3}
	unjudged := reporttest.Story()
	unjudged.Levels = unjudged.Levels[2:]
	for _, row := range []struct {
		sentence string
		s        *bench.Snapshot
		signal   os.Signal
		left     string
		want     report.Outcome
	}{
		{"kept", kept, nil, "", report.Outcome{ExitCode: exitOK, Word: "held"}},
		{"broken", broken, nil, "", report.Outcome{ExitCode: exitBroken, Word: "broken"}},
		{"not judged", unjudged, nil, "", report.Outcome{ExitCode: exitBroken, Word: "not judged"}},
		{"saturated", strained, nil, "", report.Outcome{ExitCode: exitSaturated, Word: "client saturated"}},
		{"nothing", nothing, nil, "HTTP 401", report.Outcome{ExitCode: exitUsage, Word: "nothing succeeded"}},
		{"kept as far as it came", kept, nil, "HTTP 401", report.Outcome{ExitCode: exitUsage, Word: "ended early"}},
		{"a budget is an end", kept, nil, whyBudget, report.Outcome{ExitCode: exitOK, Word: "held"}},
		{"interrupted", kept, os.Interrupt, "", report.Outcome{ExitCode: exitInterrupted, Word: "interrupted"}},
		{"terminated, and broken until then", broken, syscall.SIGTERM, "", report.Outcome{ExitCode: exitTerminated, Word: "terminated"}},
		{"hung up", kept, syscall.SIGHUP, "", report.Outcome{ExitCode: exitHungUp, Word: "hung up"}},
	} {
		r := &session{Main: &Main{}, end: newEndgame(&Main{}, func() {}, nil)}
		if row.signal != nil {
			r.end.exit = signalCode(row.signal)
		}
		if row.left != "" {
			r.end.giveUp(row.left)
		}
		got := r.outcome(row.s)
		if got.ExitCode != row.want.ExitCode || got.Word != row.want.Word || got.Because == nil {
			t.Errorf("%s: %+v, want %+v", row.sentence, got, row.want)
		}
		if row.signal != nil && !strings.Contains(got.Because[0], "before its end; until then: ") {
			t.Errorf("%s: %q", row.sentence, got.Because)
		}
	}
}
