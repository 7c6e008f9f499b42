package engine_test

import (
	"context"
	"math"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/sim"
)

// TestServerSeesTheRateThatWasSet counts arrivals where they arrive: a minute at 500 a second, through the client, by the server's own books.
func TestServerSeesTheRateThatWasSet(t *testing.T) {
	const rate = 500
	span := time.Minute
	if underRace {
		span /= 10
	}
	overSim(t, func(o *engine.Options, so *sim.Options) {
		o.Load = bench.PerSecond(rate)
		o.Run.Max, o.Run.MaxRate, o.Run.Seed, o.Run.Duration = 2000, 1000, 5, span
		o.Run.Arrivals = bench.Arrivals{Shape: bench.Constant}
		so.Slots = 2000
		if err := so.Pace.Set("20"); err != nil {
			t.Fatal(err)
		}
		so.PaceTokens = 3
	}, func(t *testing.T, b *bed) {
		b.after(span / 2)
		if now, long := b.gauge("redline_sim_in_flight"), b.Snapshot().InFlight; math.Abs(float64(now-long)) > 25 {
			t.Errorf("the server has %d in flight, we say %d", now, long)
		}
		<-b.Done()
		s := b.Snapshot()
		got := b.gauge("redline_sim_requests_total")
		if plan := rate * span.Seconds(); math.Abs(float64(got)-plan) > 0.005*plan || got != s.Total.Tally.Sent || s.Total.Tally.Unsent != 0 {
			t.Errorf("the server has served %d, we have sent %d and not sent %d; the plan is %v", got, s.Total.Tally.Sent, s.Total.Tally.Unsent, plan)
		}
		if l := s.Level(); !l.Offered.OK || math.Abs(l.Offered.V-rate) > 0.005*rate {
			t.Errorf("offered %v", l.Offered)
		}
	})
}

// BenchmarkRate prints how well the open loop keeps its plan in real time: what was sent of what was due, and how late.
func BenchmarkRate(b *testing.B) {
	for _, rate := range []float64{50, 500, 2000} {
		b.Run(bench.PerSecond(rate).String(), func(b *testing.B) {
			url := startServer(b, "20")
			c, err := client.New(client.Options{URL: url, Model: "redline-sim-7b", Concurrency: 5000, Stall: time.Second, Version: "bench", Clock: bench.NewClock(time.Now()),
				Limits: bench.Limits{Connect: 10 * time.Second, FirstToken: time.Minute, Idle: time.Minute}})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			for b.Loop() {
				clock := bench.NewClock(time.Now())
				c.Restart(clock)
				e := engine.New(engine.Options{Load: bench.PerSecond(rate), DrainTimeout: 5 * time.Second, Run: bench.Run{Max: 5000, MaxRate: 1e4, Seed: 1,
					Duration: 10 * time.Second, Stall: time.Second, Arrivals: bench.Arrivals{Shape: bench.Poisson}}},
					clock, c, equalPrompts(16, 4), nil)
				if err := e.Run(context.Background()); err != nil {
					b.Fatal(err)
				}
				s := e.Snapshot()
				y := s.Total.Tally
				b.ReportMetric(100*float64(y.Sent)/float64(y.Sent+y.Unsent), "%sent")
				b.ReportMetric(float64(y.Sent)/(10*rate), "sent/planned")
				b.ReportMetric(s.Total.Lag.P50.V, "ms-lag-p50")
				b.ReportMetric(s.Total.Lag.P99.V, "ms-lag-p99")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
