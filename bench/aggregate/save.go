package aggregate

import (
	"redline/bench"
)

// Saver saves one state again and again, and tells which parts of it have changed since the last time. The zero Saver is one that has saved nothing yet.
// Saving changes nothing of the state. What a Saver has returned is not to be changed, and does not change.
type Saver struct {
	// last is the ID of the last part.
	last   int
	levels map[int]levelPart
	blocks [4]map[*bench.Bucket]bucketPart
}

// levelPart is the part of a level as it was shown then.
type levelPart struct {
	id    int
	shown *bench.Level
}

// bucketPart is the part of some buckets, by each of them; at is its place among them.
type bucketPart struct {
	id, at int
	of     []*bench.Bucket
}

// Save is the state as it is now, and those of its parts that no part which was returned before holds.
func (v *Saver) Save(s *State) (*Saved, []*Part) {
	var fresh []*Part
	out := &Saved{
		Folded: s.folded, Thresholds: s.run.Thresholds, Promised: s.promised, Changed: s.changed, Cleared: s.cleared, Forgotten: s.forgotten, Total: s.total.save(), Events: s.log.copy(), EventsGone: s.log.gone, Outages: s.outages,
		Unsent: s.unsent.save(), LastError: s.lastError, Broken: s.newestFailures(), Quotas: s.quotas, PerEvent: s.perEvent, Source: s.source, Health: s.health,
		Server: s.server, Strained: s.strained, Eased: s.eased, Lapses: s.lapses,
	}
	for _, u := range s.minute.seconds {
		out.Minute = append(out.Minute, SavedUse{u.start, u.attempts, u.tokens})
	}
	for o := range s.failures {
		out.Failures[o] = s.failures[o].save()
	}
	for _, p := range s.told {
		out.Told = append(out.Told, SavedPromise{p.broken, p.ever, p.at})
	}
	for i := range s.series.tiers {
		out.Series[i], fresh = v.save(i, s.series.tiers[i].buckets, fresh)
	}
	known := map[int]levelPart{}
	for _, l := range s.levels {
		part, ok := v.levels[l.id]
		if !ok || part.shown != l.shown || l.dirty {
			v.last++
			part = levelPart{v.last, l.shown}
			fresh = append(fresh, &Part{ID: v.last, Level: l.save()})
		}
		if !l.dirty {
			known[l.id] = part
		}
		out.Levels = append(out.Levels, part.id)
	}
	v.levels = known
	return out, fresh
}

const (
	// longBlock is how many buckets a part has at most; one of fewer than shortBlock is written again with those that come after it.
	longBlock  = 64
	shortBlock = 16
)

// save parts the buckets of a length into blocks. Buckets never change but are replaced, so that a part is still good if its buckets are the same ones.
func (v *Saver) save(tier int, buckets []*bench.Bucket, fresh []*Part) ([]Block, []*Part) {
	var out []Block
	known := map[*bench.Bucket]bucketPart{}
	var grown []*bench.Bucket
	write := func() {
		if len(grown) == 0 {
			return
		}
		v.last++
		part := &Part{ID: v.last}
		for i, b := range grown {
			part.Buckets = append(part.Buckets, *b)
			known[b] = bucketPart{v.last, i, grown}
		}
		fresh, grown = append(fresh, part), nil
		out = append(out, Block{Part: v.last})
	}
	for len(buckets) > 0 {
		if old, ok := v.blocks[tier][buckets[0]]; ok && old.good(buckets) {
			write()
			rest := old.of[old.at:]
			for i, b := range rest {
				known[b] = bucketPart{old.id, old.at + i, old.of}
			}
			out = append(out, Block{old.id, old.at})
			buckets = buckets[len(rest):]
			continue
		}
		if grown = append(grown, buckets[0]); len(grown) == longBlock {
			write()
		}
		buckets = buckets[1:]
	}
	write()
	v.blocks[tier] = known
	return out, fresh
}

// good tells whether the rest of a part is what buckets begin with, and is not to be written again with what follows it.
func (p *bucketPart) good(buckets []*bench.Bucket) bool {
	rest := p.of[p.at:]
	if len(rest) > len(buckets) || len(p.of) < shortBlock && len(rest) < len(buckets) {
		return false
	}
	for i, b := range rest {
		if buckets[i] != b {
			return false
		}
	}
	return true
}

func (g *group) save() SavedGroup {
	return SavedGroup{Open: g.open, Begin: g.begin, Last: g.last, Span: g.span, Number: g.number}
}

func (t *total) save() SavedTotal {
	return SavedTotal{
		Facts: t.facts, Live: t.live, Open: t.open, Active: t.active, Lasted: t.lasted, Opened: t.opened,
		TTFT: t.ttft.sketch(), TTFA: t.ttfa.sketch(), ITL: t.itl.sketch(), TPS: t.tps.sketch(), E2E: t.e2e.sketch(), TPOT: t.tpot.sketch(),
		Connect: t.connect.sketch(), Handshake: t.handshake.sketch(), Lag: t.lag.sketch(), DueTTFT: t.dueTTFT.sketch(), DueE2E: t.dueE2E.sketch(),
		ServerTTFT: t.server.ttft.sketch(), ServerITL: t.server.itl.sketch(), ServerQueue: t.server.queue.sketch(),
	}
}
