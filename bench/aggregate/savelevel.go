package aggregate

import (
	"slices"

	"redline/bench"
)

func (l *level) save() *SavedLevel {
	return &SavedLevel{
		ID: l.id, Load: l.load, Was: l.was, Work: l.work, Cause: l.cause, Begin: l.begin, Committed: l.committed, Reached: l.reached, Ended: l.ended,
		State: l.state, ReadyAt: l.readyAt, Note: l.note, Unsent: l.unsent, Sent: l.sent, Ending: l.ending, Tardy: l.tardy, By: l.by,
		Requests: l.requests.save(), Since: l.since.save(), Tokens: l.tokens.save(), Ends: l.ends.save(), Batches: l.batches.save(),
		Stood: l.stood, Earlier: l.earlier, GoesOn: l.goesOn, Recount: l.recount, Dirty: l.dirty, Shown: l.shownAt,
	}
}

func (r *requests) save() SavedRequests {
	out := SavedRequests{
		Facts: r.facts, TTFT: r.ttft.sketch(), TTFA: r.ttfa.sketch(), E2E: r.e2e.sketch(), TPOT: r.tpot.sketch(), TPS: r.tps.sketch(),
		Connect: r.connect.sketch(), Handshake: r.handshake.sketch(), DueTTFT: r.dueTTFT.sketch(), DueE2E: r.dueE2E.sketch(), Failing: r.failing.sketch(),
		Sample: slices.Clone(r.sample.kept), Offered: r.sample.offered, Regraded: r.regraded, Reckoned: r.reckoned,
	}
	if r.sample.rng != nil {
		out.Draws, _ = r.sample.rng.MarshalBinary() // it has no error to tell
	}
	return out
}

func (w *window) save() SavedWindow {
	return SavedWindow{
		From: w.from, Frozen: w.frozen, Facts: w.facts, Active: w.active, ITL: w.itl.sketch(), Lag: w.lag.sketch(),
		ServerTTFT: w.server.ttft.sketch(), ServerITL: w.server.itl.sketch(), ServerQueue: w.server.queue.sketch(),
	}
}

func (s *spans) save() SavedSpans {
	out := SavedSpans{Each: s.each, Grown: s.grown, Growing: s.growing}
	for _, b := range s.full {
		out.Full = append(out.Full, *b)
	}
	return out
}

// load is the level that was saved.
func (o *SavedLevel) load() *level {
	l := &level{
		id: o.ID, load: o.Load, was: o.Was, work: o.Work, cause: o.Cause, begin: o.Begin, committed: o.Committed, reached: o.Reached, ended: o.Ended,
		state: o.State, readyAt: o.ReadyAt, note: o.Note, unsent: o.Unsent, sent: o.Sent, ending: o.Ending, tardy: o.Tardy, by: o.By,
		stood: o.Stood, earlier: o.Earlier, goesOn: o.GoesOn, recount: o.Recount, dirty: o.Dirty, shownAt: o.Shown,
	}
	l.requests = o.Requests.load()
	l.since, l.tokens, l.ends = o.Since.load(), o.Tokens.load(), o.Ends.load()
	l.batches = spans{full: pointers(o.Batches.Full), each: o.Batches.Each, grown: o.Batches.Grown, growing: o.Batches.Growing}
	return l
}

func (o *SavedRequests) load() requests {
	r := requests{
		facts: o.Facts, ttft: dist{at: o.TTFT}, ttfa: dist{at: o.TTFA}, e2e: dist{at: o.E2E}, tpot: dist{at: o.TPOT}, tps: dist{at: o.TPS},
		connect: dist{at: o.Connect}, handshake: dist{at: o.Handshake}, dueTTFT: dist{at: o.DueTTFT}, dueE2E: dist{at: o.DueE2E}, failing: dist{at: o.Failing},
		sample: reservoir{kept: slices.Clone(o.Sample), offered: o.Offered}, regraded: o.Regraded, reckoned: o.Reckoned,
	}
	if len(o.Draws) > 0 {
		r.sample.rng = drawsOf(o.Draws)
	}
	return r
}

func (o *SavedWindow) load() window {
	return window{
		from: o.From, frozen: o.Frozen, facts: o.Facts, active: o.Active, itl: dist{at: o.ITL}, lag: dist{at: o.Lag},
		server: serverDists{ttft: dist{at: o.ServerTTFT}, itl: dist{at: o.ServerITL}, queue: dist{at: o.ServerQueue}},
	}
}

// pointers are the buckets of a list one by one.
func pointers(buckets []bench.Bucket) []*bench.Bucket {
	if len(buckets) == 0 {
		return nil
	}
	out := make([]*bench.Bucket, len(buckets))
	for i := range buckets {
		out[i] = &buckets[i]
	}
	return out
}
