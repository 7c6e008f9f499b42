package chart

import (
	"math"

	"redline/ui/style"
)

// HeatColumn is one column of a Heat: how many samples lie in each of its rows, the lowest first, and in all of them.
type HeatColumn struct {
	Counts []uint64
	N      uint64
}

// Heat is a picture of how values are spread, column by column: each cell is as dense as it has samples. It holds no state between frames: set the
// fields and draw each row where it belongs, top row first.
type Heat struct {
	Columns []HeatColumn
	// Cells tells for each cell across which column it shows; below 0 none. Markers are the cells that a change of load takes whole, from the top to
	// the bottom; it may be shorter than Cells.
	Cells   []int
	Markers []bool
	Rows    int
	Shades  Shades
	// Limit is the row, counted from the bottom, in which the threshold is drawn where there is nothing; below 0 there is none.
	Limit int
	Mode  Mode
	// Column and Row are the chosen cell, the row from the bottom, if Chosen.
	Column, Row int
	Chosen      bool
}

// Draw writes row y (0 is the top) of the picture, exactly a cell for each of Cells; blanks when there is no such row.
func (h *Heat) Draw(row *style.Row, y int) {
	if y < 0 || y >= h.Rows {
		row.Blank(len(h.Cells))
		return
	}
	g, up := h.Mode.Glyphs(row.Set()), h.Rows-1-y
	for x, i := range h.Cells {
		var n uint64
		here := i >= 0 && i < len(h.Columns)
		if here && up < len(h.Columns[i].Counts) {
			n = h.Columns[i].Counts[up]
		}
		k := h.Shades.Of(n)
		chosen := h.Chosen && here && i == h.Column
		switch {
		case chosen && up == h.Row:
			row.Glyph(style.Select, g.Shade[k])
		case x < len(h.Markers) && h.Markers[x]:
			row.Glyph(style.Mark, g.Marker)
		case k > 0:
			row.Glyph(HeatInk(k), g.Shade[k])
		case chosen && (x == 0 || h.Cells[x-1] != i):
			row.Glyph(style.Faint, g.Cursor)
		case up == h.Limit:
			row.Glyph(style.Dim, g.Threshold)
		default:
			row.Blank(1)
		}
	}
}

// NumShades is how many shades there are but for none at all.
const NumShades = 5

// Shades are the least numbers of samples that each shade stands for, from the faintest on; the zero Shades show a single sample as the densest.
type Shades [NumShades]uint64

// ShadesFor divides the counts up to a greatest one: each shade stands for about as many times more samples as the one before, so that a tail of single
// requests and a body of thousands are both seen.
func ShadesFor(most uint64) Shades {
	var s Shades
	top := max(float64(most)*0.7, 1)
	for k := range s {
		n := math.Pow(top, float64(k)/(NumShades-1))
		if unit := math.Pow(10, math.Floor(math.Log10(n))); n >= 10 {
			n = math.Round(n/unit) * unit
		}
		if s[k] = uint64(math.Round(min(n, 1e18))); k > 0 {
			s[k] = max(s[k], s[k-1]+1)
		}
	}
	return s
}

// Of is the shade of so many samples, 1 to NumShades; 0 of none.
func (s *Shades) Of(n uint64) int {
	if n == 0 {
		return 0
	}
	k := 1
	for k < NumShades && n >= s[k] {
		k++
	}
	return k
}

// heatInks are the looks of the shades. The first steps of a theme's ramp are made for surfaces, and too faint for the few thin dots of a tail.
var heatInks = [NumShades]style.Token{style.Dim, style.Heat + 3, style.Heat + 5, style.Heat + 6, style.Heat + 7}

// HeatInk is the look of a shade, from 1 on.
func HeatInk(shade int) style.Token { return heatInks[min(max(shade-1, 0), NumShades-1)] }

// Legend writes what each shade stands for: "· 1  ░ 2  ▒ 4  ▓ 8  █ 16+", as far as there is room for all of it; it tells whether there was.
func (s *Shades) Legend(row *style.Row, mode Mode) bool {
	g, cells := mode.Glyphs(row.Set()), 1
	for _, n := range s {
		cells += len(Tick(float64(n))) + 4
	}
	if cells-2 > row.Left() {
		return false
	}
	for k, n := range s {
		if k > 0 {
			row.Blank(2)
		}
		row.Glyph(HeatInk(k+1), g.Shade[k+1]).Put(style.Dim, " "+Tick(float64(n)))
	}
	row.Put(style.Dim, "+")
	return true
}
