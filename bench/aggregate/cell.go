package aggregate

import (
	"sync"
	"time"

	"redline/bench"
)

// depth is how many seconds that are not cut yet a shard keeps apart; what is stamped later still is booked in the last of them.
const depth = 4

// shard is a part of the streams with a lock of its own, so that streams rarely wait for one another.
type shard struct {
	mu sync.Mutex
	// cut is the last second that was cut, -1 at first. mu guards it and the cells.
	cut   int
	cells [depth]*cell
	// Shards lie next to one another; keep their locks on different cache lines.
	_ [64]byte
}

// cell is what one shard saw in one second.
type cell struct {
	// facts holds the counters; its sketches stay empty, for gap, itl and lag take the samples.
	facts         bench.Facts
	gap, itl, lag *bench.Histogram

	flight, held, decode integral

	starts []bench.Starts
	unsent []bench.Unsent
	firsts []bench.FirstToken
	fixes  []bench.TokenFix
	ended  []bench.Ended
}

func newCell() *cell {
	return &cell{gap: bench.NewHistogram(), itl: bench.NewHistogram(), lag: bench.NewHistogram()}
}

// reset empties the cell but keeps its room.
func (c *cell) reset() {
	c.gap.Reset()
	c.itl.Reset()
	c.lag.Reset()
	clear(c.ended)
	*c = cell{gap: c.gap, itl: c.itl, lag: c.lag, starts: c.starts[:0], unsent: c.unsent[:0], firsts: c.firsts[:0], fixes: c.fixes[:0], ended: c.ended[:0]}
}

// start counts a request of a level as sent, or takes it back.
func (c *cell) start(level, n int) {
	c.facts.Sent += n
	for i := range c.starts {
		if c.starts[i].Level == level {
			c.starts[i].Sent += n
			return
		}
	}
	c.starts = append(c.starts, bench.Starts{Level: level, Sent: n})
}

// together is how far apart arrivals may be that are told as one group of unsent ones: as good as our instants are.
const together = 10 * time.Millisecond

// drop counts n arrivals of a level as unsent.
func (c *cell) drop(u bench.Unsent) {
	c.facts.Unsent += u.N
	if u.Level == bench.NoLevel {
		c.facts.Apart.Unsent += u.N
	}
	if n := len(c.unsent); n > 0 {
		if last := &c.unsent[n-1]; last.Level == u.Level && u.At >= last.At && u.At-last.At <= together {
			last.N += u.N
			return
		}
	}
	c.unsent = append(c.unsent, u)
}

// at is the cell in which an instant is booked, with the end of its second, and whether the instant's own second was cut already.
func (s *shard) at(t time.Duration) (c *cell, end time.Duration, late bool) {
	second := int(max(t, 0) / time.Second)
	if second <= s.cut {
		second, late = s.cut+1, true
	}
	second = min(second, s.cut+depth)
	return s.cells[second%depth], time.Duration(second+1) * time.Second, late
}

// integral is the time integral of a count over one second, up to the count that ran before it: who begins at t adds the rest of the
// second, who ends at t takes it away. So it does not matter in which order the changes come, and one that is booked in a later second
// than its own makes up there for what was missed.
type integral struct {
	// net is the change of the count, area the change's integral up to the end of the second.
	net  int
	area time.Duration
}

func (g *integral) add(n int, t, end time.Duration) {
	g.net += n
	g.area += time.Duration(n) * (end - t)
}

// running carries an integral over from second to second.
type running struct{ count int }

// over is the integral in seconds over a span, of which the changes were summed up to the span's end.
func (r *running) over(span time.Duration, change integral) float64 {
	area := time.Duration(r.count)*span + change.area
	r.count += change.net
	return area.Seconds()
}
