package analysis

import (
	"math"
	"slices"

	"redline/bench"
)

// Next is a load worth trying next, that was not tried yet: past the greatest one while the promises are kept there, else between the greatest that keeps
// them and the least that does not, else where the loads lie furthest apart. Loads are those that were tried, in any order and of one mode; most is what
// a load may be, 0 for no bound. It is false where nothing is left to try.
func Next(loads []bench.Setpoint, limit Limit, mode bench.Mode, most float64) (bench.Setpoint, bool) {
	var tried []float64
	for _, l := range loads {
		if l.Mode == mode && l.N > 0 && l.N < 1e9 {
			tried = append(tried, l.N)
		}
	}
	slices.Sort(tried)
	tried = slices.Compact(tried)
	fits := func(n float64) (bench.Setpoint, bool) {
		to := round(mode, n)
		return to, to.N > 0 && (most <= 0 || to.N <= most) && !slices.Contains(tried, to.N)
	}
	if len(tried) == 0 {
		return fits(1)
	}
	top := tried[len(tried)-1]
	switch limit.Bound {
	case Between:
		if to, ok := fits((limit.Kept.N + limit.Broken.N) / 2); ok {
			return to, true
		}
	case Undecided:
		// More of the same would decide no more.
	case Below, Doubtful:
		if n := limit.Broken.N; n > 0 {
			return fits(n / 2) // there may be lesser loads, that could not be judged
		}
		return fits(tried[0] / 2)
	default:
		step := top
		if len(tried) > 1 && top < 1.8*tried[len(tried)-2] {
			step = top - tried[len(tried)-2]
		}
		next := top + step
		if most > 0 {
			next = min(next, most)
		}
		if to, ok := fits(next); ok {
			return to, true
		}
	}
	return fits(widest(tried))
}

// widest is the middle of the widest gap between loads, by their ratio.
func widest(tried []float64) float64 {
	middle, ratio := tried[0]/2, 2.0
	if len(tried) > 1 {
		ratio = 1
	}
	for i := 1; i < len(tried); i++ {
		if r := tried[i] / tried[i-1]; r > ratio {
			middle, ratio = (tried[i]+tried[i-1])/2, r
		}
	}
	return middle
}

// round is a load that a hand would set: whole requests in flight, or a rate of two digits.
func round(mode bench.Mode, n float64) bench.Setpoint {
	if mode == bench.Open && n > 0 {
		unit := math.Pow(10, math.Floor(math.Log10(n))-1)
		n = math.Round(n/unit) * unit
	}
	return bench.Setpoint{Mode: mode, N: n}.Round()
}
