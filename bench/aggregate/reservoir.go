package aggregate

import (
	"math/rand/v2"

	"redline/bench"
)

// sampleSize bounds the requests that a level keeps one by one.
const sampleSize = 2048

// reservoir draws evenly from all that it is offered (Vitter's algorithm R). Its draws depend on nothing but its seed.
type reservoir struct {
	kept    []bench.Sample
	offered int
	rng     *rand.PCG
}

func (r *reservoir) offer(s bench.Sample, seed uint64) {
	r.offered++
	if len(r.kept) < sampleSize {
		r.kept = append(r.kept, s)
		return
	}
	if r.rng == nil {
		r.rng = rand.NewPCG(seed, sampleSize)
	}
	if i := r.rng.Uint64() % uint64(r.offered); i < sampleSize {
		r.kept[i] = s
	}
}

// sampleOf is a request as a sample.
func sampleOf(e *bench.Ended) (bench.Sample, bool) {
	ttft, ok := e.TTFT()
	if !ok {
		return bench.Sample{}, false
	}
	e2e, ok := e.E2E()
	if !ok {
		return bench.Sample{}, false
	}
	tpot, _ := e.TPOT()
	ttfa, _ := e.TTFA()
	return bench.Sample{
		Input: int32(promptTokens(e)), Output: int32(e.Counts.Output),
		TTFT: float32(bench.Millis(ttft)), TTFA: float32(bench.Millis(ttfa)), TPOT: float32(tpot), E2E: float32(bench.Millis(e2e)),
	}, true
}

// promptTokens are the prompt's tokens by the server, else as asked.
func promptTokens(e *bench.Ended) int {
	if e.Counts.Input > 0 {
		return e.Counts.Input
	}
	return e.Prompt.InputTokens
}
