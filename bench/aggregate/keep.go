package aggregate

import (
	"cmp"
	"slices"
	"time"

	"redline/bench"
)

// maxLevels is how many levels are kept apart. Past it the oldest visit of a load that was visited again is merged into the next visit;
// where every load is a different one, the oldest level goes. (A level in the middle of a run is the one that hurts least: its numbers
// still are in the series and in the run's total.)
const maxLevels = 256

// maxCruised is how many levels of cruises are kept apart, which begin by the minute: past it they merge in the same way, and past maxLevels they go first.
const maxCruised = 32

// present is the level in force; nil before the first.
func (s *State) present() *level {
	if len(s.levels) == 0 {
		return nil
	}
	return s.levels[len(s.levels)-1]
}

// level is the level with an ID; nil if it is not kept.
func (s *State) level(id int) *level {
	i, ok := slices.BinarySearchFunc(s.levels, id, func(l *level, id int) int { return cmp.Compare(l.id, id) })
	if !ok {
		return nil
	}
	return s.levels[i]
}

// levelAt is the level in force at an instant; nil if it is not kept.
func (s *State) levelAt(at time.Duration) *level {
	for _, l := range slices.Backward(s.levels) {
		if l.begin <= at {
			return l
		}
	}
	return nil
}

// tidy lets what is over rest, and keeps the number of levels bounded.
func (s *State) tidy() {
	for _, l := range s.levels[:max(len(s.levels)-1, 0)] {
		if l.dirty {
			l.show(s)
			l.rest()
		}
	}
	for cruised := s.cruised(); cruised > maxCruised; cruised-- {
		i, ok := s.mergeable((*level).byCruise)
		if !ok {
			break
		}
		s.levels = slices.Delete(s.levels, i, i+1)
	}
	for len(s.levels) > maxLevels {
		i := s.dispensable()
		s.levels = slices.Delete(s.levels, i, i+1)
	}
}

func (l *level) byCruise() bool { return l.cause == bench.CauseCruise }

// cruised is how many levels a cruise began.
func (s *State) cruised() (n int) {
	for _, l := range s.levels {
		if l.byCruise() {
			n++
		}
	}
	return n
}

// rest gives back what the level needed only to grow.
func (l *level) rest() {
	l.requests.rest()
	for _, w := range []*window{&l.since, &l.tokens, &l.ends} {
		w.itl.rest()
		w.lag.rest()
		w.server.rest()
	}
}

// dispensable is the index of the level to give up, after its numbers were saved where there is a place for them.
func (s *State) dispensable() int {
	if i, ok := s.mergeable(func(*level) bool { return true }); ok {
		return i
	}
	return max(slices.IndexFunc(s.levels[:len(s.levels)-1], (*level).byCruise), 0)
}

// mergeable is the index of the oldest level of a kind that is passing, or whose numbers were saved in the next visit of that kind; false where there is none.
func (s *State) mergeable(kind func(*level) bool) (int, bool) {
	past := s.levels[:len(s.levels)-1]
	for i, old := range past {
		if !kind(old) {
			continue
		}
		if old.passing() {
			return i, true
		}
		for _, newer := range past[i+1:] {
			if kind(newer) && newer.same(old) && !newer.passing() {
				newer.take(old)
				newer.show(s)
				newer.rest()
				return i, true
			}
		}
	}
	return 0, false
}

// take merges an older visit of the same load in.
func (l *level) take(old *level) {
	l.unsent += old.unsent
	l.sent += old.sent
	l.earlier += old.earlier
	l.ending += old.ending
	l.tardy += old.tardy
	for o, n := range old.by {
		l.by[o] += n
	}
	l.requests.take(&old.requests, uint64(l.id))
	l.since.take(&old.since)
	l.tokens.take(&old.tokens)
	l.ends.take(&old.ends)
	if old.ends.from.OK && len(old.batches.full) > len(l.batches.full) {
		l.batches = old.batches
	}
	l.dirty = true
}

func (w *window) take(old *window) {
	if !old.from.OK {
		return
	}
	if !w.from.OK {
		w.from = old.from
	}
	w.facts.Add(&old.facts)
	w.active += old.active
	w.itl.addSketch(old.itl.sketch())
	w.lag.addSketch(old.lag.sketch())
	w.server.take(&old.server)
}
