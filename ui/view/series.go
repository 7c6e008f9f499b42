package view

import (
	"sort"
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
	have = kept{column: lately(s, m, p, from, buckets), n: n, complete: s.Folded >= from+sp.width}
	c.columns[k] = have
	return have.column
}

// lately is what a metric did in a column's buckets, with those before them of the same level for percentiles that need more samples.
func lately(s *bench.Snapshot, m bench.Metric, p bench.Percentile, from time.Duration, buckets []*bench.Bucket) column {
	if !distributed(m, p) || len(buckets) == 0 {
		return measure(m, p, buckets, s.PerEvent)
	}
	begin := time.Duration(0)
	for i := len(s.Levels) - 1; i >= 0; i-- {
		if begin = s.Levels[i].Begin; begin <= from {
			break
		}
	}
	first := sort.Search(len(s.Buckets), func(i int) bool { return s.Buckets[i].Start >= begin })
	own := sort.Search(len(s.Buckets), func(i int) bool { return s.Buckets[i].End() > from })
	first = min(first, own)
	return trailing(m, p, s.Buckets[first:own+len(buckets)], own-first, s.PerEvent)
}
