package analysis

import (
	"cmp"
	"math"
	"slices"

	"redline/bench"
)

// chance is about how probable a difference of two numbers as large as this one would be if there were none: by how often the way to no difference holds the
// way to the bound of 95 % that lies there.
func (r reach) chance(from, to float64) float64 {
	by, toZero := to-from, 0.0
	if r.ratio {
		by = math.Log(to / from)
	}
	if toZero = -r.low; by < 0 {
		toZero = r.high
	}
	switch {
	case by == 0:
		return 1
	case !(toZero > 0):
		return 0
	}
	return math.Erfc(math.Abs(by) / toZero * student(math.Inf(1)) / math.Sqrt2)
}

// counts begins the interval of a difference of two shares of which there are too few batches: what failed is counted, however briefly, and shares widens it. What fails
// together tells less than so many failures would by themselves: it counts half.
func (d *Difference) counts() {
	if !d.By.OK || d.N[0] < bench.ReadySamples || d.N[1] < bench.ReadySamples {
		return
	}
	d.Low, d.High, d.Chance, d.Contrast, d.thin = d.By, d.By, bench.Some(0), Alike, true
}

// shares widens the interval of a difference of two shares, in percent of N, to what so many and so few of them allow (Newcombe's, out of two of Wilson's): of two
// failures in a hundred batches tell nothing, and of none in n three in n may still be.
func (d *Difference) shares(higher bool) {
	if d.Contrast == Untold || min(d.N[0], d.N[1]) < 1 {
		return
	}
	p, n := [2]float64{d.From.V / 100, d.To.V / 100}, [2]float64{float64(d.N[0]), float64(d.N[1])}
	if d.thin {
		n[0], n[1] = n[0]/2, n[1]/2
	}
	var low, high [2]float64
	for i := range p {
		low[i], high[i] = wilson(min(max(p[i], 0), 1), n[i])
	}
	down := 100 * math.Hypot(p[1]-low[1], high[0]-p[0])
	up := 100 * math.Hypot(high[1]-p[1], p[0]-low[0])
	by := d.By.V
	chance := 1.0
	switch {
	case by > 0 && down > 0:
		chance = math.Erfc(by / down * student(math.Inf(1)) / math.Sqrt2)
	case by < 0 && up > 0:
		chance = math.Erfc(-by / up * student(math.Inf(1)) / math.Sqrt2)
	}
	d.Chance.V = max(d.Chance.V, chance)
	d.verdict(min(d.Low.V, by-down), max(d.High.V, by+up), higher)
}

// wilson bounds a share, seen among n, with 95 %.
func wilson(p, n float64) (low, high float64) {
	z2 := student(math.Inf(1)) * student(math.Inf(1))
	middle, half := p+z2/(2*n), math.Sqrt(z2*(p*(1-p)+z2/(4*n))/n)
	return (middle - half) / (1 + z2/n), (middle + half) / (1 + z2/n)
}

// falseAlarms is the share of the differences that hold which may be by chance; where there is no difference at all, it is how often any of them is said to
// hold.
const falseAlarms = 0.05

// Holding are those of several differences, by their places, that hold though there were so many: better or worse by themselves, and with so small a chance
// that of all those told about one in twenty is noise (Benjamini and Hochberg's procedure). Among twenty that are looked at, one seems to differ by chance.
func Holding(all []*Difference) map[int]bool {
	var told []int
	for i, d := range all {
		if d.Chance.OK {
			told = append(told, i)
		}
	}
	slices.SortStableFunc(told, func(a, b int) int { return cmp.Compare(all[a].Chance.V, all[b].Chance.V) })
	last := -1
	for rank, i := range told {
		if all[i].Chance.V <= falseAlarms*float64(rank+1)/float64(len(told)) {
			last = rank
		}
	}
	out := map[int]bool{}
	for _, i := range told[:last+1] {
		if all[i].Seen() {
			out[i] = true
		}
	}
	return out
}
