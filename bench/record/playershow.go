package record

import (
	"fmt"
	"slices"

	"redline/bench"
)

// Snapshot is the run as it was shown behind the second that was folded last.
func (p *Player) Snapshot() *bench.Snapshot {
	if p.shown == nil {
		if what := caught(func() { p.shown = p.snapshot() }); what != nil {
			p.f.damaged(min(p.at, len(p.f.frames)-1), 0, fmt.Sprintf("what is behind %s cannot be shown: %v", p.newest(), what))
			p.shown = &bench.Snapshot{Run: p.f.Header.Tracks[0].Run}
		}
	}
	return p.shown
}

func (p *Player) snapshot() *bench.Snapshot {
	all := make([]*bench.Snapshot, len(p.tracks))
	for i := range p.tracks {
		t := &p.tracks[i]
		s := *t.state.Snapshot()
		s.Gauges, s.Tail = t.moment.Gauges, t.moment.Tail
		folded := len(s.Events)
		s.Events = withFresh(s.Events, t.moment.Fresh)
		for i := range s.Events[folded:] {
			s.Outages.Take(&s.Events[folded+i])
		}
		all[i] = &s
	}
	if len(all) == 1 {
		return all[0]
	}
	r := &bench.Rivals{Shown: p.moment.Shown, Both: p.moment.Both, Of: all}
	for _, t := range p.f.Header.Tracks {
		r.Names = append(r.Names, t.Name)
	}
	s := *all[r.Shown]
	s.Rivals, s.Spend = r, bench.Spent(all, s.Spend)
	return &s
}

// withFresh are the events of a fold, and behind them those that no batch holds yet. What follows from a second's numbers is dated at its end, as what comes
// right behind it is, so that a recorder may have kept it among the fresh ones: it is not to be told twice.
func withFresh(folded, fresh []bench.Event) []bench.Event {
	out := folded[:len(folded):len(folded)]
	for _, e := range fresh {
		if !slices.Contains(folded, e) {
			out = append(out, e)
		}
	}
	return out
}
