package load

import (
	"math"
	"time"

	"golang.org/x/time/rate"

	"redline/bench"
)

const (
	// HeldKeySlots is how many requests in flight a held key may raise the load by in a second (closed loop).
	HeldKeySlots = 16
	// HeldKeyRate is how much a held key may raise the rate in a second, in requests a second (open loop).
	HeldKeyRate = 4
	// freeSlots and freeRate are the rises of a small load that are never asked.
	freeSlots, freeRate = 8, 2
)

// Ceiling is the load up to which one burst may rise without a question, from the last committed load and in its mode: twice that load, and at least 8
// requests in flight or 2 requests a second more.
func Ceiling(committed bench.Setpoint) float64 {
	free := float64(freeSlots)
	if committed.Mode == bench.Open {
		free = freeRate
	}
	return committed.N + max(free, committed.N)
}

// Throttle bounds how fast Add may raise the load, so that a key that is held down, or a cat, cannot flood a server. The first press
// always counts in full, whatever its step. Each mode has an allowance of its own.
type Throttle struct{ closed, open *rate.Limiter }

// grain is the finest rise that is counted, as a part of one: the limiter counts in whole numbers, and rates rise by fractions.
const grain = 1000

// NewThrottle is a throttle with its whole second's allowance.
func NewThrottle() *Throttle {
	return &Throttle{
		closed: rate.NewLimiter(HeldKeySlots*grain, HeldKeySlots*grain),
		open:   rate.NewLimiter(HeldKeyRate*grain, HeldKeyRate*grain),
	}
}

// Allow is how much of a rise by n, in the unit of the mode, may be taken now: all of it, or none. Lowering is never throttled; what is
// no number is no rise.
func (t *Throttle) Allow(now time.Time, n float64, mode bench.Mode) float64 {
	switch {
	case math.IsNaN(n):
		return 0
	case n <= 0:
		return n
	}
	limiter := t.closed
	if mode == bench.Open {
		limiter = t.open
	}
	// A step above the allowance spends all of it.
	spent := min(math.Ceil(n*grain), float64(limiter.Burst()))
	if !limiter.AllowN(now, int(spent)) {
		return 0
	}
	return n
}
