package chart

import (
	"math"
	"sort"
)

// HeatScale cuts the values of a Heat into rows. Like a lane's scale it is soft: it takes more in at once, and gives up what is no longer needed only
// after ten buckets. The zero HeatScale is ready.
type HeatScale struct{ high, under Range }

// Step takes the least and the greatest value that one new bucket asks for. Call it once a bucket.
func (s *HeatScale) Step(low, high float64) {
	if !(low > 0) || !(high >= low) || high > math.MaxFloat64 {
		return
	}
	s.high.Step(high)
	s.under.Step(1 / low)
}

// perDecade are the rows that a tenfold of values may be cut into, finest first.
var perDecade = [...]float64{40, 30, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1, 0.5, 0.25}

// linearSteps are what one row of a linear scale may stand for, in units of a power of ten.
var linearSteps = [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}

// Edges are the ends of so many rows, rising: row i is from edge i to below edge i+1. In a logarithmic scale rows have equal ratios, up to what rounding
// makes of them, and what rows are left over lie around the values; a linear one begins at 0. A limit within the scale is one of the edges exactly, so
// that no row is on both sides of it. at is its place, below 0 where there is none.
func (s *HeatScale) Edges(rows int, log bool, limit float64) (edges []float64, at int) {
	rows = max(rows, 1)
	high := s.high.Ceil()
	low := 1 / s.under.Ceil()
	if !log {
		edges = linearEdges(rows, high)
	} else {
		edges = logEdges(rows, min(low, high), high)
	}
	return edges, snap(edges, limit)
}

func linearEdges(rows int, high float64) []float64 {
	want := high / float64(rows)
	unit := math.Pow(10, math.Floor(math.Log10(want)))
	step := unit * 10
	for _, n := range linearSteps {
		if unit*n >= want*(1-1e-9) {
			step = unit * n
			break
		}
	}
	out := make([]float64, rows+1)
	for i := range out {
		out[i] = float64(i) * step
	}
	return out
}

func logEdges(rows int, low, high float64) []float64 {
	out := make([]float64, rows+1)
	for _, n := range perDecade {
		digits := 2
		if n > 24 {
			digits = 3
		}
		at := func(k float64) float64 { return inDigits(math.Pow(10, k/n), digits) }
		first, last := math.Floor(n*math.Log10(low)+1e-9), math.Ceil(n*math.Log10(high)-1e-9)
		// Rounding may have moved an end inwards.
		if at(first) > low*(1+1e-9) {
			first--
		}
		if at(last) < high*(1-1e-9) {
			last++
		}
		spare := float64(rows) - max(last-first, 1)
		if spare < 0 {
			continue
		}
		first -= math.Floor(spare / 2)
		for i := range out {
			out[i] = at(first + float64(i))
		}
		return out
	}
	// More decades than rows: equal ratios, whatever they are.
	for i := range out {
		out[i] = low * math.Pow(high/low, float64(i)/float64(rows))
	}
	return out
}

// inDigits is a number in so many digits.
func inDigits(v float64, digits int) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-float64(digits-1))
	return math.Round(v/unit) * unit
}

// snap moves the edge next to a limit onto it and tells its place; below 0 where the limit is not within the edges.
func snap(edges []float64, limit float64) int {
	last := len(edges) - 1
	if !(limit > edges[0]) || !(limit < edges[last]) || last < 2 {
		return -1
	}
	i := sort.SearchFloat64s(edges, limit)
	if i > 1 && (i == last || limit-edges[i-1] < edges[i]-limit) {
		i--
	}
	edges[i] = limit
	return i
}
