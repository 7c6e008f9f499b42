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

func TestSmallGPUHasATrueKnee(t *testing.T) {
	rs := sweep(t, SmallGPU.Params(), curveLoads, 90*time.Second)
	at := func(load int) Result {
		for _, r := range rs {
			if r.Concurrency == load {
				return r
			}
		}
		t.Fatalf("load %d was not driven", load)
		return Result{}
	}
	if k := knee(rs); k < 24 || k > 40 {
		t.Errorf("knee at %d, not near 32", k)
	}
	if e := at(8).E2E50; e < 3*time.Second || e > 5*time.Second {
		t.Errorf("an answer takes %v at 8, not about 4 s", e)
	}
	slots := SmallGPU.Params().Slots
	for i, r := range rs[1:] {
		before := rs[i]
		if r.Concurrency > slots {
			break
		}
		if r.TTFT50 < before.TTFT50*95/100 || r.ITL50 < before.ITL50 || r.TPS50 > before.TPS50 {
			t.Errorf("from %d to %d: TTFT %v to %v, ITL %v to %v, TPS %.1f to %.1f", before.Concurrency, r.Concurrency,
				before.TTFT50, r.TTFT50, before.ITL50, r.ITL50, before.TPS50, r.TPS50)
		}
		if r.OutputRate < before.OutputRate*0.98 {
			t.Errorf("output falls from %.0f to %.0f at %d", before.OutputRate, r.OutputRate, r.Concurrency)
		}
	}
	if low, high := at(16).OutputRate/at(8).OutputRate, at(48).OutputRate/at(24).OutputRate; low < 1.7 || high > 1.4 {
		t.Errorf("doubling the load multiplies output by %.2f below the knee and %.2f past it", low, high)
	}
	if in, past := at(slots), at(128); past.TTFT50 < 5*time.Second || past.Waiting < 70 || past.ITL50 > in.ITL50*11/10 || past.OutputRate > in.OutputRate*1.05 {
		t.Errorf("past the slots the queue does not take over: %+v, %+v", in, past)
	}
}

func TestLargeGPUHasItsKneeBeyond128(t *testing.T) {
	rs := sweep(t, LargeGPU.Params(), []int{8, 64, 128, 160, 192, 256, 384}, 30*time.Second)
	if k := knee(rs); k <= 128 {
		t.Errorf("knee at %d", k)
	}
	small, err := Drive(SmallGPU.Params(), 8, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if rs[0].ITL50 >= small.ITL50/2 {
		t.Errorf("ITL %v, small GPU %v", rs[0].ITL50, small.ITL50)
	}
}

func TestAnswersHaveTheirLengths(t *testing.T) {
	r, err := Drive(SmallGPU.Params(), 16, 4*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if mean := r.OutputRate * 60 / r.RequestRate; mean < 200 || mean > 240 {
		t.Errorf("answers of %.0f tokens, not about 220", mean)
	}
	if cut := r.Requests - r.Stopped; cut == 0 || cut > r.Requests/10 {
		t.Errorf("%d of %d answers cut by max_tokens", cut, r.Requests)
	}
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
