package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestAPauseInTheWarmUpDoesNotMakeItLastFiveMinutes(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Warmup: 3}}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Pause{})
		r.after(20 * time.Second) // all that ran ends: 4 of 3
		r.post(bench.Resume{})
		r.after(60 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Running {
			t.Errorf("warmed %d of 3, and still %v 60 s after resuming; %d sent, %d levels", s.Warmed, s.State, r.server.sent.Load(), len(s.Levels))
		}
		r.after(200 * time.Second)
		t.Logf("after 260 s: %v, sent %d", r.Snapshot().State, r.server.sent.Load())
	})
}

func TestADownTargetInTheWarmUpDoesNotMakeItLastFiveMinutes(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Warmup: 40}}, func(t *testing.T, r *run) {
		r.server.fail.Store(int32(bench.Refused))
		r.after(60 * time.Second)
		r.wantState(bench.Down)
		r.server.fail.Store(int32(bench.OK))
		r.after(60 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Running {
			t.Errorf("warmed %d of 40, and still %v 60 s after the target is back; %d sent", s.Warmed, s.State, r.server.sent.Load())
		}
	})
}
