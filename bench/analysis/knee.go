package analysis

import (
	"cmp"
	"math"
	"slices"
)

// Point is what came of a load: X is the load, Y the output rate, both finite and not below 0.
type Point struct{ X, Y float64 }

// Bend tells how a curve bends.
type Bend uint8

const (
	// TooFew: fewer than four loads that were measured for long enough, which no bend can be told from.
	TooFew Bend = iota
	// Straight: the last piece rises at least half as steeply as the first.
	Straight
	// Bent: there is a knee.
	Bent
)

// leastPoints is how many loads a bend takes, flattened how steep the last piece may be against the first.
const (
	leastPoints = 4
	flattened   = 0.5
)

// Knee is the point behind which more load brings little more: the one furthest above the chord from the first point to the last (Kneedle: Satopää and
// others, 2011). Points come in any order, with at most one for each load; those that are not numbers are left out.
func Knee(points []Point) (Point, Bend) {
	all := sound(points)
	n := len(all)
	if n < leastPoints {
		return Point{}, TooFew
	}
	first, last := all[0], all[n-1]
	begin, end := slope(first, all[1]), slope(all[n-2], last)
	if !(begin > 0) || end >= flattened*begin {
		return Point{}, Straight
	}
	var knee Point
	most := 0.0
	chord := slope(first, last)
	for _, p := range all[1 : n-1] {
		if above := p.Y - first.Y - chord*(p.X-first.X); above > most {
			knee, most = p, above
		}
	}
	if most == 0 {
		return Point{}, Straight
	}
	return knee, Bent
}

// slope is how steeply two points of different loads rise.
func slope(a, b Point) float64 { return (b.Y - a.Y) / (b.X - a.X) }

// sound are the points that are numbers, by load; of two with the same load the later one.
func sound(points []Point) []Point {
	var out []Point
	for _, p := range points {
		if p.X >= 0 && p.Y >= 0 && !math.IsInf(p.X, 0) && !math.IsInf(p.Y, 0) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	kept := out[:0]
	for i, p := range out {
		if i+1 == len(out) || out[i+1].X != p.X {
			kept = append(kept, p)
		}
	}
	return kept
}
