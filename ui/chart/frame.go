package chart

import (
	"math"
	"unicode/utf8"

	"redline/ui/style"
)

// frame is the axes of a panel, drawn as the lanes draw theirs, and the room that they leave.
type frame struct {
	panel *Panel
	// glyphs are those of the axes, drawn those of what lies between them; fine lines are of Braille dots.
	glyphs, drawn *style.Glyphs
	mono, fine    bool
	top           int
	x, y          Extent

	// left, width and height are the room inside.
	left, width, height int
}

// thresholdReach is how far off the points a threshold may lie that is still on the scale.
const thresholdReach = 3

// fit finds the axes that are not given.
func (f *frame) fit(c *Curve, points []CurvePoint) {
	f.x, f.y = c.X, c.Y
	if !f.y.OK() {
		values := make([]float64, 0, len(points)+1)
		for _, p := range points {
			values = append(values, p.Y)
		}
		low, high, _ := ends(values)
		if t := c.Threshold; t > 0 && t <= high*thresholdReach && (!c.Log || t >= low/thresholdReach) {
			values = append(values, t)
		}
		f.y = FitValues(values, f.height, c.Log)
	}
	if !f.x.OK() {
		loads := make([]float64, 0, len(points))
		for _, p := range points {
			loads = append(loads, p.X)
		}
		f.x = FitLoads(loads, f.panel.width-6)
	}
}

// bounded tells whether the threshold is on the scale.
func (f *frame) bounded(c *Curve) bool { return c.Threshold > 0 && f.y.Holds(c.Threshold) }

// tick is a value as the axis writes it.
func (c *Curve) tick(v float64) string {
	if c.Millis {
		return TickMillis(v)
	}
	return Tick(v)
}

// upright is a label of the upright axis in its row.
type upright struct {
	row  int
	text string
}

// uprights are the labels of the upright axis, each in the row of its value: the threshold first, then the ends, then what lies between where it is free.
func (f *frame) uprights(c *Curve) []upright {
	var out []upright
	place := func(v float64, text string, gap int) {
		row := f.row(v)
		for _, u := range out {
			if d := u.row - row; d <= gap && d >= -gap {
				return
			}
		}
		out = append(out, upright{row, text})
	}
	if f.bounded(c) {
		side := f.glyphs.LessEq
		if c.Floor {
			side = f.glyphs.GreaterEq
		}
		place(c.Threshold, side+c.tick(c.Threshold), 0)
	}
	place(f.y.To, c.tick(f.y.To), 0)
	place(f.y.From, c.tick(f.y.From), 0)
	for _, v := range f.y.Ticks {
		place(v, c.tick(v), 1)
	}
	return out
}

// axes draws labels and lines for a curve and tells whether room is left.
func (f *frame) axes(c *Curve) bool {
	p, g := f.panel, f.glyphs
	labels := f.uprights(c)
	cells := 1
	for _, u := range labels {
		cells = max(cells, utf8.RuneCountInString(u.text))
	}
	f.left = max(c.NameCells+cells+2, c.Left)
	f.width = p.width - f.left - 1
	if f.width < 1 {
		return false
	}
	for i, name := range c.Names {
		look := style.Dim
		if i == 0 {
			look = style.Strong
		}
		if i < f.height {
			p.write(0, f.top+i, name, look)
		}
	}
	for _, u := range labels {
		p.write(f.left-2-utf8.RuneCountInString(u.text), f.top+u.row, u.text, style.Dim)
	}
	for y := range f.height {
		p.write(f.left-1, f.top+y, g.AxisY, style.Faint)
		p.write(f.left+f.width, f.top+y, g.Edge, style.Faint)
	}
	f.floor(c)
	return true
}

// column and row are the cell inside the frame that a line through x, y passes: two dots to a cell across, four down.
func (f *frame) column(x float64) int { return f.dotX(x) / 2 }
func (f *frame) row(y float64) int    { return f.dotY(y) / 4 }

func (f *frame) dotX(x float64) int { return int(math.Round(f.x.Share(x) * float64(f.width*2-1))) }
func (f *frame) dotY(y float64) int {
	return int(math.Round((1 - f.y.Share(y)) * float64(f.height*4-1)))
}

func (f *frame) put(x, y int, glyph string, look style.Token) {
	f.panel.set(f.left+x, f.top+y, glyphRune(glyph), look)
}

// floor draws the axis of loads with its labels in it, each over its load.
func (f *frame) floor(c *Curve) {
	p, g, y := f.panel, f.glyphs, f.top+f.height
	p.write(f.left-1, y, g.CornerL, style.Faint)
	for x := range f.width {
		p.write(f.left+x, y, g.Rule, style.Faint)
	}
	p.write(f.left+f.width, y, g.CornerR, style.Faint)
	if c.Joined {
		return
	}
	if n := utf8.RuneCountInString(c.Unit); n > 0 && n < f.left-1 {
		p.write(f.left-2-n, y, c.Unit, style.Dim)
	}
	free := 0
	for _, v := range f.x.Ticks {
		text := Tick(v)
		size := utf8.RuneCountInString(text)
		at := min(f.column(v)-size/2, f.width-size)
		if at >= free && f.x.Holds(v) {
			p.write(f.left+at, y, text, style.Dim)
			free = at + size + 1
		}
	}
}
