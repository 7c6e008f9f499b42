package view

import "redline/bench"

// logPage draws all events that are kept.
func (f *frame) logPage(rows int) { f.log(rows) }

func (v *Screen) moveLog(s *bench.Snapshot, st *State, m Motion) {}

// ChosenEvent is the event whose row of the Log is chosen; not ok if there is none.
func (v *Screen) ChosenEvent(s *bench.Snapshot, st *State) (bench.Event, bool) {
	return bench.Event{}, false
}
