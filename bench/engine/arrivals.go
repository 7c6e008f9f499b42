package engine

import (
	"context"
	"math"
	"sync"
	"time"

	"redline/bench"
	"redline/bench/load"
)

// arrival is a request that is to be sent: its prompt, with what was reserved for it.
type arrival struct {
	prompt bench.Prompt
	// due is when it should go (open loop only).
	due    bench.Mark
	ticket *load.Ticket
	warmup bool
}

// arrivals is the open loop: one goroutine that sends each request when it is due, by an absolute schedule, whatever became of those before it. There
// is no queue: an arrival that finds no room is dropped and counted. mu guards the plan and the prompt that is made ahead.
type arrivals struct {
	e *Engine

	mu   sync.Mutex
	plan *load.Plan
	// ready is the prompt of the next arrival, made while there is time, by the stage of.
	ready bench.Prompt
	of    *stage
	// changed wakes the goroutine when the plan is another.
	changed chan struct{}
}

func newArrivals(e *Engine) *arrivals {
	a := &arrivals{e: e, changed: make(chan struct{}, 1)}
	rng := e.newRand(gapStream)
	a.plan = load.NewPlan(e.opt.Run.Arrivals, e.opt.Run.Seed, func() float64 {
		s := e.present()
		if s.work < len(e.opt.Run.Works) && e.opt.Run.Works[s.work].Rate > 0 {
			return s.prompts.Gap()
		}
		return rng.ExpFloat64() // this workload has no times of its own
	})
	return a
}

// gapStream is the random stream of the arrivals of a workload without times beside one with them.
const gapStream = math.MaxUint64

// set puts a rate in force at an instant. What was due before is sent by the plan before.
func (a *arrivals) set(ctx context.Context, at time.Duration, rate float64) {
	a.mu.Lock()
	a.fire(ctx, at)
	a.plan.Set(at, rate)
	a.mu.Unlock()
	a.wake()
}

// ramp lets the rate go evenly to another from an instant on.
func (a *arrivals) ramp(ctx context.Context, at time.Duration, from, to float64, span time.Duration) {
	a.mu.Lock()
	a.fire(ctx, at)
	a.plan.Ramp(at, from, to, span)
	a.mu.Unlock()
	a.wake()
}

func (a *arrivals) wake() {
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// run sends what is due until ctx ends.
func (a *arrivals) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		a.mu.Lock()
		a.fire(ctx, a.e.clock.Now())
		due, some := a.plan.Due()
		if some {
			a.prepare(due)
		}
		a.mu.Unlock()
		timer.Reset(time.Hour)
		if some {
			timer.Reset(due - a.e.clock.Now())
		}
		select {
		case <-ctx.Done():
			return
		case <-a.changed:
		case <-timer.C:
		}
	}
}

// atOnce bounds what is sent without a look at anything else.
const atOnce = 10_000

// fire sends all that is due by an instant; mu is held. What is long overdue lies in a gap in time (a stopped process): it is left out, as all is that
// spans one.
func (a *arrivals) fire(ctx context.Context, now time.Duration) {
	for range atOnce {
		due, some := a.plan.Due()
		if !some || due > now {
			return
		}
		if now-due > gapLimit {
			a.plan.Set(now, a.plan.Rate(now))
			return
		}
		a.plan.Take()
		a.prepare(due)
		a.send(ctx, due)
	}
}

// prepare makes the prompt of the next arrival, if there is none yet of the stage in force; mu is held.
func (a *arrivals) prepare(due time.Duration) {
	s := a.e.present()
	if a.of != nil && a.of.prompts == s.prompts {
		return
	}
	prompt, some := s.prompts.Next(due)
	if !some {
		if s.prompts.Pending() == 0 {
			a.e.mail.post(usedUp{s.work})
		}
		return
	}
	prompt.Work = s.work
	a.ready, a.of = prompt, s
}

// send sends the prompt that is ready, or drops it; mu is held.
func (a *arrivals) send(ctx context.Context, due time.Duration) {
	if a.of == nil {
		return
	}
	e, s, prompt := a.e, a.of, a.ready
	a.of = nil
	if !e.gate.Enter() {
		e.unsent(due, s, &prompt)
		return
	}
	ticket, _, why := e.reserve.Ask(e.clock.Now(), &prompt)
	if ticket == nil {
		e.mail.post(spared{why})
		e.gate.Quit()
		e.unsent(due, s, &prompt)
		return
	}
	if v := e.ledger.reserve(&prompt, !s.warmup); v != granted {
		e.reserve.Cancel(ticket)
		e.gate.Quit()
		e.withdraw(s, &prompt)
		e.mail.post(refused{v})
		return
	}
	first := &arrival{prompt: prompt, due: bench.MarkAt(due), ticket: ticket, warmup: s.warmup}
	e.spawn(&e.slots, func() { e.slot(ctx, first) })
}

// unsent counts an arrival that is not sent.
func (e *Engine) unsent(due time.Duration, s *stage, prompt *bench.Prompt) {
	level := e.present().level
	if s.warmup {
		level = bench.NoLevel
	}
	e.meter.Unsent(due, level)
	e.withdraw(s, prompt)
}

// withdraw tells a workload that one of its prompts is not sent: the conversation that it belongs to, if there is one, ends with it.
func (e *Engine) withdraw(s *stage, prompt *bench.Prompt) {
	if prompt.Turn > 0 {
		s.prompts.Ended(e.clock.Now(), &bench.Ended{Request: bench.Request{Prompt: *prompt}, Outcome: bench.Cancelled})
	}
}
