package engine

import (
	"sync"
	"time"

	"redline/bench"
)

// pulse is how far a request in flight has come, for who looks at it from outside. Its lock is taken once a chunk by the stream's own goroutine, and
// hardly ever by another.
type pulse struct {
	mu          sync.Mutex
	started     bench.Mark
	first, last bench.Mark
	events      int
	// said are the tokens by the server's running count, loose the events that no such count holds: all, where the first chunk had none.
	said, loose int
	counts      bool
	// firstSaid and firstLoose are those of the first chunk.
	firstSaid, firstLoose int
	chars                 int
	maxGap                time.Duration
}

func (p *pulse) start(at time.Duration) {
	p.mu.Lock()
	p.started = bench.MarkAt(at)
	p.mu.Unlock()
}

// beat takes a chunk; the hot path.
func (p *pulse) beat(c *bench.Chunk) {
	p.mu.Lock()
	p.last = bench.MarkAt(c.At)
	p.events += c.Events
	p.chars += c.Chars
	p.maxGap = max(p.maxGap, c.Gap)
	if c.First {
		p.first, p.counts = p.last, c.Tokens > 0
	}
	switch {
	case c.Tokens > 0:
		p.said += c.Tokens
	case !p.counts: // else the server left its count out here, and the next one will hold these too
		p.loose += c.Events
	}
	if c.First {
		p.firstSaid, p.firstLoose = p.said, p.loose
	}
	p.mu.Unlock()
}

// flight is the request as far as it has come; false before it is handed over to the transport. An event holds perEvent tokens, where the server does
// not say.
func (t *watch) flight(f *bench.Flight, perEvent float64) bool {
	p := &t.pulse
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started.OK {
		return false
	}
	*f = bench.Flight{
		Request: t.request, Started: p.started.At, FirstToken: p.first, LastToken: p.last,
		Events: p.events, Tokens: p.tokens(perEvent), MaxGap: p.maxGap,
	}
	return true
}

// tokens is how many tokens have come. The caller holds the lock.
func (p *pulse) tokens(perEvent float64) float64 {
	return float64(p.said) + float64(p.loose)*perEvent
}

// later is how many tokens have come behind the first chunk. The caller holds the lock.
func (p *pulse) later(perEvent float64) float64 {
	return float64(p.said-p.firstSaid) + float64(p.loose-p.firstLoose)*perEvent
}
