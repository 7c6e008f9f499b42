package view

import (
	"redline/bench"
	"redline/ui/chart"
)

// point is a request's value at a length in tokens.
type point struct {
	tokens int
	v      float64
}

// overPrompts counts requests by the length of their prompt.
func (h *heat) overPrompts(f *frame, stepped bool) {
	points, words := h.points(f)
	h.scope.words = words
	sum := bench.NewHistogram()
	low, high := 0, 0
	for _, p := range points {
		sum.Add(p.v, 1)
		if low == 0 || p.tokens < low {
			low = p.tokens
		}
		high = max(high, p.tokens)
	}
	h.all = sum.Sketch()
	h.cut(stepped)
	// A little room on both sides, for most workloads have one length.
	low = int(1/chart.RoundUp(1.25/float64(max(low, 1))) + 0.5)
	h.across(low, int(chart.RoundUp(1.25*float64(max(high, 1)))))
	for _, p := range points {
		h.count(p.tokens, 1, p.v, false)
	}
}

// points are the requests of the present scope that ended ok: of a level those that its numbers rest on, of a window those that the journal still has, of
// the run those that are kept of each level.
func (h *heat) points(f *frame) (points []point, words string) {
	m := h.key.metric
	add := func(l *bench.Level) {
		for _, one := range l.Sample {
			v := one.TTFT
			if m == bench.E2E {
				v = one.E2E
			}
			points = append(points, point{int(one.Input), float64(v)})
		}
	}
	all := 0
	switch {
	case f.st.Scope == Level && f.level != nil && len(f.level.Sample) > 0:
		add(f.level)
		all, words = f.level.Stats[m].N, "level "+named(f.level.Load)
	case f.st.Scope == Run:
		for _, l := range f.s.Levels {
			add(l)
			all += l.Stats[m].N
		}
		words = "all levels"
	}
	if len(points) > 0 {
		if n := len(points); n < all {
			return points, count(n) + " of the " + count(all) + " of " + words
		}
		return points, "the " + count(len(points)) + " of " + words
	}
	if f.st.Journal == nil {
		return nil, ""
	}
	for _, e := range f.st.Journal.Ended {
		v, at, ok := sampleOf(e, m)
		if !ok || e.Outcome != bench.OK || e.Level == bench.NoLevel || f.st.Scope == Window && at < h.key.span.start(0) ||
			f.st.Scope == Level && f.level != nil && e.Level != f.level.ID {
			continue
		}
		points = append(points, point{promptOf(e), v})
	}
	words = "ended"
	switch f.st.Scope {
	case Window:
		words = "in the window"
	case Level:
		words = "in this level"
	}
	return points, "of the last " + count(len(points)) + " " + words
}

// across cuts the x axis into columns without samples.
func (h *heat) across(low, high int) {
	if n := len(h.lengths.First); n == 0 || h.lengths.First[0] != low || h.lengths.First[n-1] != high+1 || len(h.lengths.Cells) != h.key.cells {
		h.lengths = chart.NewLengths(low, high, h.key.cells)
	}
	h.cells = append(h.cells[:0], h.lengths.Cells...)
	h.columns = make([]chart.HeatColumn, h.lengths.Count())
	for i := range h.columns {
		h.columns[i].Counts = make([]uint64, len(h.edges)-1)
	}
}

// count counts n samples that begin at a length, or takes them out again. Samples that follow one another may lie in several columns.
func (h *heat) count(at, n int, v float64, out bool) {
	v = bench.AsKept(v)
	if n < 1 || v != v || len(h.columns) == 0 {
		return
	}
	row := h.row(v)
	for i := h.lengths.At(at); n > 0; i++ {
		here := n
		if i+1 < len(h.columns) {
			here = min(n, max(h.lengths.First[i+1]-at, 1))
		}
		c := &h.columns[i]
		if out {
			c.Counts[row] -= min(c.Counts[row], uint64(here))
			c.N -= min(c.N, uint64(here))
		} else {
			c.Counts[row] += uint64(here)
			c.N += uint64(here)
		}
		at, n = at+here, n-here
	}
}

// row is the row of a value, from the bottom; what lies outside is in the first or the last.
func (h *heat) row(v float64) int {
	low, high := 0, len(h.edges)-2
	for low < high {
		mid := (low + high + 1) / 2
		if v >= h.edges[mid] {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// tokenHeat keeps which requests' tokens are counted, so that only those are counted that came since, and taken out that went.
type tokenHeat struct {
	requests []*bench.Ended
	sum      *bench.Histogram
}

// overPositions counts tokens by their place in the answer, over the last requests that ended ok.
func (h *heat) overPositions(f *frame, stepped bool) {
	var now []*bench.Ended
	longest := 10
	if f.st.Journal != nil {
		for _, e := range f.st.Journal.Ended {
			if e.Outcome == bench.OK && e.Level != bench.NoLevel {
				now = append(now, e)
				longest = max(longest, e.Counts.Output)
			}
		}
	}
	high := int(chart.RoundUp(float64(longest)))
	h.positioned = h.positioned && len(h.lengths.Cells) == h.key.cells && h.lengths.Count() == len(h.columns) && h.lengths.First[len(h.columns)] == high+1
	h.journal.change(now, func(x tokens, gone bool) {
		if h.positioned {
			h.count(x.first, x.n, x.ms, gone)
		}
	})
	h.all = h.journal.sum.Sketch()
	h.scope.words = "of the last " + count(len(now)) + " ended"
	if fresh := h.cut(stepped); !fresh && h.positioned {
		return
	}
	h.across(1, high)
	h.positioned = true
	for _, e := range now {
		eachToken(e, func(x tokens) bool { h.count(x.first, x.n, x.ms, false); return true })
	}
}

// change takes in the requests that came to a list, and out those that went from it; each hears of their tokens.
func (t *tokenHeat) change(now []*bench.Ended, each func(x tokens, gone bool)) {
	if t.sum == nil {
		t.sum = bench.NewHistogram()
	}
	came, went := differ(t.requests, now)
	t.requests = now
	for _, e := range came {
		eachToken(e, func(x tokens) bool {
			t.sum.Add(x.ms, x.n)
			each(x, false)
			return true
		})
	}
	if len(went) == 0 {
		return
	}
	gone := bench.NewHistogram()
	for _, e := range went {
		eachToken(e, func(x tokens) bool {
			gone.Add(x.ms, x.n)
			each(x, true)
			return true
		})
	}
	t.sum.Subtract(gone.Sketch())
}

// differ is what came to a list and what went from it. Requests are known by their IDs: a veil makes copies of all of them anew.
func differ(old, now []*bench.Ended) (came, went []*bench.Ended) {
	had := make(map[uint64]bool, len(old))
	for _, e := range old {
		had[e.ID] = true
	}
	for _, e := range now {
		if !had[e.ID] {
			came = append(came, e)
		}
		delete(had, e.ID)
	}
	for _, e := range old {
		if had[e.ID] {
			went = append(went, e)
		}
	}
	return came, went
}
