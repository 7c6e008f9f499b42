package aggregate

import (
	"math"
	"time"

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

// Probe books one request. Its shard's lock guards it, so that its calls may come from different goroutines.
type Probe struct {
	m *Meter
	s *shard

	level, asked  int
	sent, ended   bool
	started, last time.Duration
	// decoding is set from the first chunk on; decodes is when that was.
	decoding bool
	decodes  time.Duration
	weighing weighing
	// gap is the time of chunks whose tokens are not said yet.
	gap time.Duration
	// in and out are the tokens booked so far, exact the tokens seen so far with their fraction, decoded those after the first chunk.
	in, out        int
	exact, decoded float64
}

// Probe begins to book a request that was handed to the transport at an instant. With a negative instant it is not counted as sent
// until Started says so.
func (m *Meter) Probe(r *bench.Request, started time.Duration) *Probe {
	p := &Probe{m: m, s: &m.shards[r.ID%uint64(len(m.shards))], level: r.Level, asked: r.Prompt.InputTokens}
	if started >= 0 {
		p.Started(started)
	}
	return p
}

// Started books that the request is in flight from an instant on; a second call moves that instant.
func (p *Probe) Started(at time.Duration) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.startAt(at)
}

func (p *Probe) startAt(at time.Duration) {
	if p.ended || p.sent && p.started == at {
		return
	}
	c, end, _ := p.s.at(at)
	if p.sent {
		c.flight.add(-1, p.started, end)
	} else {
		c.start(p.level, 1)
	}
	c.flight.add(1, at, end)
	p.sent, p.started, p.last = true, at, max(at, p.last)
}

// Chunk books what one socket read brought. It is the hot path: one lock, a few increments, nothing allocated (but the room for first
// tokens, now and then).
func (p *Probe) Chunk(c bench.Chunk) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.ended {
		return // its totals are settled
	}
	cell, end, late := p.s.at(c.At)
	p.last = max(p.last, c.At)
	p.settle(&c)
	tokens, known := p.tokens(&c)
	n := p.seen(tokens)
	cell.facts.Out += n
	if late {
		cell.facts.Late += n
	}
	if !p.decoding && p.level != bench.NoLevel {
		p.decoding, p.decodes = true, c.At
		cell.decode.add(1, c.At, end)
	}
	if c.First {
		p.first(cell, &c)
		return
	}
	if p.level == bench.NoLevel {
		return
	}
	cell.facts.DecodeTokens += tokens
	p.decoded += tokens
	if c.Gap > p.m.stall {
		cell.facts.Stalls++
	}
	// Whole microseconds, as a GapList keeps them: what has to be taken back later must be the same number.
	gap := c.Gap.Truncate(time.Microsecond)
	cell.gap.Add(bench.Millis(gap), 1)
	if p.gap += gap; known && p.weighing != atEnd {
		cell.itl.Add(bench.Millis(p.gap)/tokens, int(tokens))
		p.gap = 0
	}
}

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

func (p *Probe) first(c *cell, chunk *bench.Chunk) {
	p.in = p.m.learnt.promptOf(p.asked)
	c.facts.In += p.in
	c.firsts = append(c.firsts, bench.FirstToken{
		At: chunk.At, Started: chunk.At - chunk.TTFT, TTFT: chunk.TTFT, Level: p.level, InputTokens: p.asked,
	})
}

// End books the request's end; its slot is free by then. Nothing that comes after it counts.
func (p *Probe) End(e bench.Ended) {
	gaps := e.Gaps
	e.Gaps = bench.GapList{}
	weighing := p.end(&e)
	if p.level == bench.NoLevel {
		weighing = unsettled
	}
	if weighing != unsettled && counted(&e.Counts) && e.Outcome == bench.OK && !e.Burst {
		p.m.late.redecode(&e, &gaps, p.decoded)
	}
	switch {
	case (e.Outcome.Broken() || e.Burst) && weighing != unsettled:
		p.m.late.disown(&e, &gaps, weighing, p.decoded, p.decodes)
	case e.Outcome != bench.OK:
	case weighing == byEvent && counted(&e.Counts) && math.Abs(e.Counts.PerEvent()-1) > near && !gaps.Thinned():
		// The server has begun to put several tokens into an event, and only this stream's own usage says so. (From a list that holds sums of gaps
		// nothing can be taken back: it no longer says what was entered.)
		p.m.late.takeBack(&e, &gaps)
		p.m.late.add(&e, &gaps, &p.m.learnt)
	case weighing == atEnd:
		p.m.late.add(&e, &gaps, &p.m.learnt)
	}
	p.m.learnt.end(&e)
}

// counted tells whether counts are the server's own for the whole stream.
func counted(n *bench.Counts) bool {
	return n.Source == bench.FromUsage || n.Source == bench.FromContinuous
}

// end does the part under the lock, and tells how the stream's latencies were weighed (unsettled on a second end).
func (p *Probe) end(e *bench.Ended) weighing {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if p.ended {
		return unsettled
	}
	if !e.Marks.Ended.OK {
		e.Marks.Ended = bench.MarkAt(max(p.last, e.Marks.LastToken.At))
	}
	over := e.Marks.Ended.At
	switch {
	case e.Marks.Started.OK:
		p.startAt(e.Marks.Started.At)
	case !p.sent:
		// Every request that ends was sent, or the tally would not add up.
		p.startAt(over)
	}
	p.ended = true
	c, end, _ := p.s.at(over)
	c.flight.add(-1, over, end)
	c.facts.Stay += (over - p.started).Seconds()
	if p.decoding {
		till := over
		if e.Outcome == bench.OK && e.Marks.LastToken.OK {
			till = e.Marks.LastToken.At
		}
		c.decode.add(-1, max(till, p.decodes), end)
	}
	c.facts.Ended[min(e.Outcome, bench.NumOutcomes-1)]++
	p.correct(c, e)
	c.ended = append(c.ended, *e)
	return p.weighing
}

// correct books what the server's own counts add to or take from what was counted on the way.
func (p *Probe) correct(c *cell, e *bench.Ended) {
	f, n := &c.facts, &e.Counts
	if n.Input > 0 {
		f.InFix += n.Input - p.in
		p.in = n.Input
	}
	if n.Source != bench.FromEvents && (n.Source != bench.FromPart || n.Output != n.Events) {
		f.OutFix += n.Output - p.out
		p.out = n.Output
	}
	f.Cached += n.Cached
	f.Malformed += n.Malformed
	if e.Outcome.Failed() {
		f.Wasted += p.in + p.out
	}
	f.Apart.Add(e)
	if e.Marks.Connected.OK && !e.Reused {
		f.NewConnections++
	}
	if e.Outcome == bench.OK {
		if e.Burst {
			f.Bursts++
		}
		f.PromptTokens += p.in
		f.AnswerTokens += p.out
	}
}
