package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestARampMayBeBegunBeforeAnythingIsMeasured(t *testing.T) {
	waits := Options{Load: bench.InFlight(4), Paused: true}
	warms := Options{Load: bench.InFlight(4)}
	warms.Run.Warmup = 64
	for name, o := range map[string]Options{"before the start": waits, "in a long warm-up": warms} {
		o.Run.Max = 16
		o.Run.Thresholds = []bench.Threshold{threshold(t, "ttft.p95<=2s")}
		inBubble(t, o, func(t *testing.T, r *run) {
			r.after(200 * time.Millisecond)
			r.post(bench.Seek{Ramp: &bench.Ramp{From: 4, Most: 16, By: 2}})
			r.after(20 * time.Second)
			r.post(bench.Resume{})
			r.after(20 * time.Minute)
			if g := r.Snapshot().Ramping; g == nil || g.Phase != bench.RampOpen || g.Found.Load.N != 16 {
				t.Errorf("%s: %+v, want every promise kept at 16", name, g)
			}
		})
	}
}

func TestWhatAnswersNothingKeepsNoPromise(t *testing.T) {
	for _, slo := range []string{"errors<=1%", "itl.p95<=50ms", "ttft.p95<=1s"} {
		o := Options{Load: bench.InFlight(4)}
		o.Run.Max = 16
		o.Run.Thresholds = []bench.Threshold{threshold(t, slo)}
		inBubble(t, o, func(t *testing.T, r *run) {
			r.server.ttft.Store(int64(time.Hour))
			r.after(time.Second)
			r.post(bench.Seek{Ramp: &bench.Ramp{From: 4, Most: 16, By: 2}})
			r.after(40 * time.Minute)
			g := r.Snapshot().Ramping
			for _, x := range g.Trials {
				if x.Holds != bench.Broke || x.Load.N > 4 {
					t.Errorf("%s: %+v, want no load that is kept, and none above the first", slo, x)
				}
			}
			if g.Phase != bench.RampNone {
				t.Errorf("%s: %v %q, want none", slo, g.Phase, g.Why)
			}
		})
	}
}

func TestAnUnmannedRampEndsWithATargetThatStaysDown(t *testing.T) {
	for _, unmanned := range []bool{true, false} {
		for _, mode := range []bench.Mode{bench.Closed, bench.Open} {
			o := Options{Load: bench.Setpoint{Mode: mode, N: 4}, Unmanned: unmanned}
			o.Run.Max, o.Run.MaxRate = 64, 64
			o.Run.Thresholds = []bench.Threshold{threshold(t, "ttft.p95<=250ms")}
			inBubble(t, o, func(t *testing.T, r *run) {
				r.after(time.Second)
				r.post(bench.Seek{Ramp: &bench.Ramp{Mode: mode, From: 4, Most: 64, By: 2}})
				r.after(3 * time.Second)
				r.server.fail.Store(int32(bench.Refused))
				r.after(10 * time.Minute)
				s := r.Snapshot()
				if ended := s.State == bench.Done || s.State == bench.Draining; ended != unmanned || unmanned != (s.Ramping.Phase == bench.RampLeft) {
					t.Errorf("unmanned %v, %v loop: %v, ramp %v %q", unmanned, mode, s.State, s.Ramping.Phase, s.Ramping.Why)
				}
			})
		}
	}
}

func TestARampBeginsWithThePromisesOfItsInstant(t *testing.T) {
	o := Options{Load: bench.InFlight(4)}
	o.Run.Thresholds = []bench.Threshold{threshold(t, "ttft.p95<=250ms")}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(5*time.Second + 30*time.Millisecond)
		r.post(bench.Promise{Threshold: threshold(t, "ttft.p95<=300ms")})
		r.after(20 * time.Millisecond)
		r.post(bench.Seek{Ramp: &bench.Ramp{From: 4, Most: 16, By: 2}})
		r.after(3 * time.Second)
		if g := r.Snapshot().Ramping; g.Phase.Over() {
			t.Errorf("%v %q, want it to go on", g.Phase, g.Why)
		}
		r.post(bench.Promise{Threshold: threshold(t, "ttft.p95<=400ms")})
		r.after(3 * time.Second)
		if g := r.Snapshot().Ramping; g.Phase != bench.RampLeft {
			t.Errorf("%v %q, want it left: the promise is another", g.Phase, g.Why)
		}
	})
}
