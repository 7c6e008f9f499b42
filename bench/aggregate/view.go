package aggregate

import (
	"cmp"
	"slices"

	"redline/bench"
)

// show makes a fresh copy of the level as it is now, but for its batches and its sample, which fill adds; the one before stays as it was for whoever holds it.
func (l *level) show(s *State) {
	sum := l.summary(s)
	l.settle(&sum, s.folded)
	verdicts := make([]bench.Verdict, len(s.run.Thresholds))
	for i, t := range s.run.Thresholds {
		verdicts[i] = t.Judge(&sum)
	}
	l.verdicts, l.dirty, l.shownAt = verdicts, false, s.folded
	l.shown = &bench.Level{
		ID: l.id, Cause: l.cause, Load: l.load, Was: l.was, Work: l.work, Begin: l.begin, Committed: l.committed, Reached: l.reached, Ended: l.ended,
		State: l.state, Short: l.short(), ReadyAt: l.readyAt, Note: l.note, Summary: sum, Unfinished: l.unfinished(), Verdicts: verdicts,
	}
	l.bare = true
}

// fill adds what only a snapshot needs, before the copy is handed out. Nothing of the level has changed since it was made, or it would be dirty.
func (l *level) fill() {
	if l.bare {
		l.shown.Batches, l.shown.Sample = slices.Clone(l.batches.full), slices.Clone(l.requests.sample.kept)
		l.bare = false
	}
}

// newestFailures are copies of the newest request of each class that failed, newest first.
func (s *State) newestFailures() []bench.Ended {
	var out []bench.Ended
	for _, e := range s.broken {
		if e != nil {
			out = append(out, *e)
		}
	}
	slices.SortFunc(out, func(a, b bench.Ended) int {
		return cmp.Or(cmp.Compare(b.Marks.Ended.At, a.Marks.Ended.At), cmp.Compare(b.ID, a.ID))
	})
	return out
}

// Snapshot is the state as it can be shown; the gauges are left for the caller to fill in, in a copy of its own. It never changes, and
// costs nothing while nothing is folded.
func (s *State) Snapshot() *bench.Snapshot {
	if s.shown != nil {
		return s.shown
	}
	levels := make([]*bench.Level, 0, len(s.levels))
	for _, l := range s.levels {
		if l.dirty || l.shown == nil {
			l.show(s)
		}
		l.fill()
		if !l.passing() {
			levels = append(levels, l.shown)
		}
	}
	cleared := bench.Mark{}
	if s.cleared > 0 {
		cleared = bench.MarkAt(s.cleared)
	}
	s.shown = &bench.Snapshot{
		Run: s.run, Folded: s.folded, Levels: levels, Buckets: s.series.all(), Total: s.total.summary(), Minute: s.minute.use(s.folded),
		Events: s.log.copy(), EventsGone: s.log.gone, Outages: s.outages, Promised: s.promised, LastError: s.lastError, Failures: s.newestFailures(), Quotas: judgedQuotas(s.quotas), PerEvent: s.perEvent, Source: s.source, Health: s.health, Server: s.server,
		Strained: s.total.facts.Strained, Lapses: s.lapses, Cleared: cleared, Forgotten: s.forgotten,
	}
	return s.shown
}
