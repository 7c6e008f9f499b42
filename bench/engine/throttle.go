package engine

import (
	"fmt"
	"math"
	"time"

	"redline/bench"
	"redline/bench/load"
)

// throttled moves the load as a command asks. The gate follows at once; the level is committed when the hand has rested.
func (c *control) throttled(command any) {
	if c.ending {
		return
	}
	switch m := command.(type) {
	case bench.Add:
		c.add(m.N)
	case bench.Times:
		c.times(m.F)
	case bench.Set:
		c.move(m.N, false, nil)
	case bench.Undo:
		if c.moving.OK {
			c.drop()
			c.apply(c.committed)
		} else if n, ok := c.history.Back(); ok {
			c.move(n, false, func() { c.history.Forward() })
		}
	case bench.Redo:
		if n, ok := c.history.Forward(); ok {
			c.move(n, false, func() { c.history.Back() })
		}
	case bench.Flip:
		c.move(c.was, false, nil)
	case bench.Cancel:
		c.cancel()
	}
}

func (c *control) add(n int) {
	if c.ask != nil && c.ask.To > 0 && n > 0 {
		// The hand goes on while the question stands: the question follows it.
		c.askLoad(c.ask.To+n, c.ask.no)
		return
	}
	if n = c.throttle.Allow(time.Now(), n); n != 0 {
		c.move(c.target+n, false, nil)
	}
}

func (c *control) times(f float64) {
	if !(f > 0) || f > 1e6 {
		return
	}
	to := int(math.Round(float64(c.target) * f))
	if f > 1 {
		to = max(to, c.target+1)
	}
	if f < 1 {
		to = min(to, c.target-1)
	}
	// Doubling shares a key with halving on many keyboards: a rise by a factor is always asked.
	c.move(to, f > 1, nil)
}

// move sets the load, or asks first; refused is what to take back if the answer is no. Lowering is never asked, and drops an open question.
func (c *control) move(to int, ask bool, refused func()) {
	to = min(max(to, 0), c.e.opt.Run.Max)
	switch {
	case to <= c.target:
		c.drop()
		if to < c.target {
			c.apply(to)
		}
	case ask || to > load.Ceiling(c.committed):
		c.askLoad(to, refused)
	default:
		c.drop()
		c.apply(to)
	}
}

func (c *control) askLoad(to int, refused func()) {
	to = min(to, c.e.opt.Run.Max)
	text := fmt.Sprintf("raise the load from %d to %d?", c.target, to)
	if c.ask != nil && c.ask.To > 0 {
		// One question, one event, however often the hand changes it.
		c.ask.To, c.ask.Text = to, text
		c.ask.yes = func() { c.apply(to) }
		return
	}
	c.question(bench.Ask{Text: text, To: to}, func() { c.apply(to) }, refused)
}

// question puts a question to the operator, in place of an open one.
func (c *control) question(a bench.Ask, yes, no func()) {
	c.drop()
	c.askID++
	a.ID = c.askID
	c.ask = &question{a, yes, no}
	c.event(bench.Event{Kind: bench.EventAsk, To: a.To, Text: a.Text})
}

func (c *control) answer(a bench.Answer) {
	q := c.ask
	if q == nil || a.ID != q.ID {
		return
	}
	c.ask = nil
	word := "no"
	if a.Yes {
		word = "yes"
	}
	c.event(bench.Event{Kind: bench.EventAnswer, To: q.To, Text: q.Text + " " + word})
	if a.Yes {
		q.yes()
	} else if q.no != nil {
		q.no()
	}
}

// drop withdraws the open question about the load; a question about the budget stands until it is answered.
func (c *control) drop() {
	if c.ask == nil || c.ask.To == 0 {
		return
	}
	q := c.ask
	c.ask = nil
	if q.no != nil {
		q.no()
	}
}

// apply moves the gate now.
func (c *control) apply(to int) {
	now := c.e.clock.Now()
	c.target = to
	c.book.setTarget(now, to)
	if c.state == bench.Running {
		if c.moving.OK {
			c.e.setTag(c.level, to)
			c.event(bench.Event{Kind: bench.EventOpen, Level: c.level, Cause: bench.CauseLoad, From: c.committed, To: to})
		} else {
			c.open(bench.CauseLoad, c.committed, to, "")
		}
	}
	if !c.moving.OK {
		c.moving = bench.MarkAt(now)
	}
	c.rested.Reset(rest)
	c.e.gate.Resize(to)
	c.e.pump(c.ctx)
}

// commit ends a burst: one level, one marker, one step of the history.
func (c *control) commit() {
	if !c.moving.OK {
		return
	}
	c.rested.Stop()
	if c.state == bench.Running {
		c.event(bench.Event{Kind: bench.EventCommit, Cause: bench.CauseLoad, From: c.committed, To: c.target})
	}
	if c.target != c.committed {
		c.was, c.committed = c.committed, c.target
		c.changed = c.moving
		c.history.Commit(c.target)
	}
	c.moving = bench.Mark{}
}

// cancel is the emergency stop: load 0, and what is in flight is cut. It is never asked.
func (c *control) cancel() {
	n := c.e.gate.Load().Running
	c.drop()
	if c.target > 0 {
		c.apply(0)
	}
	c.commit()
	c.e.cut(errCancelled)
	c.e.newFlight(c.ctx)
	c.event(bench.Event{Kind: bench.EventCancel, N: n})
}
