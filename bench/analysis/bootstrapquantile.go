package analysis

import (
	"math"
	"slices"

	"redline/bench"
)

// quantile is a percentile of the samples of batches.
type quantile struct {
	q float64
	// values are those that occur, rising; upTo[i*n+b] is how many samples of batch b are at most values[i], and all[b] how many there are.
	values    []float64
	upTo, all []uint32
	// fixed and fixedAll are those of what is in every draw once; nil without such.
	fixed    []uint32
	fixedAll uint32
}

// newQuantile reads the batches' sketches; nil without a sample.
func newQuantile(q float64, sketches []bench.Sketch) statistic {
	n := len(sketches)
	lowest, highest := int32(math.MaxInt32), int32(math.MinInt32)
	for _, s := range sketches {
		if len(s.Bins) > 0 {
			lowest, highest = min(lowest, s.Bins[0].Index), max(highest, s.Bins[len(s.Bins)-1].Index)
		}
	}
	if highest < lowest {
		return nil
	}
	occupied := make([]int32, highest-lowest+1)
	for _, s := range sketches {
		for _, b := range s.Bins {
			occupied[b.Index-lowest]++
		}
	}
	out := &quantile{q: q, all: make([]uint32, n)}
	for i, times := range occupied {
		occupied[i] = int32(len(out.values))
		if times > 0 {
			out.values = append(out.values, bench.Bin{Index: lowest + int32(i)}.Value())
		}
	}
	out.upTo = make([]uint32, len(out.values)*n)
	for at, s := range sketches {
		for _, b := range s.Bins {
			out.upTo[int(occupied[b.Index-lowest])*n+at] = b.Count
			out.all[at] += b.Count
		}
	}
	for i := n; i < len(out.upTo); i++ {
		out.upTo[i] += out.upTo[i-n]
	}
	return out
}

// withRest is a percentile of batches, and of samples that are in none of them: they are in every draw, since each scope has had them. Nil where the percentile lies among
// those rather than among samples of batches, so that nothing is learned of it by drawing.
func withRest(q float64, sketches []bench.Sketch, rest bench.Sketch) statistic {
	both, ok := newQuantile(q, append(slices.Clip(sketches), rest)).(*quantile)
	if !ok {
		return nil
	}
	n := len(sketches)
	out := &quantile{q: q, values: both.values, all: both.all[:n], fixed: make([]uint32, len(both.values)), fixedAll: both.all[n], upTo: make([]uint32, len(both.values)*n)}
	for i := range both.values {
		copy(out.upTo[i*n:(i+1)*n], both.upTo[i*(n+1):])
		out.fixed[i] = both.upTo[i*(n+1)+n]
	}
	once := slices.Repeat([]uint8{1}, n)
	v, ok := out.value(once)
	if !ok {
		return nil
	}
	at, _ := slices.BinarySearch(out.values, v)
	drawn, kept := weigh(out.upTo[at*n:(at+1)*n], once), uint64(out.fixed[at])
	if q > 0.5 {
		drawn, kept = weigh(out.all, once)-drawn, uint64(out.fixedAll)-kept
	}
	if 3*drawn < kept || drawn < bench.FewSamples {
		return nil
	}
	return out
}

func (s *quantile) batches() int { return len(s.all) }

func (s *quantile) blur() float64 { return bench.Accuracy }

func (s *quantile) value(times []uint8) (float64, bool) {
	rank := uint64(math.Ceil(s.q * float64(weigh(s.all, times)+uint64(s.fixedAll))))
	if rank == 0 {
		return 0, false
	}
	n := len(s.all)
	low, high := 0, len(s.values)-1
	for low < high {
		middle := (low + high) / 2
		below := weigh(s.upTo[middle*n:(middle+1)*n], times)
		if s.fixed != nil {
			below += uint64(s.fixed[middle])
		}
		if below < rank {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return s.values[low], true
}

// pulls is by how many samples above the percentile a batch has more than its share.
func (s *quantile) pulls() []float64 {
	n := len(s.all)
	once := slices.Repeat([]uint8{1}, n)
	v, _ := s.value(once)
	at, _ := slices.BinarySearch(s.values, v)
	out := make([]float64, n)
	for b := range out {
		out[b] = s.q*float64(s.all[b]) - float64(s.upTo[at*n+b])
	}
	return out
}

// weigh is the sum of counts, each so many times.
func weigh(counts []uint32, times []uint8) uint64 {
	sum := uint64(0)
	times = times[:len(counts)]
	for i, c := range counts {
		sum += uint64(c) * uint64(times[i])
	}
	return sum
}

// ratio is a sum over batches by another: a rate, a mean or a share.
type ratio struct{ over, under []float64 }

// newRatio reads the two sums from the batches, so many neighbours together, more if there are too many; what is left over at the end is left out. Nil where
// the sum below is nothing.
func newRatio(batches []*bench.Bucket, each int, of func(*bench.Bucket) (over, under float64)) *ratio {
	each = max(each, (len(batches)+maxBatches-1)/maxBatches, 1)
	n := len(batches) / each
	s := &ratio{make([]float64, n), make([]float64, n)}
	for i, b := range batches[:n*each] {
		over, under := of(b)
		s.over[i/each] += over
		s.under[i/each] += under
	}
	if !(sum(s.under) > 0) {
		return nil
	}
	return s
}

func sum(values []float64) float64 {
	out := 0.0
	for _, v := range values {
		out += v
	}
	return out
}

// deviation is the standard error of the ratio by how its batches differ; s has leastBatches at least.
func (s *ratio) deviation() float64 {
	pulls, squares := s.pulls(), 0.0
	for _, p := range pulls {
		squares += p * p
	}
	return math.Sqrt(squares) * widening(pulls) / sum(s.under)
}

func (s *ratio) batches() int { return len(s.over) }

func (s *ratio) blur() float64 { return 0 }

func (s *ratio) value(times []uint8) (float64, bool) {
	over, under := 0.0, 0.0
	for i, n := range times {
		over += float64(n) * s.over[i]
		under += float64(n) * s.under[i]
	}
	return over / under, under > 0
}

func (s *ratio) pulls() []float64 {
	v, _ := s.value(slices.Repeat([]uint8{1}, len(s.over)))
	out := make([]float64, len(s.over))
	for i := range out {
		out[i] = s.over[i] - v*s.under[i]
	}
	return out
}
