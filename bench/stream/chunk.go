package stream

import (
	"time"

	"redline/bench"
)

// chunk closes the present read.
func (p *Parser) chunk(at time.Duration) (bench.Chunk, bool) {
	if p.chunkEvents == 0 {
		return bench.Chunk{}, false
	}
	c := bench.Chunk{At: at, Events: p.chunkEvents, Counted: p.progress.said, Tokens: p.progress.take(), Chars: p.chunkChars}
	p.chunkEvents, p.chunkChars = 0, 0
	p.counts.Chars += c.Chars
	if !p.first.OK {
		p.first = bench.MarkAt(at)
		p.counts.FirstEvents = c.Events
		c.First, c.TTFT = true, at-p.opt.Started
		p.progress.whole = c.Tokens > 0
	} else {
		c.Gap = at - p.last.At
		if p.progress.whole || c.Tokens > 0 {
			p.gaps.AddTokens(c.Gap, c.Events, c.Tokens)
		} else {
			p.gaps.Add(c.Gap, c.Events)
		}
		p.maxGap = max(p.maxGap, c.Gap)
		if p.opt.Stall > 0 && c.Gap > p.opt.Stall {
			p.stalls++
		}
	}
	p.last = bench.MarkAt(at)
	p.counts.Chunks++
	return c, true
}

// progress follows continuous usage: how far the server's own count is, and how much of it earlier chunks have been given.
type progress struct {
	now, given int
	// on: usage has come before the end; based: given is a true base, not zero for want of one; said: usage has come since the last chunk.
	on, based, said bool
	// whole: the stream's first chunk was counted, so that the counts of all chunks add up to the server's.
	whole bool
	// events are the token events that carried usage.
	events int
}

// usage takes the output count of an event before the stream's finish. first tells that no token came before that event.
func (g *progress) usage(output int, first bool) {
	if !g.on {
		g.on, g.based = true, first
	}
	g.now, g.said = output, true
}

// take is the tokens since the last chunk; 0 when the server did not say.
func (g *progress) take() int {
	if !g.on {
		return 0
	}
	g.said = false
	n := g.now - g.given
	g.given = max(g.now, g.given)
	if !g.based {
		g.based = true
		return 0
	}
	return max(n, 0)
}
