package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

const (
	// draws is how often batches are drawn anew, maxBatches how many there may be, and leastBatches how many there must be.
	draws        = 2000
	maxBatches   = 40
	leastBatches = 5
)

// statistic is a number that batches make together.
type statistic interface {
	// batches is how many there are.
	batches() int
	// value is the number if each batch counts so many times; false where they say nothing.
	value(times []uint8) (float64, bool)
	// pulls is by how much each batch pulls the number to its side, in any unit.
	pulls() []float64
	// blur is how far the number may lie from what the samples themselves have, as a share of it.
	blur() float64
}

// tables are how often each of n batches is drawn, for both sides of a comparison: made once each, always the same.
var tables = func() (out [2][maxBatches + 1]func() []uint8) {
	for side := range out {
		for n := range out[side] {
			out[side][n] = sync.OnceValue(func() []uint8 { return table(uint64(side), n) })
		}
	}
	return out
}()

// table are all draws of n batches, one after the other.
func table(seed uint64, n int) []uint8 {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	out := make([]uint8, draws*n)
	for i := 0; i < len(out); i += n {
		for range n {
			out[i+r.IntN(n)]++
		}
	}
	return out
}

// reach is how far, with 95 %, the difference of two numbers may lie below (low) and above what it seems to be: as an amount, or of numbers that are above 0
// in every draw as the logarithm of what their ratio may be multiplied by, so that none is taken to fall by more than there is of it.
type reach struct {
	low, high float64
	ratio     bool
}

// bounds are those of to − from.
func (r reach) bounds(from, to float64) (low, high float64) {
	if r.ratio {
		return to*math.Exp(r.low) - from, to*math.Exp(r.high) - from
	}
	return to - from + r.low, to - from + r.high
}

// interval draws the difference of two numbers.
func interval(from, to statistic, paired bool) (reach, bool) {
	n := [2]int{from.batches(), to.batches()}
	if min(n[0], n[1]) < leastBatches || max(n[0], n[1]) > maxBatches {
		return reach{}, false
	}
	paired = paired && n[0] == n[1]
	pulls := [2][]float64{from.pulls(), to.pulls()}
	width := [2]float64{widening(pulls[0]), widening(pulls[1])}
	times := [2][]uint8{tables[0][n[0]](), tables[1][n[1]]()}
	if paired {
		times[1] = times[0]
		for i := range pulls[0] {
			pulls[0][i] = pulls[1][i] - pulls[0][i]
		}
		width[0] = widening(pulls[0])
		width[1] = width[0]
	}
	off, ratio, ok := deviations([2]statistic{from, to}, times)
	if !ok {
		return reach{}, false
	}
	var spread [2]float64
	for side := range off {
		for i := range off[side] {
			off[side][i] *= width[side]
			spread[side] += off[side][i] * off[side][i]
		}
	}
	all := off[1]
	for i := range all {
		all[i] -= off[0][i]
	}
	slices.Sort(all)
	t := student(freedom(spread, n)) / student(math.Inf(1))
	out := reach{t * all[draws/40], t * all[draws-1-draws/40], ratio}
	if ratio {
		// All draws may lie in one bin, and the samples anywhere in it.
		blur := math.Hypot(from.blur(), to.blur())
		out.low, out.high = -math.Hypot(min(out.low, 0), blur), math.Hypot(max(out.high, 0), blur)
	}
	return out, true
}

// deviations are how far each draw lies from the number itself, for both sides; as logarithms (ratio) where there is nothing that has none.
func deviations(of [2]statistic, times [2][]uint8) (off [2][]float64, ratio, ok bool) {
	var middle [2]float64
	ratio = true
	for side, s := range of {
		if middle[side], off[side], ok = drawn(s, times[side]); !ok {
			return off, false, false
		}
		ratio = ratio && middle[side] > 0 && slices.Min(off[side]) > 0
	}
	for side := range off {
		for i, v := range off[side] {
			if off[side][i] = v - middle[side]; ratio {
				off[side][i] = math.Log(v / middle[side])
			}
		}
	}
	return off, ratio, true
}

// drawn are a number, and what it is in each draw of its batches.
func drawn(s statistic, times []uint8) (middle float64, out []float64, ok bool) {
	n := s.batches()
	if middle, ok = s.value(slices.Repeat([]uint8{1}, n)); !ok {
		return 0, nil, false
	}
	out = make([]float64, draws)
	for i := range out {
		if out[i], ok = s.value(times[i*n : (i+1)*n]); !ok {
			// All that was drawn are batches without a sample: nothing is learned from that.
			out[i] = middle
		}
	}
	return middle, out, true
}

// widening is by how much the draws of n batches are to be stretched: they lie closer together than batches do by a degree of freedom, and batches that
// are like their neighbours are worth fewer.
func widening(pulls []float64) float64 {
	n := float64(len(pulls))
	return math.Sqrt(n / (n - 1) * inflation(pulls))
}

// likest is how alike neighbours may be taken to be.
const likest = 0.9

// inflation is by how much the variance of a mean is larger than that of as many independent values: (1+ρ) ÷ (1−ρ) by the correlation ρ of neighbours.
// Of few values it comes out too low by about (1+4ρ) ÷ n.
func inflation(values []float64) float64 {
	n := float64(len(values))
	mean, squares, products := 0.0, 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for i, v := range values {
		squares += (v - mean) * (v - mean)
		if i > 0 {
			products += (v - mean) * (values[i-1] - mean)
		}
	}
	if !(squares > 0) {
		return 1
	}
	like := products / squares
	like = min(max(like+(1+4*like)/n, 0), likest)
	return (1 + like) / (1 - like)
}

// freedom are the degrees of freedom of a difference, by how far each side spreads (Welch and Satterthwaite).
func freedom(spread [2]float64, n [2]int) float64 {
	sum := spread[0] + spread[1]
	if !(sum > 0) {
		return math.Inf(1)
	}
	below := 0.0
	for i := range spread {
		below += (spread[i] / sum) * (spread[i] / sum) / float64(n[i]-1)
	}
	return 1 / below
}

// student is the 97.5 % quantile of Student's t, to within a percent from three degrees of freedom on (the first terms of Cornish and Fisher's series).
func student(freedom float64) float64 {
	const z = 1.959964
	f := max(freedom, 3)
	z2 := z * z
	g1 := (z2 + 1) * z / 4
	g2 := ((5*z2+16)*z2 + 3) * z / 96
	g3 := (((3*z2+19)*z2+17)*z2 - 15) * z / 384
	return z + g1/f + g2/(f*f) + g3/(f*f*f)
}
