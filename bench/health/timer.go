package health

import (
	"context"
	"time"
)

// tick is the period of the timers that are watched.
const tick = 25 * time.Millisecond

// watchTimers notes how late a timer fires, until ctx ends. Each is set anew: a ticker that fell behind would drop what it is to be blamed for.
func watchTimers(ctx context.Context, lags *Lags) {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	due := time.Now().Add(tick)
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		now := time.Now()
		lags.Add(now.Sub(due))
		due = now.Add(tick)
		timer.Reset(tick)
	}
}
