package plot

import (
	"math"
	"strconv"
	"time"

	"github.com/go-analyze/charts/chartdraw"
)

// place is a value in the unit in which an axis is even.
func (a *Axis) place(v float64) float64 {
	if a.Log {
		return math.Log2(max(v, a.Min*1e-9, math.SmallestNonzeroFloat64))
	}
	return v
}

// over is the axis as a range of so many cells.
func (a *Axis) over(cells int) *chartdraw.ContinuousRange {
	return &chartdraw.ContinuousRange{Min: a.place(a.Min), Max: a.place(a.Max), Domain: cells}
}

// sound tells whether an axis has an extent.
func (a *Axis) sound() bool {
	d := a.place(a.Max) - a.place(a.Min)
	return d > 0 && !math.IsInf(d, 0) && (!a.Log || a.Min > 0)
}

// ticks are the labels as the library takes them.
func (a *Axis) ticks(most int) []chartdraw.Tick {
	all := a.Ticks
	if all == nil && a.Log {
		all = factors(a.Min, a.Max, most)
	} else if all == nil {
		all = even(a.Min, a.Max, most)
	}
	var out []chartdraw.Tick
	for _, t := range all {
		if t.At >= a.Min-1e-9 && t.At <= a.Max+1e-9 {
			out = append(out, chartdraw.Tick{Value: a.place(t.At), Label: t.Label})
		}
	}
	return out
}

// even are round numbers at even distances, at most so many.
func even(low, high float64, most int) []Tick {
	step := roundUp((high - low) / float64(max(most, 1)))
	var out []Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		at := i*step + 0 // never −0
		out = append(out, Tick{at, Short(at)})
	}
	return out
}

// roundUp is the next number of the form 1, 2 or 5 times a power of ten.
func roundUp(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 2, 5} {
		if f*base >= v*(1-1e-9) {
			return f * base
		}
	}
	return 10 * base
}

// factors are round numbers for an axis that goes by factors, at most so many.
func factors(low, high float64, most int) []Tick {
	for _, steps := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var out []Tick
		for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
			for _, f := range steps {
				if v := f * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
					out = append(out, Tick{v, Short(v)})
				}
			}
		}
		if len(out) <= most || len(steps) == 1 {
			return out
		}
	}
	return nil
}

// beyond is what no measured value reaches.
const beyond = 1e18

// Upto is an axis from 0 to a little above the greatest of some values, at a round number; from 0 to 1 where there is none.
func Upto(values ...float64) Axis {
	most := 0.0
	for _, v := range values {
		if v > most && v < beyond {
			most = v
		}
	}
	if most == 0 {
		return Axis{Max: 1}
	}
	step := roundUp(most / 4)
	return Axis{Max: math.Ceil(most*1.04/step) * step}
}

// Times is an axis of time from 0 on, in seconds.
func Times(length time.Duration) Axis {
	a := Axis{Max: max(length.Seconds(), 1)}
	steps := []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 4 * 3600, 6 * 3600, 12 * 3600, 24 * 3600}
	step := steps[len(steps)-1]
	for _, s := range steps {
		if a.Max/s <= 12 {
			step = s
			break
		}
	}
	for step*24 < a.Max {
		step *= 2
	}
	for v := 0.0; v <= a.Max; v += step {
		a.Ticks = append(a.Ticks, Tick{v, clock(v, a.Max)})
	}
	return a
}

// clock is an instant in seconds: 4:12, or 1:04:12 on an axis of hours.
func clock(v, most float64) string {
	s := int(v)
	two := func(n int) string { return strconv.Itoa(n/10) + strconv.Itoa(n%10) }
	if most >= 3600 {
		return strconv.Itoa(s/3600) + ":" + two(s/60%60) + ":" + two(s%60)
	}
	return strconv.Itoa(s/60) + ":" + two(s%60)
}

// Short is a number as an axis has it: 0, 0.5, 12, 3.4k, 1.2M.
func Short(v float64) string {
	unit := ""
	switch a := math.Abs(v); {
	case a >= 1e6:
		v, unit = v/1e6, "M"
	case a >= 1e4:
		v, unit = v/1e3, "k"
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4, 'f', -1, 64) + unit
}
