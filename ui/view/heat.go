package view

import "redline/bench"

// Across is what Heat has on its x axis.
type Across uint8

const (
	// OverTime: columns are spans of the run.
	OverTime Across = iota
	// OverPrompt: columns are lengths of prompts in tokens (TTFT, E2E).
	OverPrompt
	// OverPosition: columns are places in the answer in tokens (ITL).
	OverPosition
)

// NextAcross is what may be on the x axis next, for the chosen metric.
func (st *State) NextAcross() Across { return OverTime }

// Cell is a cell of Heat: a column of its x axis and a bucket of its values; OK tells that one is chosen.
type Cell struct {
	Column, Bucket int
	OK             bool
}

// heatPage draws how a latency is spread, over time or over lengths.
func (f *frame) heatPage(rows int) { f.absent("no samples yet", rows) }

func (v *Screen) moveHeat(s *bench.Snapshot, st *State, m Motion) {}

// OpenCell goes to the requests of the chosen cell, and tells whether it did.
func (v *Screen) OpenCell(s *bench.Snapshot, st *State) bool { return false }
