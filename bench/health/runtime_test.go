package health

import (
	"math"
	"runtime/metrics"
	"testing"

	"redline/bench"
)

func TestWhatHasGrownHasAQuantile(t *testing.T) {
	edges := []float64{math.Inf(-1), 0, 0.001, 0.010, 0.100, math.Inf(1)}
	for _, row := range []struct {
		sentence    string
		before, now []uint64
		q           float64
		want        bench.Value
	}{
		{"nothing was counted", nil, []uint64{0, 0, 0, 0, 0}, 0.99, bench.Value{}},
		{"nothing is new", []uint64{0, 9, 9, 9, 9}, []uint64{0, 9, 9, 9, 9}, 0.99, bench.Value{}},
		{"the first count is all new", nil, []uint64{0, 10, 0, 0, 0}, 0.99, bench.Some(1)},
		{"one of a thousand is late", []uint64{0, 5, 0, 0, 7}, []uint64{0, 1004, 0, 0, 8}, 0.99, bench.Some(1)},
		{"twenty of a thousand are late", []uint64{0, 5, 0, 0, 0}, []uint64{0, 985, 0, 20, 0}, 0.99, bench.Some(100)},
		{"the greatest", []uint64{0, 5, 0, 0, 0}, []uint64{0, 985, 1, 0, 0}, 1, bench.Some(10)},
		{"beyond the last edge", nil, []uint64{0, 0, 0, 0, 1}, 1, bench.Some(100)},
	} {
		got := grown(&metrics.Float64Histogram{Counts: row.now, Buckets: edges}, &metrics.Float64Histogram{Counts: row.before, Buckets: edges}, row.q)
		if got.OK != row.want.OK || math.Abs(got.V-row.want.V) > 1e-9 {
			t.Errorf("%s: %v, want %v", row.sentence, got, row.want)
		}
	}
}

func TestRuntimeTellsOfItself(t *testing.T) {
	var c counters
	c.read()
	for i := range c.samples {
		if c.samples[i].Value.Kind() == metrics.KindBad {
			t.Errorf("the runtime does not know %s any more", c.samples[i].Name)
		}
	}
}
