package health

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesAreGoodToThreePercent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var l Lags
	var all []time.Duration
	for range 20000 {
		lag := time.Duration(random.ExpFloat64() * float64(5*time.Millisecond))
		all = append(all, lag)
		l.Add(lag)
	}
	slices.Sort(all)
	tally := l.Take()
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 1} {
		want := all[min(int(q*float64(len(all))), len(all)-1)]
		if got := tally.Quantile(q); (got - want).Abs() > want/30+2*time.Microsecond {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
}

func TestTakeBeginsAnew(t *testing.T) {
	var l Lags
	l.Add(time.Second)
	l.Add(-time.Second)
	if got := l.Take(); got.N != 2 || got.Max != time.Second || got.Quantile(0) > 2*time.Microsecond {
		t.Errorf("%d lags, at most %v, at least %v", got.N, got.Max, got.Quantile(0))
	}
	if got := l.Take(); got.N != 0 || got.Max != 0 || got.Quantile(0.99) != 0 {
		t.Errorf("%d lags left, at most %v", got.N, got.Max)
	}
}

func TestEachBinBeginsWhereTheLastOneEnds(t *testing.T) {
	for i := range bins {
		if got := place(floor(i)); got != i {
			t.Fatalf("the floor of bin %d is in bin %d", i, got)
		}
		if i > 0 && place(floor(i)-1) != i-1 {
			t.Fatalf("what is just below bin %d is in bin %d", i, place(floor(i)-1))
		}
	}
	if place(1<<62) != bins-1 {
		t.Error("a lag without end is not in the last bin")
	}
}

func TestMergedTalliesHoldBoth(t *testing.T) {
	var a, b Lags
	a.Add(time.Millisecond)
	b.Add(time.Second)
	sum := a.Take()
	other := b.Take()
	sum.Merge(&other)
	if sum.N != 2 || sum.Max != time.Second {
		t.Errorf("%d lags, at most %v", sum.N, sum.Max)
	}
}
