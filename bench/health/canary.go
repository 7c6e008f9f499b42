package health

import (
	"context"
	"math/rand/v2"
	"time"
)

// flutter is the mean time between two events of the canary. They come at random, so that nothing periodic can hide between them. A wake-up of an idle
// process can cost a tenth of a millisecond, so that there can be few of them.
const flutter = 20 * time.Millisecond

// canary is an event that the kernel makes at instants which are known, and that an ordinary goroutine takes through the poller exactly as it takes
// a stream's bytes.
type canary interface {
	// fly waits for the next event, which is to come after d, and gives how late it was taken. It fails once the canary is closed.
	fly(d time.Duration) (time.Duration, error)
	close()
}

// watchCanary notes how late the canary's events are taken, until ctx ends.
func watchCanary(ctx context.Context, c canary, lags *Lags) {
	stop := context.AfterFunc(ctx, c.close)
	defer func() {
		if stop() {
			c.close()
		}
	}()
	for {
		lag, err := c.fly(flutter/2 + rand.N(flutter))
		if err != nil {
			return
		}
		lags.Add(lag)
	}
}
