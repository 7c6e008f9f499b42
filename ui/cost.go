package ui

import "time"

// cost is how much of one processor core drawing takes: the time from a message to its frame, by the clock, so that it is an upper bound on a busy machine.
type cost struct {
	spent time.Duration
	since time.Time
	share float64
	known bool
}

// costSpan is over how long the share is taken.
const costSpan = 2 * time.Second

// add books the time of one message, and takes the share anew when it is time to.
func (c *cost) add(from, to time.Time) {
	c.spent += to.Sub(from)
	switch past := to.Sub(c.since); {
	case c.since.IsZero():
		c.since, c.spent = to, 0
	case past >= costSpan:
		c.share, c.known = min(max(float64(c.spent)/float64(past), 0), 1), true
		c.since, c.spent = to, 0
	}
}
