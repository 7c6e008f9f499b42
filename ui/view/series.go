package view

import (
	"sort"
	"time"

	"redline/bench"
)

// fold names what of a snapshot is folded: where it is the same, levels and buckets are, whatever the gauges say.
type fold struct {
	run              *bench.Run
	folded           time.Duration
	buckets          **bench.Bucket
	levels           **bench.Level
	seconds, visited int
	perEvent         float64
}

func foldOf(s *bench.Snapshot) fold {
	f := fold{run: s.Run, folded: s.Folded, seconds: len(s.Buckets), visited: len(s.Levels), perEvent: s.PerEvent}
	// Slices belong to one fold; whoever keeps an address keeps the slice.
	if f.seconds > 0 {
		f.buckets = &s.Buckets[0]
	}
	if f.visited > 0 {
		f.levels = &s.Levels[0]
	}
	return f
}

// key names one column of one series.
type key struct {
	metric     bench.Metric
	percentile bench.Percentile
	width      time.Duration
	number     int
}

// kept is a column that has been measured, and what it was measured by: the buckets from an instant on, within the level that began at another, by so many
// tokens an event where that counts.
type kept struct {
	column
	since, begin time.Duration
	perEvent     float64
	complete     bool
	// look is the fold, by its number, in which it was measured.
	look int
}

// series keeps the columns that were measured, so that a frame measures only what is new. A complete column stays as it is until one of its buckets is
// another one: what came late is put right in a copy.
type series struct {
	columns map[key]kept
	fold    fold
	look    int
	buckets []*bench.Bucket
}

// keptColumns bounds the cache; it is emptied when full, which costs one frame a few milliseconds.
const keptColumns = 1 << 13

// values are the columns of a metric over a span, oldest first.
func (c *series) values(s *bench.Snapshot, m bench.Metric, p bench.Percentile, sp span, out []column) []column {
	for i := range sp.count {
		out = append(out, c.one(s, m, p, sp, i))
	}
	return out
}

// follow lets go of what is not true any more in another fold.
func (c *series) follow(s *bench.Snapshot) {
	is := foldOf(s)
	if c.columns != nil && c.fold == is {
		return
	}
	// Of an earlier fold, as a recording has it that goes back, nothing is known that later ones have.
	if c.columns == nil || c.fold.run != is.run || is.folded < c.fold.folded || len(c.columns) > keptColumns {
		c.columns = map[key]kept{}
	} else if from, to := replaced(c.buckets, s.Buckets); from < to {
		for k, have := range c.columns {
			if have.since < to && time.Duration(k.number+1)*k.width > from {
				delete(c.columns, k)
			}
		}
	}
	c.fold, c.buckets = is, s.Buckets
	c.look++
}

// replaced is the stretch of time that holds all buckets which have been put right. Those that were joined since, or dropped, are not among them: what was
// drawn of them stays.
func replaced(was, is []*bench.Bucket) (from, to time.Duration) {
	from = 1<<63 - 1
	for i, j := 0, 0; i < len(was) && j < len(is); {
		a, b := was[i], is[j]
		if a != b && a.Start == b.Start && a.Span == b.Span {
			from, to = min(from, a.Start), max(to, a.End())
		}
		if a.Start <= b.Start {
			i++
		}
		if b.Start <= a.Start {
			j++
		}
	}
	return from, to
}

func (c *series) one(s *bench.Snapshot, m bench.Metric, p bench.Percentile, sp span, i int) column {
	c.follow(s)
	from := sp.start(i)
	if from < 0 || from >= s.Folded {
		return column{}
	}
	k := key{m, p, sp.width, sp.first + i}
	begin := time.Duration(0)
	if distributed(m, p) {
		begin = levelBegan(s.Levels, from)
	}
	have, found := c.columns[k]
	if found && (have.complete || have.look == c.look) && (begin <= have.since || begin == have.begin) && (have.perEvent == 0 || have.perEvent == s.PerEvent) {
		return have.column
	}
	have = lately(s, m, p, from, begin, within(s.Buckets, from, from+sp.width))
	have.complete, have.look = s.Folded >= from+sp.width, c.look
	c.columns[k] = have
	return have.column
}

// levelBegan is when the level of an instant began; 0 before the first.
func levelBegan(levels []*bench.Level, at time.Duration) time.Duration {
	i := sort.Search(len(levels), func(i int) bool { return levels[i].Begin > at })
	if i == 0 {
		return 0
	}
	return levels[i-1].Begin
}

// lately is what a metric did in a column's buckets, with those before them of the same level for percentiles that need more samples.
func lately(s *bench.Snapshot, m bench.Metric, p bench.Percentile, from, begin time.Duration, buckets []*bench.Bucket) kept {
	if !distributed(m, p) || len(buckets) == 0 {
		return kept{column: measure(m, p, buckets, s.PerEvent), since: from, begin: begin}
	}
	first := sort.Search(len(s.Buckets), func(i int) bool { return s.Buckets[i].Start >= begin })
	own := sort.Search(len(s.Buckets), func(i int) bool { return s.Buckets[i].End() > from })
	first = min(first, own)
	c, back := trailing(m, p, s.Buckets[first:own+len(buckets)], own-first, s.PerEvent)
	out := kept{column: c, since: min(from, s.Buckets[first+back].Start), begin: begin}
	if c.gaps {
		out.perEvent = s.PerEvent
	}
	return out
}
