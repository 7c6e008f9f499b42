package analysis

import (
	"math"

	"redline/bench"
)

// statisticOf is a number of a scope as its batches make it; where too few of them have samples, of latencies, as groups of its requests do. Nil where
// neither does.
func statisticOf(s Scope, m bench.Metric, p bench.Percentile) statistic {
	if of, ok := ratioOf(m, p); ok {
		each := 1
		if m == bench.RPM || m == bench.TPM {
			each = lasting(s.Batches)
		}
		if r := newRatio(s.Batches, each, of); r != nil {
			return r
		}
		return nil
	}
	sketches := make([]bench.Sketch, 0, maxBatches)
	told := 0
	for _, b := range fitting(s.Batches) {
		sketches = append(sketches, sketchOf(&b.Facts, m))
		if sketches[len(sketches)-1].N > 0 {
			told++
		}
	}
	if told < leastBatches {
		sketches = grouped(s.Sample, m)
	}
	return newQuantile(p.Q(), sketches)
}

// ratioOf is what has no percentile as a sum by a sum.
func ratioOf(m bench.Metric, p bench.Percentile) (func(*bench.Bucket) (over, under float64), bool) {
	switch {
	case m == bench.RPM:
		return func(b *bench.Bucket) (float64, float64) { return float64(b.Ended[bench.OK]), b.Active.Minutes() }, true
	case m == bench.TPM:
		return func(b *bench.Bucket) (float64, float64) { return float64(b.Tokens()), b.Active.Minutes() }, true
	case m == bench.Errors:
		return func(b *bench.Bucket) (float64, float64) {
			t := b.Tally()
			return 100 * float64(t.Missed().Failed), float64(t.Judged())
		}, true
	case p != bench.Mean:
		return nil, false
	case m == bench.TPS:
		return func(b *bench.Bucket) (float64, float64) {
			return b.DecodeTokens + b.DecodeFix, b.DecodeSeconds + b.DecodeSpare
		}, true
	}
	return func(b *bench.Bucket) (float64, float64) {
		s := sketchOf(&b.Facts, m)
		return s.Sum, float64(s.N)
	}, true
}

// outputRate is the output of a batch by its time.
func outputRate(b *bench.Bucket) (over, under float64) { return float64(b.Out), b.Active.Seconds() }

// sketchOf are the samples of a metric.
func sketchOf(f *bench.Facts, m bench.Metric) bench.Sketch {
	switch m {
	case bench.TTFT:
		return f.TTFT
	case bench.TTFA:
		return f.TTFA
	case bench.ITL:
		return f.ITL
	case bench.TPS:
		return f.TPS
	case bench.TPOT:
		return f.TPOT
	case bench.E2E:
		return f.E2E
	}
	return bench.Sketch{}
}

// fitting are batches that are not too many: neighbours are joined.
func fitting(batches []*bench.Bucket) []*bench.Bucket {
	return joined(batches, (len(batches)+maxBatches-1)/maxBatches)
}

// lasting is how many neighbours have to be joined so that each batch lasts at least as long as a request is in flight: those that began together end together,
// so that shorter ones would depend on one another.
func lasting(batches []*bench.Bucket) int {
	stay, ended := 0.0, 0
	for _, b := range batches {
		stay += b.Stay
		ended += b.Completions()
	}
	if ended == 0 || batches[0].Span <= 0 {
		return 1
	}
	return max(int(math.Ceil(stay/float64(ended)/batches[0].Span.Seconds())), 1)
}

// joined joins so many neighbours each; what is left over at the end is left out.
func joined(batches []*bench.Bucket, n int) []*bench.Bucket {
	if n <= 1 {
		return batches
	}
	var out []*bench.Bucket
	for ; len(batches) >= n; batches = batches[n:] {
		out = append(out, bench.Join(batches[:n]))
	}
	return out
}

// grouped are requests in groups, in the order in which they are kept: up to two thousand that is the order of their ends, and groups are spans of time. There is
// no group of fewer than four, and none at all for what single requests do not tell.
func grouped(sample []bench.Sample, m bench.Metric) []bench.Sketch {
	const least = 4
	var values []float64
	for i := range sample {
		if v := single(&sample[i], m); v > 0 {
			values = append(values, v)
		}
	}
	groups := min(len(values)/least, maxBatches/2)
	if groups < leastBatches {
		return nil
	}
	out := make([]bench.Sketch, groups)
	h := bench.NewHistogram()
	for g := range out {
		h.Reset()
		for _, v := range values[g*len(values)/groups : (g+1)*len(values)/groups] {
			h.Add(v, 1)
		}
		out[g] = h.Sketch()
	}
	return out
}

// single is a metric of one request; 0 where it has none.
func single(s *bench.Sample, m bench.Metric) float64 {
	switch m {
	case bench.TTFT:
		return float64(s.TTFT)
	case bench.TTFA:
		return float64(s.TTFA)
	case bench.TPOT:
		return float64(s.TPOT)
	case bench.E2E:
		return float64(s.E2E)
	case bench.TPS:
		if s.TPOT > 0 {
			return 1000 / float64(s.TPOT)
		}
	}
	return 0
}
