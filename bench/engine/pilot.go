package engine

import (
	"time"

	"redline/bench"
	"redline/bench/pilot"
)

// pilotage is a pilot that sets the load under a lease. At most one of hand, profile and pilot does:
//
//	who sets it | input                                     | next
//	hand        | Follow with a profile                     | profile
//	hand        | Follow without one, a profile being held  | profile, from where it stopped
//	hand        | Seek, Steer                               | pilot
//	profile     | a manual load command, Cancel             | hand; the profile is held
//	profile     | its end                                   | hand
//	profile     | Seek, Steer                               | pilot; the profile is held
//	pilot       | a manual load command, Cancel, another    | hand; the pilot is over
//	            | loop or workload, Seek or Steer with nil, |
//	            | its end, the budget's, the run's          |
//	pilot       | Follow                                    | profile; the pilot is over
//	pilot       | Seek, Steer                               | that pilot; this one is over
//	pilot       | the run stops to send                     | pilot, standing still until it sends again
//
// What a profile does by itself is in a table of its own (see lead). A pilot that has lost the load never gets it back: its numbers are of another time.
type pilotage struct {
	pilot pilot.Pilot
	// cause is that of the levels it begins, name what it is called.
	cause bench.Cause
	name  string
}

// awaits is how long a pilot of a run without a screen waits for a target that is down: one that starts again loads its model for minutes.
const awaits = 5 * time.Minute

// byHand is what a pilot is told when a manual load command has taken the load.
const byHand = "taken over by hand"

// giveBack ends a pilot of the kind that begins levels for that cause.
func (c *control) giveBack(cause bench.Cause) {
	if c.pilot != nil && c.pilot.cause == cause {
		c.unboard("ended by hand")
	}
}

// board gives the load to a pilot. There is no question for its rises: it was begun with its range in sight.
func (c *control) board(p *pilotage) {
	c.unboard(p.name + " took over")
	c.drop()
	c.commit()
	c.holdLead("a " + p.name)
	c.pilot, c.book.telling = p, true
	o := p.pilot.Begin(c.e.clock.Now(), c.target)
	c.adopt(c.bounded(o.Load), o.Level)
	c.tell(o)
}

// unboard takes the load from the pilot that has it, if one does.
func (c *control) unboard(why string) {
	if p := c.pilot; p != nil {
		c.leave()
		c.tell(p.pilot.End(c.e.clock.Now(), why))
	}
}

// leave ends the lease. Where the last moves were no steps of the history, the hand's way back in it leads to the load that it finds.
func (c *control) leave() {
	c.pilot, c.book.telling, c.book.told = nil, false, nil
	c.history.Commit(c.target)
	c.place = c.history.Place()
}

// consult tells the pilot of the seconds that were folded since it was told last, and does what it wants. A run that does not send keeps its load.
func (c *control) consult() {
	p, batches := c.pilot, c.book.told
	c.book.told = nil
	if p == nil || len(batches) == 0 {
		return
	}
	if c.e.opt.Unmanned && c.state == bench.Down && c.e.clock.Now()-c.since >= awaits {
		// Nobody is there to bring it back, or to end the run.
		c.unboard("the target is down")
		c.stop("the target is down")
		return
	}
	l := c.e.gate.Load()
	o := p.pilot.Second(&pilot.Second{
		Now: c.e.clock.Now(), Batches: batches, Snapshot: c.e.folded.Load(),
		State: c.state, Load: c.target, Level: c.level, Silent: c.quiet, Running: l.Running, Held: l.Held,
	})
	if c.state == bench.Running {
		c.adopt(c.bounded(o.Load), o.Level)
		if o.Settled.OK && !o.Level && c.met == c.level {
			c.event(bench.Event{At: o.Settled.At, Kind: bench.EventReach, To: c.target, N: 1})
		}
	}
	c.tell(o)
	if !o.Over {
		return
	}
	c.leave()
	if c.e.opt.Unmanned {
		c.stop("the " + p.name + " is over")
	}
}

// tell shows and notes what a pilot says.
func (c *control) tell(o pilot.Order) {
	for _, ev := range o.Events {
		c.event(ev)
	}
	if o.Ramping != nil {
		c.ramping = o.Ramping
	}
	if o.Cruising != nil {
		c.cruising = o.Cruising
	}
}

// adopt sets the load for the pilot. Another load begins a level, committed at once, and is a step of the history like any other unless the move is small.
func (c *control) adopt(to bench.Setpoint, level bool) {
	if !level && to == c.target {
		return
	}
	now, from := c.e.clock.Now(), c.committed
	if to.Mode != c.target.Mode {
		c.event(bench.Event{Kind: bench.EventMode, From: c.target, To: to})
	}
	c.target = to
	c.book.setTarget(now, to)
	running := c.state == bench.Running
	if running {
		c.open(c.pilot.cause, from, to)
		c.event(bench.Event{Kind: bench.EventCommit, Cause: c.pilot.cause, From: from, To: to, Work: c.work})
	}
	if level {
		c.history.Commit(to)
		c.place = c.history.Place()
	}
	if to != from {
		c.was, c.committed, c.changed = from, to, bench.MarkAt(now)
	}
	c.putStage()
	c.drive()
	if running {
		c.await(from)
	}
}
