package viewtest

import (
	"slices"
	"time"

	"redline/bench"
)

// batchCap is how many requests the invented server works on at once.
const batchCap = 42

// Serve lets the server of a scene tell its gauges: a batch of at most 42, a queue before it, a cache that fills with the batch, and a GPU.
func Serve(s *bench.Snapshot) {
	s.Buckets = slices.Clone(s.Buckets)
	var total *bench.ServerFacts
	levels := map[int]*bench.ServerFacts{}
	for i, b := range s.Buckets {
		one := *b
		one.Server = told(b, i)
		s.Buckets[i] = &one
		total = joined(total, one.Server)
		if l := b.Level; l >= 0 && l < len(s.Levels) && b.Start >= s.Levels[l].Begin+2*time.Second {
			levels[l] = joined(levels[l], one.Server)
		}
	}
	s.Total.Server = total
	for i, l := range s.Levels {
		l.Server = levels[i]
	}
	if n := len(s.Buckets); n > 0 {
		s.Server = []bench.Scrape{scrape(s, s.Buckets[n-1].Server)}
	}
}

// joined are the facts of two spans together.
func joined(a, b *bench.ServerFacts) *bench.ServerFacts {
	sum := bench.Facts{Server: a}
	sum.Add(&bench.Facts{Server: b})
	return sum.Server
}

// told is what the server told in a second.
func told(b *bench.Bucket, i int) *bench.ServerFacts {
	f := &bench.ServerFacts{Scrapes: 1}
	set := func(g bench.Gauge, v, weight, most float64) {
		f.Gauges[g] = bench.Amount{Sum: v * weight, Weight: weight, Max: most}
	}
	n := b.InFlight
	running := min(n, batchCap)
	waiting := max(n-batchCap, 0)
	set(bench.ServerRunning, running, 1, running)
	set(bench.ServerWaiting, waiting, 1, waiting)
	kv := min(0.02*running+0.01*waiting+0.004*float64(i%5), 1)
	set(bench.KVUsage, kv, 1, kv)
	thrown := 0.0
	if waiting > 0 && i%9 == 4 {
		thrown = 1
	}
	set(bench.Preemptions, thrown, 1, thrown)
	set(bench.PrefixHits, 0.12, float64(max(b.In, 1)), 0.12)
	out := float64(b.Out) * 1.004
	set(bench.GenerationRate, out, 1, out)
	set(bench.PromptRate, float64(b.In), 1, float64(b.In))
	if v := b.TTFT.Mean(); v.OK {
		set(bench.ServerTTFT, v.V-14, float64(b.TTFT.N), v.V-14)
		set(bench.ServerQueue, 2+6*waiting, float64(b.TTFT.N), 2+6*waiting)
		f.Queue = samples(2+6*waiting, int(b.TTFT.N))
	}
	if v := b.ITL.Mean(); v.OK {
		set(bench.ServerITL, v.V-0.1, float64(b.ITL.N), v.V)
	}
	if v := b.E2E.Mean(); v.OK {
		set(bench.ServerE2E, v.V-16, float64(b.E2E.N), v.V)
	}
	use := min(0.5+0.012*running, 0.99)
	set(bench.GPUUse, use, 1, use)
	set(bench.GPUMemory, 71<<30, 1, 71<<30)
	set(bench.GPUMemoryFree, 9<<30, 1, 9<<30)
	set(bench.GPUPower, 120+4.6*running, 1, 120+4.6*running)
	return f
}

func samples(ms float64, n int) bench.Sketch {
	h := bench.NewHistogram()
	for i := range n {
		h.Add(ms*(0.6+0.8*float64(i)/float64(max(n-1, 1))), 1)
	}
	return h.Sketch()
}

// scrape is what was read last.
func scrape(s *bench.Snapshot, f *bench.ServerFacts) bench.Scrape {
	out := bench.Scrape{URL: "http://gpu-7:8000/metrics", Engine: "vLLM", Version: "0.9.2", State: bench.ScrapeOK, At: bench.MarkAt(s.Folded), Took: 3 * time.Millisecond, Size: 41_800,
		MaxRunning: bench.Some(batchCap), KVTokens: bench.Some(131_072)}
	for g := range bench.NumGauges {
		out.Values[g] = f.Mean(g)
	}
	return out
}

// server lets servers tell anything, or nothing.
func (r chance) server(s *bench.Snapshot) {
	if r.IntN(2) == 0 {
		return
	}
	if s.Run != nil && r.IntN(3) > 0 {
		Serve(s)
	}
	for range r.IntN(3) {
		one := bench.Scrape{URL: r.word(), Engine: r.word(), Version: r.word(), Why: r.word(), State: bench.Scraping(r.IntN(9)), Took: time.Duration(r.Uint64() >> r.IntN(60)), Size: r.IntN(1 << 30),
			At: bench.Mark{At: time.Duration(r.Uint64() >> 1), OK: r.IntN(2) == 0}, MaxRunning: r.value(), KVTokens: r.value()}
		for g := range one.Values {
			one.Values[g] = r.value()
		}
		s.Server = append(s.Server, one)
	}
	for _, sum := range summaries(s) {
		if r.IntN(2) == 0 {
			continue
		}
		sum.Server = &bench.ServerFacts{Scrapes: r.IntN(100), Missed: r.IntN(100), Restarts: r.IntN(3)}
		for g := range sum.Server.Gauges {
			sum.Server.Gauges[g] = bench.Amount{Sum: r.value().V, Weight: r.value().V, Max: r.value().V}
		}
	}
}
