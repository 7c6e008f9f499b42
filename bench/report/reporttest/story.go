// Package reporttest has runs to be told, for tests.
package reporttest

import (
	"time"

	"redline/bench"
)

// Stat is a statistic of n samples.
func Stat(n int, ready bench.Readiness, p50, p95, p99, p5, p1 float64) bench.Stat {
	s := bench.Some
	return bench.Stat{N: n, Readiness: ready, Mean: s(p50), P50: s(p50), P95: s(p95), P99: s(p99), Max: s(p99), P5: s(p5), P1: s(p1)}
}

// Level is a level with numbers that agree with one another.
func Level(id, load, ok int, ready bench.Readiness) *bench.Level {
	l := &bench.Level{ID: id, Load: bench.InFlight(load), Reached: bench.MarkAt(time.Second), State: bench.Settled}
	l.Span = time.Minute
	l.Stats[bench.TTFT] = Stat(ok, ready, 371, 442, 498, 300, 280)
	l.Stats[bench.ITL] = Stat(ok*212, ready, 21.4, 23.9, 27.2, 19, 18)
	l.Stats[bench.TPS] = Stat(ok, ready, 46.7, 52, 55, 41.8, 36.8)
	l.Stats[bench.RPM] = bench.Stat{N: ok, Readiness: ready, Mean: bench.Some(478), Half: bench.Some(11)}
	l.Stats[bench.TPM] = bench.Stat{N: ok * 468, Readiness: ready, Mean: bench.Some(223_900), Half: bench.Some(5_000)}
	l.OutputRate = bench.Some(1702)
	l.Tally = bench.Tally{Sent: ok + 3, OK: ok, Failed: 2, Limited: 1}
	l.Tally.By[bench.OK], l.Tally.By[bench.ServerError], l.Tally.By[bench.RateLimited] = ok, 2, 1
	l.Counted = l.Tally
	return l
}

// chatPromises are those of the scenario that is in force where none is named.
func chatPromises() []bench.Threshold {
	var out []bench.Threshold
	for _, text := range []string{"ttft.p95<=2s", "tps.p5>=20", "errors<=1%"} {
		t, err := bench.ParseThreshold(text)
		if err != nil {
			panic(err)
		}
		out = append(out, t)
	}
	return out
}

// Story is a run of three levels: one good, one that broke a promise, one too young to say much.
func Story() *bench.Snapshot {
	promises := chatPromises()
	slow := Level(2, 48, 480, bench.Ready)
	slow.Stats[bench.TTFT] = Stat(480, bench.Ready, 820, 2480, 3100, 400, 380)
	slow.Verdicts = []bench.Verdict{{Threshold: promises[0], Value: bench.Some(2480), Known: true, Broken: true}}
	slow.Unfinished = 40
	good := Level(1, 16, 312, bench.Ready)
	for i, value := range []float64{442, 41.8, 0.6} {
		good.Verdicts = append(good.Verdicts, bench.Verdict{Threshold: promises[i], Value: bench.Some(value), Known: true})
	}
	young := Level(3, 40, 9, bench.Few)
	young.Note = "max_num_seqs 128"
	young.Stats[bench.RPM], young.Stats[bench.TPM] = bench.Stat{}, bench.Stat{}
	young.State = bench.Settles
	s := &bench.Snapshot{
		Run: &bench.Run{
			Version: "dev", Start: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), Host: "gpu-7:8000", Model: "qwen", Max: 64,
			Works: []bench.Workload{{Name: "synthetic", InputTokens: 512, MaxTokens: 512}}, Seed: 7, Thresholds: promises, Prices: bench.Prices{Input: 0.2, Output: 0.6}, Notes: []string{"the server does not report usage as it goes"},
		},
		Gauges: bench.Gauges{
			At: 4*time.Minute + 12*time.Second, State: bench.Running, Target: bench.InFlight(40), InFlight: 39, Held: 1,
			Spend: bench.Spend{In: 409_000, Out: 193_000, Cost: bench.Some(0.1976)},
		},
		Folded: 4*time.Minute + 12*time.Second, Buckets: []*bench.Bucket{{Span: 4 * time.Minute, Target: bench.InFlight(40), Facts: bench.Facts{In: 281_151, Out: 93_717}}},
		Levels: []*bench.Level{good, slow, young}, Source: bench.FromUsage, LastError: "upstream \x1b[31mexploded\nbadly",
		Events: []bench.Event{
			{At: 0, Kind: bench.EventStart, To: bench.InFlight(16)},
			{At: 61 * time.Second, Kind: bench.EventOpen, From: bench.InFlight(16), To: bench.InFlight(32)},
			{At: 62 * time.Second, Kind: bench.EventCommit, Cause: bench.CauseLoad, From: bench.InFlight(16), To: bench.InFlight(48)},
			{At: 70 * time.Second, Kind: bench.EventReach, To: bench.InFlight(48)},
			{At: 80 * time.Second, Kind: bench.EventFailure, Outcome: bench.RateLimited, N: 5, Text: "server asked to wait 2 s"},
			{At: 90 * time.Second, Kind: bench.EventBroken, Text: "TTFT p95 2480 ms, over 2000 ms, at 48"},
			{At: 130 * time.Second, Kind: bench.EventNote, Text: "max_num_seqs 128"},
		},
	}
	s.Total = Level(0, 0, 801, bench.Ready).Summary
	s.Total.Span = 4 * time.Minute
	s.Total.Tally.Sent, s.Total.Tally.Failed, s.Total.Tally.Limited, s.Total.Tally.Cancelled = 850, 4, 5, 0
	s.Total.Tally.By[bench.RateLimited], s.Total.Tally.By[bench.ServerError], s.Total.Tally.By[bench.TimeoutFirst] = 5, 3, 1
	s.Total.Counted = s.Total.Tally
	s.Run.Protocol, s.Run.Address = "HTTP/1.1", "10.0.0.7"
	s.Run.Limits = bench.Limits{Connect: 10 * time.Second, FirstToken: 2 * time.Minute, Idle: time.Minute, Total: 10 * time.Minute}
	s.Total.NewConnections = bench.Some(0.124)
	s.Total.Connect = bench.Stat{N: 99, P50: bench.Some(0.42), Max: bench.Some(3.1)}
	s.Total.Handshake = bench.Stat{N: 99, P50: bench.Some(9.1), Max: bench.Some(31)}
	s.Total.Goodput, s.Total.Wasted, s.Total.Cached = bench.Some(91.25), 1200, 0
	return s
}
