package engine_test

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/sim"
)

func cruiseAt(t *testing.T, promise string, least, most float64) bench.Steer {
	t.Helper()
	th, err := bench.ParseThreshold(promise)
	if err != nil {
		t.Fatal(err)
	}
	return bench.Steer{Cruise: &bench.Cruise{Threshold: th, Least: least, Most: most}}
}

// cruises are the log's lines about cruises.
func cruises(s *bench.Snapshot) (out []bench.Event) {
	for _, e := range s.Events {
		if e.Kind == bench.EventCruise {
			out = append(out, e)
		}
	}
	return out
}

// The simulated small GPU holds 40 tokens a second for each reader up to about 22 requests in flight.
func TestCruiseComesToTheEdgeAndTheHandTakesOver(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load = bench.InFlight(8) }, func(t *testing.T, b *bed) {
		b.after(5 * time.Second)
		b.Post(cruiseAt(t, "tps.p5>=40", 1, 64))
		s := b.after(time.Second)
		if c := s.Cruising; c == nil || c.Ended.OK || c.Aim != 0.05 || c.Mode != bench.Closed || s.Target != bench.InFlight(8) {
			t.Fatalf("cruising %+v at %v", c, s.Target)
		}
		s = b.after(3 * time.Minute)
		edge := s.Target.N
		c := s.Cruising
		if edge <= 10 || edge >= 48 || c.Epoch < 10 || !c.Share.OK || !c.Kept.OK || !c.Capacity.OK || !c.Moved.OK {
			t.Fatalf("after three minutes at %v: %+v", s.Target, c)
		}
		t.Logf("at %v, share %.3f, kept %.3f, capacity %.1f ± %.1f, %d levels, %d lines", s.Target, c.Share.V, c.Kept.V, c.Capacity.V, c.Spread.V, len(s.Levels), len(cruises(s)))
		for _, l := range s.Levels[1:] {
			if l.Cause != bench.CauseCruise {
				t.Errorf("level %d at %v began because of %v", l.ID, l.Load, l.Cause)
			}
		}
		if last := s.Buckets[len(s.Buckets)-1]; last.Target != s.Target {
			t.Errorf("the lane of the load shows %v, and %v is set", last.Target, s.Target)
		}

		b.Post(bench.Pause{})
		s = b.after(20 * time.Second)
		epoch := s.Cruising.Epoch
		if s.Target.N != edge || s.Cruising.Ended.OK || s.State != bench.Paused {
			t.Errorf("paused: %v at %v, %+v", s.State, s.Target, s.Cruising)
		}
		b.Post(bench.Resume{})
		s = b.after(time.Minute)
		if s.Cruising.Epoch <= epoch || s.Target.N < edge*0.8 || s.Target.N > edge*1.25 {
			t.Errorf("after the pause: at %v, epoch %d, was at %v, epoch %d", s.Target, s.Cruising.Epoch, edge, epoch)
		}

		before := s.Target.N
		b.Post(bench.Add{N: 1})
		s = b.after(10 * time.Millisecond)
		if s.Target.N != before+1 || !s.Cruising.Ended.OK || s.Cruising.Why != "taken over by hand" {
			t.Errorf("a hand on the load: %v, %+v", s.Target, s.Cruising)
		}
		s = b.after(time.Minute)
		if s.Target.N != before+1 {
			t.Errorf("a minute after the hand took over the load is %v", s.Target)
		}
		lines := cruises(s)
		first, last := lines[0], lines[len(lines)-1]
		if first.N != bench.CruiseBegins || last.N != bench.CruiseOver || !strings.Contains(last.Text, "by hand") {
			t.Errorf("the log says %+v", lines)
		}
	})
}

func TestCruiseIsGivenBackAndRefused(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load, o.Run.MaxRate = bench.PerSecond(2), 100 }, func(t *testing.T, b *bed) {
		b.after(3 * time.Second)
		b.Post(cruiseAt(t, "errors<=1%", 1, 8))
		if s := b.after(10 * time.Millisecond); s.Cruising != nil || !strings.Contains(s.Events[len(s.Events)-1].Text, "cruise not begun") {
			t.Errorf("a cruise on the share of errors: %+v, %+v", s.Cruising, s.Events[len(s.Events)-1])
		}
		b.Post(bench.Locked{Command: cruiseAt(t, "ttft.p95<=500ms", 1, 8)})
		if s := b.after(10 * time.Millisecond); s.Cruising != nil {
			t.Errorf("begun under the lock: %+v", s.Cruising)
		}
		b.Post(cruiseAt(t, "ttft.p95<=500ms", 1, 8))
		s := b.after(90 * time.Second)
		if c := s.Cruising; c.Mode != bench.Open || c.Ended.OK || c.Epoch == 0 || s.Target.N <= 2 {
			t.Errorf("in the open loop, at %v: %+v", s.Target, c)
		}
		b.Post(bench.Steer{})
		s = b.after(10 * time.Millisecond)
		load := s.Target
		if c := s.Cruising; !c.Ended.OK || c.Why != "ended by hand" {
			t.Errorf("given back: %+v", c)
		}
		if s = b.after(time.Minute); s.Target != load {
			t.Errorf("the load went on from %v to %v", load, s.Target)
		}
	})
}

// What a level measures is of its load alone, for others read it by its load: the curve, Little's law, a ramp.
func TestALevelOfACruiseHasOneLoad(t *testing.T) {
	for _, one := range []struct {
		promise string
		load    bench.Setpoint
	}{{"ttft.p95<=200ms", bench.InFlight(6)}, {"tps.p5>=40", bench.InFlight(20)}, {"ttft.p95<=500ms", bench.PerSecond(3)}} {
		if underRace && one.load != bench.InFlight(6) {
			continue
		}
		t.Run(one.promise, func(t *testing.T) {
			overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load, o.Run.MaxRate = one.load, 50 }, func(t *testing.T, b *bed) {
				b.after(5 * time.Second)
				before := b.Snapshot().CanUndo
				b.Post(cruiseAt(t, one.promise, 1, 40))
				s := b.after(5 * time.Minute)
				moves := 0
				for i := 1; i < len(s.Buckets); i++ {
					if s.Buckets[i].Target != s.Buckets[i-1].Target && s.Buckets[i].Target.N > 0 {
						moves++
					}
				}
				if moves < 3 || len(s.Levels) < moves/2 {
					t.Errorf("%d moves and %d levels", moves, len(s.Levels))
				}
				for _, l := range s.Levels[1:] {
					if !l.Reached.OK || l.Span < 5*time.Second || one.load.Mode == bench.Open {
						continue
					}
					if mean := l.InFlight.V; mean < 0.97*l.Load.N || mean > 1.03*l.Load.N {
						t.Errorf("level %d at %v: %.2f in flight over %v", l.ID, l.Load, mean, l.Span)
					}
				}
				for _, k := range s.Buckets[len(s.Buckets)-3:] {
					if l := s.Level(); k.Start >= l.Begin && k.Target != l.Load {
						t.Errorf("the lane shows %v, and the level in force says %v", k.Target, l.Load)
					}
				}
				told := 0
				for _, e := range cruises(s) {
					if e.N == bench.CruiseMoves {
						told++
					}
				}
				if back := s.CanUndo - before; told > moves || back > told+2 {
					t.Errorf("%d moves, %d told, %d steps back", moves, told, back)
				}
				t.Logf("%d moves, %d told, %d levels", moves, told, len(s.Levels))
			})
		})
	}
}
