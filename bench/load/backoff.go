package load

import (
	"math/rand/v2"
	"time"

	"redline/bench"
)

const (
	holdFirst = 250 * time.Millisecond
	holdMost  = 5 * time.Second
	holdCap   = 60 * time.Second
)

// HoldFor is how long a slot waits after its streak-th failure in a row (from 1): 0.25 s doubling to 5 s, or what the server asked for if that
// is longer, with jitter so that slots do not come back together, never above 60 s. A success or a cancelled request is not held.
func HoldFor(e *bench.Ended, streak int, rng *rand.Rand) time.Duration {
	if e.Outcome == bench.OK || e.Outcome.Withdrawn() || streak < 1 {
		return 0
	}
	wait := holdMost
	if streak < 6 {
		wait = min(holdFirst<<(streak-1), holdMost)
	}
	wait = time.Duration(float64(wait) * (0.75 + 0.5*rng.Float64()))
	if e.RetryAfter > 0 {
		asked := time.Duration(float64(e.RetryAfter) * (1 + 0.1*rng.Float64()))
		wait = max(wait, asked)
	}
	return min(wait, holdCap)
}
