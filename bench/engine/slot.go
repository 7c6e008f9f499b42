package engine

import (
	"context"
	"errors"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/load"
)

// Causes of a cut; they are cancellations, not failures.
var (
	errEnded       = errors.New("the run has ended")
	errCancelled   = errors.New("cancelled by the operator")
	errInterrupted = errors.New("interrupted by a gap in time")
	errOverrun     = errors.New("the answer ran on past twice its max_tokens: cut")
)

// pump fills every free slot of the closed loop. Raising the load is a larger target and pump: the new streams start at once.
func (e *Engine) pump(ctx context.Context) {
	for e.gate.Enter() {
		e.spawn(&e.slots, func() { e.slot(ctx, nil) })
	}
}

// slot sends one request after another until the gate lets it go; the first may be an arrival of the open loop, in which there is no second.
func (e *Engine) slot(ctx context.Context, first *arrival) {
	rng := e.newRand(e.requestID.Load())
	for streak, again := 0, true; again; first = nil {
		a := first
		if a == nil {
			if a = e.turn(ctx); a == nil {
				return
			}
		}
		ended, t := e.send(a)
		e.reserve.Done(a.ticket, ended.Counts.Output)
		streak = e.streak(&ended, streak, a.due.OK)
		var held *load.Hold
		again, held = e.gate.Leave(t.started, load.HoldFor(&ended, streak, rng), ended.Outcome.String())
		// The slot is free, or at its next turn, before anything is done with what has ended.
		e.ended <- outcome{ended, t.probe, a.warmup}
		if held != nil {
			again = e.gate.Wait(ctx, held)
		}
	}
}

// streak is how many failures in a row there have been: of the slot, or of all arrivals of the open loop, which have no slot of their own.
func (e *Engine) streak(ended *bench.Ended, before int, arrived bool) int {
	switch {
	case ended.Outcome == bench.OK && arrived:
		e.failing.Store(0)
		return 0
	case ended.Outcome == bench.OK:
		return 0
	case arrived:
		return int(e.failing.Add(1))
	}
	return before + 1
}

// turn is the next request of a slot of the closed loop; nil when the slot is free meanwhile and its goroutine must end.
func (e *Engine) turn(ctx context.Context) *arrival {
	s, prompt, some := e.prompt(ctx)
	if !some {
		return nil
	}
	prompt.Work = s.work
	ticket := e.quotaTurn(ctx, &prompt)
	if ticket == nil {
		e.withdraw(s, &prompt)
		return nil
	}
	if v := e.ledger.reserve(&prompt, !s.warmup); v != granted {
		// The gate stays as it is until the control has decided; this place is given back.
		e.reserve.Cancel(ticket)
		e.gate.Quit()
		e.withdraw(s, &prompt)
		e.mail.post(refused{v})
		return nil
	}
	return &arrival{prompt: prompt, ticket: ticket, warmup: s.warmup}
}

// nextTurn is how often a slot looks whether a conversation goes on.
const nextTurn = 100 * time.Millisecond

// prompt is the next prompt of the stage in force, waited for, held, while a conversation alone could give one; false when the slot is free
// meanwhile and its goroutine must end.
func (e *Engine) prompt(ctx context.Context) (*stage, bench.Prompt, bool) {
	for {
		s := e.present()
		if prompt, some := s.prompts.Next(e.clock.Now()); some {
			return s, prompt, true
		}
		if s.prompts.Pending() == 0 {
			e.gate.Quit()
			e.mail.post(usedUp{s.work})
			return s, bench.Prompt{}, false
		}
		again, held := e.gate.Leave(false, nextTurn, bench.HeldForTurn)
		if held != nil {
			again = e.gate.Wait(ctx, held)
		}
		if !again {
			return s, bench.Prompt{}, false
		}
	}
}

// quotaTurn waits, held, until the quotas leave room for one more send; nil when the slot is free meanwhile and its goroutine must end.
func (e *Engine) quotaTurn(ctx context.Context, prompt *bench.Prompt) *load.Ticket {
	for {
		ticket, wait, why := e.reserve.Ask(e.clock.Now(), prompt)
		if ticket != nil {
			return ticket
		}
		e.mail.post(spared{why})
		again, held := e.gate.Leave(false, wait, bench.HeldByQuota)
		if held != nil {
			again = e.gate.Wait(ctx, held)
		}
		if !again {
			return nil
		}
	}
}

// send sends one request under the level of this moment.
func (e *Engine) send(a *arrival) (bench.Ended, *watch) {
	s := e.present()
	r := bench.Request{ID: e.requestID.Add(1), Level: s.level, Load: s.load, Scheduled: a.due, Prompt: a.prompt}
	if a.warmup {
		r.Level = bench.NoLevel
	}
	ctx, cancel := context.WithCancelCause(e.flight.Load().ctx)
	defer cancel(nil)
	t := &watch{e: e, id: r.ID, probe: e.meter.Probe(&r, -1), ticket: a.ticket, cut: cancel}
	t.allow(a.prompt.MaxTokens)
	ended := e.sender.Send(ctx, r, t)
	if t.left < 0 && ended.Outcome == bench.Cancelled {
		ended.Outcome, ended.Message = bench.StreamError, errOverrun.Error()
	}
	return ended, t
}

// A stream that goes on far past its max_tokens comes from a server that ignores the limit, on which every budget rests: it is cut. Where the
// server does not count, an event may be a letter: the limit is then wider.
const (
	overrun        = 2
	overrunUnknown = 8
	slack          = 64
)

// allow sets how much the stream may bring.
func (t *watch) allow(maxTokens int) {
	perEvent, source := t.e.meter.PerEvent()
	t.weight, t.left = perEvent, float64(overrun*maxTokens+slack)
	if perEvent == 0 || source == bench.FromEvents {
		t.weight, t.left = 1, float64(overrunUnknown*maxTokens+slack)
	}
}

// spend counts a chunk, by the server's running count where it gives one.
func (t *watch) spend(c *bench.Chunk) {
	switch {
	case c.Tokens > 0:
		t.left -= float64(c.Tokens)
		t.weight = 0 // chunks without a count are in the next one's
	default:
		t.left -= float64(c.Events) * t.weight
	}
}

// outcome is a request that has ended, on its way to the collector.
type outcome struct {
	bench.Ended
	probe  *aggregate.Probe
	warmup bool
}

// watch watches one request for the meter, the gate and the budget.
type watch struct {
	e       *Engine
	id      uint64
	probe   *aggregate.Probe
	ticket  *load.Ticket
	started bool
	// left is how many more tokens the stream may bring before it is cut, weight the tokens that an event counts for.
	left, weight float64
	cut          context.CancelCauseFunc
}

// Started implements bench.Observer.
func (t *watch) Started(at time.Duration) {
	t.started = true
	t.probe.Started(at)
	t.e.gate.Started(at)
}

// Quotas implements bench.Observer.
func (t *watch) Quotas(q []bench.Quota) {
	t.e.reserve.See(t.ticket, q)
	// Answers overtake one another: what an earlier request was told is older, however late it comes.
	for told := t.e.quotasOf.Load(); t.id >= told; told = t.e.quotasOf.Load() {
		if t.e.quotasOf.CompareAndSwap(told, t.id) {
			t.e.meter.Quotas(q)
			return
		}
	}
}

// Chunk implements bench.Observer: the hot path.
func (t *watch) Chunk(c bench.Chunk) {
	t.probe.Chunk(c)
	if t.spend(&c); t.left < 0 {
		t.cut(errOverrun)
	}
	if c.First {
		t.e.alive.Store(int64(c.At))
	}
	if t.e.down.Load() {
		t.e.mail.post(answered{c.At})
	}
}
