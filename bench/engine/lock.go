package engine

import "redline/bench"

// locked does a command that was given under the lock, unless it would raise the load as things stand now: the screen that it was given at may be older.
func (c *control) locked(command bench.Command) {
	if what := c.raised(command); what != "" {
		c.event(bench.Event{Kind: bench.EventWarn, Text: "locked: " + what + " is refused"})
		return
	}
	c.take(command)
}

// raised is what a command would do now that the lock refuses: to raise the load, to count it in another unit, to send again. It is empty where the
// command does none of that.
func (c *control) raised(command bench.Command) string {
	if c.ending {
		return ""
	}
	to := c.target
	switch m := command.(type) {
	case bench.Add:
		if m.N > 0 {
			return "a rise"
		}
	case bench.Times:
		if m.F > 1 {
			return "a rise"
		}
	case bench.Set:
		to = c.bounded(c.at(m.N))
	case bench.Undo:
		to, _, _ = c.passage(-1)
	case bench.Redo:
		to, _, _ = c.passage(+1)
	case bench.Flip:
		to = c.was
	case bench.Switch:
		return "another loop"
	case bench.Follow:
		return "a profile"
	case bench.Resume, bench.Toggle:
		if !c.sending() {
			return "to send"
		}
	case bench.Answer:
		if m.Yes && c.ask != nil && c.ask.ID == m.ID && c.ask.Raises {
			return "yes"
		}
	}
	if to.Mode != c.target.Mode || !(to.N <= c.target.N) {
		return "a rise to " + to.String()
	}
	return ""
}
