package engine_test

import (
	"math"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/gauges"
	"redline/bench/sim"
)

// overNet asks overSim for a scraper of the simulated server.
type overNet struct{ *gauges.Scraper }

// TestWhatTheServerTellsIsWhatWeMeasure holds a level's gauges against our own numbers of the same level.
func TestWhatTheServerTellsIsWhatWeMeasure(t *testing.T) {
	overSim(t, func(o *engine.Options, _ *sim.Options) { o.Load, o.Gauges = bench.InFlight(24), &overNet{} }, func(t *testing.T, b *bed) {
		s := b.after(90 * time.Second)
		l := s.Level()
		f := l.Server
		if f == nil || f.Scrapes < 60 || f.Missed > 0 || f.Restarts > 0 {
			t.Fatalf("the level has %+v", f)
		}
		if got := s.Server[0]; got.Engine != "vLLM" || !got.KVTokens.OK {
			t.Errorf("scrape %+v", got)
		}
		for _, row := range []struct {
			sentence     string
			server, ours bench.Value
			within       float64
		}{
			{"requests that run are those in flight", f.Mean(bench.ServerRunning), l.InFlight, 0.03},
			{"tokens it generates are those that come", f.Mean(bench.GenerationRate), l.OutputRate, 0.02},
			{"its inter-token latency is ours", f.Mean(bench.ServerITL), l.Stats[bench.ITL].Mean, 0.02},
			{"so is its TTFT, without the network", f.Mean(bench.ServerTTFT), l.Stats[bench.TTFT].Mean, 0.05},
			{"its requests take as long as ours", f.Mean(bench.ServerE2E), l.Stats[bench.E2E].Mean, 0.05},
			{"the mean of its buckets is exact", f.ITL.Mean(), f.Mean(bench.ServerITL), 0.001},
		} {
			if !row.server.OK || !row.ours.OK || math.Abs(row.server.V-row.ours.V) > row.within*row.ours.V {
				t.Errorf("%s: it says %v, we say %v", row.sentence, row.server, row.ours)
			}
		}
	})
}
