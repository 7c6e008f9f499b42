package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestWarmUpComesFirstAndIsInNoNumber(t *testing.T) {
	for _, load := range []bench.Setpoint{bench.InFlight(4), bench.PerSecond(1)} {
		o := opened(0, evenly)
		o.Load, o.Run.Warmup, o.Run.Duration = load, 6, 30*time.Second
		inBubble(t, o, func(t *testing.T, r *run) {
			r.wantState(bench.Warming)
			r.after(5 * time.Second)
			if s := r.Snapshot(); len(s.Levels) != 0 || s.Warmed == 0 {
				t.Errorf("%v: %d levels, %d warmed after 5 s", load.Mode, len(s.Levels), s.Warmed)
			}
			if r.works[0].made.Load() != 0 {
				t.Errorf("%v: the warm-up used prompts that are to be measured", load.Mode)
			}
			for range 100 {
				if r.Snapshot().State == bench.Running {
					break
				}
				r.after(200 * time.Millisecond)
			}
			r.wantState(bench.Running)
			begun := r.Snapshot().Since
			if s := r.Snapshot(); s.Warmed != 6 {
				t.Errorf("%v: %d warmed, want 6", load.Mode, s.Warmed)
			}
			if warm := r.warm.made.Load(); warm != 6 {
				t.Errorf("%v: %d prompts of the warm-up", load.Mode, warm)
			}
			r.after(30*time.Second - time.Millisecond)
			r.wantState(bench.Running)
			r.after(2 * time.Millisecond)
			r.wantState(bench.Draining)
			r.after(10 * time.Second)
			s := r.Snapshot()
			if s.Tail.Began.At-begun != 30*time.Second {
				t.Errorf("%v: measured for %v", load.Mode, s.Tail.Began.At-begun)
			}
			if y := s.Total.Tally; y.Apart.OK != 6 {
				t.Errorf("%v: %+v apart", load.Mode, y.Apart)
			}
			// In the open loop the next prompt is made ahead.
			if ahead := int(r.works[0].made.Load()) - s.Level().Tally.Sent; ahead < 0 || ahead > int(load.Mode) {
				t.Errorf("%v: %d prompts were made and not sent", load.Mode, ahead)
			}
		})
	}
}

func TestRequestsCountWhatIsMeasured(t *testing.T) {
	o := Options{Load: bench.InFlight(3), Run: bench.Run{Warmup: 5, Requests: 10}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(time.Minute)
		r.wantState(bench.Done)
		if s := r.Snapshot(); s.Level().Tally.Sent != 10 || s.Level().Tally.OK != 10 {
			t.Errorf("%+v", s.Level().Tally)
		}
	})
}

func TestOneStuckRequestDoesNotHoldTheEnd(t *testing.T) {
	o := Options{Load: bench.InFlight(3), DrainTimeout: 7 * time.Second, Run: bench.Run{Duration: 20 * time.Second}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(15 * time.Second)
		r.server.ttft.Store(int64(time.Hour))
		r.after(5*time.Second + 8*time.Second)
		s := r.Snapshot()
		if s.State != bench.Done || s.Tail.Cut == 0 || s.Tail.Span > 7*time.Second+time.Millisecond {
			t.Errorf("%v, tail %+v", s.State, s.Tail)
		}
	})
}

func TestTheDrainIsInNoRate(t *testing.T) {
	// 30 s of 8 slots with answers of 4 s: 120 a minute.
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{Duration: 30 * time.Second}}, func(t *testing.T, r *run) {
		r.after(40 * time.Second)
		s := r.Snapshot()
		if rpm := s.Level().Stats[bench.RPM].Mean; !rpm.OK || rpm.V < 115 || rpm.V > 125 {
			t.Errorf("RPM %v, want 120", rpm)
		}
		if span := s.Level().Span; span > 30*time.Second {
			t.Errorf("level of %v", span)
		}
		if s.Tail.Finished != 8 {
			t.Errorf("tail %+v", s.Tail)
		}
	})
}

func TestAnotherWorkloadIsALevelAtOnce(t *testing.T) {
	o := Options{Load: bench.InFlight(4), Run: bench.Run{Works: []bench.Workload{{Name: "chat"}, {Name: "night"}}}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.NextWork{})
		made := r.works[0].made.Load()
		r.after(10 * time.Second)
		if now := r.works[0].made.Load(); now != made {
			t.Errorf("%d prompts of the workload before", now-made)
		}
		s := r.Snapshot()
		if l := s.Level(); len(s.Levels) != 2 || l.Work != 1 || l.Cause != bench.CauseWork || s.Gauges.Work != 1 || l.Load != bench.InFlight(4) {
			t.Errorf("%d levels, work %d, cause %v", len(s.Levels), l.Work, l.Cause)
		}
		if r.works[1].ended.Load() == 0 || r.works[0].ended.Load() < 8 {
			t.Error("workloads are not told of their own requests")
		}
		r.post(bench.NextWork{})
		r.after(time.Second)
		if w := r.Snapshot().Gauges.Work; w != 0 {
			t.Errorf("work %d, want the first again", w)
		}
	})
}

func TestAWorkloadThatIsUsedUpPausesOrEnds(t *testing.T) {
	for _, load := range []bench.Setpoint{bench.InFlight(4), bench.PerSecond(2)} {
		for _, unmanned := range []bool{false, true} {
			o := opened(0, evenly)
			o.Load, o.Unmanned = load, unmanned
			o.Run.Works = []bench.Workload{{}}
			o.Paused = true
			inBubble(t, o, func(t *testing.T, r *run) {
				r.works[0].most = 10
				r.post(bench.Resume{})
				r.after(time.Minute)
				s := r.Snapshot()
				if want := map[bool]bench.RunState{false: bench.Paused, true: bench.Done}[unmanned]; s.State != want {
					t.Errorf("%v: %v (%s), want %v", load.Mode, s.State, s.Why, want)
				}
				if s.Total.Tally.OK != 10 {
					t.Errorf("%v: %+v", load.Mode, s.Total.Tally)
				}
			})
		}
	}
}

func TestAConversationThatGoesOnIsWaitedFor(t *testing.T) {
	o := Options{Load: bench.InFlight(4), Unmanned: true, Paused: true, Run: bench.Run{Works: []bench.Workload{{}}}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.works[0].most = 4
		r.works[0].talks.Store(1)
		r.post(bench.Resume{})
		r.after(time.Minute)
		r.wantState(bench.Running)
		if s := r.Snapshot(); s.Held != 4 || s.HeldBy != bench.HeldForTurn {
			t.Errorf("%d held by %q", s.Held, s.HeldBy)
		}
		r.works[0].talks.Store(0)
		r.after(10 * time.Second)
		r.wantState(bench.Done)
	})
}
