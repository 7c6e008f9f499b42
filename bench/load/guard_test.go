package load

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

func TestCeilingIsDoubleOrALittleMore(t *testing.T) {
	for _, c := range []struct {
		what      string
		committed bench.Setpoint
		want      float64
	}{
		{"nothing in flight may rise to 8", bench.InFlight(0), 8},
		{"a small load by 8", bench.InFlight(1), 9},
		{"8 is where doubling begins", bench.InFlight(8), 16},
		{"above that it may double", bench.InFlight(9), 18},
		{"a large load may double", bench.InFlight(48), 96},
		{"no arrivals may rise to 2 a second", bench.PerSecond(0), 2},
		{"a small rate by 2", bench.PerSecond(0.5), 2.5},
		{"2 a second is where doubling begins", bench.PerSecond(2), 4},
		{"a large rate may double", bench.PerSecond(7.5), 15},
	} {
		if got := Ceiling(c.committed); got != c.want {
			t.Errorf("%s: from %v a burst may rise to %v, want %v", c.what, c.committed, got, c.want)
		}
	}
}

func TestThrottleBoundsAHeldKey(t *testing.T) {
	at := time.Unix(0, 0)
	for _, c := range []struct {
		mode   bench.Mode
		second float64
		steps  []float64
	}{
		{bench.Closed, HeldKeySlots, []float64{1, 2, 4, 8, 16}},
		{bench.Open, HeldKeyRate, []float64{0.15, 0.25, 0.5, 1, 4}},
	} {
		for _, step := range c.steps {
			throttle := NewThrottle()
			risen := 0.0
			// Ten seconds of auto-repeat at 30 keys a second.
			for i := range 300 {
				risen += throttle.Allow(at.Add(time.Duration(i)*time.Second/30), step, c.mode)
			}
			if risen > c.second*11 || risen < c.second*9 {
				t.Errorf("%v, step %v: a key held for 10 s raised by %v, want about %v", c.mode, step, risen, c.second*10)
			}
		}
	}
}

func TestThrottleTakesTheFirstPressWhole(t *testing.T) {
	at := time.Unix(0, 0)
	for _, mode := range []bench.Mode{bench.Closed, bench.Open} {
		throttle := NewThrottle()
		if got := throttle.Allow(at, 1000, mode); got != 1000 {
			t.Errorf("%v: the first press of 1000 raised by %v", mode, got)
		}
		if got := throttle.Allow(at, 1, mode); got != 0 {
			t.Errorf("%v: a press of 1 behind it raised by %v, want 0", mode, got)
		}
		if got := throttle.Allow(at, 1, mode.Other()); got != 1 {
			t.Errorf("%v: the other mode's press raised by %v, want 1", mode, got)
		}
		for range 100 {
			if got := throttle.Allow(at, -5.5, mode); got != -5.5 {
				t.Errorf("%v: lowering by 5.5 was throttled to %v", mode, got)
			}
		}
		if got := throttle.Allow(at, math.NaN(), mode); got != 0 {
			t.Errorf("%v: no number raised by %v", mode, got)
		}
		if got := throttle.Allow(at.Add(time.Second), 1000, mode); got != 1000 {
			t.Errorf("%v: a press a second later raised by %v, want 1000", mode, got)
		}
	}
}

func TestHistoryGoesBackAndForward(t *testing.T) {
	var h History
	for _, s := range []bench.Setpoint{bench.InFlight(8), bench.InFlight(16), bench.InFlight(16), bench.PerSecond(16)} {
		h.Commit(s)
	}
	look := func(place int, want bench.Setpoint, wantOK bool) {
		t.Helper()
		if got, ok := h.Look(place); ok != wantOK || got != want {
			t.Fatalf("at %d: %v %v, want %v %v", place, got, ok, want, wantOK)
		}
	}
	look(h.Place(), bench.PerSecond(16), true)
	look(h.Place()-1, bench.InFlight(16), true)
	look(h.Place()-2, bench.InFlight(8), true)
	look(h.Place()-3, bench.Setpoint{}, false)
	look(h.Place()+1, bench.Setpoint{}, false)
	if !h.Go(0, bench.InFlight(8)) || h.Place() != 0 {
		t.Fatalf("at place %d, want 0", h.Place())
	}
	look(h.Place()+1, bench.InFlight(16), true)
	if h.Go(1, bench.InFlight(99)) || h.Go(1, bench.PerSecond(16)) || h.Go(-1, bench.InFlight(8)) || h.Go(3, bench.InFlight(8)) || h.Place() != 0 {
		t.Fatal("went to a place that is not there")
	}
	h.Go(1, bench.InFlight(16))
	h.Commit(bench.PerSecond(2.5))
	look(h.Place()+1, bench.Setpoint{}, false)
	if back, forward := h.Depth(); back != 2 || forward != 0 {
		t.Fatalf("depth %d and %d, want 2 and 0", back, forward)
	}
	for n := range 1000 {
		h.Commit(bench.InFlight(n))
	}
	if len(h.loads) > historyLimit {
		t.Fatalf("%d steps kept, want at most %d", len(h.loads), historyLimit)
	}
}

func TestHoldForDoublesAndHonoursRetryAfter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		what        string
		outcome     bench.Outcome
		streak      int
		retryAfter  time.Duration
		least, most time.Duration
	}{
		{"a success is not held", bench.OK, 0, 0, 0, 0},
		{"what we cut ourselves is not held", bench.Cancelled, 1, 0, 0, 0},
		{"the first failure waits about a quarter second", bench.Refused, 1, 0, 187 * time.Millisecond, 313 * time.Millisecond},
		{"the fourth about two seconds", bench.ServerError, 4, 0, 1500 * time.Millisecond, 2500 * time.Millisecond},
		{"a hundred in a row about five", bench.Refused, 100, 0, 3750 * time.Millisecond, 6250 * time.Millisecond},
		{"the server's wish is the least", bench.RateLimited, 1, 20 * time.Second, 20 * time.Second, 22 * time.Second},
		{"no slot is held for more than a minute", bench.RateLimited, 1, time.Hour, time.Minute, time.Minute},
	} {
		e := bench.Ended{Outcome: c.outcome, RetryAfter: c.retryAfter}
		for range 100 {
			if got := HoldFor(&e, c.streak, rng); got < c.least || got > c.most {
				t.Errorf("%s: held %v, want %v to %v", c.what, got, c.least, c.most)
			}
		}
	}
}
