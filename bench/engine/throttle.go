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
	if _, stop := command.(bench.Cancel); stop {
		c.cancel()
		return
	}
	if c.ending {
		return
	}
	switch m := command.(type) {
	case bench.Add:
		c.add(m.N)
	case bench.Times:
		c.times(m.F)
	case bench.Set:
		c.move(c.at(m.N), nowhere, false)
	case bench.Undo:
		c.travelBy(-1)
	case bench.Redo:
		c.travelBy(+1)
	case bench.Flip:
		c.move(c.was, nowhere, false)
	}
}

// hugeLoad is more than any load: steps beyond it are that large.
const hugeLoad = 1e9

// at is a load of the mode in force.
func (c *control) at(n float64) bench.Setpoint { return bench.Setpoint{Mode: c.target.Mode, N: n} }

func (c *control) add(n float64) {
	if math.IsNaN(n) {
		return
	}
	n = min(max(n, -hugeLoad), hugeLoad)
	if c.ask != nil && c.ask.Load && n > 0 {
		// The hand goes on while the question stands: the question follows it.
		c.askLoad(c.at(c.ask.To.N+n), nowhere)
		return
	}
	if n = c.throttle.Allow(time.Now(), n, c.target.Mode); n != 0 {
		c.move(c.at(c.target.N+n), nowhere, false)
	} else if c.moving.OK {
		// The press counts for nothing, but the hand has not rested.
		c.rested.Reset(rest)
	}
}

func (c *control) times(f float64) {
	if !(f > 0) || f > 1e6 {
		return
	}
	to := c.target.N * f
	if c.target.Mode == bench.Closed {
		to = math.Round(to)
		if f > 1 {
			to = max(to, c.target.N+1)
		}
		if f < 1 {
			to = min(to, c.target.N-1)
		}
	}
	// Doubling shares a key with halving on many keyboards: a rise by a factor is always asked.
	c.move(c.at(to), nowhere, f > 1)
}

// travelBy goes through the history of committed loads, on from the place that an open question asks for or that the burst has come to. A burst
// that has left its committed load for one of its own is taken back whole first.
func (c *control) travelBy(step int) {
	if to, place, ok := c.passage(step); ok {
		c.move(to, place, false)
	}
}

// passage is the load to which a step through the history leads, and its place there; the one that is set, where it leads to none.
func (c *control) passage(step int) (to bench.Setpoint, place int, ok bool) {
	place = c.place
	if c.ask != nil && c.ask.Load && c.ask.place != nowhere {
		place = c.ask.place
	}
	if place == nowhere {
		if step < 0 {
			return c.committed, c.history.Place(), true
		}
		return c.target, nowhere, false
	}
	if n, ok := c.history.Look(place + step); ok {
		return n, place + step, true
	}
	return c.target, place, false
}

// move sets the load, or asks first. place is where in the history that load stands, nowhere for a new one. Lowering is never asked, and drops
// an open question about the load.
func (c *control) move(to bench.Setpoint, place int, ask bool) {
	to = c.bounded(to)
	rise := to.Mode == c.target.Mode && to.N > c.target.N
	base := c.committed
	if to.Mode != c.target.Mode {
		// Held against what goes on now; the load that was left last may come back as it was.
		base = c.elsewhere()
		rise = to != c.was && to.N > base.N
	}
	switch {
	case rise && (ask || to.N > load.Ceiling(base)):
		// A pilot would go on to move the load that the question is about.
		c.unboard(byHand)
		c.askLoad(to, place)
	case to != c.target || place != nowhere && place != c.place:
		c.drop()
		c.takeOver()
		c.apply(to, place)
	default:
		c.drop()
		c.takeOver()
	}
}

// askLoad asks before a rise. While a question of another kind is open (the budget's) there is no rise to ask for.
func (c *control) askLoad(to bench.Setpoint, place int) {
	to = c.bounded(to)
	q := question{Ask: bench.Ask{To: to, Load: true, Raises: true, Text: fmt.Sprintf("raise the load from %s to %s?", c.target, to)}, light: true, place: place}
	q.yes = func() {
		c.takeOver()
		c.apply(to, place)
	}
	switch {
	case c.ask == nil:
		c.pose(q)
	case c.ask.Load:
		// One event, however often the hand changes the question. A yes is to what was read: to another load it is another question.
		if q.ID = c.ask.ID; q.Ask != c.ask.Ask {
			c.askID++
			q.ID = c.askID
		}
		c.ask, c.posed = &q, true
	case c.ask.light:
		c.pose(q)
	default:
		c.event(bench.Event{Kind: bench.EventWarn, Text: "answer the open question before a rise to " + to.String()})
	}
}

// pose puts a question to the operator, in place of an open one.
func (c *control) pose(q question) {
	c.askID++
	q.ID = c.askID
	c.ask, c.posed = &q, true
	c.event(bench.Event{Kind: bench.EventAsk, To: q.To, Text: q.Text})
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
	}
}

// drop withdraws the open question about the load or its mode; one about the budget stands until it is answered.
func (c *control) drop() {
	if c.ask != nil && c.ask.light {
		c.ask = nil
	}
}

// apply puts a load in force now. Another mode is a level at once: there is no burst of modes.
func (c *control) apply(to bench.Setpoint, place int) {
	now := c.e.clock.Now()
	switched := to.Mode != c.target.Mode
	if switched {
		c.commit()
		c.event(bench.Event{Kind: bench.EventMode, From: c.target, To: to})
	}
	c.target, c.place = to, place
	c.book.setTarget(now, to)
	if c.state == bench.Running {
		cause := bench.CauseLoad
		if switched {
			cause = bench.CauseMode
		}
		if c.moving.OK {
			c.event(bench.Event{Kind: bench.EventOpen, Level: c.level, Cause: cause, From: c.committed, To: to, Work: c.work})
		} else {
			c.open(cause, c.committed, to)
		}
	}
	if !c.moving.OK {
		c.moving = bench.MarkAt(now)
	}
	c.putStage()
	c.drive()
	if switched {
		c.commit()
		return
	}
	c.rested.Reset(rest)
}

// commit ends a burst: one level, one marker, one step of the history. What a profile does between two plateaus is no burst, and ends without them.
func (c *control) commit() {
	if c.lead.leads() {
		c.moving = bench.Mark{}
		return
	}
	c.settleLoad()
}

// settleLoad commits the load that is set.
func (c *control) settleLoad() {
	if !c.moving.OK {
		return
	}
	c.rested.Stop()
	if c.state == bench.Running {
		c.event(bench.Event{Kind: bench.EventCommit, Cause: bench.CauseLoad, From: c.committed, To: c.target, Work: c.work})
		if c.target.Mode == bench.Open {
			c.await(c.committed)
		}
	}
	if !c.history.Go(c.place, c.target) {
		c.history.Commit(c.target)
	}
	if c.target != c.committed {
		c.was, c.committed = c.committed, c.target
		c.changed = c.moving
	}
	c.moving, c.place = bench.Mark{}, c.history.Place()
}

// cancel is the emergency stop: load 0, and what is in flight is cut. It is never asked, and works to the very end.
func (c *control) cancel() {
	n := c.e.gate.Load().Running
	if !c.ending {
		c.drop()
		c.takeOver()
		if c.target.N > 0 {
			c.apply(c.at(0), nowhere)
		}
		c.commit()
	}
	c.e.cut(c.ctx, errCancelled)
	c.event(bench.Event{Kind: bench.EventCancel, N: n})
}
