package chart

import (
	"math"
	"unicode/utf8"

	"redline/ui/style"
)

// Column is one column of a lane: what came to pass in its share of the window.
type Column struct {
	// V counts only if OK; what is not finite is taken as absent.
	V  float64
	OK bool
	// Marker takes the column whole: the load changed here.
	Marker bool
	// Cursor is the user's time cursor: drawn over everything.
	Cursor bool
	// Breached is a value on the bad side of the threshold; with Whole the column is bad on both sides of it, for what is on the bad side is
	// something else than V.
	Breached, Whole bool
	// Dim is a value to trust less: few samples, a level not yet settled, a pause.
	Dim bool
	// Ahead is a value that is yet to come.
	Ahead bool
	// Label is written over the bars from the next column on, in the top row: "48" where the load became 48.
	Label string
	// Ghost is the value of an earlier level or run, drawn behind the bars if HasGhost.
	Ghost    float64
	HasGhost bool
}

// Lane draws one quantity over time as bars, any number of rows high. It holds no state between frames: set the fields and draw each
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
	// Millis tells that values are milliseconds, whose labels are seconds from 10 s on.
	Millis bool
}

// present tells whether there is a number to draw.
func (c Column) present() bool {
	return c.OK && c.V == c.V && c.V <= math.MaxFloat64 && c.V >= -math.MaxFloat64
}

// lineRows is the least height at which a threshold is drawn as a line. Below that the line would cover half of what there is to
// see, and a breached column changes its glyph instead.
const lineRows = 3

// Draw writes row y (0 is the top) of the lane, exactly Width cells; blanks when there is no such row.
func (l *Lane) Draw(row *style.Row, y int) {
	if l.Width <= 0 || y < 0 || y >= l.Rows {
		row.Blank(l.Width)
		return
	}
	p := painter{lane: l, row: row, glyphs: l.Mode.Glyphs(row.Set()), y: y, up: l.Rows - 1 - y, line: -1}
	p.over = l.Rows < lineRows || row.Set().Mono()
	if l.HasThreshold && l.Rows >= lineRows {
		p.line = l.thresholdRow()
	}
	per := l.Mode.PerCell(row.Set())
	columns := l.Columns[max(0, len(l.Columns)-l.Width*per):]
	// Two columns to a cell: the newest cell is whole, so a lone column is the oldest.
	blank := l.Width - (len(columns)+per-1)/per
	for range blank {
		p.empty(Column{})
	}
	if per == 2 {
		p.braille(columns)
		return
	}
	p.blocks(columns)
}

// thresholdRow is the row, counted from the bottom, that the threshold's value falls into; -1 when it is off the scale.
func (l *Lane) thresholdRow() int {
	share := l.Scale.Share(l.Threshold)
	if share > 1 {
		return -1
	}
	return min(int(share*float64(l.Rows)), l.Rows-1)
}

// painter draws one row of a lane.
type painter struct {
	lane   *Lane
	row    *style.Row
	glyphs *style.Glyphs
	// y counts rows from the top, up from the bottom; line is the threshold's row from the bottom, or -1.
	y, up, line int
	// over makes breached bars change their glyphs as well.
	over bool
	// label is what is left of a label to write over the next columns.
	label string
}

func (p *painter) blocks(columns []Column) {
	for i := range columns {
		c := columns[i]
		p.take(columns[i:], 1)
		if p.special(c) {
			continue
		}
		steps := p.steps(c, len(p.glyphs.Bars)-1)
		switch {
		case steps < 0:
			p.empty(c)
		case p.clipped(c):
			p.row.Glyph(p.ink(c), p.glyphs.Clip)
		case c.Ahead:
			p.row.Glyph(style.Dim, p.planned(steps, i-len(columns)))
		case p.haunted(c) && p.lane.Scale.Share(c.V)*float64(p.lane.Rows) > float64(p.up+1) && !(p.over && p.bad(c)) && !p.row.Set().Glyphs.ASCII:
			// The bar goes on above it and is seen through it, so that it hides nothing. ASCII has no sign that is not a bar's own.
			p.row.Glyph(p.ink(c), p.glyphs.Shade[3])
		default:
			p.row.Glyph(p.ink(c), p.bar(c, steps))
		}
	}
}

// haunted tells whether a column's ghost lies in this row.
func (p *painter) haunted(c Column) bool {
	share := p.lane.Scale.Share(c.Ghost)
	return c.HasGhost && share <= 1 && min(int(share*float64(p.lane.Rows)), p.lane.Rows-1) == p.up
}

// take begins the label of the first cell of some columns, so many to a cell, if there is room for the whole of it before the next marker: part of
// a number is another number.
func (p *painter) take(columns []Column, per int) {
	label := ""
	for _, c := range columns[:min(per, len(columns))] {
		if label == "" {
			label = c.Label
		}
	}
	if label == "" || p.y > 0 {
		return
	}
	room := 0
	for k := 0; k < len(columns); k += per {
		taken := false
		for _, c := range columns[k:min(k+per, len(columns))] {
			taken = taken || c.Marker || c.Cursor
		}
		if taken && k > 0 {
			break
		}
		if !taken {
			room++
		}
	}
	p.label = ""
	if p.row.Set().Width(label) <= room {
		p.label = label
	}
}

// special draws what takes a column whole: cursor, marker, label. It tells whether it did.
func (p *painter) special(c Column) bool {
	switch {
	case c.Cursor:
		p.row.Glyph(style.Select, p.glyphs.Cursor)
	case c.Marker:
		if c.Label == "" {
			p.label = ""
		}
		p.row.Glyph(style.Mark, p.glyphs.Marker)
	case p.label != "":
		_, size := utf8.DecodeRuneInString(p.label)
		look := style.Strong
		if c.Ahead {
			look = style.Dim
		}
		p.row.Cell(look, p.label[:size], 1)
		p.label = p.label[size:]
	default:
		return false
	}
	return true
}

// steps is how much of this row's cell the bar fills, in 1..full; -1 for nothing at all, 0 for a zero at the bottom. What is above 0
// shows at least one step: a small number must not look like none.
func (p *painter) steps(c Column, full int) int {
	if !c.present() {
		return -1
	}
	height := int(p.lane.Scale.Share(c.V)*float64(p.lane.Rows*full) + 0.5)
	if height == 0 && p.up == 0 {
		if c.V > 0 {
			return 1
		}
		return 0
	}
	if height -= p.up * full; height <= 0 {
		return -1
	}
	return min(height, full)
}

func (p *painter) clipped(c Column) bool { return p.y == 0 && p.lane.Scale.Share(c.V) > 1 }

func (p *painter) bar(c Column, steps int) string {
	bars := p.glyphs.Bars
	switch {
	case steps == 0:
		return p.glyphs.Zero
	case !p.over || !p.bad(c):
		return bars[steps]
	case steps == len(bars)-1:
		return p.glyphs.OverFull
	}
	return p.glyphs.OverPart
}

// planned is the glyph of what is yet to come: shaded where it fills the row, and at its top every other bar, so that it is told from what has been in
// every look.
func (p *painter) planned(steps, column int) string {
	switch {
	case steps == len(p.glyphs.Bars)-1:
		return p.glyphs.Shade[2]
	case column&1 == 0 || steps == 0:
		return p.glyphs.Bars[steps]
	}
	return p.glyphs.Bars[0]
}

// bad tells whether this row's part of a breached column is over the line. Below a floor, and where no line is drawn, that is the whole
// column.
func (p *painter) bad(c Column) bool {
	return c.Breached && (p.line < 0 || p.lane.Floor || c.Whole || p.up >= p.line)
}

func (p *painter) ink(c Column) style.Token {
	switch {
	case p.bad(c):
		return style.Bad
	case c.Dim:
		return style.Dim
	}
	return p.lane.Ink
}

// empty draws a cell without a bar: a ghost, the threshold, or nothing.
func (p *painter) empty(c Column) {
	if p.up == p.line {
		p.row.Glyph(style.Dim, p.glyphs.Threshold)
		return
	}
	if p.haunted(c) {
		p.row.Glyph(style.Dim, p.glyphs.Ghost)
		return
	}
	p.row.Blank(1)
}
