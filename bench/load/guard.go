package load

import (
	"time"

	"golang.org/x/time/rate"
)

// HeldKeyRate is how much a held key may raise the load in a second.
const HeldKeyRate = 16

// Ceiling is the load up to which one burst may rise without a question, from the last committed load: +max(8, 100 %).
func Ceiling(committed int) int { return committed + max(8, committed) }

// Throttle bounds how fast Add may raise the load, so that a key that is held down, or a cat, cannot flood a server. The first press
// always counts in full, whatever its step.
type Throttle struct{ limiter *rate.Limiter }

// NewThrottle is a throttle with its whole second's allowance.
func NewThrottle() *Throttle { return &Throttle{rate.NewLimiter(HeldKeyRate, HeldKeyRate)} }

// Allow is how much of a rise by n may be taken now: all of it, or none.
func (t *Throttle) Allow(now time.Time, n int) int {
	if n <= 0 {
		return n
	}
	// A step above the allowance spends all of it.
	if !t.limiter.AllowN(now, min(n, HeldKeyRate)) {
		return 0
	}
	return n
}
