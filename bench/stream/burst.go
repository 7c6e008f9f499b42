package stream

import "time"

const (
	// burstEvents is how many token events it takes to speak of a burst.
	burstEvents = 10
	// burstTime is the shortest request of which one is told. A hundredth of less than that is below a millisecond, in which this machine
	// and the network bunch what a server sent apart.
	burstTime = 100 * time.Millisecond
	// burstPace is the time for an event above which a burst is none, however long its request waited before: models that stream a short
	// answer at a thousand events a second behind a long queue are fast, not held back. No model sends one stream twice as fast.
	burstPace = 500 * time.Microsecond
	// burstWire is the time for an event below which it is a burst whatever the request took: fifty thousand tokens a second are a copy, no model.
	burstWire = 20 * time.Microsecond
)

// burst tells whether nine tenths of the token events came within a hundredth of the time from the request's start to its last token,
// wherever that was, or faster than any model writes.
func (p *Parser) burst() bool {
	events := p.counts.Events
	took := p.last.At - p.opt.Started
	if events < burstEvents {
		return false
	}
	span := time.Duration(events) * burstWire
	if took >= burstTime {
		span = max(span, min(took/100, time.Duration(events)*burstPace))
	}
	return 10*p.gaps.Densest(p.counts.FirstEvents, span) >= 9*events
}
