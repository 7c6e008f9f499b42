// Package viewtest makes snapshots of invented runs whose figures are consistent: they obey Little's law, and tokens are requests times
// length. Screens and their tests use it in place of an engine.
package viewtest

import (
	"math"
	"math/rand/v2"
	"time"

	"redline/bench"
)

// Output and Input are the tokens of an invented request.
const (
	Input  = 256
	Output = 212
)

// itl is the median gap between tokens, in ms, with c streams running.
func itl(c int) float64 {
	return 12.5 + 0.232*float64(c) + 0.0022*math.Max(0, float64(c)-44)*float64(c)
}

// ttft is the median time to first token, in ms: past 42 streams they queue.
func ttft(c int) float64 { return 230 + 3.5*float64(c) + 48*math.Max(0, float64(c)-42) }

// e2e is the whole time of a request in seconds.
func e2e(c int) float64 { return (ttft(c) + itl(c)*(Output-1)) / 1000 }

// world steps an invented run, one second at a time.
type world struct {
	rng     *rand.Rand
	buckets []*bench.Bucket
	// carry are the fractions of requests left over from second to second.
	carry, failCarry float64
	inFlight         int
}

func newWorld() *world { return &world{rng: rand.New(rand.NewPCG(7, 11))} }

// second runs one second at a load; fail is the share of requests that end in an outcome other than ok.
func (w *world) second(p phase, level int, fail float64, as bench.Outcome) {
	load := p.inFlight()
	start := time.Duration(len(w.buckets)) * time.Second
	b := &bench.Bucket{Start: start, Span: time.Second, Active: time.Second, Target: p.set(), Level: level}
	w.buckets = append(w.buckets, b)
	if load == 0 {
		b.Active = 0
		w.inFlight = 0
		return
	}
	w.carry += float64(load) / e2e(load) * (1 + 0.04*w.rng.NormFloat64())
	done := int(w.carry)
	w.carry -= float64(done)
	w.failCarry += float64(done) * fail
	failed := int(w.failCarry)
	w.failCarry -= float64(failed)
	b.Sent = done + load - w.inFlight
	w.inFlight = load
	ok := done - failed
	b.Ended[bench.OK], b.Ended[as] = ok, failed
	if as == bench.OK {
		b.Ended[bench.OK] = done
	}
	decoding := float64(load) * (1 - ttft(load)/1000/e2e(load))
	tps := 1000 / itl(load)
	b.DecodeSeconds, b.DecodeTokens = decoding, decoding*tps
	b.Out, b.In = int(decoding*tps), done*p.input()
	b.InFlight = float64(load)
	b.PromptTokens, b.AnswerTokens = ok*p.input(), ok*Output
	b.Chars = b.Out * 42 / 10
	b.AskedTokens, b.CountedTokens, b.Counted = ok*(p.input()+3), ok*p.input(), ok
	if p.rate > 0 {
		b.Unsent = p.unsent
		b.Lag = w.sketch(max(b.Sent, 1), 0.31, 0.4)
		b.DueTTFT = w.sketch(max(done, 1), ttft(load)+0.4, 0.10)
	}
	b.NewConnections = b.Sent / 40
	b.TTFT = w.sketch(max(done, 1), ttft(load), 0.10)
	b.ITL = w.sketch(200, itl(load), 0.055)
	b.Gap = b.ITL
	b.TPS = w.sketch(max(ok, 1), tps, 0.06)
	b.TPOT = w.sketch(max(ok, 1), itl(load), 0.04)
	b.E2E = w.sketch(max(ok, 1), 1000*e2e(load), 0.05)
	b.Good = ok
	if ttft(load) > 480 {
		b.Good = ok * 6 / 10
	}
}

func (w *world) sketch(n int, median, sigma float64) bench.Sketch {
	h := bench.NewHistogram()
	for range n {
		h.Add(median*math.Exp(sigma*w.rng.NormFloat64()), 1)
	}
	return h.Sketch()
}
