package chart

import (
	"math"
)

// decades is how far below its ceiling a logarithmic scale reaches when no least value is given.
const decades = 3

// Scale maps values to shares of a lane's height. The zero Scale shows 0 to 1.
type Scale struct {
	// Ceil is the value at the top; Least, the value at the bottom, only counts in a logarithmic scale (otherwise it is 0).
	Ceil, Least float64
	// Log makes equal ratios equal heights.
	Log bool
}

// top is a ceiling that can be divided by.
func (s Scale) top() float64 {
	if !(s.Ceil > 0) || s.Ceil > math.MaxFloat64 {
		return 1
	}
	return s.Ceil
}

// Base is the value at the bottom.
func (s Scale) Base() float64 {
	if !s.Log {
		return 0
	}
	if s.Least > 0 && s.Least < s.top() {
		return s.Least
	}
	return s.top() / math.Pow10(decades)
}

// middle is the value half way up.
func (s Scale) middle() float64 {
	if !s.Log {
		return s.top() / 2
	}
	return math.Sqrt(s.Base()) * math.Sqrt(s.top())
}

// Share is a value's height, 0 at the bottom to 1 at the top; above 1 when over the ceiling, never below 0, never NaN.
func (s Scale) Share(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	top := s.top()
	if !s.Log {
		return min(v/top, 2)
	}
	base := s.Base()
	if v <= base || top <= base {
		return 0
	}
	// Differences of logarithms, as the quotients may be infinite.
	return min((math.Log(v)-math.Log(base))/(math.Log(top)-math.Log(base)), 2)
}

// RoundUp is the least of 1, 2, 5 × 10ⁿ that is not below v; 1 for what is not above 0.
func RoundUp(v float64) float64 {
	if !(v > 0) || v > math.MaxFloat64/10 {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	if !(unit > 0) {
		return 1
	}
	for _, step := range [...]float64{1, 2, 5} {
		// Floating point may put 1 000 a hair over 10³.
		if v <= unit*step*(1+1e-9) {
			return unit * step
		}
	}
	return unit * 10
}

// holdBuckets is how long a lower ceiling must have been enough before the scale shrinks.
const holdBuckets = 10

// Range is the soft automatic ceiling of one lane: it grows at once, and shrinks only after the lower value has been enough for ten
// buckets, so that an old spike leaves with the window and noise cannot fill the height. The zero Range is ready.
//
//	state      want > ceil      want = ceil    want < ceil
//	steady     grow             stay           count 1
//	lower ×n   grow, n = 0      n = 0          n+1; at 10 shrink to the greatest of the ten
type Range struct {
	ceil, lower float64
	held        int
}

// Step takes the wish of one new bucket (see Want) and gives the ceiling. Call it once a bucket, not once a frame.
func (r *Range) Step(want float64) float64 {
	switch {
	case !(want > 0) || want > math.MaxFloat64:
	case want >= r.ceil:
		*r = Range{ceil: want}
	default:
		r.lower = max(r.lower, want)
		if r.held++; r.held >= holdBuckets {
			*r = Range{ceil: r.lower}
		}
	}
	return r.Ceil()
}

// Ceil is the present ceiling; 1 before the first step.
func (r *Range) Ceil() float64 {
	if r.ceil == 0 {
		return 1
	}
	return r.ceil
}
