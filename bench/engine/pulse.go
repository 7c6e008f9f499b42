package engine

import (
	"sync"
	"time"

	"redline/bench"
)

// pulse is how far a request in flight has come, for who looks at it from outside. Its lock is taken once a chunk by the stream's own goroutine, and
// hardly ever by another.
type pulse struct {
	mu     sync.Mutex
	last   bench.Mark
	events int
	chars  int
	maxGap time.Duration
	// said are the tokens by the server's running count, loose the events that no such count holds, since it began later; open are the events since it last
	// came, which the next will hold. counts tells that there is one.
	said, loose, open int
	counts            bool

	started, first bench.Mark
	// firstSaid and firstLoose are those of the first chunk.
	firstSaid, firstLoose int
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
	switch {
	case c.Tokens > 0:
		p.said, p.open, p.counts = p.said+c.Tokens, 0, true
	case p.counts && c.Counted:
		p.open = 0
	case p.counts:
		p.open += c.Events
	default:
		p.loose, p.counts = p.loose+c.Events, c.Counted
	}
	if c.First {
		p.first, p.firstSaid, p.firstLoose = p.last, p.said, p.loose
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
	return float64(p.said) + float64(p.loose+p.open)*perEvent
}

// later is how many tokens have come behind the first chunk. The caller holds the lock.
func (p *pulse) later(perEvent float64) float64 {
	return float64(p.said-p.firstSaid) + float64(p.loose-p.firstLoose+p.open)*perEvent
}
