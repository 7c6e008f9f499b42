package engine

import (
	"time"

	"redline/bench"
)

// await waits for the load to be in force. A rate is at once, for arrivals do not wait for those before them; but where it was lowered, what is in flight
// still belongs to the load before, and may be a backlog that the server has to work off first.
func (c *control) await(from bench.Setpoint) {
	waited := c.waits.OK && from == c.target && c.e.older.rebind(c.level)
	if !waited {
		c.e.older.forget()
		c.waits = bench.Mark{}
	}
	switch {
	case waited:
	case c.target.Mode == bench.Closed:
		c.e.gate.Await()
	case c.lowered || from.Mode == bench.Open && from.N > c.target.N || from.Mode == bench.Closed && c.slower():
		c.waits, c.backlog = bench.MarkAt(c.e.clock.Now()), c.e.gate.Load().Running
		c.e.older.await(c.level)
	default:
		c.meet(c.e.clock.Now())
	}
	c.lowered = false
}

// slower tells whether the rate that is set is below that at which requests end, or nothing is known of that.
func (c *control) slower() bool {
	pace := c.pace()
	return c.target.N < 0.8*pace || pace == 0 && c.e.gate.Load().Running > 0
}

// longestBacklog bounds the wait for what was in flight before a rate was lowered.
const longestBacklog = 2 * time.Minute

// worksOff tells whether what was in flight has ended and the requests after it still find less and less before them: then those are waited for too.
func (c *control) worksOff() bool {
	before, now := c.backlog, c.e.gate.Load().Running
	if !c.waits.OK || now > before*4/5 || before-now < 4 {
		return false
	}
	c.backlog = now
	c.e.older.await(c.level)
	return true
}

// overdue ends a wait that takes too long: what the level measures then has the rest of the backlog in it.
func (c *control) overdue() {
	if c.waits.OK && c.state == bench.Running && c.e.clock.Now()-c.waits.At >= longestBacklog {
		c.waits = bench.Mark{}
		c.e.older.forget()
		c.meet(c.e.clock.Now())
	}
}

// reached: the load of the level is in force.
func (c *control) reached(m reached) {
	// Between two plateaus of a profile a load that is reached is left again at once.
	if m.level == c.level && c.state == bench.Running && !(c.lead.leads() && c.moving.OK) {
		if c.worksOff() {
			return
		}
		c.waits = bench.Mark{}
		c.meet(m.at)
	}
}

// meet says that the level's load is in force.
func (c *control) meet(at time.Duration) {
	c.met = c.level
	c.event(bench.Event{At: at, Kind: bench.EventReach, To: c.target})
}
