package engine_test

import (
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/sim"
)

// A rate that is lowered from above what the server can serve: the level of the low rate must not be measured on the backlog of the high one.
func TestALowerRateIsNotMeasuredOnTheBacklogOfTheOneBefore(t *testing.T) {
	at := func(high float64) (l *bench.Level) {
		overSim(t, func(o *engine.Options, _ *sim.Options) {
			o.Load, o.Run.Max, o.Run.MaxRate = bench.PerSecond(high), 5000, 1000
		}, func(t *testing.T, b *bed) {
			s := b.after(60 * time.Second)
			t.Logf("%d in flight after 60 s at %v/s", s.InFlight, high)
			b.Post(bench.Set{N: 4})
			l = b.after(100 * time.Second).Level()
		})
		return l
	}
	// This server serves about 6/s.
	after3, after10 := at(3), at(10)
	if p := after10.Stats[bench.TTFT]; p.Readiness == bench.Ready && p.P95.V > 10*after3.Stats[bench.TTFT].P95.V {
		t.Errorf("the level of %s that follows 10/s says: TTFT p95 %.0f ms, ready (after 3/s: %.0f ms); reached %v after it began, when the server still had the backlog", after10.Load,
			p.P95.V, after3.Stats[bench.TTFT].P95.V, after10.Reached.At-after10.Begin)
	}
	if p := after10.Stats[bench.RPM]; p.Readiness == bench.Ready && p.Mean.V > 1.3*240 {
		t.Errorf("RPM %.0f, ready, where 240 a minute arrive (after 3/s: %.0f)", p.Mean.V, after3.Stats[bench.RPM].Mean.V)
	}
}
