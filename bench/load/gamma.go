package load

import (
	"math"
	"math/rand/v2"
)

// leastShape and mostShape bound the shape of gaps, as bench.ParseArrivals does.
const leastShape, mostShape = 0.01, 100

// gamma draws from the gamma distribution of mean 1 and variance 1/k, by the method of Marsaglia and Tsang (2000): a cube of a normal variate, accepted
// in more than 95 % of cases. It is our own because these lines are all that a library of statistics, and of the matrices that comes with it, would be
// used for.
type gamma struct {
	k, d, c float64
}

// newGamma is the distribution of shape k, which is held to its bounds; a shape that is no number is 1.
func newGamma(k float64) gamma {
	if math.IsNaN(k) {
		k = 1
	}
	k = min(max(k, leastShape), mostShape)
	g := gamma{k: k, d: k - 1.0/3}
	if k < 1 {
		// The method wants a shape of 1 or more: a variate of shape k+1 is brought down by a power of a uniform one.
		g.d++
	}
	g.c = 1 / math.Sqrt(9*g.d)
	return g
}

// draw is one gap, 0 or more.
func (g gamma) draw(rng *rand.Rand) float64 {
	scale := 1 / g.k
	if g.k < 1 {
		// 1 − U is never 0.
		scale *= math.Pow(1-rng.Float64(), 1/g.k)
	}
	for {
		x := rng.NormFloat64()
		v := 1 + g.c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-rng.Float64()) < x*x/2+g.d*(1-v+math.Log(v)) {
			return g.d * v * scale
		}
	}
}
