package analysis_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/engine"
	"redline/bench/sim"
	"redline/bench/sim/host"
	"redline/bench/sim/model"
	"redline/bench/sim/script"
)

// chat are the promises of most runs.
var chat = []string{"ttft.p95<=2s", "tps.p5>=20", "errors<=1%"}

// TestEachCauseIsNamedWhereItIsMade drives the simulated server, through the engine, into each trouble on purpose.
func TestEachCauseIsNamedWhereItIsMade(t *testing.T) {
	if raced {
		t.Skip("long runs in virtual time, of what has no goroutines")
	}
	for _, c := range []struct {
		because string
		want    analysis.Cause
		grade   analysis.Grade
		drive   drive
	}{
		{"a batch of eight, and four times as many requests; the server tells nothing", analysis.Queueing, analysis.Alarm,
			drive{least: 64, most: 512, server: slots(8), loads: []float64{8, 32}, promises: chat}},
		{"the same with the server's gauges, and no lower load", analysis.Queueing, analysis.Alarm,
			drive{least: 64, most: 512, server: slots(8), loads: []float64{32}, gauges: true, promises: chat}},
		{"a batch of 48 that is full long before its KV cache", analysis.Queueing, analysis.Alarm,
			drive{least: 512, loads: []float64{32, 64}, gauges: true, promises: chat}},
		{"more arrivals than can be served", analysis.Queueing, analysis.Alarm,
			drive{mode: bench.Open, least: 64, most: 512, loads: []float64{3, 10}, hold: 40 * time.Second, promises: chat}},
		{"a KV cache too small for the batch", analysis.KVCache, analysis.Alarm,
			drive{least: 512, server: blocks(700), loads: []float64{8, 32}, gauges: true, promises: chat}},
		{"long prompts, short answers, more and more of them", analysis.PrefillBound, analysis.Alarm,
			drive{least: 500, most: 6000, answer: 16, loads: []float64{1, 4, 16}, promises: []string{"ttft.p95<=2s"}}},
		{"long prompts one at a time, with a promise that their length alone breaks", analysis.PrefillBound, analysis.Alarm,
			drive{least: 200, most: 7000, answer: 16, loads: []float64{1}, promises: []string{"ttft.p95<=400ms"}}},
		{"a batch as large as the load: streams slow one another", analysis.DecodeBound, analysis.Alarm,
			drive{least: 64, most: 128, server: slots(512), loads: []float64{48, 128}, promises: []string{"tps.p5>=25"}}},
		{"the same where no promise is broken", analysis.DecodeBound, analysis.Limits,
			drive{least: 64, most: 128, server: slots(512), loads: []float64{48, 128}, promises: []string{"tps.p5>=4"}}},
		{"60 requests a minute, and more than twice as many wanted", analysis.QuotaBound, analysis.Alarm,
			drive{least: 64, server: func(o *sim.Options) { o.RPM, o.Speed = 60, 4 }, loads: []float64{8}, hold: 90 * time.Second, promises: chat}},
		{"one answer in ten is an error", analysis.ErrorsFirst, analysis.Alarm,
			drive{least: 64, server: func(o *sim.Options) { o.Faults.Error = 0.1 }, loads: []float64{8}, promises: chat}},
		{"streams that come whole at their end", analysis.Buffered, analysis.Alarm, drive{least: 64, serve: shelf(t, "burst"), loads: []float64{4}, promises: chat}},
		{"prompts that begin alike", analysis.PrefixCache, analysis.Remark, drive{least: 1024, alike: true, loads: []float64{4}, promises: chat}},
		{"a provider's network, with a promise that only a near one could keep", analysis.Network, analysis.Alarm,
			drive{least: 64, server: func(o *sim.Options) { o.Preset, o.RPM, o.TPM = model.Hosted, -1, -1 }, loads: []float64{4}, gauges: true, promises: []string{"ttft.p95<=60ms"}}},
		{"a server that is switched off", analysis.ServerDied, analysis.Alarm,
			drive{least: 64, loads: []float64{4, 8}, during: func(b *bed) { b.after(5 * time.Second); b.off() }, promises: chat}},
		{"nothing is saturated at twice the load", analysis.UnderDriven, analysis.Remark, drive{least: 64, most: 512, loads: []float64{4, 8}, gauges: true, promises: chat}},
		{"somebody else has as many requests there as we", analysis.Shared, analysis.Remark,
			drive{least: 64, loads: []float64{8}, gauges: true, during: func(b *bed) { b.crowd(8) }, promises: chat}},
		{"a server that gets slower by more than the load grows", analysis.PastPeak, analysis.Alarm,
			drive{least: 64, serve: serveCrowded, loads: []float64{8, 32}, hold: 40 * time.Second, promises: []string{"itl.p95<=60ms"}}},
		{"long prompts read in large pieces between the tokens of others", analysis.Jitter, analysis.Alarm,
			drive{least: 5000, most: 9000, server: func(o *sim.Options) { o.Preset, o.RPM, o.TPM = model.Hosted, -1, -1 }, loads: []float64{4}, promises: []string{"itl.p99<=40ms"}}},
		{"a server that loads its model for the first requests", analysis.ColdStart, analysis.Remark, drive{least: 64, serve: serveCold(4), loads: []float64{4}, promises: chat}},
		{"a client that was busy in every other second", analysis.ClientBound, analysis.Alarm,
			drive{least: 64, loads: []float64{8}, options: func(o *engine.Options) { o.Health = &weak{} }, promises: chat}},
	} {
		t.Run(c.because, func(t *testing.T) {
			t.Parallel()
			s := c.drive.run(t)
			d := analysis.Diagnose(s)
			first := d.First()
			if first == nil || first.Cause != c.want || first.Grade != c.grade {
				t.Fatalf("found %+v, want %v as %v first; lacks %+v", d.Found, c.want, c.grade, d.Lacks)
			}
			t.Logf("%v: %q", first.Cause, first.Saw)
		})
	}
}

// slots and blocks are simulated servers with so large a batch, and so large a KV cache; a large batch gets a cache to match.
func slots(n int) func(*sim.Options) {
	return func(o *sim.Options) {
		if o.Slots = n; n > 100 {
			o.KVBlocks = 9000
		}
	}
}

func blocks(n int) func(*sim.Options) { return func(o *sim.Options) { o.KVBlocks = n } }

// shelf is a server of the catalogue.
func shelf(t *testing.T, name string) func(context.Context, net.Listener) error {
	s, err := script.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return script.New(s).Serve
}

// serveCold is a server that lets its first requests wait for four seconds.
func serveCold(first int64) func(context.Context, net.Listener) error {
	var seen atomic.Int64
	return serveTokens(10, func(bool) time.Duration { return 20 * time.Millisecond }, func() {
		if time.Sleep(100 * time.Millisecond); seen.Add(1) <= first {
			time.Sleep(4 * time.Second)
		}
	})
}

// serveCrowded is a server whose streams slow one another with the square of their number.
func serveCrowded(ctx context.Context, l net.Listener) error {
	var running atomic.Int64
	return serveTokens(30, func(last bool) time.Duration {
		n := running.Load()
		if last {
			running.Add(-1)
		}
		return time.Duration(10+n*n/4) * time.Millisecond
	}, func() { running.Add(1) })(ctx, l)
}

// serveTokens is a server that streams so many tokens after it has begun, each after a gap.
func serveTokens(n int, gap func(last bool) time.Duration, begin func()) func(context.Context, net.Listener) error {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		begin()
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range n {
			time.Sleep(gap(i == n-1))
			_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":" word"}}]}`+"\n\n")
			_ = http.NewResponseController(w).Flush()
		}
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	})
	return func(ctx context.Context, l net.Listener) error {
		return host.Serve(ctx, l, &http.Server{Handler: answer})
	}
}

// TestHealthyRunsNameNothing drives each kind of server at loads that it carries, with its gauges and without.
func TestHealthyRunsNameNothing(t *testing.T) {
	if raced {
		t.Skip("long runs in virtual time, of what has no goroutines")
	}
	for _, c := range []struct {
		because string
		drive   drive
	}{
		{"a small GPU up to its knee", drive{least: 64, most: 1024, loads: []float64{4, 8, 16, 32}}},
		{"the same with prompts of one length", drive{least: 512, loads: []float64{8, 32}}},
		{"a large GPU up to its knee", drive{least: 64, most: 1024, server: func(o *sim.Options) { o.Preset = model.LargeGPU }, loads: []float64{8, 32, 128}}},
		{"a provider within its quotas", drive{least: 64, most: 256, server: func(o *sim.Options) { o.Preset = model.Hosted }, loads: []float64{2, 4}}},
		{"a single request at a time", drive{least: 64, most: 2048, loads: []float64{1}, hold: 60 * time.Second}},
		{"arrivals that are served", drive{mode: bench.Open, least: 64, most: 1024, loads: []float64{1, 2, 4}, hold: 40 * time.Second}},
		{"a load that was lowered", drive{least: 64, most: 1024, loads: []float64{32, 16, 8}}},
	} {
		d := c.drive
		d.gauges, d.promises = true, chat
		t.Run(c.because, func(t *testing.T) {
			t.Parallel()
			bare, told := d.both(t)
			for what, s := range map[string]*bench.Snapshot{"with gauges": told, "without": bare} {
				for i, l := range s.Levels {
					if l.Span < 5*time.Second {
						continue
					}
					for _, r := range analysis.DiagnoseLevel(s, i).Found {
						if r.Cause != analysis.UnderDriven {
							t.Errorf("%s, at %v: %v as %v: %q", what, l.Load, r.Cause, r.Grade, r.Saw)
						}
					}
				}
			}
		})
	}
}
