package bench

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestSketchKeepsItsAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func() float64{
		"log-normal":       func() float64 { return math.Exp(3 + rng.NormFloat64()) },
		"two humps":        func() float64 { return []float64{17, 45}[rng.IntN(2)] * (1 + 0.02*rng.Float64()) },
		"all the same":     func() float64 { return 42 },
		"from µs to hours": func() float64 { return math.Pow(10, -2+8*rng.Float64()) },
	}
	for name, draw := range shapes {
		for _, n := range []int{1, 2, 19, 1000, 50_000} {
			h := NewHistogram()
			all := make([]float64, n)
			for i := range all {
				all[i] = draw()
				h.Add(all[i], 1)
			}
			slices.Sort(all)
			s := h.Sketch()
			for _, q := range []float64{0, 0.01, 0.05, 0.5, 0.95, 0.99, 1} {
				want := all[max(int(math.Ceil(q*float64(n)))-1, 0)]
				if got := s.Quantile(q); !got.OK || math.Abs(got.V-want) > 1.01*Accuracy*want {
					t.Errorf("%s, n %d: quantile %g is %v, want %g", name, n, q, got, want)
				}
			}
			if s.N != uint64(n) || s.Min != all[0] || s.Max != all[n-1] {
				t.Errorf("%s: n %d, min %g, max %g", name, s.N, s.Min, s.Max)
			}
		}
	}
}

func TestEmptySketchHasNoNumbers(t *testing.T) {
	var s Sketch
	if s.Mean().OK || s.Quantile(0.5).OK || s.At(Max).OK || Merge().N != 0 || Merge(s, s).N != 0 {
		t.Error("an empty sketch gives a number")
	}
}

func TestHistogramLeavesOutWhatIsNoSample(t *testing.T) {
	h := NewHistogram()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		h.Add(v, 1)
	}
	h.Add(5, 0)
	h.Add(5, -3)
	if h.N() != 0 || len(h.Sketch().Bins) != 0 {
		t.Fatalf("%d samples", h.N())
	}
	h.Add(0, 1)
	h.Add(1e300, 1)
	if s := h.Sketch(); s.N != 2 || s.Min != 0 || s.Max != 1e300 || !s.Quantile(0.5).OK {
		t.Fatalf("bounds: %+v", s)
	}
}

func TestMergeIsTheSketchOfAllSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	all, parts := NewHistogram(), make([]Sketch, 7)
	for i := range parts {
		part := NewHistogram()
		for range rng.IntN(500) {
			v := math.Exp(rng.NormFloat64() * 3)
			all.Add(v, 1)
			part.Add(v, 1)
		}
		parts[i] = part.Sketch()
	}
	got, want := Merge(parts...), all.Sketch()
	if !slices.Equal(got.Bins, want.Bins) || got.N != want.N || got.Min != want.Min || got.Max != want.Max || math.Abs(got.Sum-want.Sum) > 1e-6*want.Sum {
		t.Errorf("merged %d samples, want %d", got.N, want.N)
	}
}

func TestSubtractLeavesTheRest(t *testing.T) {
	h, wrong, right := NewHistogram(), NewHistogram(), NewHistogram()
	for i := range 200 {
		h.Add(float64(100+i), 1)
		wrong.Add(float64(100+i), 1)
	}
	for i := range 50 {
		h.Add(float64(10+i), 2)
		right.Add(float64(10+i), 2)
	}
	h.Subtract(wrong.Sketch())
	got, want := h.Sketch(), right.Sketch()
	if !slices.Equal(got.Bins, want.Bins) || got.N != want.N {
		t.Fatalf("%d samples left, want %d", got.N, want.N)
	}
	if math.Abs(got.Max-want.Max) > 1.01*Accuracy*want.Max || math.Abs(got.Sum-want.Sum) > 1e-6*want.Sum {
		t.Fatalf("max %g, sum %g; want %g, %g", got.Max, got.Sum, want.Max, want.Sum)
	}
	// What is not there cannot be taken out.
	h.Subtract(wrong.Sketch())
	h.Subtract(right.Sketch())
	h.Subtract(right.Sketch())
	if s := h.Sketch(); s.N != 0 || len(s.Bins) != 0 || s.Mean().OK {
		t.Fatalf("left %+v", s)
	}
	h.Add(3, 1)
	if s := h.Sketch(); s.N != 1 || s.Min != 3 || s.Max != 3 {
		t.Fatalf("after emptying: %+v", s)
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	h := NewHistogram()
	v := 20.0
	b.ReportAllocs()
	for b.Loop() {
		h.Add(v, 1)
		if v *= 1.0001; v > 1000 {
			v = 1
		}
	}
}

func TestSpreadCountsEverySampleOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, edges := range [][]float64{{0, 1}, {10, 20, 30, 40}, {1e-6, 5, 5.01, 5.02, 1e9}, {100, 200}} {
		h := NewHistogram()
		want := make([]uint64, len(edges)-1)
		for range 5000 {
			v := math.Exp(3 + 2*rng.NormFloat64())
			h.Add(v, 2)
			at := 0
			for at < len(want)-1 && AsKept(v) >= edges[at+1] {
				at++
			}
			want[at] += 2
		}
		got := make([]uint64, len(edges)-1)
		if h.Sketch().Spread(edges, got); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", edges, got, want)
		}
	}
	var none []uint64
	SketchOf(5).Spread([]float64{1, 2}, none)
	SketchOf(5).Spread([]float64{1}, []uint64{0})
	Sketch{}.Spread([]float64{1, 2}, []uint64{0})
}

func TestAValueIsKeptWithinTheAccuracy(t *testing.T) {
	for _, v := range []float64{1e-3, 0.02, 1, 21.8, 500, 1234.5, 9e7} {
		if got := AsKept(v); math.Abs(got-v) > 1.01*Accuracy*v || AsKept(got) != got {
			t.Errorf("%g is kept as %g, and that as %g", v, got, AsKept(got))
		}
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		if got := AsKept(v); got == got {
			t.Errorf("%g is kept as %g", v, got)
		}
	}
}

func TestTwoSketchesMergeAsInAHistogram(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var two [2]Sketch
		h := NewHistogram()
		for i := range two {
			one := NewHistogram()
			for range rng.IntN(60) {
				one.Add(rng.ExpFloat64()*math.Pow(10, float64(rng.IntN(4))), 1+rng.IntN(3))
			}
			two[i] = one.Sketch()
			h.AddSketch(two[i])
		}
		if got, want := Merge(two[:]...), h.Sketch(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v and %+v are %+v, not %+v", two[0], two[1], got, want)
		}
	}
}
