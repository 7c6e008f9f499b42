package fleet

import (
	"context"
	"sync"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/health"
)

// Vitals shares what watches the process among the engines of a fleet: it runs once, and its verdict, which rests on what all of them saw, is that of all.
type Vitals struct {
	of    engine.Health
	clock bench.Clock

	mu sync.Mutex
	// users are the engines that run, stop ends what runs for them, and over is closed then. asked is when the verdict was taken last.
	users   int
	stop    context.CancelFunc
	over    chan struct{}
	asked   bench.Mark
	verdict bench.Health
	// traffic is what the engines have seen since.
	traffic health.Traffic
}

// NewVitals shares a watch of the process.
func NewVitals(of engine.Health, clock bench.Clock) *Vitals { return &Vitals{of: of, clock: clock} }

// Run measures until ctx ends, and goes on as long as that of any other engine has not ended.
func (v *Vitals) Run(ctx context.Context) {
	v.mu.Lock()
	if v.users++; v.users == 1 {
		var measuring context.Context
		measuring, v.stop = context.WithCancel(context.WithoutCancel(ctx))
		over := make(chan struct{})
		v.over = over
		go func() {
			defer close(over)
			v.of.Run(measuring)
		}()
	}
	v.mu.Unlock()
	<-ctx.Done()
	v.mu.Lock()
	v.users--
	last, over := v.users == 0, v.over
	if last {
		v.stop()
	}
	v.mu.Unlock()
	if last {
		<-over
	}
}

// aSecond is how long a verdict stands: the engines ask at about the same time.
const aSecond = 500 * time.Millisecond

// Second is the verdict on the time since it was taken last, at most once in half a second.
func (v *Vitals) Second(t health.Traffic) bench.Health {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.traffic.Late += t.Late
	if !v.traffic.SendLag.OK || t.SendLag.OK && t.SendLag.V > v.traffic.SendLag.V {
		v.traffic.SendLag = t.SendLag
	}
	if now := v.clock.Now(); !v.asked.OK || now-v.asked.At >= aSecond {
		v.verdict, v.traffic, v.asked = v.of.Second(v.traffic), health.Traffic{}, bench.MarkAt(now)
	}
	return v.verdict
}
