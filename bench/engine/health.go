package engine

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"redline/bench"
)

const (
	// probePeriod is how often the engine looks whether its own timers are late.
	probePeriod = 50 * time.Millisecond
	// busyLag and busyCPU are from where on the client itself could explain what is on the screen.
	busyLag = 25 * time.Millisecond
	busyCPU = 0.70
)

// health watches the process itself: how late its timers fire and how much of the machine it uses.
type health struct {
	clock bench.Clock

	mu sync.Mutex
	// lags are the worst and second worst lag of this second.
	worst, second2 time.Duration
	cpu            time.Duration
	at             time.Duration
	// streak is how many seconds in a row looked busy.
	streak int
}

func newHealth(clock bench.Clock) *health {
	return &health{clock: clock, cpu: processCPU(), at: clock.Now()}
}

// watch measures timer lag until ctx ends.
func (h *health) watch(ctx context.Context) {
	timer := time.NewTimer(probePeriod)
	defer timer.Stop()
	for {
		due := h.clock.Now() + probePeriod
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		h.lag(h.clock.Now() - due)
		timer.Reset(probePeriod)
	}
}

func (h *health) lag(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case d > h.worst:
		h.worst, h.second2 = d, h.worst
	case d > h.second2:
		h.second2 = d
	}
}

// second is the verdict on the time since the last call. One late timer is bad luck; two in a second, or a busy processor, for two seconds
// in a row, are a reason to doubt the numbers.
func (h *health) second() bench.Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, cpu := h.clock.Now(), processCPU()
	out := bench.Health{TimerLag: h.second2}
	if span := now - h.at; span > 0 {
		out.CPU = min(max(float64(cpu-h.cpu)/float64(span)/float64(runtime.NumCPU()), 0), 1)
	}
	why := ""
	switch {
	case out.CPU > busyCPU:
		why = fmt.Sprintf("cpu %.0f%%", out.CPU*100)
	case h.second2 > busyLag:
		why = fmt.Sprintf("timers %d ms late", h.second2.Milliseconds())
	}
	if why == "" {
		h.streak = 0
	} else if h.streak++; h.streak >= 2 {
		out.Busy, out.Why = true, why
	}
	h.worst, h.second2, h.cpu, h.at = 0, 0, cpu, now
	return out
}
