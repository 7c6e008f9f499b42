package view

import (
	"math"

	"redline/ui/chart"
)

const (
	// headroom is what a scale has over all that it shows, headroomLimit over a threshold.
	headroom      = 1.1
	headroomLimit = 1.25
	// distant is how many times over all that is seen a threshold may lie and still be on the scale: further off it would flatten the lane,
	// and its number stands beside it anyway.
	distant = 3
)

// ceiling is the top of the scale that a lane's columns ask for. Of more than a hundred columns the greatest may be clipped. The steps are
// fine: of three rows, the next of 1, 2 and 5 would leave one empty as often as not.
func ceiling(columns []chart.Column, limit float64) float64 {
	top, second, n := 0.0, 0.0, 0
	for _, c := range columns {
		if !c.OK || !(c.V >= 0) || c.V > math.MaxFloat64/100 {
			continue
		}
		n++
		switch {
		case c.V > top:
			top, second = c.V, top
		case c.V > second:
			second = c.V
		}
	}
	if n > 100 {
		top = second
	}
	want := top * headroom
	if limit > 0 && (top == 0 || limit <= distant*top) {
		want = max(want, limit*headroomLimit)
	}
	return roundUp(want)
}

// roundUp is the next number of few digits that is not below v; 1 for what is not above 0.
func roundUp(v float64) float64 {
	if !(v > 0) || v > math.MaxFloat64/100 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if v <= unit*step*(1+1e-9) {
			return unit * step
		}
	}
	return unit * 10
}
