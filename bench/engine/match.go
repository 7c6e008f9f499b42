package engine

import "redline/bench"

// Standing is how a run stands, for those who drive others by it.
type Standing struct {
	bench.Gauges
	// Ending: nothing more is sent, and the run ends when what is in flight has. AllSent: because all that was to be sent is. Barred: it rests, since its server
	// wants no more of its key.
	Ending, AllSent, Barred bool
	// Taken is how many of the commands that were posted have been done.
	Taken int
}

// match puts the load and the workload of another engine in force. They have been judged there: nothing is asked, nothing is throttled, and a burst
// rests when it does there. A bound of this run's own holds all the same.
func (c *control) match(m bench.Match) {
	if c.ending {
		return
	}
	c.drop()
	c.takeOver()
	if m.Work != c.work && m.Work >= 0 && m.Work < len(c.e.works) {
		c.commit()
		c.toWork(m.Work)
	}
	if to := c.bounded(m.Load); to != c.target {
		c.apply(to, nowhere)
	}
	switch {
	case !c.moving.OK:
	case m.Moving:
		c.rested.Stop()
	default:
		c.commit()
	}
}

// turn notes that other targets are driven from now on.
func (c *control) turn(m bench.Turn) {
	if c.ending {
		return
	}
	c.commit()
	if m.Text != "" {
		c.event(bench.Event{Kind: bench.EventTarget, Text: m.Text})
	}
	if m.Level && c.state == bench.Running {
		c.openAtOnce(bench.CauseTarget, c.committed)
	}
	if m.Anew {
		c.e.open.anew(c.e.clock.Now(), m.Delay)
		c.drive()
	}
}
