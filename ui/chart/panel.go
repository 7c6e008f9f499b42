package chart

import (
	"math"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/charmbracelet/lipgloss"

	"redline/ui/style"
)

// The least panel that is drawn at all. Below it labels leave no room for a curve.
const (
	minPanelWidth  = 12
	minPanelHeight = 4
)

// Panel is a small picture kept between frames: charts are plotted into it when their data change, which is once a second at
// most, and its rows are written into every frame. The zero Panel is empty.
type Panel struct {
	width, height int
	cells         []cell
}

type cell struct {
	char rune
	look style.Token
}

// Size is the panel's width and height in cells.
func (p *Panel) Size() (width, height int) { return p.width, p.height }

// Draw writes row y (0 is the top) in exactly the panel's width; blanks when there is no such row.
func (p *Panel) Draw(row *style.Row, y int) {
	if y < 0 || y >= p.height {
		row.Blank(p.width)
		return
	}
	for _, c := range p.cells[y*p.width : (y+1)*p.width] {
		row.Rune(c.look, c.char)
	}
}

// clear makes the panel blank in a size; a size without area is empty.
func (p *Panel) clear(width, height int) {
	width, height = max(width, 0), max(height, 0)
	p.width, p.height = width, height
	if need := width * height; cap(p.cells) < need {
		p.cells = make([]cell, need)
	}
	p.cells = p.cells[:width*height]
	for i := range p.cells {
		p.cells[i] = cell{' ', style.FG}
	}
}

func (p *Panel) set(x, y int, char rune, look style.Token) {
	if at := p.at(x, y); at != nil {
		*at = cell{char, look}
	}
}

// at is the cell at x, y; nil outside.
func (p *Panel) at(x, y int) *cell {
	if x < 0 || x >= p.width || y < 0 || y >= p.height {
		return nil
	}
	return &p.cells[y*p.width+x]
}

// write puts text of one-cell characters from x on.
func (p *Panel) write(x, y int, text string, look style.Token) {
	for _, c := range text {
		p.set(x, y, c, look)
		x++
	}
}

// plotSafe runs a drawing on a foreign canvas and tells whether it came through. The canvas library panics on sizes and values
// that its callers must keep from it; a picture is not worth the run that it shows.
func plotSafe(draw func()) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	draw()
	return true
}

// clampTo keeps v within lo..hi; not ok for what is not finite. The canvas library hangs on NaN and Inf, where no recover helps.
func clampTo(v, lo, hi float64) (float64, bool) {
	if v != v || math.IsInf(v, 0) {
		return 0, false
	}
	return min(max(v, lo), hi), true
}

// inks carry tokens through the canvas library, which knows only lipgloss styles: the foreground is the token's number, and is
// never rendered. Built once, as making one is dear.
var inks = func() (out [style.NumTokens]lipgloss.Style) {
	for t := range out {
		out[t] = lipgloss.NewStyle().Foreground(lipgloss.Color(string(rune('0' + t))))
	}
	return out
}()

// token is the look that inks put into a style.
func token(s lipgloss.Style) style.Token {
	if c, ok := s.GetForeground().(lipgloss.Color); ok && c != "" {
		if t := rune(c[0]) - '0'; t >= 0 && t < rune(style.NumTokens) {
			return style.Token(t)
		}
	}
	return style.FG
}

// paste copies a canvas into the panel with its top left corner at x, y.
func (p *Panel) paste(c *canvas.Model, x, y int) {
	for cy := range c.Height() {
		for cx := range c.Width() {
			if from := c.Cell(canvas.Point{X: cx, Y: cy}); from.Rune != 0 && from.Rune != ' ' {
				p.set(x+cx, y+cy, from.Rune, token(from.Style))
			}
		}
	}
}
