package aggregate

import (
	"math"
	"sync"
	"sync/atomic"

	"redline/bench"
)

// memory is the share of what was learned that stays when another request teaches: about the last fifty count.
const memory = 0.98

// near is how far from 1 the tokens per event may be for events to pass for tokens.
const near = 0.02

// learnt is what ended requests taught about the target: how many tokens an event holds, and how many tokens the server sees in a
// prompt for each one asked for. The hot path reads it without a lock.
type learnt struct {
	// weight and prompt are ratios as float64 bits, 0 while nothing is known; source is a bench.Source.
	weight, prompt atomic.Uint64
	source         atomic.Uint32

	// mu guards the sums behind the ratios.
	mu                            sync.Mutex
	tokens, events, server, asked float64
}

// tell starts the ratio with what was seen before the run.
func (l *learnt) tell(perEvent float64, source bench.Source) {
	if !(perEvent > 0) || perEvent > 1e6 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// It weighs as much as a short answer, so that the run's own requests soon outweigh it.
	l.tokens, l.events = 32*perEvent, 32
	l.source.Store(uint32(source))
	l.weight.Store(math.Float64bits(perEvent))
}

// end learns from a request that ended well. One whose counts are only events teaches nothing once the server's own counts were seen.
func (l *learnt) end(e *bench.Ended) {
	if e.Outcome != bench.OK {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Counts.Input > 0 && e.Prompt.InputTokens > 0 {
		l.server = memory*l.server + float64(e.Counts.Input)
		l.asked = memory*l.asked + float64(e.Prompt.InputTokens)
		l.prompt.Store(math.Float64bits(l.server / l.asked))
	}
	source, known := e.Counts.Source, l.weight.Load() != 0
	switch {
	case e.Counts.Events <= 0 || e.Counts.Streamed() <= 0 || source == bench.FromPart:
		return
	case source == bench.FromEvents:
		if !known {
			l.source.Store(uint32(source))
			l.weight.Store(math.Float64bits(1))
		}
		return
	case known && bench.Source(l.source.Load()) == bench.FromEvents:
		// Only events were known so far: the server's count takes their place.
		l.tokens, l.events = 0, 0
	}
	l.tokens = memory*l.tokens + float64(e.Counts.Streamed())
	l.events = memory*l.events + float64(e.Counts.Events)
	l.source.Store(uint32(source))
	l.weight.Store(math.Float64bits(l.tokens / l.events))
}

func (l *learnt) perEvent() (float64, bench.Source) {
	return math.Float64frombits(l.weight.Load()), bench.Source(l.source.Load())
}

// eventsAreTokens tells whether an event is known to be one token, or nothing better than events can be had.
func (l *learnt) eventsAreTokens() bool {
	weight, source := l.perEvent()
	return weight != 0 && (source == bench.FromEvents || math.Abs(weight-1) <= near)
}

// tokensOf is how many tokens events hold as far as is known.
func (l *learnt) tokensOf(events int) float64 {
	weight, source := l.perEvent()
	if weight == 0 || source == bench.FromEvents {
		return float64(events)
	}
	return weight * float64(events)
}

// promptOf is how many tokens the server will see in a prompt of so many asked tokens.
func (l *learnt) promptOf(asked int) int {
	if ratio := math.Float64frombits(l.prompt.Load()); ratio > 0 {
		return int(math.Round(ratio * float64(asked)))
	}
	return asked
}
