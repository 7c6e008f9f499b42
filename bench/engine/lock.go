package engine

import (
	"slices"
	"time"

	"redline/bench"
)

// refusedRest is how soon the same refusal is told again.
const refusedRest = time.Second

// refusal is what the lock refused, and when it was told.
type refusal struct {
	what string
	at   time.Duration
}

// locked does a command that was given under the lock, unless it would raise the load as things stand now: the screen that it was given at may be older.
func (c *control) locked(command bench.Command) {
	if what := c.raised(command); what != "" {
		// A key that is held fills no log.
		if now := c.e.clock.Now(); what != c.forbade.what || now-c.forbade.at >= refusedRest {
			c.forbade = refusal{what, now}
			c.event(bench.Event{Kind: bench.EventWarn, Locked: true, Text: "locked: " + what + " is refused"})
		}
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
	case bench.Agreed:
		return c.raised(m.Command)
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
	case bench.Other, bench.Both:
		return "another target"
	case bench.Follow:
		return "a profile"
	case bench.Seek:
		if m.Ramp != nil {
			return "a ramp"
		}
	case bench.Steer:
		if m.Cruise != nil {
			return "a cruise"
		}
	case bench.Resume, bench.Toggle:
		if !c.sending() {
			return "to send"
		}
	case bench.Promise:
		return c.loosened(m)
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

// loosened is what a promise would do to a quota that holds sends back: to drop it, or to make it larger. It is empty where none is kept, or for a tighter one.
func (c *control) loosened(m bench.Promise) string {
	at := slices.IndexFunc(c.promises, m.Threshold.Same)
	if !m.Threshold.Quota() || at < 0 || !(c.e.opt.Run.QuotaReserve > 0) {
		return ""
	}
	switch was := c.promises[at]; {
	case m.Drop:
		return "to drop the quota " + was.String()
	case !(m.Threshold.Limit <= was.Limit):
		return "a quota above " + was.String()
	}
	return ""
}
