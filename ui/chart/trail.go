package chart

import (
	"math"

	"redline/ui/style"
)

// line draws a straight line between two points. In a logarithmic scale it is straight there.
func (f *frame) line(from, to CurvePoint, ink style.Token) {
	if f.fine {
		f.dots(from, to, ink)
		return
	}
	f.trail(from, to, ink)
}

// trail draws a line as one dot in each cell across, at the height in its cell that is nearest, and where the line is steep as one in each row.
func (f *frame) trail(from, to CurvePoint, ink style.Token) {
	x, y := float64(f.dotX(from.X))/2, float64(f.dotY(from.Y))/4
	dx, dy := float64(f.dotX(to.X))/2-x, float64(f.dotY(to.Y))/4-y
	steps := f.drawn.Trail
	if math.Abs(dy) > math.Abs(dx) {
		first, last := math.Floor(min(y, y+dy)), math.Floor(max(y, y+dy))
		for row := first; row <= last; row++ {
			share := min(max((row+0.5-y)/dy, 0), 1)
			f.put(int(x+share*dx), int(row), steps[len(steps)/2], ink)
		}
		return
	}
	first, last := math.Floor(min(x, x+dx)), math.Floor(max(x, x+dx))
	for column := first; column <= last; column++ {
		share := 0.0
		if dx != 0 {
			share = min(max((column+0.5-x)/dx, 0), 1)
		}
		at := y + share*dy
		row := math.Floor(at)
		up := int((1 - (at - row)) * float64(len(steps)))
		f.put(int(column), int(row), steps[min(up, len(steps)-1)], ink)
	}
}

// brailleDots are the bits of a cell's dots, by row and column.
var brailleDots = [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// dots draws a line of Braille dots.
func (f *frame) dots(from, to CurvePoint, ink style.Token) {
	x, y := f.dotX(from.X), f.dotY(from.Y)
	dx, dy := f.dotX(to.X)-x, f.dotY(to.Y)-y
	steps := max(dx, -dx, dy, -dy, 1)
	for i := range steps + 1 {
		share := float64(i) / float64(steps)
		f.dot(x+int(math.Round(share*float64(dx))), y+int(math.Round(share*float64(dy))), ink)
	}
}

func (f *frame) dot(x, y int, ink style.Token) {
	if at := f.panel.at(f.left+x/2, f.top+y/4); at != nil {
		if at.char < 0x2800 || at.char > 0x28ff {
			at.char = 0x2800
		}
		at.char |= brailleDots[y&3][x&1]
		at.look = ink
	}
}
