package view

import (
	"time"

	"redline/bench"
	"redline/ui/action"
)

// Spot is what kind of thing stands at a place of the screen.
type Spot uint8

const (
	// Nothing: no more than text.
	Nothing Spot = iota
	// OnLane: the lane of Metric.
	OnLane
	// OnRow: row Index of the list of the view that is open.
	OnRow
	// OnRequest: the row of the request ID, the list's row Index on the screen.
	OnRequest
	// OnCell: Cell of Heat.
	OnCell
	// OnAction: a key of the footer, by its Action.
	OnAction
	// OnChoice: row Index of the palette or of the list of themes.
	OnChoice
	// OnScrubber: the instant At of the recording.
	OnScrubber
)

// Hit is what stands at a place of the last frame; which of its fields count depends on Spot.
type Hit struct {
	Spot   Spot
	Index  int
	Metric bench.Metric
	ID     uint64
	Cell   Cell
	Action action.Action
	At     time.Duration
}

// target is a stretch of one row that can be clicked, from a column up to another.
type target struct {
	y, from, to int
	hit         Hit
}

// clickable makes the row that is being written a target, over its whole width. Call it between start and end. Several targets may lie in one row, and one
// that is registered later lies over an earlier one:
//
//	r := f.start()
//	f.clickable(Hit{Spot: OnRow, Index: i})
//	r.Put(…)
//	f.end()
//
// To choose what was hit is the same for all views (see ChooseHit); a double click does what Enter does on it.
func (f *frame) clickable(h Hit) { f.clickableCells(h, 0, f.W) }

// clickableCells makes a stretch of the row that is being written a target: the cells from a column up to another, which is not part of it.
func (f *frame) clickableCells(h Hit, from, to int) {
	if y := len(f.out); y < f.H && from < to {
		f.targets = append(f.targets, target{y, max(from, 0), min(to, f.W), h})
	}
}

// shelve drops the targets of a stretch of rows, from one up to another: something lies in front of them.
func (f *frame) shelve(from, to int) {
	kept := f.targets[:0]
	for _, t := range f.targets {
		if t.y < from || t.y >= to {
			kept = append(kept, t)
		}
	}
	f.targets = kept
}

// Hit is what stands at a cell of the frame that was drawn last, counted from 0; Nothing where that can not be clicked.
func (v *Screen) Hit(x, y int) Hit {
	for i := len(v.targets) - 1; i >= 0; i-- {
		if t := &v.targets[i]; t.y == y && x >= t.from && x < t.to {
			return t.hit
		}
	}
	return Hit{}
}

// ChooseHit makes what was hit the chosen thing of the view that is open, and tells whether it is one that can be chosen.
func (st *State) ChooseHit(h Hit) bool {
	switch h.Spot {
	case OnLane:
		st.Metric, st.Chosen = h.Metric, true
	case OnRow:
		st.Row[st.View] = h.Index
	case OnRequest:
		st.Request, st.Row[st.View] = h.ID, h.Index
	case OnCell:
		st.chooseCell(h.Cell)
	default:
		return false
	}
	return true
}
