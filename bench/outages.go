package bench

import "time"

// Outages are how often the target was down, and for how long altogether, also where the log of events no longer has them.
type Outages struct {
	N int
	// Lasted is the time of those that are over, Since the instant from which on it is down; absent while it is there.
	Lasted time.Duration
	Since  Mark
}

// Take counts an event of the run; those of other kinds change nothing.
func (o *Outages) Take(e *Event) {
	switch {
	case e.Kind == EventDown && !o.Since.OK:
		o.N++
		o.Since = MarkAt(e.At)
	case e.Kind == EventUp && o.Since.OK:
		o.Lasted += max(e.At-o.Since.At, 0)
		o.Since = Mark{}
	}
}

// After are those of the run from an instant on: one that lasts then is counted from there.
func (o *Outages) After(at time.Duration) Outages {
	if !o.Since.OK {
		return Outages{}
	}
	return Outages{N: 1, Since: MarkAt(max(at, o.Since.At))}
}

// Time is for how long the target was down up to an instant.
func (o *Outages) Time(until time.Duration) time.Duration {
	if !o.Since.OK {
		return o.Lasted
	}
	return o.Lasted + max(until-o.Since.At, 0)
}
