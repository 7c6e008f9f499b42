package view

import (
	"cmp"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
)

// standing is a load that was measured, by its newest visit.
type standing struct {
	level *bench.Level
	// past are the earlier visits, oldest first.
	past []*bench.Level
	// here: it is the present level; again: the present level is another visit of this load, and has not settled yet.
	here, again bool
	// broken are the metrics whose promises are broken; known is how many of so many promises could be held against it.
	broken          [bench.NumMetrics]bool
	known, promises int
	// missed are the requests that failed or were never sent, where they alone break what is broken.
	missed bench.Missed
}

// load is what was set.
func (o *standing) load() bench.Setpoint { return o.level.Load }

// breached tells whether any promise is broken.
func (o *standing) breached() bool { return o.broken != [bench.NumMetrics]bool{} }

// enough is from how many requests on a level is a firm point.
const enough = 100

// weak tells whether a level is no firm point: it was left before it settled, never did, or rests on few requests.
func weak(l *bench.Level) bool { return !firm(l) || l.Stats[bench.TTFT].N < enough }

// firm tells whether a level settled.
func firm(l *bench.Level) bool { return l.State == bench.Settled }

// leastVisit is how long a level that was left before it settled must have been measured to be a point at all.
const leastVisit = 5 * time.Second

// visited tells whether a level is a point of the curve. The present one is none before it has settled, or has been found not to.
func visited(s *bench.Snapshot, l *bench.Level) bool {
	if !sound(l.OutputRate) || l.OutputRate.V < 0 || !(l.Load.N > 0 && l.Load.N <= 1e9) {
		return false
	}
	switch l.State {
	case bench.Settled, bench.Unsettled:
		return true
	}
	return l != s.Level() && l.Span >= leastVisit && l.Stats[bench.TPS].Readiness == bench.Ready
}

// onCurve tells whether a level stands on one curve with the present one: it counts the same thing, of the same work.
func onCurve(s *bench.Snapshot, l *bench.Level) bool {
	if now := s.Level(); now != nil {
		return l.Alike(now)
	}
	return true
}

// apart counts the levels that would be points, were they not of the other mode, or of another workload.
type apart struct{ mode, work int }

// standings are the loads that were measured, highest first, and what was left out. The newest visit of a load stands for it, but one that was left before it
// settled does not take the place of one that was not.
func standings(s *bench.Snapshot) ([]standing, apart) {
	var out []standing
	var left apart
	at := map[bench.Setpoint]int{}
	for _, l := range s.Levels {
		if !visited(s, l) {
			continue
		}
		if !onCurve(s, l) {
			if l.Load.Mode != s.Level().Load.Mode {
				left.mode++
			} else {
				left.work++
			}
			continue
		}
		i, seen := at[l.Load]
		switch {
		case !seen:
			at[l.Load] = len(out)
			out = append(out, standing{level: l})
		case !ended(l) && ended(out[i].level):
			out[i].past = append(out[i].past, l)
		default:
			out[i].past = append(out[i].past, out[i].level)
			out[i].level = l
		}
	}
	for i := range out {
		out[i].judge(s)
	}
	slices.SortStableFunc(out, func(a, b standing) int { return cmp.Compare(b.load().N, a.load().N) })
	return out, left
}

// ended tells whether it was decided whether a level settles.
func ended(l *bench.Level) bool { return l.State == bench.Settled || l.State == bench.Unsettled }

// judge holds the promises against a load.
func (o *standing) judge(s *bench.Snapshot) {
	if now := s.Level(); now != nil {
		o.here = now == o.level
		o.again = !o.here && now.Load == o.load()
	}
	if s.Run == nil {
		return
	}
	measured := false
	for _, t := range s.Run.Thresholds {
		if t.Quota() || t.Metric >= bench.NumMetrics {
			continue
		}
		v := t.Judge(&o.level.Summary)
		o.promises++
		if v.Known {
			o.known++
		}
		if v.Known && v.Broken {
			o.broken[t.Metric] = true
			missed := analysis.BrokenByMissed(v, &o.level.Summary)
			measured = measured || missed.All() == 0
			o.missed.Failed, o.missed.Unsent = max(o.missed.Failed, missed.Failed), max(o.missed.Unsent, missed.Unsent)
		}
	}
	if measured {
		o.missed = bench.Missed{}
	}
}

// chosenRow is the row of the chosen load; -1 for none. What is kept is the ID of one of its levels, and 1: rows come and go, and a load may be visited again.
func chosenRow(s *bench.Snapshot, st *State, all []standing) int {
	id := st.Row[action.Curve] - 1
	for _, l := range s.Levels {
		if l.ID == id && id >= 0 && onCurve(s, l) {
			return slices.IndexFunc(all, func(o standing) bool { return o.load() == l.Load })
		}
	}
	return -1
}

// presentRow is the row of the present load; -1 if it has none.
func presentRow(all []standing) int {
	return slices.IndexFunc(all, func(o standing) bool { return o.here || o.again })
}

// handle is what keeps a load chosen.
func (o *standing) handle() int { return o.level.ID + 1 }

// moveCurve goes up or down in the table of levels. The first step chooses the present load.
func (v *Screen) moveCurve(s *bench.Snapshot, st *State, m Motion) {
	all, _ := standings(s)
	if len(all) == 0 {
		return
	}
	at := chosenRow(s, st, all)
	page := max(v.loads.visible-1, 1)
	switch {
	case m == First:
		at = 0
	case m == Last:
		at = len(all) - 1
	case at < 0:
		at = max(presentRow(all), 0)
	default:
		at += map[Motion]int{Up: -1, Down: +1, PageUp: -page, PageDown: page}[m]
	}
	at = min(max(at, 0), len(all)-1)
	st.Row[action.Curve] = all[at].handle()
}

// ChosenLevel is the level whose row of the Curve is chosen; nil if there is none.
func (v *Screen) ChosenLevel(s *bench.Snapshot, st *State) *bench.Level {
	all, _ := standings(s)
	if at := chosenRow(s, st, all); at >= 0 {
		return all[at].level
	}
	return nil
}
