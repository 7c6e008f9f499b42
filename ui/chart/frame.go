package chart

import (
	"math"
	"unicode/utf8"

	"redline/ui/style"
)

// frame is the axes of a panel, drawn as the lanes draw theirs, and the room that they leave.
type frame struct {
	panel      *Panel
	glyphs     *style.Glyphs
	top        int
	maxX, maxY float64

	// left, width and height are the room inside.
	left, width, height int
}

// axes draws labels and lines for a curve and tells whether room is left.
func (f *frame) axes(c Curve) bool {
	p, g := f.panel, f.glyphs
	bound := ""
	if c.Threshold > 0 && c.Threshold <= f.maxY {
		bound = g.LessEq + Tick(c.Threshold)
		if c.Floor {
			bound = g.GreaterEq + Tick(c.Threshold)
		}
	}
	high := Tick(f.maxY)
	labels := max(utf8.RuneCountInString(bound), utf8.RuneCountInString(high), 1)
	f.left = labels + 2
	f.width, f.height = p.width-f.left, p.height-f.top-2
	if f.width < 1 || f.height < 1 {
		return false
	}
	label := func(y int, text string) {
		p.write(labels-utf8.RuneCountInString(text), y, text, style.Dim)
	}
	label(f.top+f.height-1, "0")
	label(f.top, high)
	if bound != "" {
		_, y := f.at(0, c.Threshold)
		label(f.top+y, bound)
	}
	for y := range f.height {
		p.write(f.left-1, f.top+y, g.AxisY, style.Faint)
	}
	f.floor()
	return true
}

// at is the cell inside the frame that a braille line through x, y passes: two dots to a cell across, four down.
func (f *frame) at(x, y float64) (cellX, cellY int) {
	x, _ = clampTo(x, 0, f.maxX)
	y, _ = clampTo(y, 0, f.maxY)
	right := int(math.Round(x / f.maxX * float64(f.width*2-1)))
	up := int(math.Round(y / f.maxY * float64(f.height*4-1)))
	return right / 2, (f.height*4 - 1 - up) / 4
}

// floor draws the x axis and its labels, which end under their place.
func (f *frame) floor() {
	p, g, y := f.panel, f.glyphs, f.top+f.height
	p.write(f.left-1, y, g.CornerL, style.Faint)
	for x := range f.width {
		p.write(f.left+x, y, g.Rule, style.Faint)
	}
	if f.maxX > 1e9 {
		return
	}
	step := Load{Max: int(f.maxX)}.step(f.width)
	free := f.left
	for n := step; float64(n) <= f.maxX; n += step {
		text := Tick(float64(n))
		size := utf8.RuneCountInString(text)
		at, _ := f.at(float64(n), 0)
		at += f.left - size/2
		at = min(at, p.width-size)
		if at >= free {
			p.write(at, y+1, text, style.Dim)
			free = at + size + 1
		}
	}
}
