package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

func TestPlainTellsEachEventOnceAndTheNumbersEachTick(t *testing.T) {
	first, second := reporttest.Story(), reporttest.Story()
	first.Events = first.Events[:2]
	first.Levels = nil
	first.At, first.Folded, first.State = 61*time.Second, 61*time.Second, bench.Down
	over := reporttest.Story()
	over.State = bench.Done
	over.Events = append(over.Events, bench.Event{At: 5 * time.Minute, Kind: bench.EventEnd, Text: "interrupted"})
	r := &told{shots: []*bench.Snapshot{first, second, second, over}, done: make(chan struct{})}
	ticks := make(chan time.Time)
	var out output
	finished := make(chan error)
	go func() { finished <- (&plain{out: &out, run: r}).show(t.Context(), ticks) }()
	for range 3 {
		ticks <- time.Time{}
	}
	close(r.done)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	golden(t, "plain.txt", out.String())
}

func TestPlainNeverGoesBackInTime(t *testing.T) {
	r := &told{done: make(chan struct{})}
	var events []bench.Event
	// Gauges run ahead of what is folded, and so do events; a group of failures is told long after it began.
	for second := range 30 {
		at := time.Duration(second) * time.Second
		events = append(events, bench.Event{At: at + 900*time.Millisecond, Kind: bench.EventNote, Text: "n"})
		if second%7 == 3 {
			events = append(events, bench.Event{At: at + 950*time.Millisecond, Kind: bench.EventFailure, Outcome: bench.ServerError, N: 2})
		}
		if second%11 == 5 {
			events = append(events, bench.Event{At: at - 1500*time.Millisecond, Kind: bench.EventDrain})
		}
		s := &bench.Snapshot{Run: &bench.Run{}, Folded: at, Events: slices.Clone(events)}
		s.At, s.State = at+1100*time.Millisecond, bench.Running
		r.shots = append(r.shots, s)
	}
	r.shots[len(r.shots)-1].State = bench.Done
	ticks := make(chan time.Time)
	var out output
	finished := make(chan error)
	go func() { finished <- (&plain{out: &out, run: r}).show(t.Context(), ticks) }()
	for range len(r.shots) - 1 {
		ticks <- time.Time{}
	}
	close(r.done)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	before, failures := "", 0
	for line := range strings.Lines(out.String()) {
		instant, rest, _ := strings.Cut(line, " ")
		if instant < before {
			t.Errorf("%s after %s: %s", instant, before, rest)
		}
		before = instant
		if strings.Contains(rest, "event error") {
			failures++
		}
	}
	if notes, lines := strings.Count(out.String(), "event note"), strings.Count(out.String(), " RUNNING "); failures != 4 || notes != 30 || lines != 29 {
		t.Errorf("%d groups of failures, %d notes, %d seconds:\n%s", failures, notes, lines, out.String())
	}
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestPlainEndsTheRunWhenNobodyReads(t *testing.T) {
	r := &told{shots: []*bench.Snapshot{reporttest.Story()}, done: make(chan struct{})}
	ticks := make(chan time.Time, 1)
	ticks <- time.Time{}
	if err := (&plain{out: deaf{}, run: r}).show(t.Context(), ticks); err == nil {
		t.Error("no error")
	}
	if len(r.posted) != 1 || r.posted[0] != (bench.Kill{Why: "output is gone"}) {
		t.Errorf("posted %v", r.posted)
	}
}

func TestPlainEndsARunThatNobodyCouldResume(t *testing.T) {
	paused := reporttest.Story()
	paused.State, paused.Why = bench.Paused, "budget used up"
	r := &told{shots: []*bench.Snapshot{paused}, done: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	ticks := make(chan time.Time)
	finished := make(chan error)
	go func() { finished <- (&plain{out: &output{}, run: r}).show(ctx, ticks) }()
	ticks <- time.Time{}
	cancel()
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
	if len(r.posted) != 1 || r.posted[0] != (bench.Stop{Why: "budget used up"}) {
		t.Errorf("posted %v", r.posted)
	}
}

// stuck takes nothing until it is released.
type stuck struct {
	output
	release chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	<-s.release
	return s.output.Write(b)
}

func TestAReaderThatHasStoppedHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &told{done: make(chan struct{})}
		for second := range 700 {
			s := reporttest.Story()
			s.Folded += time.Duration(second) * time.Second
			r.shots = append(r.shots, s)
		}
		out := &stuck{release: make(chan struct{})}
		ticks := make(chan time.Time)
		finished := make(chan error)
		go func() {
			finished <- (&plain{out: out, run: r, blockedLimit: 30 * time.Second}).show(t.Context(), ticks)
		}()
		for range 600 {
			ticks <- time.Time{} // would hang if a line did
			time.Sleep(time.Second)
		}
		if len(r.posted) != 1 || r.posted[0] != (bench.Pause{Why: "the output took nothing for 30s"}) {
			t.Errorf("posted %v", r.posted)
		}
		close(r.done)
		synctest.Wait()
		close(out.release)
		if err := <-finished; err != nil {
			t.Error(err)
		}
		text := out.String()
		if len(text) > pendingLimit+4096 || !strings.Contains(text, " s is missing here") || strings.Count(text, "event note") != 1 {
			t.Errorf("%d bytes:\n%.1000s", len(text), text)
		}
	})
}

func TestAnInterruptEndsThoughNobodyReads(t *testing.T) {
	url := simulated(t, nil)
	synced := &stuck{release: make(chan struct{})}
	defer close(synced.release)
	o := start(t, nil, small(url, "-c", "2")...)
	o.Stdout = synced
	code := make(chan int)
	go func() { code <- o.run(t) }()
	time.AfterFunc(2*time.Second, func() { o.signals <- os.Interrupt })
	select {
	case got := <-code:
		if got != exitInterrupted {
			t.Errorf("exit code %d\n%s", got, o.errs.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it hangs")
	}
}
