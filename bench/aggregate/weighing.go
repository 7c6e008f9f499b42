package aggregate

import (
	"math"

	"redline/bench"
)

// weighing is how a stream's inter-token latencies get their weight. It is settled at the stream's first chunk and stays, so that
// no token is counted twice or left out.
type weighing uint8

const (
	// unsettled: no chunk yet.
	unsettled weighing = iota
	// byEvent: an event is a token; samples enter at once.
	byEvent
	// byUsage: the server counts on every event; samples enter at once.
	byUsage
	// atEnd: only the request's own usage will tell; samples enter when it ends.
	atEnd
)

// settle chooses how the stream's latencies get their weight.
func (p *Probe) settle(c *bench.Chunk) {
	switch {
	case p.weighing != unsettled:
	case c.Tokens > 0:
		p.weighing = byUsage
	case p.m.learnt.eventsAreTokens():
		p.weighing = byEvent
	default:
		p.weighing = atEnd
	}
}

// tokens is how many tokens a chunk holds, and whether that is a whole number that can be relied on.
func (p *Probe) tokens(c *bench.Chunk) (tokens float64, known bool) {
	switch {
	case c.Tokens > 0:
		return float64(c.Tokens), true
	case p.weighing == byUsage:
		// The server left its count out here: the next one will hold these too.
		return 0, false
	case p.weighing == byEvent:
		return float64(max(c.Events, 1)), true
	}
	return p.m.learnt.tokensOf(max(c.Events, 1)), false
}

// seen is how many whole tokens more are to be booked, so that the fractions never add up to an error.
func (p *Probe) seen(tokens float64) int {
	p.exact += tokens
	n := int(math.Round(p.exact)) - p.out
	p.out += n
	return n
}

// counted tells whether counts are the server's own for the whole stream.
func counted(n *bench.Counts) bool {
	return n.Source == bench.FromUsage || n.Source == bench.FromContinuous
}
