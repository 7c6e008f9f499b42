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

// future tells whether a level that was chosen lies ahead of what is shown: in a recording one goes back, and what has not come yet cannot be compared with.
func (f *frame) future(l *bench.Level) bool {
	if f.st.Replay == nil || l == nil {
		return false
	}
	return l.Begin >= f.s.Folded || f.level != nil && l.ID == f.level.ID && l.Span > f.level.Span
}

// pinned is the level that Δ compares with by the operator's choice; nil without one.
func (f *frame) pinned() *bench.Level {
	if f.future(f.st.Reference) {
		return nil
	}
	return f.st.Reference
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
	if r := st.Reference; r != nil && (st.Replay == nil || r.Begin < s.Folded) {
		add(r)
	} else {
		add(s.LevelBefore())
	}
	for i := len(s.Levels) - 2; i >= 0; i-- {
		add(s.Levels[i])
	}
	return out
}

// ghost is the level of this run that stands behind the lanes; nil without one, and while it is the present one.
func (f *frame) ghost() *bench.Level {
	if g := f.st.Ghost; g != nil && f.level != nil && g.ID != f.level.ID && !f.future(g) {
		return g
	}
	return nil
}

// ghostName is whose the ghost is: "48 at 03:14".
func (f *frame) ghostName(l *bench.Level) string {
	return f.levelName(l) + " at " + stamp(max(l.Begin, 0))
}
