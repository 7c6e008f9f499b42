package view

import (
	"math"

	"redline/bench"
	"redline/ui/action"
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

// logarithmic tells whether a lane has a logarithmic scale.
func (f *frame) logarithmic(m bench.Metric) bool {
	return f.st.Log[action.Live] && (m == bench.TTFT || m == bench.ITL)
}

// scale is that of a lane.
func (f *frame) scale(m bench.Metric) chart.Scale {
	s := chart.Scale{Ceil: f.ranges[m].Ceil()}
	if f.logarithmic(m) {
		s.Log, s.Least = true, 1/f.lows[m].Ceil()
	}
	return s
}

// stepScale takes a new second into the scale of lane i; a ghost is on it too. What is no new second is taken in where it is beyond the scale.
func (f *frame) stepScale(i int, m bench.Metric, second bool) {
	columns := f.columns(i)
	top := ceiling(columns, f.limit(m))
	if ghost := ghostTop(columns); ghost > 0 {
		top = max(top, roundUp(ghost*headroom))
	}
	step(&f.ranges[m], top, second)
	if f.logarithmic(m) {
		step(&f.lows[m], 1/floor(columns, f.limit(m), f.ranges[m].Ceil()), second)
	}
}

func step(r *chart.Range, want float64, second bool) {
	if second || *r == (chart.Range{}) || want > r.Ceil() {
		r.Step(want)
	}
}

// floor is the lower end of the logarithmic scale that a lane's columns ask for: below all that is shown, the threshold too, and a tenth of the ceiling at
// most, so that a lane in which little happens is not made to look wild.
func floor(columns []chart.Column, limit, top float64) float64 {
	low := top
	see := func(v float64) {
		if v > top/1e6 && v < low {
			low = v
		}
	}
	for _, c := range columns {
		if c.OK {
			see(c.V)
		}
		if c.HasGhost {
			see(c.Ghost)
		}
	}
	see(limit)
	return min(roundDown(low/headroom), top/10)
}

// roundDown is the greatest of 1, 2, 5 × 10ⁿ that is not above v.
func roundDown(v float64) float64 {
	if !(v > 0) || v > math.MaxFloat64/100 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range [...]float64{5, 2} {
		if unit*step <= v*(1+1e-9) {
			return unit * step
		}
	}
	return unit
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
