package aggregate

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"redline/bench"
)

// worded is what headers say of a quota of requests, at a second of the run: with the steady period that they meet to the digit.
func worded(limit, gone, reset, at float64) bench.Quota {
	q := bench.Quota{Name: "requests", Per: time.Minute, Limit: bench.Some(limit), Remaining: bench.Some(limit - gone),
		Reset: bench.MarkAt(time.Duration(reset * 1e9)), At: time.Duration(at * 1e9)}
	for _, per := range []time.Duration{time.Hour, bench.Day} {
		if math.Abs(reset*limit/gone/per.Seconds()-1) < 0.001 {
			q.Steady = bench.Steady{Per: per, Met: 1, Gone: gone}
		}
	}
	return q
}

// TestAWindowOfAMinuteIsNotCalledHourly: while it fills and runs out its figures pass those of an hour that comes back bit by bit.
func TestAWindowOfAMinuteIsNotCalledHourly(t *testing.T) {
	met := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, c := range []struct{ limit, each, gap float64 }{{6000, 1, 0.31}, {600, 1, 0.31}, {100_000, 84, 0.31}, {20_000, 84, 0.31}, {1_000_000, 900, 0.1}, {3500, 1, 0.5}, {120_000, 1, 0.01}} {
			var known []bench.Quota
			begin, gone := 0.0, 0.0
			for at := r.Float64(); at < 200; at += c.gap * (0.8 + 0.4*r.Float64()) {
				for at-begin > 60 {
					begin, gone = begin+60, 0
				}
				if gone+c.each > c.limit {
					continue
				}
				gone += c.each
				q := worded(c.limit, gone, math.Round(1000*(60-at+begin))/1000, at)
				met += q.Steady.Met
				known = mergeQuotas(known, []bench.Quota{q})
				if per := judgedQuotas(known)[0].Per; per != time.Minute {
					t.Fatalf("seed %d, limit %g, %g each %g s: per %v at %.1f s", seed, c.limit, c.each, c.gap, per, at)
				}
			}
		}
	}
	if met == 0 {
		t.Error("no answer met an hour by chance: the test proves nothing")
	}
}

// TestASteadyQuotaIsKnownByItsFigures: of 10,000 a day one comes back each 8.64 s.
func TestASteadyQuotaIsKnownByItsFigures(t *testing.T) {
	var known []bench.Quota
	for gone := 1.0; gone < 7; gone++ {
		known = mergeQuotas(known, []bench.Quota{worded(10_000, gone, 8.64*gone, gone)})
		want := time.Minute
		if gone > 1 {
			want = bench.Day
		}
		if got := judgedQuotas(known)[0].Per; got != want {
			t.Errorf("%g gone: per %v, want %v", gone, got, want)
		}
	}
	// What has come back in part is told in whole requests.
	known = mergeQuotas(known, []bench.Quota{worded(10_000, 6, 8.64*5.4, 8)})
	if got := judgedQuotas(known)[0].Per; got != bench.Day {
		t.Errorf("a part of one has come back: per %v", got)
	}
	known = mergeQuotas(known, []bench.Quota{worded(10_000, 300, 40, 9)})
	if got := judgedQuotas(known)[0].Per; got != time.Minute {
		t.Errorf("300 gone come back in 40 s: per %v", got)
	}
}
