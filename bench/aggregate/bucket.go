package aggregate

import (
	"time"

	"redline/bench"
)

// bucket is the second as it will be shown.
func (s *State) bucket(b *bench.Batch) *bench.Bucket {
	out := &bench.Bucket{
		Start: b.Start, Span: b.Span, Active: min(max(b.Active, 0), b.Span), Target: b.Target, Level: -1, Facts: b.Facts,
	}
	if l := s.present(); l != nil {
		out.Level = l.id
	}
	if strain := b.Health.Strain; strain == bench.Busy || strain == bench.Saturated {
		out.Strained[strain-bench.Busy] = int(b.Span.Round(time.Second) / time.Second)
	}
	out.TTFT = s.firsts(b, func(f *bench.FirstToken) (float64, bool) { return bench.Millis(f.TTFT), true })
	out.DueTTFT = s.firsts(b, dueOf)
	well := func(of func(*bench.Ended) (float64, bool)) bench.Sketch {
		return s.ends(b, func(e *bench.Ended) (float64, bool) {
			if e.Outcome != bench.OK {
				return 0, false
			}
			return of(e)
		})
	}
	metric := func(m bench.Metric) bench.Sketch {
		return well(func(e *bench.Ended) (float64, bool) { return measure(e, m) })
	}
	out.TTFA, out.E2E, out.TPOT, out.TPS = metric(bench.TTFA), metric(bench.E2E), metric(bench.TPOT), metric(bench.TPS)
	out.DueE2E = well(dueE2EOf)
	out.Connect, out.Handshake = s.ends(b, connectOf), s.ends(b, handshakeOf)
	s.recount(out, b.Ended)
	return out
}

// firsts is the distribution of what the second's first tokens say, but for those that belong to no level; ends that of what its ended requests say.
func (s *State) firsts(b *bench.Batch, of func(*bench.FirstToken) (float64, bool)) bench.Sketch {
	return s.sketch(func(h *bench.Histogram) {
		for i := range b.FirstTokens {
			if v, ok := of(&b.FirstTokens[i]); ok && b.FirstTokens[i].Level != bench.NoLevel {
				h.Add(v, 1)
			}
		}
	})
}

func (s *State) ends(b *bench.Batch, of func(*bench.Ended) (float64, bool)) bench.Sketch {
	return s.sketch(func(h *bench.Histogram) {
		for i := range b.Ended {
			if v, ok := of(&b.Ended[i]); ok && b.Ended[i].Level != bench.NoLevel {
				h.Add(v, 1)
			}
		}
	})
}

// recount counts what ended from the records: they have the last word on the outcomes, since a jump of time may have made some of them void.
func (s *State) recount(out *bench.Bucket, ended []bench.Ended) {
	var n bench.Facts
	for i := range ended {
		e := &ended[i]
		n.Ended[min(e.Outcome, bench.NumOutcomes-1)]++
		if e.Level != bench.NoLevel && good(e, s.run.Thresholds) {
			n.Good++
		}
		n.Apart.Add(e)
		if e.Outcome == bench.OK {
			n.PromptTokens += promptTokens(e)
			n.AnswerTokens += e.Counts.Output
			countPrompt(&n, e)
			if e.Burst {
				n.Bursts++
			}
		}
	}
	out.Good = n.Good
	if len(ended) != out.Completions() || n.Ended == out.Ended {
		return
	}
	n.Apart.Unsent = out.Apart.Unsent
	out.Ended, out.Apart, out.Bursts = n.Ended, n.Apart, n.Bursts
	out.PromptTokens, out.AnswerTokens = n.PromptTokens, n.AnswerTokens
	out.AskedTokens, out.CountedTokens, out.Counted = n.AskedTokens, n.CountedTokens, n.Counted
}
