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
	told, held := 0, 0
	for _, b := range fitting(s.Batches) {
		of := sketchOf(&b.Facts, m)
		if sketches = append(sketches, of); of.N > 0 {
			told, held = told+1, held+int(of.N)
		}
	}
	if told < leastBatches {
		sketches = grouped(s.Sample, m)
	} else if lacking(s, m, p, held) {
		if rest, ok := remainder(s, m, sketches); ok {
			if q := withRest(p.Q(), sketches, rest); q != nil {
				return q
			}
		}
		if all := grouped(s.Sample, m); all != nil {
			sketches = all
		}
	}
	return newQuantile(p.Q(), sketches)
}

// remainder are the samples of a scope that no batch holds; false where many of its requests are not kept one by one.
func remainder(s Scope, m bench.Metric, batches []bench.Sketch) (bench.Sketch, bool) {
	h := bench.NewHistogram()
	n := 0
	for i := range s.Sample {
		if v := single(&s.Sample[i], m); v > 0 {
			h.Add(v, 1)
			n++
		}
	}
	if n < s.Summary.Stats[m].N*9/10 {
		return bench.Sketch{}, false
	}
	have := map[int32]uint32{}
	for _, b := range bench.Merge(batches...).Bins {
		have[b.Index] = b.Count
	}
	all, out := h.Sketch(), bench.Sketch{}
	for _, b := range all.Bins {
		if b.Count > have[b.Index] {
			out.Bins = append(out.Bins, bench.Bin{Index: b.Index, Count: b.Count - have[b.Index]})
		}
	}
	return out, true
}

// lacking tells whether so many samples of the batches are too few for a percentile of the scope: batches begin when a level is ready, and what it began with, which
// is often its worst, is in its numbers all the same. A tenth of what lies beyond the percentile may lack.
func lacking(s Scope, m bench.Metric, p bench.Percentile, held int) bool {
	n, q := s.Summary.Stats[m].N, p.Q()
	return q > 0 && q < 1 && float64(n-held) > min(q, 1-q)/10*float64(n)
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
