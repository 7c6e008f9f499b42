package chart

import (
	"cmp"
	"slices"

	"redline/ui/style"
)

// CurvePoint is one level on a load curve.
type CurvePoint struct {
	// X is the load, Y what came of it; points that are not finite or below 0 are left out.
	X, Y float64
	// Short is a level that dwelt too briefly to trust, Here the present one, Past an earlier visit that another replaced.
	Short, Here, Past bool
	// Loose is a level that was only touched: no line leads through it.
	Loose bool
	// Ghost is a level of another run: a curve of its own, faint, behind this one.
	Ghost bool
	// Breached is a level that broke a promise, Chosen the one whose row is chosen.
	Breached, Chosen bool
}

// Curve is a plot of settled levels: x is the load, y what came of it.
type Curve struct {
	Points []CurvePoint
	// X and Y are the axes; a zero one is fitted to the points, Y logarithmic with Log. Curves above one another share X.
	X, Y Extent
	Log  bool
	// Knee is the load of the knee, a line across; 0 is none. Threshold is a level line; 0 is none, and one that is far off the points stays off the scale.
	Knee, Threshold float64
	// Redline is a load that is marked where it stands on the axis; 0 is none.
	Redline float64
	// Floor tells that the threshold's bad side is below.
	Floor bool
	// Millis tells that values are milliseconds.
	Millis bool
	// Title stands in the top row.
	Title string
	// Names stand left of the axis from the top, Unit left of the loads; Names take that many cells.
	Names     []string
	Unit      string
	NameCells int
	// Left is the least room left of the axis, so that curves above one another align.
	Left int
	// Joined tells that another curve with the same loads follows below: the loads are then left to that one.
	Joined bool
	// Law is what a model says comes of a load, from LawFrom on: a faint line of single dots below all else; nil for none.
	Law     func(x float64) float64
	LawFrom float64
	// Ink is the look of the curve, Mode how it is drawn.
	Ink  style.Token
	Mode Mode
}

// minCurveHeight is two rows of curve with the axis below.
const minCurveHeight = 3

// Plot draws the curve into a panel of that size, axes and labels included; the panel stays blank below 12 × 3, and says so without points.
func (c Curve) Plot(p *Panel, set *style.Set, width, height int) {
	p.clear(width, height)
	if width < minPanelWidth || height < minCurveHeight {
		return
	}
	f := frame{panel: p, glyphs: set.Glyphs, drawn: c.Mode.Glyphs(set), mono: set.Mono(), fine: c.Mode.PerCell(set) > 1}
	if c.Title != "" {
		p.write(0, 0, c.Title, style.Strong)
		f.top = 1
	}
	points := c.finite()
	if len(points) == 0 {
		p.write(0, height/2, "no settled level yet", style.Dim)
		return
	}
	f.height = height - f.top - 1
	f.fit(&c, points)
	if f.height < 1 || !f.axes(&c) {
		return
	}
	c.draw(&f, points)
}

// finite is the points that can be drawn, by load.
func (c *Curve) finite() []CurvePoint {
	var out []CurvePoint
	for _, p := range c.Points {
		if p.X >= 0 && p.X <= extentMost && p.Y >= 0 && p.Y <= extentMost {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b CurvePoint) int { return cmp.Compare(a.X, b.X) })
	return out
}

// draw puts lines, then points over them.
func (c *Curve) draw(f *frame, points []CurvePoint) {
	g := f.drawn
	if f.bounded(c) {
		y := f.row(c.Threshold)
		for x := range f.width {
			f.put(x, y, g.Threshold, style.Dim)
		}
	}
	if c.Knee > 0 && f.x.Holds(c.Knee) {
		x := f.column(c.Knee)
		for y := range f.height {
			f.put(x, y, g.Marker, style.Mark)
		}
	}
	c.law(f)
	for _, ghost := range []bool{true, false} {
		ink := c.Ink
		if ghost {
			ink = style.Faint
		}
		last, started := CurvePoint{}, false
		for _, p := range points {
			if p.Ghost != ghost || p.Past || p.Loose {
				continue
			}
			if started {
				f.line(last, p, ink)
			}
			last, started = p, true
		}
	}
	for rank := range numRanks {
		for _, p := range points {
			if p.rank() == rank {
				glyph, look := f.form(p, c.Ink)
				f.put(f.column(p.X), f.row(p.Y), glyph, look)
			}
		}
	}
	c.redline(f, points)
}

// redline marks its load in the lowest row, or in the highest where a point is there.
func (c *Curve) redline(f *frame, points []CurvePoint) {
	if !(c.Redline > 0) || !f.x.Holds(c.Redline) {
		return
	}
	x, y := f.column(c.Redline), f.height-1
	if slices.ContainsFunc(points, func(p CurvePoint) bool { return f.column(p.X) == x && f.row(p.Y) == y }) {
		y = 0
	}
	f.put(x, y, f.drawn.Redline, style.Accent2)
}

// law draws the model as a dot in every third column.
func (c *Curve) law(f *frame) {
	if c.Law == nil {
		return
	}
	steps, drawn := f.drawn.Trail, -1
	for i := range 4*f.width + 1 {
		x := f.x.From + (f.x.To-f.x.From)*float64(i)/float64(4*f.width)
		column := f.column(x)
		if y := c.Law(x); x >= c.LawFrom && column%3 == 1 && column != drawn && f.y.Holds(y) {
			f.put(column, f.row(y), steps[len(steps)/2], style.Faint)
			drawn = column
		}
	}
}

// numRanks is how many ranks points have.
const numRanks = 6

// rank is which points lie over which: the later over the earlier.
func (p CurvePoint) rank() int {
	switch {
	case p.Chosen && !p.Past:
		return 5
	case p.Here:
		return 4
	case p.Past, p.Ghost:
		return 0
	case p.Breached:
		return 3
	case p.Short:
		return 1
	}
	return 2
}

// form is how a point looks. Without colour a breach is another glyph.
func (f *frame) form(p CurvePoint, ink style.Token) (glyph string, look style.Token) {
	g := f.drawn
	glyph, look = g.Settled, ink
	switch {
	case p.Here:
		glyph, look = g.Here, style.Strong
	case p.Past:
		return g.Past, style.Dim
	case p.Ghost:
		return g.GhostPoint, style.Dim
	case p.Breached && f.mono:
		glyph = g.Fail
	case p.Short:
		glyph = g.Short
	}
	if p.Breached {
		look = style.Bad
	}
	if p.Chosen {
		look = style.Select
	}
	return glyph, look
}

func glyphRune(glyph string) rune {
	for _, r := range glyph {
		return r
	}
	return ' '
}
