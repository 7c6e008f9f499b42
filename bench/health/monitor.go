package health

import (
	"context"
	"runtime"
	"sync"
	"time"

	"redline/bench"
)

// Monitor watches the process while Run runs. Its methods are safe for concurrent use.
type Monitor struct {
	clock          bench.Clock
	reads          sample
	canary, timers Lags
	processors     float64

	mu sync.Mutex
	// at is when the last verdict was, cpu what the process had used by then, and runtime what the Go runtime had counted.
	at, cpu time.Duration
	runtime counters
	judge   judge
	// last is what the last verdict was on.
	last Signals
}

// New is a monitor of which nothing runs yet. Verdicts count from now.
func New(clock bench.Clock) *Monitor {
	m := &Monitor{clock: clock, processors: processors(runtime.GOMAXPROCS(0))}
	m.at, m.cpu = clock.Now(), ProcessCPU()
	m.runtime.read()
	return m
}

// Run measures until ctx ends. When it returns, its goroutines and descriptors are gone.
func (m *Monitor) Run(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	if c, err := newCanary(); err == nil {
		wg.Go(func() { watchCanary(ctx, c, &m.canary) })
	}
	watchTimers(ctx, &m.timers)
}

// brief is too short a time to say anything about. Whoever has fallen behind asks for several seconds at once; what was measured belongs to all.
const brief = 200 * time.Millisecond

// Second is the verdict on the time since the last call, which is about a second ago. Right after it, the verdict is once more on the same time, with
// traffic of its own.
func (m *Monitor) Second(t Traffic) bench.Health {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.clock.Now(); m.last.Span == 0 || now-m.at >= brief {
		m.last = m.measure()
	}
	m.last.Traffic = t
	return m.judge.second(&m.last)
}

// Signals are those that the last verdict was on.
func (m *Monitor) Signals() Signals {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// measure is what was measured since the last call.
func (m *Monitor) measure() Signals {
	now, cpu := m.clock.Now(), ProcessCPU()
	s := Signals{Span: now - m.at, Reads: m.reads.take(now - m.at), Canary: m.canary.Take(), Timers: m.timers.Take()}
	capacity := s.Span.Seconds() * m.processors
	if capacity > 0 {
		s.CPU = share((cpu - m.cpu).Seconds() / capacity)
	}
	before := m.runtime.read()
	s.Sched, s.Pause = m.runtime.sched(&before), m.runtime.pause(&before)
	if capacity > 0 {
		s.GC = share((m.runtime.collector - before.collector) / capacity)
	}
	s.Files, s.FilesMax = files()
	m.at, m.cpu = now, cpu
	return s
}

func share(x float64) float64 { return min(max(x, 0), 1) }
