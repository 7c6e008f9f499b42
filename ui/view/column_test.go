package view

import (
	"math"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestColumnsFillTheWindow(t *testing.T) {
	for _, c := range []struct {
		sentence string
		window   time.Duration
		cells    int
		width    time.Duration
		repeat   int
	}{
		{"two minutes on sixty cells are two seconds each", 2 * time.Minute, 60, 2 * time.Second, 1},
		{"one cell less changes nothing", 2 * time.Minute, 59, 2 * time.Second, 1},
		{"half a minute on sixty cells is drawn twice as wide", 30 * time.Second, 60, time.Second, 2},
		{"and on fifty-nine too", 30 * time.Second, 59, time.Second, 2},
		{"a quarter of an hour", 15 * time.Minute, 60, 15 * time.Second, 1},
		{"the whole of a long run", 0, 60, 2 * time.Minute, 1},
	} {
		s := over(c.window, 2*time.Hour, c.cells)
		if s.width != c.width || s.repeat != c.repeat || s.count*s.repeat-s.over != c.cells {
			t.Errorf("%s: %+v", c.sentence, s)
		}
	}
}

func TestColumnsStandOnTheRunsClock(t *testing.T) {
	a, b := over(2*time.Minute, 100*time.Second, 60), over(2*time.Minute, 101*time.Second, 60)
	if a != b {
		t.Errorf("a second that completes no column moved the lanes: %+v, %+v", a, b)
	}
	if c := over(2*time.Minute, 102*time.Second, 60); c.first != a.first+1 {
		t.Errorf("a complete column did not move the lanes by one: %+v, %+v", a, c)
	}
}

// TestACompleteColumnStays: the buckets of old seconds may be joined or dropped; what was drawn of them stays.
func TestACompleteColumnStays(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	var c series
	sp := over(2*time.Minute, s.Folded, 60)
	before := c.values(s, bench.TTFT, bench.P95, sp, nil)
	joined := *s
	joined.Buckets = []*bench.Bucket{bench.Join(s.Buckets)}
	for i, v := range c.values(&joined, bench.TTFT, bench.P95, sp, nil) {
		if v != before[i] {
			t.Fatalf("column %d was %+v and is %+v", i, before[i], v)
		}
	}
}

func TestAbsentIsNeverZero(t *testing.T) {
	idle := []*bench.Bucket{{Span: time.Second}}
	for _, m := range bench.Lanes {
		if c := measure(m, bench.P95, idle, 1); c.ok {
			t.Errorf("%v of a second in which nothing was sent is %v", m, c.v)
		}
	}
	sending := []*bench.Bucket{{Span: time.Second, Active: time.Second}}
	if c := measure(bench.RPM, bench.Mean, sending, 1); !c.ok || c.v != 0 {
		t.Errorf("no request finished in a second of sending: %+v, want 0", c)
	}
}

// TestInventedRunsAreConsistent: what the screens are looked at with obeys Little's law and the other identities.
func TestInventedRunsAreConsistent(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, l := range s.Levels {
		tps, itl := l.Stats[bench.TPS].Mean.V, l.Stats[bench.ITL].Mean.V
		if d := tps * itl / 1000; math.Abs(d-1) > 0.05 {
			t.Errorf("at %v: %v tok/s with %v ms between tokens", l.Load, tps, itl)
		}
		inFlight := l.RPS.V * l.Stats[bench.E2E].Mean.V / 1000
		if math.Abs(inFlight/l.Load.N-1) > 0.06 {
			t.Errorf("at %v: rate × time in flight is %v", l.Load, inFlight)
		}
		tokens := l.Stats[bench.RPM].Mean.V * (viewtest.Input + viewtest.Output)
		if d := l.Stats[bench.TPM].Mean.V / tokens; math.Abs(d-1) > 0.05 {
			t.Errorf("at %v: TPM %v, RPM × tokens %v", l.Load, l.Stats[bench.TPM].Mean.V, tokens)
		}
	}
	if tally := s.Total.Tally; tally.Sent != tally.OK+tally.Failed+tally.Limited+tally.Cancelled+s.InFlight {
		t.Errorf("sent %d, but %+v and %d in flight", tally.Sent, tally, s.InFlight)
	}
}

// TestBurstsHaveNoSpeed: the tokens of a burst over its moment are the speed of nothing.
func TestBurstsHaveNoSpeed(t *testing.T) {
	second := func(ok, bursts int) *bench.Bucket {
		b := &bench.Bucket{Span: time.Second, Active: time.Second}
		b.Ended[bench.OK], b.Bursts, b.DecodeTokens, b.DecodeSeconds = ok, bursts, 80, 2
		return b
	}
	for _, row := range []struct {
		sentence   string
		ok, bursts int
		want       bool
	}{{"none", 4, 0, true}, {"nothing ended", 0, 0, true}, {"half", 4, 2, true}, {"most", 4, 3, false}, {"all", 4, 4, false}} {
		if c := rate(bench.TPS, []*bench.Bucket{second(row.ok, row.bursts)}); c.ok != row.want || c.ok && c.v != 40 {
			t.Errorf("%s: %+v, want a speed: %v", row.sentence, c, row.want)
		}
	}
}

// TestADrainIsNoRate: what ends after the last request was sent, over the moment before that, is the rate of nothing.
func TestADrainIsNoRate(t *testing.T) {
	second := func(active time.Duration, ok int) *bench.Bucket {
		b := &bench.Bucket{Span: time.Second, Active: active}
		b.Ended[bench.OK], b.In = ok, 100*ok
		return b
	}
	drain, whole, begun := second(3*time.Millisecond, 12), second(time.Second, 2), second(990*time.Millisecond, 0)
	for _, m := range []bench.Metric{bench.RPM, bench.TPM} {
		if c := rate(m, []*bench.Bucket{drain}); c.ok {
			t.Errorf("%v of a drain: %+v", m, c)
		}
		per := map[bench.Metric]float64{bench.RPM: 1, bench.TPM: 100}[m]
		if c := rate(m, []*bench.Bucket{whole, drain}); !c.ok || c.v != 120*per {
			t.Errorf("%v of a second and a drain: %+v", m, c)
		}
		if c := rate(m, []*bench.Bucket{begun}); !c.ok || c.v != 0 {
			t.Errorf("%v of the first second: %+v", m, c)
		}
	}
}
