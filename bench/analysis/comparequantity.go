package analysis

import (
	"maps"
	"strings"

	"redline/bench"
)

// Quantity is a number that two runs are compared by.
type Quantity struct {
	// Of says what it is a number of: of a Metric at a percentile, or of what is no metric.
	Of     Subject
	Metric bench.Metric
	At     bench.Percentile
}

// Subject is what a Quantity is a number of.
type Subject uint8

const (
	// OfMetric: a metric at a percentile.
	OfMetric Subject = iota
	// OfGoodput: the share of requests that met every promise, in percent.
	OfGoodput
	// OfOutput: output tokens a second, of all streams.
	OfOutput
	// OfCost: what a million output tokens cost, with the prompts that they took.
	OfCost
)

// Quantities are those that runs are compared by, in the order in which they are told.
func Quantities() []Quantity {
	of := func(m bench.Metric, all ...bench.Percentile) (out []Quantity) {
		for _, p := range all {
			out = append(out, Quantity{Metric: m, At: p})
		}
		return out
	}
	var out []Quantity
	for _, part := range [][]Quantity{
		of(bench.TTFT, bench.P50, bench.P95, bench.P99), of(bench.ITL, bench.P50, bench.P95, bench.P99), of(bench.TPS, bench.P50, bench.P5),
		of(bench.RPM, bench.Mean), of(bench.TPM, bench.Mean), of(bench.E2E, bench.P50, bench.P95), of(bench.Errors, bench.Mean),
		{{Of: OfGoodput, At: bench.Mean}, {Of: OfOutput, At: bench.Mean}, {Of: OfCost, At: bench.Mean}},
	} {
		out = append(out, part...)
	}
	return out
}

// String is its name as promises write such: "ttft.p95", "rpm", "goodput".
func (q Quantity) String() string {
	switch q.Of {
	case OfGoodput:
		return "goodput"
	case OfOutput:
		return "output"
	case OfCost:
		return "cost"
	}
	name := strings.ToLower(q.Metric.String())
	if q.At != bench.Mean {
		name += "." + q.At.String()
	}
	return name
}

// Unit is the unit of its numbers.
func (q Quantity) Unit() string {
	switch q.Of {
	case OfGoodput:
		return "%"
	case OfOutput:
		return "tok/s"
	case OfCost:
		return "per M tok"
	}
	return q.Metric.Unit()
}

// HigherIsBetter tells the side that operators want.
func (q Quantity) HigherIsBetter() bool {
	return q.Of == OfGoodput || q.Of == OfOutput || q.Of == OfMetric && q.Metric.HigherIsBetter()
}

// Side is one of two runs at one load: its level, and the prices that were in force.
type Side struct {
	Level  *bench.Level
	Prices bench.Prices
}

// CompareRuns is how a quantity differs between levels of two runs, or of one. Levels of several runs are of different seconds, whatever their instants.
// What one measurement has that another would not have had (a warm cache, a busy neighbour) is in no interval.
func CompareRuns(from, to Side, q Quantity) Difference {
	a, b := ScopeOf(from.Level), ScopeOf(to.Level)
	a.Elsewhere = true
	switch q.Of {
	case OfMetric:
		return Compare(a, b, q.Metric, q.At)
	case OfOutput:
		return CompareOutput(a, b)
	}
	d := Difference{N: [2]int{from.Level.Counted.Owed() - from.Level.Ungraded, to.Level.Counted.Owed() - to.Level.Ungraded}}
	if q.Of == OfGoodput {
		d.between(from.Level.Goodput, to.Level.Goodput)
		if !sameGrade(from.Level, to.Level) {
			d.By, d.Unlike = bench.Value{}, d.By.OK
			return d
		}
		d.ratios(a, b, [2]func(*bench.Bucket) (float64, float64){goodOf, goodOf}, true)
		d.shares(true)
		return d
	}
	d.N = [2]int{from.Level.Stats[bench.TPM].N, to.Level.Stats[bench.TPM].N}
	d.between(CostOf(&from.Level.Summary, from.Prices).PerMillion, CostOf(&to.Level.Summary, to.Prices).PerMillion)
	d.ratios(a, b, [2]func(*bench.Bucket) (float64, float64){costOf(from.Prices), costOf(to.Prices)}, false)
	return d
}

// sameGrade tells whether requests of two levels were held to the same promises: those that one request can break, whatever share of them may.
func sameGrade(a, b *bench.Level) bool {
	type mark struct {
		of    bench.Metric
		limit float64
		floor bool
	}
	marks := func(l *bench.Level) map[mark]bool {
		out := map[mark]bool{}
		for _, v := range l.Verdicts {
			if t := v.Threshold; !t.Quota() && t.Metric != bench.Errors {
				out[mark{t.Metric, t.Limit, t.Floor}] = true
			}
		}
		return out
	}
	return maps.Equal(marks(a), marks(b))
}

// ratios judges a difference of two sums over batches by two others.
func (d *Difference) ratios(from, to Scope, of [2]func(*bench.Bucket) (over, under float64), higher bool) {
	var sides [2]*ratio
	for i, s := range []Scope{from, to} {
		if len(s.Batches) == 0 {
			return
		}
		if sides[i] = newRatio(s.Batches, lasting(s.Batches), of[i]); sides[i] == nil {
			return
		}
	}
	d.judge(sides[0], sides[1], together(from, to), higher)
}

// goodOf are the requests of a batch that kept every promise, by those that owed it, in percent.
func goodOf(b *bench.Bucket) (over, under float64) {
	t := b.Tally()
	return 100 * float64(b.Good), float64(t.Owed() - b.Ungraded)
}

// costOf is what a batch cost by the million of its output tokens.
func costOf(p bench.Prices) func(*bench.Bucket) (over, under float64) {
	return func(b *bench.Bucket) (over, under float64) {
		out := float64(b.Out + b.OutFix)
		if p.Hourly() > 0 {
			return 1e6 * p.Over(b.Active), out
		}
		in := float64(b.In + b.InFix)
		share := 0.0
		if b.PromptTokens > 0 {
			share = min(float64(b.Cached)/float64(b.PromptTokens), 1)
		}
		return 1e6 * p.Tokens(in, in*share, out), out
	}
}
