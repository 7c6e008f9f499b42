package view

import (
	"cmp"
	"slices"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
)

// standing is a load that was measured, by the visit that stands for it.
type standing struct {
	level *bench.Level
	// past are the other visits, oldest first.
	past []*bench.Level
	// here: it is the present level; again: the present level is another visit of this load, which does not stand for it yet.
	here, again bool
	// drift is what drifts in the level; nil where nothing does.
	drift *analysis.Drift
	// earlier: it was measured before a note, until, and is on no curve with what came after.
	earlier bool
	until   string
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

// settles tells whether it is the present level, and whether that settles is not decided yet.
func (o *standing) settles() bool { return o.here && !analysis.Decided(o.level) && !o.level.Ended.OK }

// weak tells whether a level is no firm point: it was left before it settled, has not settled, or rests on few requests.
func weak(l *bench.Level) bool { return analysis.FirmnessOf(l) != analysis.Firm }

// outRate is the output rate of a level; absent where it is no number.
func outRate(l *bench.Level) bench.Value {
	if v := l.OutputRate; sound(v) && v.V >= 0 {
		return v
	}
	return bench.Value{}
}

// ripe is a value that can be built on: while the present level settles, once the metric behind it is ready in itself.
func (o *standing) ripe(v bench.Value, behind bench.Metric) bench.Value {
	if o.settles() && o.level.Stats[behind].Readiness != bench.Ready {
		return bench.Value{}
	}
	return v
}

// apart counts the levels that would have a row, were they not of the other mode, or of another workload.
type apart struct{ mode, work int }

// standings are the loads that were measured, highest first, what follows from those on one curve with the present level, and what was left out. Of one
// load what was measured before a note comes after what was measured since.
func standings(s *bench.Snapshot) ([]standing, analysis.Curve, apart) {
	var out []standing
	var left apart
	var curve analysis.Curve
	now := s.Level()
	if now == nil {
		return nil, curve, left
	}
	promises := []bench.Threshold{}
	if s.Run != nil {
		promises = append(promises, s.Run.Thresholds...)
	}
	eras := analysis.Eras(s.Levels)
	for _, c := range analysis.Curves(s.Levels, promises, s.State == bench.Done) {
		n := len(c.Loads)
		for _, o := range c.Loads {
			n += len(o.Past)
		}
		switch {
		case c.Mode != now.Load.Mode:
			left.mode += n
			continue
		case c.Work != now.Work:
			left.work += n
			continue
		}
		earlier, until := c.Era != eras[len(eras)-1], ""
		if earlier {
			until = analysis.NoteOf(s.Levels, c.Era+1)
		} else {
			curve = c
		}
		for _, o := range c.Loads {
			out = append(out, standing{level: o.Level, past: o.Past, drift: o.Drift, earlier: earlier, until: until})
		}
	}
	for i := range out {
		out[i].judge(s)
	}
	slices.SortStableFunc(out, func(a, b standing) int {
		// Curves come in the order of their eras, and IDs with them.
		return cmp.Or(cmp.Compare(b.load().N, a.load().N), cmp.Compare(b.level.ID, a.level.ID))
	})
	return out, curve, left
}

// judge holds the promises against a load.
func (o *standing) judge(s *bench.Snapshot) {
	if now := s.Level(); now != nil {
		o.here = now == o.level
		o.again = !o.here && !o.earlier && now.Load == o.load()
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
func chosenRow(st *State, all []standing) int {
	id := st.Row[action.Curve] - 1
	if id < 0 {
		return -1
	}
	is := func(l *bench.Level) bool { return l.ID == id }
	return slices.IndexFunc(all, func(o standing) bool { return is(o.level) || slices.ContainsFunc(o.past, is) })
}

// presentRow is the row of the present load; -1 if it has none.
func presentRow(all []standing) int {
	return slices.IndexFunc(all, func(o standing) bool { return o.here || o.again })
}

// handle is what keeps a load chosen.
func (o *standing) handle() int { return o.level.ID + 1 }

// moveCurve goes up or down in the table of levels. The first step chooses the present load.
func (v *Screen) moveCurve(s *bench.Snapshot, st *State, m Motion) {
	all, _, _ := standings(s)
	if len(all) == 0 {
		return
	}
	at := chosenRow(st, all)
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
	all, _, _ := standings(s)
	if at := chosenRow(st, all); at >= 0 {
		return all[at].level
	}
	return nil
}
