package engine

import (
	"fmt"
	"time"

	"redline/bench"
)

// begin starts sending, under level 1.
func (c *control) begin() {
	c.commit()
	c.event(bench.Event{Kind: bench.EventStart, To: c.target, N: c.e.opt.Run.Warmup})
	if c.lead != nil {
		c.event(bench.Event{Kind: bench.EventProfile, N: bench.ProfileBegins, Text: "profile " + c.lead.profile.Text + " begins"})
	}
	if r := c.e.opt.Ramp; r != nil {
		c.seek(r)
	}
	if c.warmup {
		c.heat()
		return
	}
	c.measure()
}

// warmupLimit bounds the warm-up: one that takes longer ends as it is.
const warmupLimit = 5 * time.Minute

// heat sends the warm-up's requests; they belong to no level.
func (c *control) heat() {
	if c.e.toWarm.Load() <= 0 {
		c.measure() // the last of them ended while nobody waited for it
		return
	}
	c.enter(bench.Warming, "")
	c.warmed.Reset(warmupLimit)
}

// measure begins the measured part of the run, under level 1.
func (c *control) measure() {
	c.warmup = false
	if d := c.e.opt.Run.Duration; d > 0 {
		c.duration.Reset(d)
	}
	c.send(bench.CauseStart, bench.Setpoint{Mode: c.target.Mode})
}

// send opens the gate in a new level.
func (c *control) send(cause bench.Cause, from bench.Setpoint) {
	c.commit()
	c.noDeadline()
	c.state = bench.Running // the level that is opened is one of a run that sends
	c.openAtOnce(cause, from)
	c.enter(bench.Running, "")
}

func (c *control) pause(why string) {
	if !c.sending() {
		return
	}
	c.commit()
	c.event(bench.Event{Kind: bench.EventPause, Text: why})
	c.enter(bench.Paused, why)
}

func (c *control) resume() {
	switch {
	case c.ending:
	case c.state == bench.Waiting:
		c.begin()
	case c.state == bench.Paused || c.state == bench.Draining:
		c.event(bench.Event{Kind: bench.EventResume, Span: c.e.clock.Now() - c.since})
		c.noDeadline()
		c.reopen()
		if c.warmup {
			c.heat()
			return
		}
		c.send(bench.CauseResume, c.committed)
	}
}

// reopen lets sends be asked for again after a budget refused one, and withdraws the question about that: whoever goes on has answered it, here or at a
// target that leads this one.
func (c *control) reopen() {
	c.bars = false
	c.e.ledger.purse.open()
	if c.ask != nil && c.ask.budget {
		c.ask = nil
	}
}

// drain goes to a pause with a deadline.
func (c *control) drain() {
	if !c.sending() && c.state != bench.Paused {
		return
	}
	c.commit()
	c.event(bench.Event{Kind: bench.EventDrain})
	c.enter(bench.Draining, "")
	c.bound()
}

// stop ends the run: what runs may finish until the deadline.
func (c *control) stop(why string) {
	if c.ending {
		return
	}
	c.commit()
	c.unboard("the run ends")
	c.ask = nil
	c.ending = true
	c.event(bench.Event{Kind: bench.EventDrain, Text: why})
	c.enter(bench.Draining, why)
	c.endWindow()
	c.bound()
}

// kill ends the run now.
func (c *control) kill(why string) {
	c.unboard("the run ends")
	c.over, c.why = true, why
	c.endWindow()
	c.tail.Cut = c.e.gate.Load().Running
}

// endWindow ends the run's window: what ends after it is its tail.
func (c *control) endWindow() {
	if !c.tail.Began.OK {
		c.tail.Began, c.running = bench.MarkAt(c.e.clock.Now()), c.e.gate.Load().Running
	}
}

// bound sets the alarms of a drain.
func (c *control) bound() {
	c.deadlineAt = bench.MarkAt(c.e.clock.Now() + c.e.opt.DrainTimeout)
	c.deadline.Reset(c.e.opt.DrainTimeout)
	c.e.gate.Release()
	c.idle = c.e.gate.Idle()
}

func (c *control) noDeadline() {
	c.deadline.Stop()
	c.deadlineAt = bench.Mark{}
	c.idle = nil
}

// drained: nothing runs and nothing is held any more.
func (c *control) drained() {
	c.noDeadline()
	if c.state != bench.Draining {
		return
	}
	if c.ending {
		c.over = true
		return
	}
	c.event(bench.Event{Kind: bench.EventDrained})
	c.enter(bench.Paused, "drained")
}

// expire: the drain's deadline has come. What still runs is cut; the gate's being idle then ends the drain.
func (c *control) expire() {
	n := c.e.gate.Load().Running
	c.event(bench.Event{Kind: bench.EventWarn, N: n, Text: fmt.Sprintf("drain: %d still running after %s, cancelled", n, c.e.opt.DrainTimeout)})
	if c.ending {
		c.over, c.tail.Cut = true, n
		return
	}
	c.e.cut(c.ctx, errEnded)
}

// note marks this instant; while the run sends it begins a level. At other times the next level that stays carries it: what it tells of has changed before that.
func (c *control) note(text string) {
	if !c.between() {
		c.commit()
	}
	c.event(bench.Event{Kind: bench.EventNote, Text: text})
	if c.noted != "" {
		text = c.noted + "; " + text
	}
	c.noted = text
	if c.state == bench.Running && !c.between() {
		c.openAtOnce(bench.CauseNote, c.committed)
	}
}

// refused: the ledger did not grant a send.
func (c *control) refused(v verdict) {
	if c.ending || !c.sending() {
		return
	}
	if v == noMoreRequests {
		c.allSent = true
		c.stop(fmt.Sprintf("all %d requests are sent", c.e.opt.Run.Requests))
		return
	}
	c.unboard("the budget is used up")
	c.event(bench.Event{Kind: bench.EventBudget, Text: "the budget does not cover one more request"})
	c.pause("budget used up")
	c.pose(question{Ask: bench.Ask{Raises: true, Text: "the budget is used up: allow as much again?"}, place: nowhere, budget: true, yes: func() {
		c.e.ledger.extend()
		c.resume()
	}})
}

// down: the target is gone, unless it has just shown that it is there.
func (c *control) down(m gone) {
	if c.state != bench.Running && c.state != bench.Warming || c.book.alive {
		return
	}
	c.commit()
	c.event(bench.Event{At: m.at, Kind: bench.EventDown, Text: m.why})
	c.enter(bench.Down, m.why)
}

// up: the target answers again. It loads its model, fills its caches: until it has finished a request that began from now on, nothing is measured.
func (c *control) up(at time.Duration) {
	if c.state != bench.Down {
		return
	}
	c.event(bench.Event{At: at, Kind: bench.EventUp, Span: at - c.since})
	if c.warmup {
		c.heat()
		return
	}
	c.enter(bench.Warming, "")
	c.e.warmFrom.Store(int64(at) + 1)
	c.warmed.Reset(warmLimit)
}

// warm: the warm-up is over, or the target that was down serves again: a new level at the same load.
func (c *control) warm() {
	if c.state != bench.Warming {
		return
	}
	if c.warmup {
		if n := c.e.toWarm.Load(); n > 0 {
			c.event(bench.Event{Kind: bench.EventWarn, N: int(n), Text: fmt.Sprintf("warm-up: %d requests have not ended", n)})
		}
		c.measure()
		return
	}
	c.send(bench.CauseRecovery, c.committed)
}

// spokenOf is how long after a word on the reserve of a quota the next may follow.
const spokenOf = time.Minute

// spared: a slot is held for the sake of a quota's reserve.
func (c *control) spared(why string) {
	if now := c.e.clock.Now(); !c.told.OK || now-c.told.At >= spokenOf {
		c.told = bench.MarkAt(now)
		c.event(bench.Event{Kind: bench.EventWarn, Text: "slots wait for the quota: " + why})
	}
}

// usedUp: the workload has no more prompts. Without an operator that is the run's end.
func (c *control) usedUp(work int) {
	if c.ending || !c.sending() {
		return
	}
	if work != c.work {
		c.drive() // another is in force by now: the slots that found none go on with that
		return
	}
	why := "all prompts of the workload are sent"
	if c.e.opt.Unmanned {
		c.allSent = true
		c.stop(why)
		return
	}
	c.pause(why)
}

// barred: the server wants no more of this key.
func (c *control) barred(why string) {
	if c.sending() {
		c.bars = true
		c.event(bench.Event{Kind: bench.EventWarn, Text: why})
		c.pause(why)
	}
}
