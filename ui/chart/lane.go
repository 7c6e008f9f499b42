package chart

import "redline/ui/style"

// Column is one column of a lane: what came to pass in its share of the window.
type Column struct {
	// V counts only if OK; what is not finite is taken as absent.
	V  float64
	OK bool
	// Marker takes the column whole: the load changed here.
	Marker bool
	// Cursor is the user's time cursor: drawn over everything.
	Cursor bool
	// Breached is a value on the bad side of the threshold.
	Breached bool
	// Dim is a value to trust less: few samples, a level not yet settled, a pause.
	Dim bool
	// Label is written over the bars from the next column on, in the top row: "48" where the load became 48.
	Label string
	// Ghost is the value of an earlier level or run, drawn behind the bars if HasGhost.
	Ghost    float64
	HasGhost bool
}

// Mode is how bars are drawn.
type Mode uint8

const (
	// Block draws bars of eighth blocks, or of the ASCII ramp where the glyphs say so.
	Block Mode = iota
	// Braille draws two columns in a cell, four steps a row. Without Unicode it falls back to Block.
	Braille
)

// Lane draws one quantity over time as bars, 1 to 5 rows high. It holds no state between frames: set the fields and draw each
// row where it belongs, top row first.
type Lane struct {
	// Columns are the window's, oldest first. What does not fit is cut at the old end, what is missing is blank there.
	Columns []Column
	// Width is cells, Rows is rows of the plot.
	Width, Rows int
	Scale       Scale
	Mode        Mode
	// Ink is the look of the bars.
	Ink style.Token
	// Threshold is drawn from three rows up, if HasThreshold. Floor tells that the bad side is below.
	Threshold    float64
	HasThreshold bool
	Floor        bool
}
