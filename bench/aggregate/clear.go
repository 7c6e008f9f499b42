package aggregate

import "redline/bench"

// clear forgets what was folded so far: the levels, the seconds, the run's total, the failures and the events. It takes effect at the start of the batch
// that its event is in, which the engine puts at a whole second. The requests in flight then are sent ones of the new era, so that sent is what ended, and
// what is in flight, from the first second on; their level is gone, so that they are in no level's numbers. What the server counts, and what is learned of
// it, stays: the trailing minute, the quotas, how tokens are counted.
func (s *State) clear() {
	flying := s.total.facts.Sent - s.total.facts.Completions()
	s.cleared = s.counted
	s.levels, s.series = nil, newSeries()
	s.total = total{facts: bench.Facts{Sent: flying}}
	s.log.forget()
	s.failures, s.unsent = [bench.NumOutcomes]group{}, group{}
	s.told = make([]promise, len(s.run.Thresholds))
	s.lastError, s.broken = "", [bench.NumOutcomes]*bench.Ended{}
	// A screen keeps what it has measured of a run's seconds; of this one there are none.
	s.rerun(s.run.Thresholds)
}

// forget drops all events; their numbers are not used again.
func (g *eventLog) forget() {
	g.gone += len(g.events)
	g.events = nil
}
