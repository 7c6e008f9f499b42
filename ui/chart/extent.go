package chart

import (
	"math"
)

// Extent is the stretch of values along an axis, from one end to the other, with the round values that are written beside it. The zero Extent is none.
type Extent struct {
	From, To float64
	// Log makes equal ratios equal lengths; From is then above 0.
	Log bool
	// Ticks are round values between the ends, rising.
	Ticks []float64
}

// OK tells whether there is a stretch at all.
func (e Extent) OK() bool { return e.To > e.From && e.From >= 0 && e.To <= extentMost }

// extentMost bounds what an axis can show.
const extentMost = 1e15

// Share is how far along the axis a value lies, 0 to 1; what lies outside is at the end.
func (e Extent) Share(v float64) float64 {
	if v != v {
		return 0
	}
	v = min(max(v, e.From), e.To)
	if !e.Log {
		return (v - e.From) / (e.To - e.From)
	}
	return math.Log(v/e.From) / math.Log(e.To/e.From)
}

// Holds tells whether a value lies between the ends.
func (e Extent) Holds(v float64) bool { return v >= e.From && v <= e.To }

// ends are the least and the greatest of the values that can be shown; ok is false without any.
func ends(values []float64) (low, high float64, ok bool) {
	low = math.Inf(1)
	for _, v := range values {
		if v >= 0 && v <= extentMost {
			low, high, ok = min(low, v), max(high, v), true
		}
	}
	return low, high, ok
}

// headroom is how much is left around the values of a logarithmic axis; with fewRows there is no room for more than one label between the ends.
const (
	headroom = 1.03
	fewRows  = 6
)

// FitValues is the extent of an upright axis of so many rows: from 0, or logarithmic around the values.
func FitValues(values []float64, rows int, log bool) Extent {
	low, high, ok := ends(values)
	if log {
		// What is 0 has no place on such an axis, and stands at its lower end.
		for _, v := range values {
			if v > 0 && (low == 0 || v < low) {
				low = v
			}
		}
	}
	switch {
	case !ok || high <= 0:
		return Extent{To: 1, Ticks: []float64{1}}
	case log && low > 0:
		return fitLog(low/headroom, high*headroom)
	}
	high = min(high, extentMost/10)
	if rows < fewRows {
		top := stepAbove(high)
		return Extent{To: top, Ticks: []float64{0, top / 2, top}}
	}
	step := roundStep(high / float64(min(rows/2, 5)))
	e := Extent{To: step * math.Ceil(high/step*(1-1e-9))}
	e.Ticks = multiples(step, 0, e.To)
	return e
}

// Steps of a decade: coarse ones where several decades are shown, fine ones within one.
var (
	coarse = []float64{1, 2, 5}
	fine   = []float64{1, 1.5, 2, 3, 4, 5, 7}
)

// fitLog is a logarithmic extent between round values.
func fitLog(low, high float64) Extent {
	low, high = max(low, 1e-6), min(high, extentMost/10)
	if high < 1.5*low {
		low, high = low/1.2, high*1.2
	}
	e := Extent{From: stepBelow(low), To: stepAbove(high), Log: true}
	steps := coarse
	if e.To <= 10*e.From {
		steps = fine
	}
	for unit := math.Pow(10, math.Floor(math.Log10(e.From))); unit <= e.To; unit *= 10 {
		for _, s := range steps {
			if v := s * unit; v >= e.From*(1-1e-9) && v <= e.To*(1+1e-9) {
				e.Ticks = append(e.Ticks, v)
			}
		}
	}
	return e
}

// stepBelow and stepAbove are the fine steps next to a value.
func stepBelow(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	out := unit
	for _, s := range fine {
		if s*unit <= v*(1+1e-9) {
			out = s * unit
		}
	}
	return out
}

func stepAbove(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, s := range fine {
		if s*unit >= v*(1-1e-9) {
			return s * unit
		}
	}
	return 10 * unit
}

// roundStep is the least of 1, 2, 2.5, 5 × 10ⁿ that is not below v.
func roundStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(max(v, 1e-12))))
	for _, s := range [...]float64{1, 2, 2.5, 5} {
		if v <= unit*s*(1+1e-9) {
			return unit * s
		}
	}
	return unit * 10
}

// multiples are those of a step between two values.
func multiples(step, from, to float64) []float64 {
	var out []float64
	for k := math.Ceil(from/step - 1e-9); k*step <= to*(1+1e-9) && len(out) < 256; k++ {
		out = append(out, k*step)
	}
	return out
}

// Loads so far apart stand on a logarithmic axis, loads so close together on one that does not begin at 0.
const (
	farApart = 64
	together = 0.5
	// loadRoom is how much of the greatest load is left beyond it.
	loadRoom = 1.02
)

// FitLoads is the extent of the axis of loads, of so many cells: from 0; from below the least one where they lie close together; logarithmic where most would
// else lie in the first cells. Ticks are at round loads, and where it can be at those that were tried.
func FitLoads(loads []float64, cells int) Extent {
	low, high, ok := ends(loads)
	if !ok || high <= 0 {
		return Extent{To: 1, Ticks: []float64{1}}
	}
	high = min(high, extentMost/10)
	many := 0
	for _, n := range loads {
		if n > 0 && n <= high/farApart {
			many++
		}
	}
	if low > 0 && high >= farApart*low && 2*many >= len(loads)/2 && len(loads) > 2 {
		return Extent{From: low / loadRoom, To: high * loadRoom, Log: true, Ticks: fitLog(low, high).Ticks}
	}
	e := Extent{To: high * loadRoom}
	switch {
	case low == high:
		e.To = 2 * high
	case low > together*high && high-low < together/2*high:
		e.From = max(low-(high-low)/4, 0)
		e.To = high + (high-low)/4
	}
	step := loadStep(loads, (e.To-e.From)*tickCells/float64(max(cells, tickCells)))
	e.Ticks = multiples(step, max(e.From, step), e.To)
	return e
}

// loadStep is a round step of at least so much, of which most of the loads are multiples; where all of them are whole it is whole, too.
func loadStep(loads []float64, least float64) float64 {
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-6*max(v, 1) }
	entire := true
	for _, l := range loads {
		entire = entire && whole(l)
	}
	best, most := 0.0, -1
	unit := math.Pow(10, math.Floor(math.Log10(max(least, 1e-9))))
	for _, s := range [...]float64{1, 1.6, 2, 2.5, 3.2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50} {
		step := s * unit
		if step < least*(1-1e-9) || step > 4*least && best > 0 || entire && !whole(step) || !whole(s) && s != 2.5 && step < 10 {
			continue
		}
		n := 0
		for _, l := range loads {
			if whole(l / step) {
				n++
			}
		}
		if n > most {
			best, most = step, n
		}
	}
	return best
}
