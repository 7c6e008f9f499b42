package chart

import (
	"cmp"
	"slices"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/linechart"

	"redline/ui/style"
)

// CurvePoint is one level on a load curve.
type CurvePoint struct {
	// X is the load, Y what came of it; points that are not finite or below 0 are left out.
	X, Y float64
	// Short is a level that dwelt too briefly to trust, Here the present one, Past an earlier visit that another replaced.
	Short, Here, Past bool
	// Breached is a level that broke a promise.
	Breached bool
}

// Curve is a plot of settled levels: x is the load, y what came of it. Ranges are explicit, from 0.
type Curve struct {
	Points []CurvePoint
	// MaxX and MaxY are the ends of the axes; 0 fits them to the points.
	MaxX, MaxY float64
	// Knee is the load of the knee, a line across; 0 is none. Threshold is a level line; 0 is none.
	Knee, Threshold float64
	// Floor tells that the threshold's bad side is below.
	Floor bool
	// Title stands in the top row.
	Title string
	// Ink is the look of the curve.
	Ink style.Token
}

// Plot draws the curve into a panel of that size, axes and labels included; the panel stays blank below 12 × 4 or without points.
func (c Curve) Plot(p *Panel, set *style.Set, width, height int) {
	p.clear(width, height)
	if width < minPanelWidth || height < minPanelHeight {
		return
	}
	top := 0
	if c.Title != "" {
		p.write(0, 0, c.Title, style.Strong)
		top = 1
	}
	points := c.finite()
	if len(points) == 0 {
		p.write(0, height/2, "no settled level yet", style.Dim)
		return
	}
	maxX, maxY := c.ends(points)
	f := frame{panel: p, glyphs: set.Glyphs, top: top, maxX: maxX, maxY: maxY}
	if !f.axes(c) {
		return
	}
	chart := linechart.New(f.width, f.height, 0, maxX, 0, maxY, linechart.WithXYSteps(0, 0))
	if plotSafe(func() { c.draw(&chart, f, points) }) {
		p.paste(&chart.Canvas, f.left, top)
	}
}

// finite is the points that can be drawn, by load.
func (c Curve) finite() []CurvePoint {
	var out []CurvePoint
	for _, p := range c.Points {
		_, okX := clampTo(p.X, 0, 0)
		_, okY := clampTo(p.Y, 0, 0)
		if okX && okY && p.X >= 0 && p.Y >= 0 {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b CurvePoint) int { return cmp.Compare(a.X, b.X) })
	return out
}

func (c Curve) ends(points []CurvePoint) (maxX, maxY float64) {
	for _, p := range points {
		maxX, maxY = max(maxX, p.X), max(maxY, p.Y)
	}
	maxX, maxY = max(maxX, c.Knee), RoundUp(max(maxY, c.Threshold)*1.05)
	if v, ok := clampTo(c.MaxX, 0, 1e15); ok && v > 0 {
		maxX = v
	}
	if v, ok := clampTo(c.MaxY, 0, 1e15); ok && v > 0 {
		maxY = v
	}
	return min(max(maxX, 1), 1e15), min(max(maxY, 1e-9), 1e15)
}

// draw puts lines, then points over them, on a canvas without axes. The canvas library rounds characters and braille lines apart, by up
// to a cell; so characters are set where its lines run (see frame.at).
func (c Curve) draw(chart *linechart.Model, f frame, points []CurvePoint) {
	g := f.glyphs
	put := func(x, y int, glyph string, look style.Token) {
		chart.Canvas.SetCell(canvas.Point{X: x, Y: y}, canvas.NewCellWithStyle(glyphRune(glyph), inks[look]))
	}
	if c.Threshold > 0 && c.Threshold <= f.maxY {
		_, y := f.at(0, c.Threshold)
		for x := range f.width {
			put(x, y, g.Threshold, style.Dim)
		}
	}
	last, started := CurvePoint{}, false
	for _, p := range points {
		if p.Past {
			continue
		}
		if started {
			c.line(chart, f, last, p)
		}
		last, started = p, true
	}
	if c.Knee > 0 && c.Knee <= f.maxX {
		x, _ := f.at(c.Knee, 0)
		for y := range f.height {
			put(x, y, g.Marker, style.Mark)
		}
	}
	for _, here := range [...]bool{false, true} {
		for _, p := range points {
			if p.Here == here {
				x, y := f.at(p.X, p.Y)
				glyph, look := p.form(g, c.Ink)
				put(x, y, glyph, look)
			}
		}
	}
}

func (c Curve) line(chart *linechart.Model, f frame, from, to CurvePoint) {
	a := canvas.Float64Point{X: min(from.X, f.maxX), Y: min(from.Y, f.maxY)}
	b := canvas.Float64Point{X: min(to.X, f.maxX), Y: min(to.Y, f.maxY)}
	if f.glyphs.ASCII {
		chart.DrawRuneLineWithStyle(a, b, glyphRune(f.glyphs.Trail), inks[c.Ink])
		return
	}
	chart.DrawBrailleLineWithStyle(a, b, inks[c.Ink])
}

// form is how a point looks.
func (p CurvePoint) form(g *style.Glyphs, ink style.Token) (glyph string, look style.Token) {
	glyph, look = g.Settled, ink
	switch {
	case p.Here:
		glyph, look = g.Here, style.Strong
	case p.Past:
		return g.Past, style.Dim
	case p.Short:
		glyph = g.Short
	}
	if p.Breached {
		look = style.Bad
	}
	return glyph, look
}

func glyphRune(glyph string) rune {
	for _, r := range glyph {
		return r
	}
	return ' '
}
