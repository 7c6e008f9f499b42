package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestEmergencyStopIsOneWhileTheTargetIsDownInTheOpenLoop(t *testing.T) {
	inBubble(t, opened(20, evenly), func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(10 * time.Second)
		r.wantState(bench.Down)
		r.post(bench.Cancel{})
		r.after(time.Second)
		r.wantLoad(bench.PerSecond(0))
		before := r.server.sent.Load()
		r.after(60 * time.Second)
		if n := r.server.sent.Load() - before; n != 0 {
			t.Errorf("%d requests sent in the minute after the emergency stop, at load %s", n, r.Snapshot().Target)
		}
	})
}

func TestADownTargetIsAskedThoughRequestsHang(t *testing.T) {
	for _, load := range []bench.Setpoint{bench.PerSecond(20)} {
		o := opened(20, evenly)
		o.Load = load
		inBubble(t, o, func(t *testing.T, r *run) {
			r.after(10*time.Second + 10*time.Millisecond)
			r.server.ttft.Store(int64(10 * time.Minute)) // some hang, as on a host that vanished
			r.after(3 * time.Second)
			r.server.fail.Store(int32(bench.Refused))
			r.after(10 * time.Second)
			r.wantState(bench.Down)
			r.server.fail.Store(int32(bench.OK)) // it is back
			r.server.ttft.Store(int64(200 * time.Millisecond))
			before := r.server.sent.Load()
			r.after(2 * time.Minute)
			s := r.Snapshot()
			if n := r.server.sent.Load() - before; s.State != bench.Running {
				t.Errorf("%v: %v two minutes after the target is back, %d requests asked, %d hang", load.Mode, s.State, n, s.InFlight)
			}
		})
	}
}
