package plant

import (
	"time"

	"redline/bench"
	"redline/bench/sim/model"
)

// tokens gives the clients what the step that ends now has yielded.
func (p *Plant) tokens() {
	for _, id := range p.step.Emitted {
		r := p.flying[id]
		r.tokens++
		r.last = p.now
		if r.tokens == 1 {
			r.first, r.told = p.now, p.now
			r.probe.Chunk(bench.Chunk{At: p.now, First: true, TTFT: p.now - r.sent, Events: 1, Chars: charsPerToken})
			continue
		}
		r.gathered++
		if p.fold != nil && p.now-r.told >= p.o.Bundle {
			p.tell(r)
		}
	}
	for _, f := range p.step.Finished {
		p.finish(f)
	}
}

// charsPerToken is how long a token is in characters.
const charsPerToken = 4

// tell books the tokens of a stream since its last chunk as one chunk.
func (p *Plant) tell(r *request) {
	if r.gathered == 0 {
		return
	}
	r.probe.Chunk(bench.Chunk{At: r.last, Gap: r.last - r.told, Events: r.gathered, Chars: charsPerToken * r.gathered})
	r.told, r.gathered = r.last, 0
}

func (p *Plant) finish(f model.Finish) {
	r := p.flying[f.ID]
	delete(p.flying, f.ID)
	if p.fold != nil {
		p.tell(r)
	}
	at := func(t time.Duration) bench.Mark { return bench.MarkAt(t) }
	r.probe.End(bench.Ended{
		Request: r.Request, Outcome: bench.OK, Status: 200, Finish: f.Reason.String(), Reused: true,
		Marks: bench.Marks{
			Scheduled: r.Scheduled, Started: at(r.sent), Written: at(r.sent), Headers: at(r.first), FirstChunk: at(r.first), FirstToken: at(r.first),
			FirstAnswer: at(r.first), LastToken: at(r.last), Ended: at(r.last),
		},
		Counts: bench.Counts{
			Source: bench.FromUsage, Input: f.Prompt, Output: f.Output, Events: r.tokens, Chunks: r.tokens, FirstEvents: 1, Chars: charsPerToken * r.tokens,
		},
	})
	p.streak = 0
	p.leave(r)
}
