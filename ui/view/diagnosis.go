package view

import "redline/bench"

// diagnosisPage draws what the numbers together say.
func (f *frame) diagnosisPage(rows int) { f.absent("nothing is diagnosed", rows) }

func (v *Screen) moveDiagnosis(s *bench.Snapshot, st *State, m Motion) {}
