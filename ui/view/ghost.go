package view

import (
	"redline/bench"
	"redline/ui/chart"
)

// mostGhosts bounds how many levels can be gone through: what lies further back is for the curve.
const mostGhosts = 8

// NextGhost puts the next level behind the lanes: the one that Δ compares with first, then those before it, newest first, and then none.
func (st *State) NextGhost(s *bench.Snapshot) {
	all := st.ghosts(s)
	at := -1
	for i, l := range all {
		if st.Ghost != nil && l.ID == st.Ghost.ID {
			at = i
		}
	}
	if st.Ghost != nil && at < 0 {
		// It is not kept any more, or has become the present one.
		st.Ghost = nil
		return
	}
	if at++; at >= len(all) {
		st.Ghost = nil
		return
	}
	st.Ghost = all[at]
}

// ghosts are the levels that can stand behind the lanes.
func (st *State) ghosts(s *bench.Snapshot) []*bench.Level {
	present := s.Level()
	var out []*bench.Level
	add := func(l *bench.Level) {
		if l == nil || present == nil || l.ID == present.ID || len(out) >= mostGhosts {
			return
		}
		for _, have := range out {
			if have.ID == l.ID {
				return
			}
		}
		for _, m := range bench.Lanes {
			if l.Stats[m].Readiness != bench.Absent {
				out = append(out, l)
				return
			}
		}
	}
	if add(st.Reference); st.Reference == nil {
		add(s.LevelBefore())
	}
	for i := len(s.Levels) - 2; i >= 0; i-- {
		add(s.Levels[i])
	}
	return out
}

// ghost is the level that stands behind the lanes; nil without one, and while it is the present one.
func (f *frame) ghost() *bench.Level {
	if g := f.st.Ghost; g != nil && f.level != nil && g.ID != f.level.ID {
		return g
	}
	return nil
}

// ghostName is whose the ghost is: "48 at 03:14".
func (f *frame) ghostName(l *bench.Level) string {
	return f.levelName(l) + " at " + stamp(max(l.Begin, 0))
}

// ghostValue is where the ghost lies in a lane.
func (f *frame) ghostValue(m bench.Metric) bench.Value {
	l := f.ghost()
	if l == nil || l.Stats[m].Readiness == bench.Absent {
		return bench.Value{}
	}
	if v := l.Stats[m].At(f.percentile(m)); sound(v) && v.V > 0 {
		return v
	}
	return bench.Value{}
}

// haunt puts the ghost behind the columns of the present level.
func (f *frame) haunt(columns []chart.Column, m bench.Metric) {
	v := f.ghostValue(m)
	if !v.OK {
		return
	}
	for i := f.span.cell(max(f.span.at(max(f.level.Begin, 0)), 0)); i < len(columns); i++ {
		columns[i].Ghost, columns[i].HasGhost = v.V, true
	}
}
