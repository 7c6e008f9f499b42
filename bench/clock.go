package bench

import "time"

// Clock gives instants: offsets from the start of a run, on the monotonic clock.
type Clock struct{ start time.Time }

// NewClock starts a clock at the given time, which must carry a monotonic reading (as time.Now gives).
func NewClock(start time.Time) Clock { return Clock{start: start} }

// Now is the present instant, in whole microseconds: no wake-up is better than that, and what is kept of a run is a good deal shorter.
func (c Clock) Now() time.Duration { return time.Since(c.start).Truncate(time.Microsecond) }

// Start is the wall time of instant 0.
func (c Clock) Start() time.Time { return c.start }

// Mark is an instant that may not have come.
type Mark struct {
	At time.Duration
	OK bool
}

// MarkAt is a Mark that has come.
func MarkAt(at time.Duration) Mark { return Mark{At: at, OK: true} }

// Since is the time from an earlier mark to this one; absent if either is.
func (m Mark) Since(earlier Mark) (time.Duration, bool) {
	if !m.OK || !earlier.OK {
		return 0, false
	}
	return m.At - earlier.At, true
}

// Value is a number that may be absent.
type Value struct {
	V  float64
	OK bool
}

// Some is a Value that is present; a v that is not finite is absent.
func Some(v float64) Value {
	if v != v || v > 1e300 || v < -1e300 {
		return Value{}
	}
	return Value{V: v, OK: true}
}

// Millis is a length of time in float64 milliseconds, the unit of every latency statistic.
func Millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
