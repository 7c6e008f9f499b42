package view

import (
	"time"

	"redline/bench"
)

// key names one column of one series.
type key struct {
	metric     bench.Metric
	percentile bench.Percentile
	width      time.Duration
	number     int
}

// kept is a column that has been measured. A complete column never changes, but for samples of ITL, whose tokens may be counted late:
// n is by how many samples it was drawn.
type kept struct {
	column
	n        uint64
	complete bool
}

// series keeps the columns that were measured, so that a frame measures only what is new.
type series struct {
	columns map[key]kept
	run     *bench.Run
}

// keptColumns bounds the cache; it is emptied when full, which costs one frame a few milliseconds.
const keptColumns = 1 << 13

// values are the columns of a metric over a span, oldest first.
func (c *series) values(s *bench.Snapshot, m bench.Metric, p bench.Percentile, sp span, out []column) []column {
	if c.run != s.Run || len(c.columns) > keptColumns {
		c.columns, c.run = nil, s.Run
	}
	if c.columns == nil {
		c.columns = map[key]kept{}
	}
	for i := range sp.count {
		out = append(out, c.one(s, m, p, sp, i))
	}
	return out
}

func (c *series) one(s *bench.Snapshot, m bench.Metric, p bench.Percentile, sp span, i int) column {
	from := sp.start(i)
	if from < 0 || from >= s.Folded {
		return column{}
	}
	k := key{m, p, sp.width, sp.first + i}
	have, found := c.columns[k]
	if found && have.complete && m != bench.ITL {
		return have.column
	}
	buckets := within(s.Buckets, from, from+sp.width)
	var n uint64
	for _, b := range buckets {
		n += b.ITL.N + 1
	}
	if found && have.n == n && have.complete {
		return have.column
	}
	have = kept{column: measure(m, p, buckets, s.PerEvent), n: n, complete: s.Folded >= from+sp.width}
	c.columns[k] = have
	return have.column
}
