package aggregate

import "redline/bench"

// State is a run up to its last folded second.
type State struct{ run *bench.Run }

// NewState is a run before its first second.
func NewState(run *bench.Run) *State { return &State{run: run} }

// Fold adds one second.
func (s *State) Fold(b *bench.Batch) {}

// Snapshot is the state as it can be shown; the gauges are left for the caller to fill in.
func (s *State) Snapshot() *bench.Snapshot { return &bench.Snapshot{Run: s.run} }
