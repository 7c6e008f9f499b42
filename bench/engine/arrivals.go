package engine

import (
	"context"
	"math"
	"sync"
	"time"

	"redline/bench"
	"redline/bench/load"
)

// arrivals is the open loop: one goroutine that gives each request its place when it is due, by an absolute schedule, whatever became of those before it.
// There is no queue: an arrival that finds no room is dropped and counted. mu guards the rest.
type arrivals struct {
	e *Engine

	mu   sync.Mutex
	plan *load.Plan
	// fresh makes a plan that begins with the first arrival of the seed.
	fresh func() *load.Plan
	// owed are instants that were due under a plan before and have not been seen to yet, in order.
	owed []time.Duration
	// ahead are prompts of recordings, by workload: each is made with its gap, which the plan draws before it is due.
	ahead map[int][]bench.Prompt
	// awake is when the goroutine looked last, or meant to.
	awake time.Duration
	// changed wakes the goroutine when the plan is another.
	changed chan struct{}
}

// gapStream is the random stream of the arrivals of a workload without times beside one with them.
const gapStream = math.MaxUint64

func newArrivals(e *Engine) *arrivals {
	a := &arrivals{e: e, changed: make(chan struct{}, 1), ahead: map[int][]bench.Prompt{}}
	rng := e.newRand(gapStream)
	recorded := func() float64 {
		s := e.present()
		if s.work >= len(e.opt.Run.Works) || e.opt.Run.Works[s.work].Rate <= 0 || s.warmup {
			return rng.ExpFloat64() // this workload has no times of its own
		}
		gap := s.prompts.Gap()
		if prompt, some := s.prompts.Next(e.clock.Now()); some {
			a.ahead[s.work] = append(a.ahead[s.work], prompt)
		}
		return gap
	}
	a.fresh = func() *load.Plan { return load.NewPlan(e.opt.Run.Arrivals, e.opt.Run.Seed, recorded) }
	a.plan = a.fresh()
	return a
}

// set puts a rate in force at an instant. What was due before is still sent, by the plan before.
func (a *arrivals) set(at time.Duration, rate float64) { a.ramp(at, rate, rate, 0) }

// ramp lets the rate go evenly from one value to another from an instant on; in all else it is like set.
func (a *arrivals) ramp(at time.Duration, from, to float64, span time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.overdue(at, func(due time.Duration) { a.owed = append(a.owed, due) })
	a.plan.Ramp(at, from, to, span)
	a.wake()
}

// anew begins the arrivals of the seed again, at rate 0 and put off by so many mean gaps, so that those of two engines can lie between one another. A
// recording goes on where it is: its prompts have their times.
func (a *arrivals) anew(at time.Duration, delay float64) {
	if a.e.opt.Run.Arrivals.Shape == bench.Recorded {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.overdue(at, func(due time.Duration) { a.owed = append(a.owed, due) })
	a.plan = a.fresh()
	a.plan.Delay(delay)
	a.plan.Set(at, 0)
	a.wake()
}

// stop ends the sending at an instant. What is overdue is not sent any more: it is counted as what could not be sent in time.
func (a *arrivals) stop(at time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.overdue(at-1, func(due time.Duration) { a.owed = append(a.owed, due) }) // what is due at this very instant was not to be sent
	for _, due := range a.owed {
		a.e.unsent(due)
	}
	a.owed = nil
	a.plan.Set(at, 0)
	a.wake()
}

// atOnce bounds how many overdue arrivals are looked at in one go.
const atOnce = 100_000

// overdue takes what the plan has up to an instant; mu is held.
func (a *arrivals) overdue(at time.Duration, each func(due time.Duration)) {
	for range atOnce {
		due, some := a.plan.Due()
		if !some || due > at || at-a.awake > gapLimit {
			return
		}
		a.plan.Take()
		each(due)
	}
}

func (a *arrivals) wake() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// run gives their places to those that are due, until ctx ends.
func (a *arrivals) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		due, some := a.next()
		if some {
			a.admit(ctx, due)
			continue
		}
		wait := time.Hour
		if due > 0 {
			wait = due - a.e.clock.Now()
		}
		timer.Reset(wait)
		select {
		case <-ctx.Done():
		case <-a.changed:
		case <-timer.C:
		}
	}
}

// next takes the arrival that is due; if none is, it tells when one will be, 0 for never. Where nobody looked for long (a stopped process) lies a gap in
// time, and what was due in it is left out, as all is that spans one.
func (a *arrivals) next() (due time.Duration, some bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.e.clock.Now()
	if len(a.owed) > 0 {
		due, a.owed = a.owed[0], a.owed[1:]
		return due, true
	}
	if now-a.awake > gapLimit {
		a.plan.Skip(now)
	}
	a.awake = now
	due, some = a.plan.Due()
	if some && due <= now {
		a.plan.Take()
		return due, true
	}
	// Until then there is nothing to look for.
	a.awake = time.Duration(math.MaxInt64)
	if some {
		a.awake = max(due, now)
		return max(due, 1), false
	}
	return 0, false
}

// admit gives an arrival its place, if there is room.
func (a *arrivals) admit(ctx context.Context, due time.Duration) {
	t := &turn{due: bench.MarkAt(due)}
	s := a.e.present()
	if !s.warmup {
		// A recorded arrival has its own prompt; where it finds no room the recording goes on without it.
		if prompt, some := a.made(s.work); some {
			t.prompt, t.of = prompt, s
			t.prompt.Work = s.work
		}
	}
	if t.flight = a.e.gate.Enter(); t.flight == nil {
		a.e.unsent(due)
		return
	}
	a.e.spawn(&a.e.slots, func() { a.e.slot(ctx, t) })
}

// made is the oldest prompt that was made ahead for a workload.
func (a *arrivals) made(work int) (p bench.Prompt, some bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	queue := a.ahead[work]
	if len(queue) == 0 {
		return p, false
	}
	a.ahead[work] = queue[1:]
	return queue[0], true
}

// unsent counts an arrival that is not sent; those of the warm-up were not asked for.
func (e *Engine) unsent(due time.Duration) {
	if s := e.present(); !s.warmup {
		e.meter.Unsent(due, s.level)
	}
}

// withdraw tells a workload that one of its prompts is not sent: the conversation that it belongs to, if there is one, ends with it.
func (e *Engine) withdraw(s *stage, prompt *bench.Prompt) {
	if prompt.Turn > 0 {
		s.prompts.Ended(e.clock.Now(), &bench.Ended{Request: bench.Request{Prompt: *prompt}, Outcome: bench.Cancelled})
	}
}
