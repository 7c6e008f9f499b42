package load

import (
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

func TestCeilingIsEightMoreOrDouble(t *testing.T) {
	for committed, want := range map[int]int{0: 8, 1: 9, 8: 16, 9: 18, 48: 96} {
		if got := Ceiling(committed); got != want {
			t.Errorf("from %d a burst may rise to %d, want %d", committed, got, want)
		}
	}
}

func TestThrottleBoundsAHeldKey(t *testing.T) {
	at := time.Unix(0, 0)
	for _, step := range []int{1, 2, 4, 8, 16} {
		throttle := NewThrottle()
		risen := 0
		// Ten seconds of auto-repeat at 30 keys a second.
		for i := range 300 {
			risen += throttle.Allow(at.Add(time.Duration(i)*time.Second/30), step)
		}
		if most := HeldKeyRate * 11; risen > most || risen < HeldKeyRate*9 {
			t.Errorf("step %d: a key held for 10 s raised by %d, want about %d", step, risen, HeldKeyRate*10)
		}
	}
	if got := NewThrottle().Allow(at, -5); got != -5 {
		t.Errorf("lowering by 5 was throttled to %d", got)
	}
}

func TestHistoryGoesBackAndForward(t *testing.T) {
	var h History
	for _, n := range []int{8, 16, 16, 32} {
		h.Commit(n)
	}
	look := func(place, want int, wantOK bool) {
		t.Helper()
		if got, ok := h.Look(place); ok != wantOK || got != want {
			t.Fatalf("at %d: %d %v, want %d %v", place, got, ok, want, wantOK)
		}
	}
	look(h.Place()-1, 16, true)
	look(h.Place()-2, 8, true)
	look(h.Place()-3, 0, false)
	look(h.Place()+1, 0, false)
	if !h.Go(0, 8) || h.Place() != 0 {
		t.Fatalf("at place %d, want 0", h.Place())
	}
	look(h.Place()+1, 16, true)
	if h.Go(1, 99) || h.Go(-1, 8) || h.Go(3, 8) || h.Place() != 0 {
		t.Fatal("went to a place that is not there")
	}
	h.Go(1, 16)
	h.Commit(20)
	look(h.Place()+1, 0, false)
	if back, forward := h.Depth(); back != 2 || forward != 0 {
		t.Fatalf("depth %d and %d, want 2 and 0", back, forward)
	}
	for n := range 1000 {
		h.Commit(n)
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
