package aggregate

import (
	"math"

	"redline/bench"
)

// clear forgets what was folded so far: the levels, the seconds, the run's total, the failures and the events. It takes effect at the start of the batch
// that its event is in, which the engine puts at a whole second. The requests in flight then are sent ones of the new era, so that sent is what ended, and
// what is in flight, from the first second on; their level is gone, so that they are in no level's numbers. What the server counts, and what is learned of
// it, stays: the trailing minute, the quotas, how tokens are counted.
func (s *State) clear() {
	before := s.total.facts.Tally()
	flying := before.Sent - s.total.facts.Completions()
	before.Sent -= flying
	s.forgotten.Add(before)
	s.cleared = s.counted
	s.levels, s.series = nil, newSeries()
	s.total = total{facts: bench.Facts{Sent: flying}}
	s.log.forget()
	s.outages = s.outages.After(s.cleared)
	s.failures, s.unsent = [bench.NumOutcomes]group{}, group{}
	s.told = make([]promise, len(s.run.Thresholds))
	s.lastError, s.broken = "", [bench.NumOutcomes]*bench.Ended{}
	// A screen keeps what it has measured of a run's seconds; of this one there are none.
	s.rerun(s.run.Thresholds)
}

// leave takes corrections of tokens that are forgotten out of a second's bucket: its requests were seen before too.
func (s *State) leave(b *bench.Batch, now *bench.Bucket) {
	for _, fix := range b.Fixes {
		if fix.First >= s.cleared {
			continue
		}
		now.InFix -= fix.In
		out := fix.Out
		if fix.Last > s.cleared {
			out = int(math.Round(float64(out) * float64(s.cleared-fix.First) / float64(fix.Last-fix.First)))
		}
		now.OutFix -= out
	}
}

// forget drops all events; their numbers are not used again.
func (g *eventLog) forget() {
	g.gone += len(g.events)
	g.events = nil
}
