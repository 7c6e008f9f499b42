package view

import "redline/bench"

// curvePage draws what came of each load.
func (f *frame) curvePage(rows int) { f.absent("no settled level yet", rows) }

func (v *Screen) moveCurve(s *bench.Snapshot, st *State, m Motion) {}

// ChosenLevel is the level whose row of the Curve is chosen; nil if there is none.
func (v *Screen) ChosenLevel(s *bench.Snapshot, st *State) *bench.Level { return nil }
