package analysis

import "redline/bench"

// Count is Little's law held against a level: over a long time the requests in flight, added up second by second, are the requests that ended times their time
// in flight. Where they are not, redline counts wrongly.
type Count struct {
	// InFlight and Stay are slot-seconds: those that were seen in flight, and those that the requests which ended had been in flight.
	InFlight, Stay float64
	// Edge is how far the two may lie apart: what was in flight at the two edges of the span is in one of them alone.
	Edge float64
}

// Off tells whether they lie further apart.
func (c Count) Off() bool { return c.InFlight-c.Stay > c.Edge || c.Stay-c.InFlight > c.Edge }

// littleStays is how many times a request's time in flight a level has to last, and rounding what may be lost at the edges of seconds, as a share.
const (
	littleStays = 5
	rounding    = 0.01
)

// Counted holds Little's law against a level; false while it is too short for that, and where requests failed: how long those were in flight is in no latency.
func Counted(l *bench.Level) (Count, bool) {
	var c Count
	var most, longest float64
	for _, b := range l.Batches {
		t := b.Tally()
		if t.Failed+t.Limited+t.Cancelled > 0 || b.Active <= 0 {
			return Count{}, false
		}
		c.InFlight += b.InFlight
		c.Stay += b.Stay
		most, longest = max(most, b.InFlight/b.Active.Seconds()), max(longest, b.E2E.Max/1000)
	}
	if !stays(l.Batches, littleStays) || c.Stay <= 0 || longest <= 0 {
		return Count{}, false
	}
	// At each edge at most all slots are in the middle of the longest of requests; a drain after the last token is in the stay and in no latency.
	c.Edge = 1.5*most*longest + rounding*c.InFlight
	return c, true
}
