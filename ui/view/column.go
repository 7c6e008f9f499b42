package view

import (
	"sort"
	"time"

	"redline/bench"
)

// column is what one metric did in one column's share of the window.
type column struct {
	v  float64
	ok bool
	// few marks a value to trust less: of fewer samples than a percentile needs, or of gaps whose tokens are not counted yet; greatest that it is
	// the greatest of them instead of a high percentile; gaps that it is of gaps.
	few, greatest, gaps bool
	// reach is over how long it was drawn, where it borrows from columns before its own; 0 where it does not.
	reach time.Duration
}

// leastSamples is how many samples a column's percentile rests on.
const leastSamples = bench.ReadySamples

// span is the stretch of time that the lanes show: columns of a width aligned to the run's clock.
type span struct {
	// width is one column's time, repeat how many cells show it (above 1 when the window has fewer seconds than the plot has cells).
	width time.Duration
	// The oldest column lacks over of its cells, where they do not come out even.
	repeat, over int
	// first is the number of the first column, counted from the run's start (below 0: before it); count how many there are.
	first, count int
}

// roundWidths are the lengths of time that a column may stand for.
var roundWidths = []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second, 6 * time.Second, 8 * time.Second,
	10 * time.Second, 12 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute,
	2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}

// freshWidth is the width from which on the column that is still filling is shown as well, at whole multiples of it: waiting
// for it to be complete would hide the effect of a change.
const freshWidth = 5 * time.Second

// over is the span that ends now. window 0 is the whole run.
func over(window, now time.Duration, cells int) span {
	if cells < 1 {
		return span{width: time.Second, repeat: 1}
	}
	if window <= 0 {
		window = max(now, 30*time.Second)
	}
	// A window that lacks a twelfth is nearer to what was asked for than one of the next width.
	want := (window - window/12) / time.Duration(cells)
	s := span{width: roundWidths[len(roundWidths)-1], repeat: 1}
	for _, w := range roundWidths {
		if w >= want {
			s.width = w
			break
		}
	}
	if n := int(window / time.Second); s.width == time.Second && n > 0 && n < cells {
		s.repeat = max((cells+cells/12)/n, 1)
	}
	s.count = (cells + s.repeat - 1) / s.repeat
	s.over = s.count*s.repeat - cells
	end := int(now / s.width)
	if s.width >= freshWidth && now%s.width >= freshWidth/2 {
		end++
	}
	s.first = end - s.count
	return s
}

// shown is the time that the span covers.
func (s span) shown() time.Duration { return time.Duration(s.count) * s.width }

// begin and end bound what of the span lies in the run, which has come so far.
func (s span) begin() time.Duration { return max(s.start(0), 0) }

func (s span) end(now time.Duration) time.Duration { return min(max(s.start(s.count), 0), now) }

// start is the first instant of column i of the span.
func (s span) start(i int) time.Duration { return time.Duration(s.first+i) * s.width }

// at is the column of the span that holds an instant; below 0 or count and above when it is outside.
func (s span) at(t time.Duration) int { return int(t/s.width) - s.first }

// cell is where in the plot a column of the span begins.
func (s span) cell(column int) int { return max(column*s.repeat-s.over, 0) }

// within are the buckets that overlap a stretch of time.
func within(buckets []*bench.Bucket, from, to time.Duration) []*bench.Bucket {
	lo := sort.Search(len(buckets), func(i int) bool { return buckets[i].End() > from })
	hi := lo + sort.Search(len(buckets)-lo, func(i int) bool { return buckets[lo+i].Start >= to })
	return buckets[lo:hi]
}

// measure is what a metric did over buckets, a distribution by a percentile of however many samples there are.
func measure(m bench.Metric, p bench.Percentile, buckets []*bench.Bucket, perEvent float64) column {
	if !distributed(m, p) {
		return rate(m, buckets)
	}
	c, _ := trailing(m, p, buckets, 0, perEvent)
	return c
}

// distributed tells whether a metric is asked for as a percentile of its samples.
func distributed(m bench.Metric, p bench.Percentile) bool {
	return m == bench.TTFT || m == bench.ITL || m == bench.TPS && p != bench.Mean
}

// trailing is a percentile over buckets[own:], and where these hold too few samples for it over as many of the buckets before them as it takes.
// Where all together are too few it is the greatest instead of a high percentile. Nothing of its own is nothing to show. back is the first bucket that counts.
func trailing(m bench.Metric, p bench.Percentile, buckets []*bench.Bucket, own int, perEvent float64) (c column, back int) {
	of := func(b *bench.Bucket) *bench.Sketch { return &b.TTFT }
	switch m {
	case bench.TPS:
		of = func(b *bench.Bucket) *bench.Sketch { return &b.TPS }
	case bench.ITL:
		of = func(b *bench.Bucket) *bench.Sketch { return &b.ITL }
	}
	c, back = quantile(p, buckets, own, of)
	if m != bench.ITL || c.ok {
		return c, back
	}
	// Gaps whose tokens are not counted yet stand in, divided by what an event is known to hold.
	c, back = quantile(p, buckets, own, func(b *bench.Bucket) *bench.Sketch { return &b.Gap })
	c.v /= max(perEvent, 1)
	c.few, c.gaps = true, true
	return c, back
}

func quantile(p bench.Percentile, buckets []*bench.Bucket, own int, of func(*bench.Bucket) *bench.Sketch) (c column, back int) {
	var few [24]bench.Sketch
	all, n := few[:0], uint64(0)
	back = own
	oldest := own
	for i := len(buckets) - 1; i >= 0 && (i >= own || n > 0 && n < leastSamples); i-- {
		back = min(back, i)
		if s := of(buckets[i]); s.N > 0 {
			all, n, oldest = append(all, *s), n+s.N, min(oldest, i)
		}
	}
	if n == 0 {
		return column{}, back
	}
	c.few = n < leastSamples
	if oldest < own {
		c.reach = buckets[len(buckets)-1].End() - buckets[oldest].Start
	}
	if c.few && (p == bench.P95 || p == bench.P99) {
		p = bench.Max
	}
	c.greatest = c.few && p == bench.Max
	v := bench.Merge(all...).At(p)
	c.v, c.ok = v.V, v.OK
	return c, back
}

// rate is a rate over buckets. Where most of what ended came in one burst there is no speed: all of its tokens came in an instant.
func rate(m bench.Metric, buckets []*bench.Bucket) column {
	var active time.Duration
	var n, tokens, streams float64
	var bursts, ended int
	for _, b := range buckets {
		if m != bench.TPS && 2*b.Active < b.Span {
			// What ends in a drain is the pace of nothing, and over the moment before it would be a thousandfold.
			continue
		}
		active += b.Active
		switch m {
		case bench.RPM:
			n += float64(b.Ended[bench.OK])
		case bench.TPM:
			n += float64(b.Tokens())
		case bench.TPS:
			// With what was found at the streams' ends, as the numbers beside the lane have it.
			tokens += b.DecodeTokens + b.DecodeFix
			streams += b.DecodeSeconds + b.DecodeSpare
			bursts += b.Bursts
			ended += b.Ended[bench.OK]
		}
	}
	switch {
	case m == bench.TPS:
		return column{v: max(tokens, 0) / max(streams, 1e-6), ok: streams > 1e-6 && tokens >= 0 && 2*bursts <= ended}
	case active <= 0:
		return column{}
	}
	return column{v: max(n, 0) / active.Minutes(), ok: true}
}
