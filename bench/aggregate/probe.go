package aggregate

import (
	"math"
	"time"

	"redline/bench"
)

// Probe books one request. Its shard's lock guards it, so that its calls may come from different goroutines.
type Probe struct {
	m *Meter
	s *shard

	level, asked  int
	sent, ended   bool
	started, last time.Duration
	// scheduled is when the request should have gone (open loop only).
	scheduled bench.Mark
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
	p := &Probe{m: m, s: &m.shards[r.ID%uint64(len(m.shards))], level: r.Level, asked: r.Prompt.InputTokens, scheduled: r.Scheduled}
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
	p.lag(c, at)
	c.flight.add(1, at, end)
	p.sent, p.started, p.last = true, at, max(at, p.last)
}

// lag books how late the request is handed over; a second time it moves, as long as its second is not cut.
func (p *Probe) lag(c *cell, at time.Duration) {
	if !p.scheduled.OK || p.level == bench.NoLevel {
		return
	}
	if p.sent {
		before, _, cut := p.s.at(p.started)
		if cut || !before.lag.Remove(bench.Millis(max(p.started-p.scheduled.At, 0))) {
			return
		}
	}
	c.lag.Add(bench.Millis(max(at-p.scheduled.At, 0)), 1)
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
	cell.facts.Chars += c.Chars
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

func (p *Probe) first(c *cell, chunk *bench.Chunk) {
	p.in = p.m.learnt.promptOf(p.asked)
	c.facts.In += p.in
	c.firsts = append(c.firsts, bench.FirstToken{
		At: chunk.At, Started: chunk.At - chunk.TTFT, TTFT: chunk.TTFT, Level: p.level, Scheduled: p.scheduled, InputTokens: p.asked,
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
	if !e.Marks.Scheduled.OK {
		e.Marks.Scheduled = p.scheduled
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
	fix := bench.TokenFix{First: e.Marks.FirstToken.At, Last: e.Marks.LastToken.At}
	if n.Input > 0 {
		fix.In = n.Input - p.in
		p.in = n.Input
	}
	if n.Source != bench.FromEvents && (n.Source != bench.FromPart || n.Output != n.Events) {
		fix.Out = n.Output - p.out
		p.out = n.Output
	}
	f.InFix += fix.In
	f.OutFix += fix.Out
	if e.Marks.FirstToken.OK && (fix.In != 0 || fix.Out != 0) {
		c.fixes = append(c.fixes, fix)
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
		countPrompt(f, e)
	}
}
