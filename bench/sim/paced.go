package sim

import (
	"sync/atomic"
	"time"

	"redline/bench/sim/model"
)

const (
	// floodTokens is the length of a flood's answer when nothing else is asked.
	floodTokens = 100_000
	// floodBatch is how many bytes one write of a flood holds at least.
	floodBatch = 16 << 10
	// pacedWriteLimit is how long a write may take before the client counts as gone: one goroutine writes to all paced
	// streams, so a client that does not read would hold up the rest.
	pacedWriteLimit = 2 * time.Second
)

// pacedTotals stand in for the engine's gauges.
type pacedTotals struct {
	running                         atomic.Int64
	prompt, generated, cut, aborted atomic.Uint64
}

// add lays them over the engine's.
func (p *pacedTotals) add(g *model.Gauges) {
	g.Running += int(p.running.Load())
	g.PromptTokens += p.prompt.Load()
	g.GenerationTokens += p.generated.Load()
	g.CutShort += p.cut.Load()
	g.Cancelled += p.aborted.Load()
}

// paced answers without the engine, with as many tokens as the options or the request ask; without streaming, with one.
func (t *turn) paced() {
	totals := &t.server.pacedTotals
	totals.prompt.Add(uint64(t.request.prompt))
	if !t.request.stream {
		totals.generated.Add(1)
		totals.cut.Add(1)
		t.used = 1
		t.reply("", t.server.prose.token(t.start, 0), model.Length)
		return
	}
	n := t.bound
	if t.server.pacer == nil {
		n = floodTokens
	}
	if t.server.opts.PaceTokens > 0 {
		n = t.server.opts.PaceTokens
	}
	out := newSender(t)
	totals.running.Add(1)
	t.sendPaced(out, n)
	totals.running.Add(-1)
	t.used = out.sent
	if out.sent < n {
		totals.aborted.Add(1)
		return
	}
	totals.cut.Add(1)
	t.last(out, model.Length)
}

// sendPaced sends n tokens, fewer when the client leaves.
func (t *turn) sendPaced(out *sender, n int) {
	if out.open() != nil {
		return
	}
	// A limit that is left behind would end the connection's next answer.
	defer func() { _ = out.rc.SetWriteDeadline(time.Time{}) }()
	if t.server.pacer == nil {
		t.flood(out, n)
		return
	}
	var limited time.Time
	s := t.server.pacer.join(n, func() error {
		if now := time.Now(); now.Sub(limited) > pacedWriteLimit/4 {
			limited = now
			// Not every writer has deadlines; the ones that do not are tests.
			_ = out.rc.SetWriteDeadline(now.Add(pacedWriteLimit))
		}
		out.token(t.server.prose.token(t.start, out.sent), false)
		t.server.pacedTotals.generated.Add(1)
		return out.flush()
	})
	select {
	case <-s.done:
	case <-t.ctx.Done():
	}
	t.server.pacer.drop(s)
}

// flood sends n tokens as fast as the client reads, many to a write.
func (t *turn) flood(out *sender, n int) {
	for out.sent < n && t.ctx.Err() == nil {
		before := out.sent
		for out.sent < n && len(out.buf) < floodBatch {
			out.token(t.server.prose.token(t.start, out.sent), false)
		}
		t.server.pacedTotals.generated.Add(uint64(out.sent - before))
		if out.flush() != nil {
			return
		}
	}
}
