package engine

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// opened are the options of an open loop.
func opened(rate float64, a bench.Arrivals) Options {
	return Options{Load: bench.PerSecond(rate), Run: bench.Run{Max: 5000, MaxRate: 10_000, Arrivals: a, Seed: 7}}
}

var evenly = bench.Arrivals{Shape: bench.Constant}

func (r *run) wantLoad(want bench.Setpoint) {
	r.t.Helper()
	if s := r.Snapshot(); s.Target != want {
		r.t.Fatalf("at %v: load %s (%v), want %s (%v)", s.At, s.Target, s.Target.Mode, want, want.Mode)
	}
}

func TestOpenLoopSendsItsPlan(t *testing.T) {
	for _, a := range []bench.Arrivals{evenly, {Shape: bench.Poisson}, {Shape: bench.Gamma, Burstiness: 0.5}} {
		inBubble(t, opened(500, a), func(t *testing.T, r *run) {
			r.server.tokens.Store(2) // answers of 0.3 s
			r.after(60*time.Second - time.Nanosecond)
			sent := float64(r.server.sent.Load())
			// Of a Poisson process three standard deviations are 520; the schedule itself is held against its distribution where it is made.
			most := map[bench.Shape]float64{bench.Constant: 0, bench.Poisson: 520, bench.Gamma: 740}[a.Shape]
			if math.Abs(sent-30_000) > most {
				t.Errorf("%v: %v sent in 60 s at 500/s", a, sent)
			}
			r.after(2 * time.Second)
			s := r.Snapshot()
			l := s.Level()
			if s.Total.Tally.Unsent != 0 || !l.Reached.OK || l.Load != bench.PerSecond(500) {
				t.Errorf("%v: unsent %d, level %+v", a, s.Total.Tally.Unsent, l.Load)
			}
			if want := 500 * 0.3; a == evenly && math.Abs(float64(s.InFlight)-want) > 1 {
				t.Errorf("%d in flight with answers of 0.3 s at 500/s, want %v", s.InFlight, want)
			}
		})
	}
}

func TestOpenLoopDropsWhatFindsNoRoom(t *testing.T) {
	o := opened(10, evenly)
	o.Run.Max = 20 // answers of 4 s: five a second fit
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(60*time.Second - time.Nanosecond)
		if p := r.server.peak.Load(); p != 20 {
			t.Errorf("%d in flight at most, want 20", p)
		}
		if sent, made := r.server.sent.Load(), r.works[0].made.Load(); sent != 300 || made != 300 {
			t.Errorf("%d sent, %d prompts made, want 300 of 600 arrivals", sent, made)
		}
		r.after(1200 * time.Millisecond)
		if y := r.Snapshot().Total.Tally; y.Unsent < 300 || y.Unsent > 310 {
			t.Errorf("%d unsent, want 300 and those of another second", y.Unsent)
		}
	})
}

func TestAChangeOfRateHasNoBurstToCatchUp(t *testing.T) {
	inBubble(t, opened(1, evenly), func(t *testing.T, r *run) {
		r.after(10*time.Second + 500*time.Millisecond)
		if sent := r.server.sent.Load(); sent != 11 {
			t.Fatalf("%d sent in 10.5 s at 1/s", sent)
		}
		r.post(bench.Set{N: 2})
		r.wantLoad(bench.PerSecond(2))
		// Half of the gap had passed; the other half takes half as long.
		r.after(250*time.Millisecond - time.Nanosecond)
		if sent := r.server.sent.Load(); sent != 11 {
			t.Fatalf("%d sent at once", sent-11)
		}
		r.after(10 * time.Second)
		if sent := r.server.sent.Load(); sent != 31 {
			t.Fatalf("%d sent in 10 s at 2/s", sent-11)
		}
		r.after(time.Second)
		if l := r.Snapshot().Level(); l.Load != bench.PerSecond(2) || l.Was != bench.PerSecond(1) || !l.Reached.OK {
			t.Errorf("level %s, was %s, reached %v", l.Load, l.Was, l.Reached)
		}
	})
}

func TestAPauseOfTheOpenLoopIsNotMadeUpFor(t *testing.T) {
	inBubble(t, opened(4, evenly), func(t *testing.T, r *run) {
		r.after(10*time.Second + 100*time.Millisecond)
		r.post(bench.Pause{})
		before := r.server.sent.Load()
		r.after(30 * time.Second)
		if now := r.server.sent.Load(); now != before {
			t.Fatalf("%d sent while paused", now-before)
		}
		r.post(bench.Resume{})
		r.after(time.Second - time.Nanosecond)
		if now := r.server.sent.Load(); now != before+4 {
			t.Errorf("%d sent in the second after the pause, want 4", now-before)
		}
	})
}

func TestOpenLoopNeverWaitsForAnswers(t *testing.T) {
	inBubble(t, opened(5, evenly), func(t *testing.T, r *run) {
		r.server.ttft.Store(int64(time.Hour)) // nothing comes
		r.after(20*time.Second - time.Nanosecond)
		// The first was sent before the server fell silent.
		if sent, n := r.server.sent.Load(), r.server.inFlight.Load(); sent != 100 || n != 99 {
			t.Errorf("%d sent, %d in flight", sent, n)
		}
	})
}

func TestLatenciesAreAlsoCountedFromTheSchedule(t *testing.T) {
	inBubble(t, opened(2, evenly), func(t *testing.T, r *run) {
		r.after(30 * time.Second)
		s := r.Snapshot()
		l := s.Level()
		if lag := l.Lag.P99; !lag.OK || lag.V > 0.001 {
			t.Errorf("lag %v in virtual time, want 0", lag)
		}
		if ttft, due := l.Stats[bench.TTFT].P50, l.DueTTFT.P50; !due.OK || math.Abs(ttft.V-due.V) > 2 {
			t.Errorf("TTFT %v, from the schedule %v", ttft, due)
		}
		if !l.Offered.OK || math.Abs(l.Offered.V-2) > 0.01 {
			t.Errorf("offered %v, want 2", l.Offered)
		}
	})
}

func TestTheModeIsAskedAndKeepsTheRate(t *testing.T) {
	o := opened(0, evenly)
	o.Load = bench.InFlight(8)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(20 * time.Second)
		r.post(bench.Switch{})
		ask := r.Snapshot().Ask
		if ask == nil || ask.To.Mode != bench.Open || math.Abs(ask.To.N-2) > 0.5 {
			t.Fatalf("asked %+v; 8 in flight with answers of 4 s are 2/s", ask)
		}
		r.wantLoad(bench.InFlight(8))
		r.post(bench.Answer{ID: ask.ID, Yes: true})
		r.wantLoad(ask.To)
		if s := r.Snapshot(); s.Moving.OK {
			t.Error("a change of mode is no burst")
		}
		r.after(20 * time.Second)
		r.wantKinds(bench.EventStart, open, commit, reach, bench.EventAsk, bench.EventAnswer, bench.EventMode, open, commit, reach)
		if n := r.Snapshot().InFlight; n < 6 || n > 10 {
			t.Errorf("%d in flight, want about 8", n)
		}
		r.post(bench.Undo{})
		r.wantLoad(bench.InFlight(8))
		r.after(20 * time.Second)
		r.want(8, 8)
		r.post(bench.Flip{})
		r.wantLoad(ask.To)
		if back := r.Snapshot().Level(); back.Cause != bench.CauseLoad && back.Cause != bench.CauseMode {
			t.Errorf("cause %v", back.Cause)
		}
	})
}

func TestAnyLoadKeyWithdrawsTheQuestionOfTheMode(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.post(bench.Switch{}, bench.Add{N: 1})
		if ask := r.Snapshot().Ask; ask != nil {
			t.Fatalf("still asks %q", ask.Text)
		}
		r.want(9, 9)
		r.post(bench.Switch{}, bench.Times{F: 2})
		if ask := r.Snapshot().Ask; ask == nil || !ask.Load {
			t.Fatalf("asks %+v, want the doubling", ask)
		}
	})
}

func TestRisesOfTheRateAreGuardedToo(t *testing.T) {
	inBubble(t, opened(1, evenly), func(t *testing.T, r *run) {
		r.post(bench.Set{N: 10})
		if ask := r.Snapshot().Ask; ask == nil || !ask.Load || ask.To != bench.PerSecond(10) {
			t.Fatalf("asked %+v", ask)
		}
		r.wantLoad(bench.PerSecond(1))
		r.post(bench.Set{N: 3})
		r.wantLoad(bench.PerSecond(3))
		r.post(bench.Set{N: 0.25})
		r.wantLoad(bench.PerSecond(0.25))
		r.post(bench.Set{N: 1e12})
		if ask := r.Snapshot().Ask; ask == nil || ask.To != bench.PerSecond(10_000) {
			t.Fatalf("asked %+v, want the bound", ask)
		}
	})
}

func TestOneSlotAsksForADownTargetInTheOpenLoop(t *testing.T) {
	inBubble(t, opened(20, evenly), func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(10 * time.Second)
		r.wantState(bench.Down)
		before := r.server.sent.Load()
		r.after(20 * time.Second)
		if n := r.server.sent.Load() - before; n < 3 || n > 12 {
			t.Errorf("%d attempts in 20 s on a target that is down", n)
		}
		r.server.fail.Store(int32(bench.OK))
		r.after(30 * time.Second)
		r.wantState(bench.Running)
		if n := r.Snapshot().InFlight; n < 78 || n > 82 {
			t.Errorf("%d in flight after the return, want 80", n)
		}
		if s := r.Snapshot(); s.Level().Cause != bench.CauseRecovery || s.Level().Load != bench.PerSecond(20) {
			t.Errorf("level %v at %s", s.Level().Cause, s.Level().Load)
		}
	})
}

func TestEmergencyStopEndsTheOpenLoop(t *testing.T) {
	inBubble(t, opened(50, evenly), func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Cancel{})
		if n := r.server.inFlight.Load(); n != 0 {
			t.Fatalf("%d in flight after the stop", n)
		}
		sent := r.server.sent.Load()
		r.after(10 * time.Second)
		if n := r.server.sent.Load(); n != sent {
			t.Errorf("%d sent after the stop", n-sent)
		}
		r.wantLoad(bench.PerSecond(0))
	})
}

func TestRecordedArrivalsFollowTheRecording(t *testing.T) {
	o := opened(1, bench.Arrivals{Shape: bench.Recorded})
	o.Run.Works = []bench.Workload{{Name: "trace", Rate: 1}}
	o.Paused = true
	inBubble(t, o, func(t *testing.T, r *run) {
		r.works[0].gaps = []float64{0.1, 0.1, 2.8}
		r.post(bench.Resume{})
		r.after(30*time.Second + 10*time.Millisecond)
		if sent := r.server.sent.Load(); sent < 28 || sent > 32 {
			t.Errorf("%d sent in 30 s of a recording of one a second", sent)
		}
	})
}

func TestWhatLiesInAGapOfTimeIsNotSentAfterIt(t *testing.T) {
	inBubble(t, opened(100, evenly), func(t *testing.T, r *run) {
		r.after(5*time.Second + time.Millisecond)
		// As after a stop of the whole process: nobody looked for the last four seconds, in which the plan is full.
		a := r.open
		a.mu.Lock()
		a.awake = time.Second
		a.plan.Set(time.Second, 100)
		a.mu.Unlock()
		if due, some := a.next(); some || due < 5*time.Second || due > 5*time.Second+20*time.Millisecond {
			t.Errorf("the next is due at %v (at once: %v)", due, some)
		}
	})
}
