package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestWhoeverTakesOverARampEndsIt(t *testing.T) {
	for _, row := range []struct {
		sentence string
		at       time.Duration
		command  func(*bench.Snapshot) bench.Command
	}{
		{"the emergency stop, as the ramp begins at 0", 5*time.Second + 50*time.Millisecond, func(*bench.Snapshot) bench.Command { return bench.Cancel{} }},
		{"a load that is the ramp's own by now", 12 * time.Second, func(s *bench.Snapshot) bench.Command { return bench.Set{N: s.Target.N} }},
		{"one step down", 12 * time.Second, func(*bench.Snapshot) bench.Command { return bench.Add{N: -1} }},
	} {
		o := opened(0, evenly)
		o.Profile = profile(t, "0:5s, ramp 0..50 in 20s", bench.Open)
		inBubble(t, o, func(t *testing.T, r *run) {
			r.after(row.at)
			r.post(row.command(r.Snapshot()))
			r.after(time.Second)
			rate, before := r.Snapshot().Target.N, r.server.sent.Load()
			r.after(15 * time.Second)
			if sent := float64(r.server.sent.Load() - before); sent > 15*rate+1 || sent < 15*rate-2 {
				t.Errorf("%s: %v sent in 15 s at %v/s", row.sentence, sent, rate)
			}
			if s := r.Snapshot(); s.Moving.OK || !s.Level().Committed.OK {
				t.Errorf("%s: moving %v, the level committed %v", row.sentence, s.Moving, s.Level().Committed)
			}
		})
	}
}

func TestNotesAndPausesInARampMakeNoLevels(t *testing.T) {
	o := opened(0, evenly)
	o.Profile = profile(t, "5:10s, ramp 5..50 in 60s, 50:20s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(20 * time.Second)
		r.post(bench.Note{Text: "one"})
		r.after(5 * time.Second)
		r.post(bench.Pause{})
		r.after(10 * time.Second)
		r.post(bench.Resume{}, bench.Note{Text: "two"})
		r.after(60 * time.Second)
		if got := r.loads(); len(got) != 2 || got[0] != "5/s" || got[1] != "50/s" {
			t.Errorf("levels at %v", got)
		}
		if s := r.Snapshot(); s.CanUndo != 1 || s.Was != bench.PerSecond(5) {
			t.Errorf("%d steps back, was %s", s.CanUndo, s.Was)
		}
	})
}

func TestOneSlotAsksHoweverOftenTheLoadIsMovedMeanwhile(t *testing.T) {
	o := opened(4, evenly)
	o.Run.Max = 5
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(10 * time.Second)
		r.wantState(bench.Down)
		before := r.server.sent.Load()
		for range 20 {
			r.post(bench.Add{N: 0.1})
			r.after(time.Second)
			if n := r.server.inFlight.Load(); n > 1 {
				t.Fatalf("%d ask", n)
			}
		}
		if n := r.server.sent.Load() - before; n < 2 || n > 10 {
			t.Errorf("asked %d times in 20 s", n)
		}
		r.post(bench.Cancel{}, bench.Set{N: 2})
		r.server.fail.Store(int32(bench.OK))
		r.after(30 * time.Second)
		r.wantState(bench.Running)
	})
}

func TestANoteDoesNotEndTheWaitForABacklog(t *testing.T) {
	for _, c := range [][]bench.Command{{bench.Note{Text: "x"}}, {bench.Pause{}, bench.Resume{}}} {
		inBubble(t, opened(20, evenly), func(t *testing.T, r *run) {
			r.server.tokens.Store(399) // answers of 40 s
			r.after(30 * time.Second)
			r.post(bench.Set{N: 1})
			r.after(time.Second)
			r.post(c...)
			r.after(5 * time.Second)
			if l := r.Snapshot().Level(); l.Reached.OK || l.Load != bench.PerSecond(1) {
				t.Errorf("%T: level at %s, reached %v with %d in flight", c[0], l.Load, l.Reached, r.Snapshot().InFlight)
			}
			r.after(90 * time.Second)
			if l := r.Snapshot().Level(); !l.Reached.OK {
				t.Errorf("%T: not reached after all", c[0])
			}
		})
	}
}
