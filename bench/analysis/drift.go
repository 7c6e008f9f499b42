package analysis

import (
	"math"

	"redline/bench"
)

// Drift is what changed in the course of a level, though its load did not: a cache that fills, a clock that is throttled, a queue that grows.
type Drift struct {
	// Metric is what drifts; with Output it is the output rate of all streams.
	Metric bench.Metric
	Output bool
	// From and To are its means over the first and the second half, in its unit.
	From, To float64
}

// Share is the change as a share of the first half.
func (d Drift) Share() float64 { return d.To/d.From - 1 }

const (
	// drifts is by how much the halves of a level have to differ, certain how many standard errors that must be: three numbers of each level are looked at,
	// and a level is left out for one of them.
	drifts  = 0.05
	certain = 3
	// halfStays is how many times a request's time in flight a half has to last.
	halfStays = 2
)

// DriftOf is what drifts in a level: of TTFT, ITL and the output rate the one that changed most; false where none does, or the level was too short to tell.
func DriftOf(l *bench.Level) (Drift, bool) {
	batches := fitting(l.Batches)
	half := len(batches) / 2
	if half < leastBatches || !stays(batches, 2*halfStays) {
		return Drift{}, false
	}
	var most Drift
	for _, d := range []struct {
		Drift
		of func(*bench.Bucket) (over, under float64)
	}{
		{Drift{Metric: bench.TTFT}, meanOf(bench.TTFT)}, {Drift{Metric: bench.ITL}, meanOf(bench.ITL)}, {Drift{Metric: bench.TPM, Output: true}, outputRate},
	} {
		from, to, ok := halves(batches, d.of)
		if d.From, d.To = from, to; ok && (most.From == 0 || math.Abs(d.Share()) > math.Abs(most.Share())) {
			most = d.Drift
		}
	}
	return most, most.From > 0
}

// meanOf is the mean of a latency as a sum by a sum.
func meanOf(m bench.Metric) func(*bench.Bucket) (over, under float64) {
	of, _ := ratioOf(m, bench.Mean)
	return of
}

// stays tells whether batches last so many times as long as a request is in flight.
func stays(batches []*bench.Bucket, times float64) bool {
	var f bench.Facts
	span := 0.0
	for _, b := range batches {
		f.Stay += b.Stay
		f.Ended[bench.OK] += b.Completions()
		span += b.Span.Seconds()
	}
	return span >= times*f.MeanStay().Seconds()
}

// halves are the means of a number over the two halves of batches, and whether they differ by more than noise. What noise is is told by how batches lie around a
// straight line through them, since a drift is no noise.
func halves(batches []*bench.Bucket, of func(*bench.Bucket) (over, under float64)) (from, to float64, differ bool) {
	half := len(batches) / 2
	var over, under [2]float64
	var values []float64
	for i, b := range batches {
		o, u := of(b)
		if side := min(i/half, 1); u > 0 {
			over[side] += o
			under[side] += u
			values = append(values, o/u)
		}
	}
	if !(under[0] > 0 && under[1] > 0 && over[0] > 0) || len(values) < 2*leastBatches {
		return 0, 0, false
	}
	from, to = over[0]/under[0], over[1]/under[1]
	rest := straightened(values)
	squares := 0.0
	for _, r := range rest {
		squares += r * r
	}
	n := float64(len(values))
	off := math.Sqrt(squares / (n - 2) * 4 / n * inflation(rest))
	least := certain * off * student(n-2) / student(math.Inf(1))
	return from, to, math.Abs(to-from) > max(least, drifts*from)
}

// straightened is how far values lie off a straight line through them, least squares.
func straightened(values []float64) []float64 {
	n := float64(len(values))
	middle, mean, products, squares := (n-1)/2, 0.0, 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for i, v := range values {
		x := float64(i) - middle
		products += x * (v - mean)
		squares += x * x
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v - mean - products/squares*(float64(i)-middle)
	}
	return out
}

// Revisit is two visits of a load, one after the other, and what is another in the later one.
type Revisit struct {
	Was, Now          *bench.Level
	Output, TTFT, ITL Difference
}

// Seen tells whether any of them differs by more than noise.
func (r *Revisit) Seen() bool { return r.Output.Seen() || r.TTFT.Seen() || r.ITL.Seen() }

// Revisits are the loads of a curve that were visited more than once, the least first: the visit that stands against the one before it that says anything.
func (c *Curve) Revisits(compare *Comparisons) []Revisit {
	var out []Revisit
	for i := range c.Loads {
		now, was := c.Loads[i].Level, c.Loads[i].Before()
		if was == nil {
			continue
		}
		out = append(out, Revisit{
			Was: was, Now: now, Output: compare.Output(was, now),
			TTFT: compare.Compare(was, now, bench.TTFT, bench.P50), ITL: compare.Compare(was, now, bench.ITL, bench.P50),
		})
	}
	return out
}

// Before is the newest of the other visits that can say anything of the load; nil if there is none.
func (o *Load) Before() *bench.Level {
	for i := len(o.Past) - 1; i >= 0; i-- {
		if !Touched(o.Past[i]) {
			return o.Past[i]
		}
	}
	return nil
}
