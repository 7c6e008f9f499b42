package view

import "redline/bench"

// mostGhosts bounds how many levels can be gone through: what lies further back is for the curve.
const mostGhosts = 8

// NextGhost puts the next ghost behind the lanes: the level that Δ compares with first, then those before it, newest first, then the earlier run by load and by
// time, and then none.
func (st *State) NextGhost(s *bench.Snapshot) {
	if st.Aligned != Unaligned {
		st.Aligned = st.Earlier.next(st.Aligned)
		return
	}
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
		st.Ghost, st.Aligned = nil, st.Earlier.next(Unaligned)
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

// ghost is the level of this run that stands behind the lanes; nil without one, and while it is the present one.
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
