package load

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// rig is a gate whose slots run for a fixed time, as an engine would drive it.
type rig struct {
	*Gate
	t        *testing.T
	ctx      context.Context
	turn     time.Duration
	hold     time.Duration
	wg       sync.WaitGroup
	inFlight atomic.Int64
	peak     atomic.Int64
	turns    atomic.Int64
	held     atomic.Int64
	reached  atomic.Int64
}

func newRig(t *testing.T, ctx context.Context, turn, hold time.Duration) *rig {
	r := &rig{t: t, ctx: ctx, turn: turn, hold: hold}
	r.Gate = NewGate(bench.NewClock(time.Now()), Hooks{
		Reached: func(time.Duration) { r.reached.Add(1) },
		Held:    func(_ time.Duration, d int) { r.held.Add(int64(d)) },
	})
	return r
}

func (r *rig) pump() {
	for r.Enter() != nil {
		r.wg.Go(func() {
			for again := context.Background(); again != nil; {
				n := r.inFlight.Add(1)
				for p := r.peak.Load(); n > p && !r.peak.CompareAndSwap(p, n); p = r.peak.Load() {
				}
				r.Started(r.clock.Now())
				time.Sleep(r.turn)
				r.turns.Add(1)
				r.inFlight.Add(-1)
				var h *Hold
				if again, h = r.Leave(true, r.hold, bench.RateLimited.String()); h != nil {
					again = r.Wait(r.ctx, h)
				}
			}
		})
	}
}

func (r *rig) resize(n int) { r.Resize(n); r.pump() }

func (r *rig) want(running, held int) {
	r.t.Helper()
	synctest.Wait()
	if l := r.Load(); l.Running != running || l.Held != held || int(r.held.Load()) != held {
		r.t.Fatalf("at %v: running %d, held %d (told %d), want %d and %d", r.clock.Now(), l.Running, l.Held, r.held.Load(), running, held)
	}
}

func TestGateRaisingStartsNewSlotsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, 0)
		r.SetOpen(true)
		r.resize(3)
		r.want(3, 0)
		time.Sleep(300 * time.Millisecond)
		r.resize(7)
		r.want(7, 0)
		r.end(7)
	})
}

func TestGateShrinkLetsRunningFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, 0)
		r.SetOpen(true)
		r.resize(5)
		time.Sleep(500 * time.Millisecond)
		r.resize(2)
		r.want(5, 0)
		time.Sleep(500 * time.Millisecond)
		r.want(2, 0)
		if got := r.turns.Load(); got != 5 {
			t.Fatalf("%d of 5 turns came to their end", got)
		}
		r.end(5)
	})
}

func TestGateShrinkTakesHeldSlotsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, time.Minute)
		r.SetOpen(true)
		r.resize(3)
		time.Sleep(1500 * time.Millisecond)
		r.want(0, 3)
		r.resize(5)
		r.want(2, 3)
		r.resize(3)
		r.want(2, 1)
		r.resize(1)
		r.want(2, 0)
		r.end(5)
	})
}

func TestGateClosedLetsNobodyInAndHeldOnesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, 4*time.Second)
		r.SetOpen(true)
		r.resize(2)
		time.Sleep(1500 * time.Millisecond)
		r.SetOpen(false)
		r.pump()
		r.want(0, 2)
		time.Sleep(4 * time.Second)
		r.want(0, 0)
		r.SetOpen(true)
		r.pump()
		r.want(2, 0)
		r.end(2)
	})
}

func TestGateTellsReachedOncePerChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, 0)
		for i, n := range []int{4, 8, 3} {
			r.Resize(n)
			r.SetOpen(true)
			r.pump()
			time.Sleep(2500 * time.Millisecond)
			synctest.Wait()
			if got := r.reached.Load(); got != int64(i+1) {
				t.Fatalf("after setting %d: told %d times, want %d", n, got, i+1)
			}
		}
		r.Await()
		if got := r.reached.Load(); got != 4 {
			t.Fatalf("Await on a load in force: told %d times, want 4", got)
		}
		r.end(8)
	})
}

func TestGateReleaseEndsHoldsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, t.Context(), time.Second, time.Hour)
		r.SetOpen(true)
		r.resize(4)
		time.Sleep(1500 * time.Millisecond)
		r.want(0, 4)
		r.SetOpen(false)
		idle := r.Idle()
		r.Release()
		<-idle
		r.end(4)
	})
}

func TestGateNeverRunsMoreThanItsTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		r := newRig(t, t.Context(), 7*time.Millisecond, 3*time.Millisecond)
		r.SetOpen(true)
		for range 500 {
			n := rng.IntN(20)
			r.resize(n)
			time.Sleep(8 * time.Millisecond)
			synctest.Wait()
			if l := r.Load(); l.Running+l.Held > n || l.Running != int(r.inFlight.Load()) {
				t.Fatalf("target %d: running %d (really %d), held %d", n, l.Running, r.inFlight.Load(), l.Held)
			}
			if rng.IntN(5) == 0 {
				r.SetOpen(false)
				time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
				r.SetOpen(true)
				r.pump()
			}
		}
		r.end(20)
	})
}

// end closes the rig and checks that no slot is left and that the peak was never above most.
func (r *rig) end(most int) {
	r.t.Helper()
	r.SetOpen(false)
	r.Release()
	<-r.Idle()
	r.wg.Wait()
	if p := r.peak.Load(); p > int64(most) {
		r.t.Fatalf("peak in flight %d, want at most %d", p, most)
	}
}
