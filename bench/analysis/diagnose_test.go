package analysis_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// measured is a settled level: in flight, output tokens and requests a second, mean TTFT and ITL in ms.
func measured(id int, inFlight, output, requests, ttft, itl float64) *bench.Level {
	l := &bench.Level{ID: id, Load: bench.InFlight(int(inFlight)), Reached: bench.MarkAt(0), State: bench.Settled}
	l.Span = time.Minute
	n := int(60 * requests)
	l.Stats[bench.TTFT] = spread(n, ttft, ttft, 1.2*ttft, 1.3*ttft)
	l.Stats[bench.ITL] = spread(int(60*output), itl, itl, 1.5*itl, 2*itl)
	l.Stats[bench.TPS] = spread(n, 1000/itl, 1000/itl, 1100/itl, 1200/itl)
	l.Stats[bench.TPS].P5 = bench.Some(900 / itl)
	l.Stats[bench.E2E] = spread(n, 1000*inFlight/requests, 1000*inFlight/requests, 1200*inFlight/requests, 1300*inFlight/requests)
	l.Stats[bench.TPM] = bench.Stat{N: n, Readiness: bench.Ready, Mean: bench.Some(60 * output), Half: bench.Some(1.2 * output)}
	l.OutputRate, l.RPS, l.InFlight = bench.Some(output), bench.Some(requests), bench.Some(inFlight)
	l.Tally.OK = n
	l.Counted = l.Tally
	return l
}

func spread(n int, mean, p50, p95, p99 float64) bench.Stat {
	return bench.Stat{N: n, Readiness: bench.Ready, Mean: bench.Some(mean), P50: bench.Some(p50), P95: bench.Some(p95), P99: bench.Some(p99), Max: bench.Some(p99)}
}

// told gives a level's server gauges, each read thirty times with that value.
func told(l *bench.Level, gauges map[bench.Gauge]float64) *bench.Level {
	l.Server = &bench.ServerFacts{Scrapes: 30}
	for g, v := range gauges {
		l.Server.Gauges[g] = bench.Amount{Sum: 30 * v, Weight: 30, Max: v}
	}
	return l
}

// with changes a level.
func with(l *bench.Level, change func(*bench.Level)) *bench.Level {
	change(l)
	return l
}

// run is a snapshot of levels.
func run(t testing.TB, promises []string, levels ...*bench.Level) *bench.Snapshot {
	t.Helper()
	s := &bench.Snapshot{Run: &bench.Run{Stall: time.Second, Works: []bench.Workload{{}}}, Levels: levels, Folded: time.Hour, Source: bench.FromUsage}
	s.State, s.At = bench.Running, time.Hour
	for _, p := range promises {
		th, err := bench.ParseThreshold(p)
		if err != nil {
			t.Fatal(err)
		}
		s.Run.Thresholds = append(s.Run.Thresholds, th)
	}
	return s
}

// lengthsOf are requests of 100 to 1,090 tokens, in an order of chance, whose TTFT is base + perToken × length, in ms.
func lengthsOf(base, perToken float64) []bench.Sample {
	var out []bench.Sample
	for i := range 100 {
		n := 100 + 10*i
		out = append(out, bench.Sample{Input: int32(n), TTFT: float32(base + perToken*float64(n))})
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// TestCausesByHand holds the rules against levels whose signals are computed in the sentence.
func TestCausesByHand(t *testing.T) {
	type gauges = map[bench.Gauge]float64
	low := func() *bench.Level { return measured(0, 8, 400, 2, 50, 19.875) } // 400 × 19.875 ms = 7.95 decode, 0.05 wait
	for _, c := range []struct {
		because string
		s       *bench.Snapshot
		want    []analysis.Cause
	}{
		{"twice the load, 1.9 × the output (elasticity 0.93): room", run(t, nil, low(), measured(1, 16, 760, 3.8, 60, 20.7)), []analysis.Cause{analysis.UnderDriven}},
		{"twice the load, 1.6 × the output (0.68): neither room nor saturation", run(t, nil, low(), measured(1, 16, 640, 3.2, 60, 24.7)), nil},
		{"four times the load, the same output: 24 of 32 wait, where 0.05 did; ITL as it was", run(t, []string{"ttft.p95<=2s"}, low(), measured(1, 32, 400, 2, 12000, 20)), []analysis.Cause{analysis.Queueing}},
		{"the same, but the server says that nothing waits", run(t, []string{"ttft.p95<=2s"}, low(), told(measured(1, 32, 400, 2, 12000, 20), gauges{bench.ServerWaiting: 0})), nil},
		{"one waits on average of 32: less than 5 % of them", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: 1.5})), nil},
		{"two wait: more than that", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: 2})), []analysis.Cause{analysis.Queueing}},
		{"twice the streams, twice the ITL (1.0), the same output", run(t, []string{"tps.p5>=30"}, low(), measured(1, 16, 402, 2, 60, 39.6)), []analysis.Cause{analysis.DecodeBound}},
		{"twice the streams, 1.45 × the ITL (0.54): not in step", run(t, nil, low(), measured(1, 16, 552, 2.7, 60, 28.8)), nil},
		{"an output of 30 % less, far beyond its interval of 2 % and that of 400", run(t, []string{"tps.p5>=30"}, low(), measured(1, 16, 280, 1.4, 60, 57)), []analysis.Cause{analysis.PastPeak}},
		{"an output of 4 % less, which may be chance, and twice the ITL: saturated, not past the peak", run(t, nil, low(), measured(1, 16, 384, 1.9, 60, 41)), []analysis.Cause{analysis.DecodeBound}},
		{"a cache at 98 % with requests waiting", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: 10, bench.KVUsage: 0.98})), []analysis.Cause{analysis.KVCache}},
		{"a cache at 92 % with requests waiting: the batch is full", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: 10, bench.KVUsage: 0.92})), []analysis.Cause{analysis.Queueing}},
		{"a cache at 94 %, 99 % at most, behind a batch that holds 48 all the time", run(t, nil, with(told(measured(1, 80, 400, 2, 500, 20), gauges{bench.ServerWaiting: 30, bench.ServerRunning: 48, bench.KVUsage: 0.94}),
			func(l *bench.Level) { l.Server.Gauges[bench.KVUsage].Max = 0.99 })), []analysis.Cause{analysis.Queueing}},
		{"the same with a batch that holds 48 at most, and 40 on average", run(t, nil, with(told(measured(1, 80, 400, 2, 500, 20), gauges{bench.ServerWaiting: 30, bench.ServerRunning: 40, bench.KVUsage: 0.94}),
			func(l *bench.Level) {
				l.Server.Gauges[bench.KVUsage].Max, l.Server.Gauges[bench.ServerRunning].Max = 0.99, 48
			})), []analysis.Cause{analysis.KVCache}},
		{"a cache at 98 % and nothing waiting", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.ServerWaiting: 0, bench.KVUsage: 0.98})), nil},
		{"six preemptions a minute on 120 requests: 5 %", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.Preemptions: 0.1})), []analysis.Cause{analysis.KVCache}},
		{"one and a half on 120 requests", run(t, nil, told(measured(1, 32, 400, 2, 500, 20), gauges{bench.Preemptions: 1.5 / 60})), nil},
		{"0.1 ms a token at 8, 8,000 tokens/s at 32: 80 % of the time, and the output stands", run(t, []string{"ttft.p95<=2s"},
			with(low(), func(l *bench.Level) { l.Sample = lengthsOf(20, 0.1) }), with(measured(1, 32, 410, 2, 9000, 24), func(l *bench.Level) { l.PerMinuteIn = bench.Some(480_000) })),
			[]analysis.Cause{analysis.PrefillBound, analysis.Queueing}},
		{"the same at 2,000 tokens/s: 20 % of the time, so that they queue for the batch", run(t, []string{"ttft.p95<=2s"},
			with(low(), func(l *bench.Level) { l.Sample = lengthsOf(20, 0.1) }), with(measured(1, 32, 410, 2, 9000, 20), func(l *bench.Level) { l.PerMinuteIn = bench.Some(120_000) })),
			[]analysis.Cause{analysis.Queueing}},
		{"50 ms at 250 tokens and 350 ms at 940, where at most 200 ms are promised", run(t, []string{"ttft.p95<=200ms"}, with(measured(1, 4, 200, 1, 180, 20), func(l *bench.Level) { l.Sample = lengthsOf(-60, 0.435) })), []analysis.Cause{analysis.PrefillBound}},
		{"a p99 of 120 ms over a p50 of 20", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Stats[bench.ITL].P99 = bench.Some(120) })), []analysis.Cause{analysis.Jitter}},
		{"a p99 of 45 ms over a p50 of 9: five times, and nobody feels it", run(t, nil, with(measured(1, 8, 800, 2, 50, 9), func(l *bench.Level) { l.Stats[bench.ITL].P99 = bench.Some(45) })), nil},
		{"300 ms to the first token, 60 by the server's clock", run(t, nil, told(measured(1, 8, 400, 2, 300, 20), gauges{bench.ServerTTFT: 60})), []analysis.Cause{analysis.Network}},
		{"120 ms and 60: more than a fifth, but less than is felt, and no promise broken", run(t, []string{"ttft.p95<=2s"}, told(measured(1, 8, 400, 2, 120, 20), gauges{bench.ServerTTFT: 60})), nil},
		{"the same with a promise of 100 ms", run(t, []string{"ttft.p95<=100ms"}, told(measured(1, 8, 400, 2, 120, 20), gauges{bench.ServerTTFT: 60})), []analysis.Cause{analysis.Network}},
		{"each of 120 requests opens a connection for 80 ms", run(t, nil, with(measured(1, 8, 400, 2, 300, 20), func(l *bench.Level) {
			l.NewConnections, l.Connect.Mean, l.Handshake.Mean = bench.Some(1), bench.Some(30), bench.Some(50)
		})), []analysis.Cause{analysis.Network}},
		{"8 of 120 requests open one: the load has eight", run(t, nil, with(measured(1, 8, 400, 2, 300, 20), func(l *bench.Level) {
			l.NewConnections, l.Connect.Mean, l.Handshake.Mean = bench.Some(8.0/120), bench.Some(30), bench.Some(50)
		})), nil},
		{"20 run there, 8 of them ours", run(t, nil, told(measured(1, 8, 400, 2, 50, 20), gauges{bench.ServerRunning: 20})), []analysis.Cause{analysis.Shared}},
		{"8.9 run there: within one", run(t, nil, told(measured(1, 8, 400, 2, 50, 20), gauges{bench.ServerRunning: 8.9})), nil},
		{"a quarter of the prompts from the cache", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.PromptTokens, l.Cached = bench.Some(500), 15_000 })), []analysis.Cause{analysis.PrefixCache}},
		{"a tenth of a percent of them", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.PromptTokens, l.Cached = bench.Some(500), 60 })), nil},
		{"6 of 23 limited", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Tally.OK, l.Tally.Limited = 17, 6 })), []analysis.Cause{analysis.QuotaBound}},
		{"one limited", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Tally.Limited = 1 })), nil},
		{"4 of 124 failed, where 5 % may", run(t, []string{"errors<=5%"}, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Counted.Failed, l.Counted.By[bench.ServerError] = 4, 4 })), nil},
		{"4 of 124 failed, where 1 % may", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Counted.Failed, l.Counted.By[bench.ServerError] = 4, 4 })), []analysis.Cause{analysis.ErrorsFirst}},
		{"two thirds in one burst", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Bursts = bench.Some(0.67) })), []analysis.Cause{analysis.Buffered}},
		{"saturated in 4 of 60 s", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Strained[1] = 4 })), []analysis.Cause{analysis.ClientBound}},
		{"busy in 6 of 60 s", run(t, nil, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Strained[0] = 6 })), nil},
		{"the lower load is of another workload", run(t, nil, with(low(), func(l *bench.Level) { l.Work = 1 }), measured(1, 32, 400, 2, 12000, 20)), nil},
		{"a note lies between the two", run(t, nil, low(), with(measured(1, 32, 400, 2, 12000, 20), func(l *bench.Level) { l.Cause, l.Note = bench.CauseNote, "another server" })), nil},
	} {
		d := analysis.Diagnose(c.s)
		var got []analysis.Cause
		for _, r := range d.Found {
			got = append(got, r.Cause)
			if len(r.Saw) == 0 || r.Cause.Cure() == "" || r.Cause.Refuted() == "" || r.Weight < 0 {
				t.Errorf("%s: %+v is not whole", c.because, r)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v; %+v", c.because, got, c.want, d.Found)
		}
	}
}

func TestNothingIsSaidWithoutItsSamples(t *testing.T) {
	for _, c := range []struct {
		because string
		level   *bench.Level
		missing string
		lacks   map[analysis.Cause]string
	}{
		{"two seconds", with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Span = 2 * time.Second }), "3 s more at this load", map[analysis.Cause]string{analysis.ClientBound: "3 s more at this load"}},
		{"eight first tokens", with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Stats[bench.TTFT].N = 8 }), "12 first tokens more", map[analysis.Cause]string{analysis.Network: "12 first tokens more"}},
		{"one level", measured(1, 8, 400, 2, 50, 20), "", map[analysis.Cause]string{
			analysis.Queueing: "a lower load to compare with", analysis.PastPeak: "a lower load to compare with", analysis.KVCache: "the server's own gauges"}},
		{"three readings of its gauges", with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Server = &bench.ServerFacts{Scrapes: 3} }), "", map[analysis.Cause]string{
			analysis.KVCache: "2 readings more of the server's gauges"}},
		{"900 tokens", with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Stats[bench.ITL].N = 900 }), "", map[analysis.Cause]string{analysis.Jitter: "100 tokens more"}},
		{"prompts of one length", with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) {
			for range 40 {
				l.Sample = append(l.Sample, bench.Sample{Input: 512, TTFT: 50})
			}
		}), "", map[analysis.Cause]string{analysis.PrefillBound: "prompts of different lengths"}},
	} {
		d := analysis.Diagnose(run(t, nil, c.level))
		if d.Missing != c.missing || len(d.Found) > 0 {
			t.Errorf("%s: missing %q, found %+v; want %q and nothing", c.because, d.Missing, d.Found, c.missing)
		}
		for cause, want := range c.lacks {
			if !slices.Contains(d.Lacks, analysis.Lack{Cause: cause, Missing: want}) {
				t.Errorf("%s: %v should lack %q, there are %+v", c.because, cause, want, d.Lacks)
			}
		}
	}
	if analysis.Diagnose(nil) != nil || analysis.Diagnose(&bench.Snapshot{Run: &bench.Run{}}) != nil {
		t.Error("a diagnosis of nothing")
	}
}

func TestTheQuotaThatIsNearerIsNamedFirst(t *testing.T) {
	s := run(t, []string{"tpm<=100k"}, with(measured(1, 8, 400, 2, 50, 20), func(l *bench.Level) { l.Tally.OK, l.Tally.Limited = 17, 6 }))
	s.Minute = bench.Use{Attempts: 60, Tokens: 41_000}
	s.Quotas = []bench.Quota{
		{Name: "requests", Per: time.Minute, Limit: bench.Some(60), Remaining: bench.Some(0), At: time.Hour - 2*time.Second, Reset: bench.MarkAt(23 * time.Second)},
		{Name: "day", Per: bench.Day, Limit: bench.Some(1000), Remaining: bench.Some(10), At: time.Hour - 3*time.Second, Reset: bench.MarkAt(time.Second)},
	}
	d := analysis.Diagnose(s)
	got := strings.Join(d.First().Saw, "; ")
	if want := "429 on 6 of 23; RPM 60 of 60, resets in 21 s; TPM 41% used"; got != want {
		t.Errorf("saw %q, want %q: the day's quota has been whole again for two seconds", got, want)
	}
	s.Levels = append(s.Levels, measured(2, 4, 200, 1, 50, 20))
	if r := analysis.DiagnoseLevel(s, 0).First(); strings.Join(r.Saw, "; ") != "429 on 6 of 23" {
		t.Errorf("a level that is over speaks of the quotas of now: %q", r.Saw)
	}
}

func TestReasonsAreOrderedByWhatTheyExplain(t *testing.T) {
	type gauges = map[bench.Gauge]float64
	// Half of the streams' slowness came with the load, nearly all of the wait did.
	levels := func() []*bench.Level {
		return []*bench.Level{measured(0, 16, 800, 4, 50, 19.8), told(measured(1, 64, 810, 4, 6000, 40), gauges{bench.ServerWaiting: 24, bench.ServerRunning: 40})}
	}
	for promise, want := range map[string]analysis.Cause{"ttft.p95<=2s": analysis.Queueing, "tps.p5>=40": analysis.DecodeBound} {
		d := analysis.Diagnose(run(t, []string{promise}, levels()...))
		if first := d.First(); first == nil || first.Cause != want || first.Grade != analysis.Alarm || len(d.Found) != 2 || d.Found[1].Grade != analysis.Limits {
			t.Errorf("%s: %+v, want %v as alarm, and the other as what limits", promise, d.Found, want)
		}
	}
}
