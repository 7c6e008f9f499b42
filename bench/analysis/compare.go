package analysis

import (
	"math"

	"redline/bench"
)

// Scope is what was measured of one thing that can be compared: a level, a window, or one target of several. Batches follow one another in time, and hold the
// facts of equal spans; Sample are requests of it, for latencies of which there are too few batches. Elsewhere tells that it is of another run than what it is
// compared with: its seconds are others, even where their instants are the same.
type Scope struct {
	Summary   *bench.Summary
	Batches   []*bench.Bucket
	Sample    []bench.Sample
	Elsewhere bool
}

// ScopeOf is a level as a scope.
func ScopeOf(l *bench.Level) Scope {
	return Scope{Summary: &l.Summary, Batches: l.Batches, Sample: l.Sample}
}

// Contrast is the verdict on a difference.
type Contrast uint8

const (
	// Untold: too few samples for a verdict.
	Untold Contrast = iota
	// Alike: no difference was seen, which is not to say that there is none (see Difference.Least).
	Alike
	// Better and Worse: it differs by more than noise, and by more than 2 %, to the side that operators want, or the other.
	Better
	Worse
)

// String is the verdict in words.
func (c Contrast) String() string {
	return [...]string{"too few samples", "no difference seen", "better", "worse"}[c&3]
}

// matters is how large a difference must be, as a share of what it is a difference from, to be worth a word.
const matters = 0.02

// Difference is how a number of one scope differs from that of another, in the number's own unit.
type Difference struct {
	// From and To are the number in the two scopes, By is To − From; absent where one of them is.
	From, To, By bench.Value
	// Low and High bound By with 95 %; absent where it is Untold.
	Low, High bench.Value
	Contrast  Contrast
	// Least is about the smallest difference, either way, that so many samples could have shown; above 0, absent where it is Untold.
	Least bench.Value
	// Chance is about how probable so large a difference would be, either way, if there were none, 0..1; absent where it is Untold.
	Chance bench.Value
	// N are the samples in the two scopes. Need is how many more samples the scope with fewer needs for a verdict; 0 where that is not known.
	N    [2]int
	Need int
	// Unlike tells that the two numbers are not of the same thing, so that there is no difference to speak of: shares of requests that met other promises.
	Unlike bool
	// thin: it rests on counts, for want of batches.
	thin bool
}

// Seen tells whether the difference is more than noise.
func (d *Difference) Seen() bool { return d.Contrast == Better || d.Contrast == Worse }

// Share is an amount in the number's unit as a share of From: 0.1 is ten percent. Absent where From is 0 or absent.
func (d *Difference) Share(v bench.Value) bench.Value {
	if !v.OK || !d.From.OK || d.From.V == 0 {
		return bench.Value{}
	}
	return bench.Some(v.V / math.Abs(d.From.V))
}

// Compare is how a metric at a percentile (of rates and shares the mean) differs between two scopes. The interval comes from 2,000 draws of each scope's
// batches, widened for how few they are and for what neighbours have in common. Scopes of the same seconds are drawn together: what befell both is no
// difference. It costs about a millisecond.
func Compare(from, to Scope, m bench.Metric, p bench.Percentile) Difference {
	if m >= bench.NumMetrics {
		return Difference{}
	}
	if m == bench.RPM || m == bench.TPM || m == bench.Errors {
		p = bench.Mean
	}
	d := Difference{}
	for i, s := range []Scope{from, to} {
		if s.Summary == nil {
			return d
		}
		d.N[i] = s.Summary.Stats[m].N
	}
	a, b := &from.Summary.Stats[m], &to.Summary.Stats[m]
	d.between(a.At(p), b.At(p))
	if need := enough(m, p) - min(d.N[0], d.N[1]); need > 0 {
		d.Need = need
		return d
	}
	if p == bench.Max {
		// The greatest of more samples is greater: it cannot be compared.
		return d
	}
	d.judge(statisticOf(from, m, p), statisticOf(to, m, p), together(from, to), m.HigherIsBetter())
	if m == bench.Errors {
		if d.Contrast == Untold {
			d.counts()
		}
		d.shares(false)
	}
	return d
}

// CompareOutput is how the output rate, in tokens a second of all streams, differs between two scopes.
func CompareOutput(from, to Scope) Difference {
	d := Difference{}
	if from.Summary == nil || to.Summary == nil {
		return d
	}
	d.N = [2]int{from.Summary.Stats[bench.TPM].N, to.Summary.Stats[bench.TPM].N}
	d.between(from.Summary.OutputRate, to.Summary.OutputRate)
	out := func(s Scope) *ratio { return newRatio(s.Batches, lasting(s.Batches), outputRate) }
	if a, b := out(from), out(to); a != nil && b != nil {
		d.judge(a, b, together(from, to), true)
	}
	return d
}

func (d *Difference) between(from, to bench.Value) {
	d.From, d.To = from, to
	if from.OK && to.OK {
		d.By = bench.Some(to.V - from.V)
	}
}

// enough is how many samples a number takes before a difference of it can be told: five on the thin side of the percentile.
func enough(m bench.Metric, p bench.Percentile) int {
	switch q := p.Q(); {
	case m == bench.RPM || m == bench.TPM:
		return bench.FewSamples
	case q <= 0 || q >= 1:
		return bench.ReadySamples
	default:
		return max(int(math.Ceil(bench.FewSamples/min(q, 1-q)-1e-9)), bench.ReadySamples)
	}
}

// judge gives the interval and the verdict.
func (d *Difference) judge(from, to statistic, paired, higher bool) {
	if !d.By.OK || from == nil || to == nil {
		return
	}
	reach, ok := interval(from, to, paired)
	if !ok {
		return
	}
	// None of what is compared can be less than 0.
	low, high := reach.bounds(d.From.V, d.To.V)
	low, high = max(low, -d.From.V), max(high, -d.From.V)
	d.Chance = bench.Some(reach.chance(d.From.V, d.To.V))
	d.verdict(low, high, higher)
}

// verdict follows from the bounds of a difference.
func (d *Difference) verdict(low, high float64, higher bool) {
	least := matters * math.Abs(d.From.V)
	d.Low, d.High = bench.Some(low), bench.Some(high)
	// The side to which the interval reaches farther counts: a difference that was not seen is none that could have been.
	d.Least = bench.Some(max(d.By.V-low, high-d.By.V, least))
	d.Contrast = Alike
	if (d.Low.V > 0 || d.High.V < 0) && math.Abs(d.By.V) > least {
		d.Contrast = Worse
		if (d.By.V > 0) == higher {
			d.Contrast = Better
		}
	}
}

// together tells whether two scopes are of the same seconds, batch by batch.
func together(a, b Scope) bool {
	if a.Elsewhere || b.Elsewhere || len(a.Batches) != len(b.Batches) {
		return false
	}
	for i := range a.Batches {
		if a.Batches[i].Start != b.Batches[i].Start || a.Batches[i].Span != b.Batches[i].Span {
			return false
		}
	}
	return true
}
