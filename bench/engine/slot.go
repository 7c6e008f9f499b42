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

// pump fills every free slot. Raising the load is Resize and pump: the new streams start at once.
func (e *Engine) pump(ctx context.Context) {
	for e.gate.Enter() {
		e.spawn(&e.slots, func() { e.slot(ctx) })
	}
}

// slot sends one request after another until the gate lets it go.
func (e *Engine) slot(ctx context.Context) {
	rng := e.newRand(e.requestID.Load())
	for streak, again := 0, true; again; {
		prompt := e.prompts.Next()
		ticket := e.quotaTurn(ctx, &prompt)
		if ticket == nil {
			return
		}
		if v := e.ledger.reserve(&prompt); v != granted {
			// The gate stays as it is until the control has decided; this place is given back.
			e.reserve.Cancel(ticket)
			e.gate.Quit()
			e.mail.post(refused{v})
			return
		}
		ended, t := e.send(prompt, ticket)
		e.reserve.Done(ticket, ended.Counts.Output)
		if ended.Outcome == bench.OK {
			streak = 0
		} else {
			streak++
		}
		var held *load.Hold
		again, held = e.gate.Leave(t.started, load.HoldFor(&ended, streak, rng), ended.Outcome.String())
		// The slot is free, or at its next turn, before anything is done with what has ended.
		e.ended <- outcome{ended, t.probe}
		if held != nil {
			again = e.gate.Wait(ctx, held)
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

// send sends one prompt under the level of this moment.
func (e *Engine) send(prompt bench.Prompt, ticket *load.Ticket) (bench.Ended, *turn) {
	tag := e.tag.Load()
	r := bench.Request{ID: e.requestID.Add(1), Level: int(int32(tag >> 32)), Load: int(uint32(tag)), Prompt: prompt}
	ctx, cancel := context.WithCancelCause(e.flight.Load().ctx)
	defer cancel(nil)
	t := &turn{e: e, id: r.ID, probe: e.meter.Probe(&r, -1), ticket: ticket, cut: cancel}
	t.allow(prompt.MaxTokens)
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
func (t *turn) allow(maxTokens int) {
	perEvent, source := t.e.meter.PerEvent()
	t.weight, t.left = perEvent, float64(overrun*maxTokens+slack)
	if perEvent == 0 || source == bench.FromEvents {
		t.weight, t.left = 1, float64(overrunUnknown*maxTokens+slack)
	}
}

// spend counts a chunk, by the server's running count where it gives one.
func (t *turn) spend(c *bench.Chunk) {
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
	probe *aggregate.Probe
}

// turn watches one request for the meter, the gate and the budget.
type turn struct {
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
func (t *turn) Started(at time.Duration) {
	t.started = true
	t.probe.Started(at)
	t.e.gate.Started(at)
}

// Quotas implements bench.Observer.
func (t *turn) Quotas(q []bench.Quota) {
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
func (t *turn) Chunk(c bench.Chunk) {
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
