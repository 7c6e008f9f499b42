package bench

import (
	"math"
	"slices"

	"github.com/DataDog/sketches-go/ddsketch/mapping"
)

// Accuracy is the relative error of every quantile that a Sketch gives.
const Accuracy = 0.005

// sketchMin and sketchMax bound what a sketch tells apart (ms, or tok/s); values outside are counted at the bound.
const (
	sketchMin = 1e-3
	sketchMax = 1e8
)

var (
	bins, _  = mapping.NewCubicallyInterpolatedMapping(Accuracy)
	firstBin = bins.Index(sketchMin)
	numBins  = bins.Index(sketchMax) - firstBin + 1
)

// Bin is one occupied bin of a Sketch.
type Bin struct {
	Index int32
	Count uint32
}

// Value is the value that the bin's samples are counted as, within Accuracy of each.
func (b Bin) Value() float64 { return bins.Value(int(b.Index)) }

// Sketch is an immutable distribution with relative error Accuracy (a DDSketch: Masson, Rim, Lee, 2019): occupied bins in rising
// order, and the exact count, sum, least and greatest. The zero Sketch is empty.
type Sketch struct {
	Bins          []Bin
	N             uint64
	Sum, Min, Max float64
}

// Mean is the exact mean; absent when empty.
func (s Sketch) Mean() Value {
	if s.N == 0 {
		return Value{}
	}
	return Some(s.Sum / float64(s.N))
}

// Quantile is the value below which the share q (0..1) lies; absent when empty.
func (s Sketch) Quantile(q float64) Value {
	if s.N == 0 {
		return Value{}
	}
	rank := uint64(math.Max(0, math.Ceil(q*float64(s.N))-1))
	if rank >= s.N-1 {
		return Some(s.Max)
	}
	var seen uint64
	for _, b := range s.Bins {
		if seen += uint64(b.Count); seen > rank {
			return Some(min(max(bins.Value(int(b.Index)), s.Min), s.Max))
		}
	}
	return Some(s.Max)
}

// Spread adds to counts how many samples lie in the ranges between edges, which rise: counts[i] those from edges[i] to below edges[i+1], what is below the
// first in the first range, what is above the last in the last. A sample lies where AsKept has it. It counts nothing without two edges at least, or with
// fewer counts than ranges.
func (s Sketch) Spread(edges []float64, counts []uint64) {
	if len(edges) < 2 || len(counts) < len(edges)-1 {
		return
	}
	at := 0
	for _, b := range s.Bins {
		v := bins.Value(int(b.Index))
		for at < len(edges)-2 && v >= edges[at+1] {
			at++
		}
		counts[at] += uint64(b.Count)
	}
}

// AsKept is the value that a Sketch keeps of one: the same for all values of a bin, within Accuracy of each. Of what is no sample (see Histogram.Add) it
// is NaN.
func AsKept(v float64) float64 {
	if !(v >= 0) || v > math.MaxFloat64 {
		return math.NaN()
	}
	i := bins.Index(min(max(v, sketchMin), sketchMax)) - firstBin
	return bins.Value(min(max(i, 0), numBins-1) + firstBin)
}

// At is the value at a named percentile, or the mean.
func (s Sketch) At(p Percentile) Value {
	if p == Mean {
		return s.Mean()
	}
	return s.Quantile(p.Q())
}

// Merge is the distribution of all samples of several sketches.
func Merge(sketches ...Sketch) Sketch {
	if len(sketches) == 2 {
		return sketches[0].plus(sketches[1])
	}
	var out Sketch
	var h *Histogram
	for _, s := range sketches {
		switch {
		case s.N == 0:
		case out.N == 0 && h == nil:
			out = s
		default:
			if h == nil {
				h = NewHistogram()
				h.AddSketch(out)
			}
			h.AddSketch(s)
		}
	}
	if h != nil {
		return h.Sketch()
	}
	return out
}

// plus is the distribution of two sketches' samples: bin beside bin, without the room of a histogram.
func (s Sketch) plus(o Sketch) Sketch {
	switch {
	case s.N == 0:
		return o
	case o.N == 0:
		return s
	}
	out := Sketch{N: s.N + o.N, Sum: s.Sum + o.Sum, Min: min(s.Min, o.Min), Max: max(s.Max, o.Max), Bins: make([]Bin, 0, max(len(s.Bins), len(o.Bins))+8)}
	a, b := s.Bins, o.Bins
	for len(a) > 0 || len(b) > 0 {
		var next Bin
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Index < b[0].Index:
			next, a = a[0], a[1:]
		case len(a) == 0 || b[0].Index < a[0].Index:
			next, b = b[0], b[1:]
		default:
			next, a, b = Bin{a[0].Index, a[0].Count + b[0].Count}, a[1:], b[1:]
		}
		if next.Count > 0 {
			out.Bins = append(out.Bins, next)
		}
	}
	return out
}

// Histogram is the mutable form of a Sketch: a fixed array of bins, so that adding is one increment and never allocates.
// It is not safe for concurrent use.
type Histogram struct {
	counts        []uint32
	low, high     int
	n             uint64
	sum, min, max float64
}

// NewHistogram is an empty histogram of about 10 KiB.
func NewHistogram() *Histogram {
	h := &Histogram{counts: make([]uint32, numBins)}
	h.Reset()
	return h
}

// Reset empties it.
func (h *Histogram) Reset() {
	if h.high >= h.low {
		clear(h.counts[h.low : h.high+1])
	}
	h.clear()
}

func (h *Histogram) clear() { *h = Histogram{counts: h.counts, low: numBins, high: -1} }

// N is how many samples it holds.
func (h *Histogram) N() uint64 { return h.n }

// Add counts a value n times. Values that are not finite, negative ones and n < 1 are left out: they are never samples.
func (h *Histogram) Add(v float64, n int) {
	if n < 1 || !(v >= 0) || v > math.MaxFloat64 {
		return
	}
	i := bins.Index(min(max(v, sketchMin), sketchMax)) - firstBin
	h.add(i, uint32(n))
	if h.n == 0 || v < h.min {
		h.min = v
	}
	if h.n == 0 || v > h.max {
		h.max = v
	}
	h.n += uint64(n)
	h.sum += v * float64(n)
}

func (h *Histogram) add(i int, n uint32) {
	i = min(max(i, 0), numBins-1)
	h.counts[i] += n
	h.low, h.high = min(h.low, i), max(h.high, i)
}

// AddSketch counts all samples of a sketch.
func (h *Histogram) AddSketch(s Sketch) {
	if s.N == 0 {
		return
	}
	for _, b := range s.Bins {
		h.add(int(b.Index)-firstBin, b.Count)
	}
	if h.n == 0 || s.Min < h.min {
		h.min = s.Min
	}
	if h.n == 0 || s.Max > h.max {
		h.max = s.Max
	}
	h.n += s.N
	h.sum += s.Sum
}

// AddHistogram counts all samples of another histogram.
func (h *Histogram) AddHistogram(o *Histogram) {
	if o.n == 0 {
		return
	}
	for i := o.low; i <= o.high; i++ {
		if o.counts[i] > 0 {
			h.add(i, o.counts[i])
		}
	}
	if h.n == 0 || o.min < h.min {
		h.min = o.min
	}
	if h.n == 0 || o.max > h.max {
		h.max = o.max
	}
	h.n += o.n
	h.sum += o.sum
}

// Subtract takes the samples of a sketch out again, and returns those that are not in the histogram. The least and the greatest are then known to
// Accuracy only.
func (h *Histogram) Subtract(s Sketch) (rest Sketch) {
	if s.N == 0 || h.n == 0 {
		return s
	}
	var out uint64
	for _, b := range s.Bins {
		i := min(max(int(b.Index)-firstBin, 0), numBins-1)
		n := min(b.Count, h.counts[i])
		h.counts[i] -= n
		out += uint64(n)
		if n < b.Count {
			rest.Bins = append(rest.Bins, Bin{Index: b.Index, Count: b.Count - n})
		}
	}
	if rest.N = s.N - out; rest.N > 0 {
		rest.Sum, rest.Min, rest.Max = s.Sum*float64(rest.N)/float64(s.N), s.Min, s.Max
	}
	if h.n -= out; h.n == 0 {
		h.clear()
		return rest
	}
	h.sum = max(h.sum-s.Sum*float64(out)/float64(s.N), 0)
	// More samples than a bin can count are in N alone: the bins may be empty before it is 0.
	for h.low < h.high && h.counts[h.low] == 0 {
		h.low++
		h.min = bins.LowerBound(h.low + firstBin)
	}
	for h.high > h.low && h.counts[h.high] == 0 {
		h.high--
		h.max = bins.LowerBound(h.high + firstBin + 1)
	}
	return rest
}

// Remove takes one sample out again; it is false when there is none of that value.
func (h *Histogram) Remove(v float64) bool {
	before := h.n
	h.Subtract(SketchOf(v))
	return h.n < before
}

// SketchOf is the sketch of one sample; of none if the value is no sample (see Histogram.Add).
func SketchOf(v float64) Sketch {
	if !(v >= 0) || v > math.MaxFloat64 {
		return Sketch{}
	}
	i := bins.Index(min(max(v, sketchMin), sketchMax)) - firstBin
	index := int32(min(max(i, 0), numBins-1) + firstBin)
	return Sketch{N: 1, Sum: v, Min: v, Max: v, Bins: []Bin{{Index: index, Count: 1}}}
}

// Sketch is what the histogram holds now, as an immutable value.
func (h *Histogram) Sketch() Sketch {
	if h.n == 0 {
		return Sketch{}
	}
	out := Sketch{N: h.n, Sum: h.sum, Min: h.min, Max: h.max}
	occupied := 0
	for i := h.low; i <= h.high; i++ {
		if h.counts[i] > 0 {
			occupied++
		}
	}
	out.Bins = slices.Grow(out.Bins, occupied)
	for i := h.low; i <= h.high; i++ {
		if h.counts[i] > 0 {
			out.Bins = append(out.Bins, Bin{Index: int32(i + firstBin), Count: h.counts[i]})
		}
	}
	return out
}
