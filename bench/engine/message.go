package engine

import (
	"time"

	"redline/bench"
)

// Messages of the other goroutines to the control, in the same queue as the commands.
type (
	// reached: the gate has come to its target under that level.
	reached struct {
		at    time.Duration
		level int
	}
	// refused: the ledger did not grant a send.
	refused struct{ v verdict }
	// answered: a first token came while the target was down.
	answered struct{ at time.Duration }
	// gone: several requests in a row found no target.
	gone struct {
		at  time.Duration
		why string
	}
	// warm: the warm-up has ended, or a request that began after the target's return has ended well.
	warm struct{}
	// barred: the server wants no more of this key.
	barred struct{ why string }
	// spared: a slot waits for the sake of a quota's reserve.
	spared struct{ why string }
	// placed: a place has become free while the target is down.
	placed struct{}
	// usedUp: the workload with that number has no more prompts.
	usedUp struct{ work int }
)

// hear does what a message of another goroutine asks for.
func (c *control) hear(item any) {
	switch m := item.(type) {
	case *pilotage:
		c.board(m)
	case reached:
		c.reached(m)
	case refused:
		c.refused(m.v)
	case answered:
		c.up(m.at)
	case gone:
		c.down(m)
	case warm:
		c.warm()
	case spared:
		c.spared(m.why)
	case placed:
		if c.state == bench.Down {
			c.drive()
		}
	case usedUp:
		c.usedUp(m.work)
	case barred:
		c.barred(m.why)
	}
}
