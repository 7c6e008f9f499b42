package model

import (
	"testing"
	"time"
)

var curveLoads = []int{1, 2, 4, 8, 16, 24, 32, 40, 48, 64, 96, 128}

// sweep drives a preset at each load for that long.
func sweep(t *testing.T, p Params, loads []int, span time.Duration) []Result {
	t.Helper()
	out := make([]Result, 0, len(loads))
	for _, c := range loads {
		r, err := Drive(p, c, span)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// knee is the load at which the scaled output rate lies highest above the scaled load (Kneedle without smoothing).
func knee(rs []Result) int {
	first, last := rs[0], rs[len(rs)-1]
	top := first.OutputRate
	for _, r := range rs {
		top = max(top, r.OutputRate)
	}
	best, at := -1.0, 0
	for _, r := range rs {
		x := float64(r.Concurrency-first.Concurrency) / float64(last.Concurrency-first.Concurrency)
		y := (r.OutputRate - first.OutputRate) / (top - first.OutputRate)
		if y-x > best {
			best, at = y-x, r.Concurrency
		}
	}
	return at
}

// TestCurve prints the curves: go test -run Curve -v.
func TestCurve(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("prints tables")
	}
	for _, preset := range Presets() {
		loads := curveLoads
		if preset != SmallGPU {
			loads = append(append([]int{}, curveLoads...), 192, 256, 384, 512)
		}
		rs := sweep(t, preset.Params(), loads, 2*time.Minute)
		t.Logf("%s: knee %d", preset, knee(rs))
		t.Logf("%5s %9s %9s %8s %8s %8s %7s %7s %8s %7s %7s %5s %6s", "load", "TTFT p50", "TTFT p95", "ITL p50", "ITL p99",
			"E2E p50", "TPS p50", "TPS p5", "tok/s", "RPM", "waiting", "KV", "preempt")
		for _, r := range rs {
			ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
			t.Logf("%5d %7.0fms %7.0fms %6.1fms %6.1fms %7.2fs %7.1f %7.1f %8.0f %7.0f %7.1f %4.0f%% %6d", r.Concurrency, ms(r.TTFT50), ms(r.TTFT95),
				ms(r.ITL50), ms(r.ITL99), r.E2E50.Seconds(), r.TPS50, r.TPS5, r.OutputRate, r.RequestRate, r.Waiting, r.KVUsage*100, r.Preemptions)
		}
	}
}
