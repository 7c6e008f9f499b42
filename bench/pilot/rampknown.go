package pilot

import (
	"redline/bench"
)

// reuse takes a level of this run for a trial of a load that it was at; false where none says enough. One that more than a fifth of its requests outlived knows only
// the short ones.
func (r *Ramp) reuse(s *Second, n float64) bool {
	at := r.at(n)
	work, last := -1, s.Snapshot.Level()
	if last != nil {
		work = last.Work
	}
	for i := len(s.Snapshot.Levels) - 1; i >= 0; i-- {
		l := s.Snapshot.Levels[i]
		if l.Cause == bench.CauseNote || l.Note != "" {
			return false // it marks another server: what came before is of that one
		}
		if l.Load != at || l.Work != work || !l.Reached.OK || !l.Ended.OK || l.State != bench.Settled || 5*l.Unfinished > l.Unfinished+l.Counted.OK+l.Counted.Failed {
			continue
		}
		if i+1 < len(s.Snapshot.Levels) && s.Snapshot.Levels[i+1].Cause == bench.CauseRecovery {
			continue // its last requests found no target
		}
		t := r.known(l)
		if t.Holds == bench.NotYet {
			continue
		}
		r.tried, r.trials = append(r.tried, *t), append(r.trials, t.Trial)
		r.learn(t)
		return true
	}
	return false
}

// unordered is what a level's requests are taken to be worth each: their order, and so how alike neighbours are, is not kept.
const unordered = 0.5

// known is a level as a trial, by the requests that are kept of it and those that never came.
func (r *Ramp) known(l *bench.Level) *tried {
	out := &tried{Trial: bench.Trial{Load: l.Load, Level: l.ID, Begin: l.Begin, End: l.Ended, Holds: bench.Kept}}
	for i, p := range r.promises {
		v := verdict{promise: p}
		denied := false
		for j := range l.Sample {
			if v.n++; l.Sample[j].Breaks(p) {
				v.over++
			}
		}
		missed := l.Missed.All()
		v.n += missed
		if single(p) || p.Metric == bench.Errors {
			v.over, v.worth = v.over+missed, unordered*float64(v.n)
		}
		if i < len(l.Verdicts) {
			for _, of := range l.Verdicts {
				if of.Threshold == p {
					denied = of.Known && of.Broken
					v.value = of.Value
					if v.holds = bench.NotYet; of.Known && !single(p) {
						v.holds = map[bool]bench.Holds{true: bench.Broke, false: bench.Kept}[of.Broken]
					}
				}
			}
		}
		if single(p) {
			v.holds, _ = v.exceedances.decide(allowed(p), halvingRisk)
		}
		if v.holds == bench.Kept && denied {
			v.holds = bench.NotYet
		}
		out.verdicts = append(out.verdicts, v)
		switch {
		case v.holds == bench.Broke:
			out.Holds = bench.Broke
		case v.holds == bench.NotYet && out.Holds == bench.Kept:
			out.Holds = bench.NotYet
		}
	}
	if b := binding(out.verdicts, out.Holds); b != nil {
		b.tell(&out.Trial)
	}
	return out
}
