package engine

import (
	"context"
	"errors"
	"sync/atomic"
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
	for flight := e.gate.Enter(); flight != nil; flight = e.gate.Enter() {
		t := &turn{flight: flight}
		if !e.asks() {
			e.spawn(&e.slots, func() { e.slot(ctx, t) })
			continue
		}
		e.asking.Add(1)
		e.spawn(&e.slots, func() {
			defer e.mail.post(placed{})
			defer e.asking.Add(-1)
			e.slot(ctx, t)
		})
	}
}

// asks tells whether the target of an open loop is down, so that one slot asks whether it is back.
func (e *Engine) asks() bool { return e.down.Load() && e.present().load.Mode == bench.Open }

// turn is what a slot does between entering the gate, or coming round, and leaving it: one request.
type turn struct {
	// flight is what it runs under.
	flight context.Context
	// due is when it should go (open loop only).
	due bench.Mark
	// of is the stage that its prompt comes from, ticket what was reserved for it.
	of     *stage
	prompt bench.Prompt
	ticket *load.Ticket
}

// slot sends one request after another until the gate lets it go. An arrival of the open loop has one turn, unless the loop is closed meanwhile.
func (e *Engine) slot(ctx context.Context, t *turn) {
	rng := e.newRand(e.slotID.Add(1))
	for streak := 0; t != nil; {
		arrived := t.due.OK
		if t = e.prepare(ctx, t); t == nil {
			return
		}
		ended, w := e.send(t)
		e.reserve.Done(t.ticket, ended.Counts.Output)
		streak = e.streak(&ended, streak, arrived)
		hold := load.HoldFor(&ended, streak, rng)
		if arrived && e.asks() {
			hold = 0 // its place goes to the one slot that asks for the target
		}
		flight, held := e.gate.Leave(w.started, hold, ended.Outcome.String())
		// The slot is free, or at its next turn, before anything is done with what has ended.
		e.ended <- outcome{ended, w.probe, t.of.warmup}
		if held != nil {
			flight = e.gate.Wait(ctx, held)
		}
		switch {
		case flight == nil:
			if arrived && e.asks() {
				e.mail.post(placed{})
			}
			return
		case arrived && e.asks():
			e.gate.Quit()
			e.mail.post(placed{})
			return
		}
		t = &turn{flight: flight}
	}
}

// streak is how many failures in a row there have been: of the slot, or of all arrivals of the open loop, which have no slot of their own. What we ended
// ourselves says nothing.
func (e *Engine) streak(ended *bench.Ended, before int, arrived bool) int {
	switch {
	case ended.Outcome.Withdrawn():
		return before
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

// prepare gives a turn its prompt and reserves what it may use; nil when the slot is free meanwhile and its goroutine must end. In the open loop there is
// no waiting: what cannot go now is unsent.
func (e *Engine) prepare(ctx context.Context, t *turn) *turn {
	if !e.flies(t) || !e.findPrompt(ctx, t) {
		return nil
	}
	if !e.quotaTurn(ctx, t) {
		e.giveUp(t)
		return nil
	}
	if !e.flies(t) {
		e.giveUp(t)
		return nil
	}
	if v := e.ledger.reserve(&t.prompt, !t.of.warmup); v != granted {
		// The gate stays as it is until the control has decided; this place is given back.
		e.gate.Quit()
		e.giveUp(t)
		e.mail.post(refused{v})
		return nil
	}
	return t
}

// giveUp gives back what a turn has taken that sends nothing.
func (e *Engine) giveUp(t *turn) {
	if t.ticket != nil {
		e.reserve.Cancel(t.ticket)
	}
	if t.of.warmup {
		e.heated.Add(-1)
	}
	e.withdraw(t.of, &t.prompt)
}

// flies tells whether a turn may still send; if not, its slot is free, and an arrival is one that was not sent.
func (e *Engine) flies(t *turn) bool {
	if t.flight.Err() == nil {
		return true
	}
	e.gate.Quit()
	if t.due.OK {
		e.unsent(t.due.At)
	}
	return false
}

// nextTurn is how often a slot looks whether a conversation goes on.
const nextTurn = 100 * time.Millisecond

// findPrompt takes the next prompt of the stage in force, waited for, held, while a conversation alone could give one; false when the slot is free meanwhile.
func (e *Engine) findPrompt(ctx context.Context, t *turn) bool {
	if t.of != nil {
		return true // a recorded arrival has brought its own
	}
	for {
		some := false
		t.of = e.present()
		switch {
		case !t.of.warmup:
			t.prompt, some = e.open.made(t.of.work)
		case e.heated.Add(1) > int64(e.opt.Run.Warmup) && !e.down.Load():
			// The warm-up is all sent, and its end is waited for.
			e.heated.Add(-1)
			e.gate.Quit()
			return false
		}
		if !some {
			t.prompt, some = t.of.prompts.Next(e.clock.Now())
		}
		if some {
			t.prompt.Work = t.of.work
			return true
		}
		if t.of.prompts.Pending() == 0 {
			e.gate.Quit()
			e.mail.post(usedUp{t.of.work})
			return false
		}
		if t.due.OK {
			e.gate.Quit()
			return false // nothing was to be sent
		}
		if !e.hold(ctx, t, nextTurn, bench.HeldForTurn) {
			return false
		}
	}
}

// quotaTurn waits, held, until the quotas leave room for one more send; false when the slot is free meanwhile.
func (e *Engine) quotaTurn(ctx context.Context, t *turn) bool {
	for {
		ticket, wait, why := e.reserve.Ask(e.clock.Now(), &t.prompt)
		if t.ticket = ticket; ticket != nil {
			return true
		}
		e.mail.post(spared{why})
		if t.due.OK {
			e.gate.Quit()
			e.unsent(t.due.At)
			return false
		}
		if !e.hold(ctx, t, wait, bench.HeldByQuota) {
			return false
		}
	}
}

// hold holds the slot of a turn that has not begun; false when it is free meanwhile.
func (e *Engine) hold(ctx context.Context, t *turn, wait time.Duration, why string) bool {
	flight, held := e.gate.Leave(false, wait, why)
	if held != nil {
		flight = e.gate.Wait(ctx, held)
	}
	t.flight = flight
	return flight != nil
}

// send sends one request under the level of this moment.
func (e *Engine) send(turn *turn) (bench.Ended, *watch) {
	s := e.present()
	ctx, cancel := context.WithCancelCause(turn.flight)
	defer cancel(nil)
	t := &watch{e: e, ticket: turn.ticket, cut: cancel}
	t.request = bench.Request{Level: s.level, Load: s.load, Scheduled: turn.due, Prompt: turn.prompt}
	if turn.of.warmup {
		t.request.Level = bench.NoLevel
	}
	e.older.begin(t)
	t.probe = e.meter.Probe(&t.request, -1)
	t.allow(turn.prompt.MaxTokens)
	ended := e.sender.Send(ctx, t.request, t)
	e.older.end(t)
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
//
// What each chunk takes comes first, side by side: among thousands of streams all of it has to be fetched from memory.
type watch struct {
	// listens is set while its text is followed.
	listens atomic.Bool
	started bool
	e       *Engine
	probe   *aggregate.Probe
	// left is how many more tokens the stream may bring before it is cut, weight the tokens that an event counts for.
	left, weight float64
	pulse        pulse

	cut    context.CancelCauseFunc
	ticket *load.Ticket
	// older and younger are its neighbours among those in flight, guarded by the lock of Engine.older.
	older, younger *watch
	// request is what was sent; nothing of it changes once it is in flight.
	request bench.Request
}

// Started implements bench.Observer.
func (t *watch) Started(at time.Duration) {
	t.started = true
	t.pulse.start(at)
	t.probe.Started(at)
	t.e.gate.Started(at)
}

// Quotas implements bench.Observer.
func (t *watch) Quotas(q []bench.Quota) {
	t.e.reserve.See(t.ticket, q)
	// Answers overtake one another: what an earlier request was told is older, however late it comes.
	for told := t.e.quotasOf.Load(); t.request.ID >= told; told = t.e.quotasOf.Load() {
		if t.e.quotasOf.CompareAndSwap(told, t.request.ID) {
			t.e.meter.Quotas(q)
			return
		}
	}
}

// Chunk implements bench.Observer: the hot path.
func (t *watch) Chunk(c bench.Chunk) {
	t.probe.Chunk(c)
	t.pulse.beat(&c)
	if t.spend(&c); t.left < 0 {
		t.cut(errOverrun)
	}
	if c.First {
		t.e.alive.Store(int64(c.At))
		t.e.reading.begun(t)
	}
	if t.e.down.Load() {
		t.e.mail.post(answered{c.At})
	}
}
