package analysis_test

import (
	"math"
	"testing"

	"redline/bench"
	"redline/bench/analysis"
)

// onSlots are levels of a server with so many slots, each of which takes 20 ms to begin and 480 ms for its 24 tokens, however many others are busy.
func onSlots(slots float64, loads ...float64) (out []*bench.Level) {
	for i, n := range loads {
		requests := math.Min(n, slots) / 0.5
		waits := math.Max(n-slots, 0) / requests
		out = append(out, measured(i, n, 24*requests, requests, 20+1000*waits, 20))
	}
	return out
}

// TestAQueueIsNamedBesideOthersThatQueue: the nearest lesser load may queue as well, so that the wait has not doubled since.
func TestAQueueIsNamedBesideOthersThatQueue(t *testing.T) {
	for _, c := range []struct {
		because string
		loads   []float64
		queues  bool
	}{
		{"the slots are just enough", []float64{1, 2, 4, 6}, false},
		{"one more than the slots, beside as many as they", []float64{2, 4, 6, 7}, true},
		{"1.6 times the slots, beside 1.3", []float64{1, 2, 4, 6, 8, 10}, true},
		{"2.3 times, beside 2", []float64{1, 2, 4, 6, 8, 10, 12, 14}, true},
		{"2.6 times, beside 2.3", []float64{1, 2, 4, 6, 8, 10, 12, 14, 16}, true},
		{"all of them queue", []float64{10, 12, 14}, true},
		{"in doubles", []float64{1, 2, 4, 8, 16}, true},
	} {
		d := analysis.Diagnose(run(t, []string{"ttft.p95<=100ms"}, onSlots(6, c.loads...)...))
		if d.Has(analysis.Queueing) != c.queues {
			t.Errorf("%s: queueing %v, want %v: %+v", c.because, d.Has(analysis.Queueing), c.queues, d.Found)
		}
		if c.queues && (d.First().Cause != analysis.Queueing || d.First().Grade != analysis.Alarm) {
			t.Errorf("%s: first %+v", c.because, d.First())
		}
	}
}

// TestTheNewestVisitStandsForALoad: a server that was quicker once has not lost it to the load.
func TestTheNewestVisitStandsForALoad(t *testing.T) {
	s := run(t, []string{"tps.p5>=30"}, measured(0, 8, 600, 3, 50, 13), measured(1, 8, 400, 2, 50, 19.875), measured(2, 16, 402, 2, 60, 39.6))
	if d := analysis.Diagnose(s); d.Has(analysis.PastPeak) {
		t.Errorf("past the peak of a visit that a newer one stands for: %+v", d.Found)
	}
	s = run(t, []string{"tps.p5>=30"}, measured(0, 8, 400, 2, 50, 19.875), measured(1, 8, 600, 3, 50, 13), measured(2, 16, 402, 2, 60, 39.6))
	if d := analysis.Diagnose(s); !d.Has(analysis.PastPeak) {
		t.Errorf("the newest visit brought more: %+v", d.Found)
	}
}
