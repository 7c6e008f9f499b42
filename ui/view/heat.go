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

// Cell is a cell of Heat; OK tells that one is chosen.
type Cell struct {
	// Column is where it stands on the x axis: over time a second of the run, else tokens.
	Column int
	// Bucket is a value within its row, in thousandths of the metric's unit.
	Bucket int
	OK     bool
}

// heatPage draws how a latency is spread, over time or over lengths.
func (f *frame) heatPage(rows int) { f.absent("no samples yet", rows) }

func (v *Screen) moveHeat(s *bench.Snapshot, st *State, m Motion) {}

// OpenCell goes to the requests of the chosen cell, and tells whether it did.
func (v *Screen) OpenCell(s *bench.Snapshot, st *State) bool { return false }
