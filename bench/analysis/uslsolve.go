package analysis

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// solve is the law that fits sightings best, the squares of their distances weighted by their errors; most is the greatest load.
func solve(seen []Sighting, most float64) USL {
	u := guess(seen)
	// Rate is searched by its logarithm, the others by their roots, so that none of them can be below 0; coherency by what it costs at the greatest load, so that
	// all are of one size.
	const least = 1e-4
	from := []float64{math.Log(u.Rate), math.Sqrt(max(u.Contention, least)), math.Sqrt(max(u.Coherency*most*most, least))}
	law := func(x []float64) USL {
		return USL{math.Exp(x[0]), x[1] * x[1], x[2] * x[2] / (most * most)}
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			u, sum := law(x), 0.0
			for _, s := range seen {
				off := (u.At(s.N) - s.X) / s.Error
				sum += off * off
			}
			return sum
		},
		Grad: func(grad, x []float64) {
			u := law(x)
			clear(grad)
			for _, s := range seen {
				at := u.At(s.N)
				pull := 2 * (at - s.X) / (s.Error * s.Error)
				// The law's denominator is Rate × N ÷ At.
				shrink := at * at / (u.Rate * s.N)
				grad[0] += pull * at
				grad[1] -= pull * shrink * (s.N - 1) * 2 * x[1]
				grad[2] -= pull * shrink * s.N * (s.N - 1) * 2 * x[2] / (most * most)
			}
		},
	}
	best, err := optimize.Minimize(problem, from, &optimize.Settings{MajorIterations: 100, Converger: &optimize.FunctionConverge{Relative: 1e-9, Iterations: 5}}, &optimize.BFGS{})
	if best == nil || err != nil && best.F > problem.Func(from) {
		return u
	}
	// Where the guess was on an edge the search cannot step onto it.
	if out := law(best.X); best.F <= misfit(u, seen) {
		return out
	}
	return u
}

// misfit is the weighted sum of squares.
func misfit(u USL, seen []Sighting) float64 {
	sum := 0.0
	for _, s := range seen {
		off := (u.At(s.N) - s.X) / s.Error
		sum += off * off
	}
	return sum
}

// guess solves the law in the form N ÷ X = a + b (N−1) + c N (N−1), in which it is linear: a is 1 ÷ Rate, and b and c are Contention and Coherency by it. Of the
// four ways to hold b and c at 0 or free, the best is taken in which neither is below 0.
func guess(seen []Sighting) USL {
	best, least := USL{Rate: seen[0].X / seen[0].N}, math.Inf(1)
	for held := range 4 {
		u, ok := linear(seen, held&1 == 0, held&2 == 0)
		if !ok {
			continue
		}
		if off := misfit(u, seen); off < least {
			best, least = u, off
		}
	}
	return best
}

// linear solves the linear form with contention and coherency free or held at 0.
func linear(seen []Sighting, contention, coherency bool) (USL, bool) {
	free := 1
	for _, f := range []bool{contention, coherency} {
		if f {
			free++
		}
	}
	left, right := mat.NewDense(len(seen), free, nil), mat.NewVecDense(len(seen), nil)
	for i, s := range seen {
		y := s.N / s.X
		// An error of X is one of N ÷ X.
		weight := s.X / (y * s.Error)
		row := []float64{weight}
		if contention {
			row = append(row, weight*(s.N-1))
		}
		if coherency {
			row = append(row, weight*s.N*(s.N-1))
		}
		left.SetRow(i, row)
		right.SetVec(i, weight*y)
	}
	var x mat.VecDense
	if err := x.SolveVec(left, right); err != nil {
		return USL{}, false
	}
	var u USL
	if u.Rate = 1 / x.AtVec(0); contention {
		u.Contention = u.Rate * x.AtVec(1)
	}
	if coherency {
		u.Coherency = u.Rate * x.AtVec(free-1)
	}
	return u, u.Rate > 0 && u.Contention >= 0 && u.Coherency >= 0
}
