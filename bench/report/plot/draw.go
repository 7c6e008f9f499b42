package plot

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/go-analyze/charts/chartdraw"
	"github.com/go-analyze/charts/chartdraw/drawing"
)

// Distances of a figure, in its own units, of which one is a pixel where the page is wide.
const (
	left, right = 64, 16
	// The labels of marks have a row of their own above the name of the first pane.
	above = 44
	below = 30
	// named is how much more a figure needs below whose horizontal axis has a name.
	named   = 14
	between = 40
	// labelled is the least distance of the labels of marks.
	labelled = 34
	fontSize = 8.5
)

// looks is a style of nothing but a class: what the page's style sheet makes of it is its matter. The library draws only what has a colour and a width.
func looks(class string, parts ...func(*chartdraw.Style)) chartdraw.Style {
	s := chartdraw.Style{ClassName: class, FontStyle: chartdraw.FontStyle{FontSize: fontSize, FontColor: drawing.ColorBlack, Font: chartdraw.GetDefaultFont()}}
	for _, p := range parts {
		p(&s)
	}
	return s
}

func stroked(s *chartdraw.Style) { s.StrokeColor, s.StrokeWidth = drawing.ColorBlack, 1 }
func filled(s *chartdraw.Style)  { s.FillColor = drawing.ColorBlack }
func dashed(s *chartdraw.Style)  { s.StrokeDashArray = []float64{5, 4} }

// canvas is a figure that is being drawn.
type canvas struct {
	*Figure
	r chartdraw.Renderer
	// x is the horizontal axis, top and bottom bound all panes.
	x           *chartdraw.ContinuousRange
	top, bottom int
	// over is what is put on top: the library knows no titles of parts.
	over strings.Builder
}

// SVG is the figure. It is an error to ask for one whose axes have no extent.
func (f *Figure) SVG() (string, error) {
	if !f.X.sound() {
		return "", fmt.Errorf("figure %s: the axis from %g to %g has no extent", f.ID, f.X.Min, f.X.Max)
	}
	under := below
	if f.X.Name != "" {
		under += named
	}
	height := above + under + between*(len(f.Panes)-1)
	for i := range f.Panes {
		if !f.Panes[i].Y.sound() {
			return "", fmt.Errorf("figure %s, %s: the axis from %g to %g has no extent", f.ID, f.Panes[i].Name, f.Panes[i].Y.Min, f.Panes[i].Y.Max)
		}
		height += f.Panes[i].Height
	}
	c := &canvas{Figure: f, r: chartdraw.SVG(f.Width, height), x: f.X.over(f.Width - left - right), top: above, bottom: height - under}
	c.r.SetDPI(drawing.DefaultDPI)
	boxes := make([]chartdraw.Box, len(f.Panes))
	top := above
	for i := range f.Panes {
		boxes[i] = chartdraw.Box{Left: left, Right: f.Width - right, Top: top, Bottom: top + f.Panes[i].Height, IsSet: true}
		c.frame(&f.Panes[i], boxes[i], i == len(f.Panes)-1)
		top = boxes[i].Bottom + between
	}
	// Of what lies on one another the last is pointed at: what is told of a column comes first.
	c.hints()
	c.marks(boxes)
	for i := range f.Panes {
		c.content(&f.Panes[i], boxes[i])
	}
	var b bytes.Buffer
	if err := c.r.Save(&b); err != nil {
		return "", err
	}
	return f.dressed(b.String(), c.over.String(), height)
}

// dressed is what the library drew with what it cannot say: names for readers of screens, and what is on top.
func (f *Figure) dressed(svg, over string, height int) (string, error) {
	_, body, ok := strings.Cut(svg, ">")
	body, closed := strings.CutSuffix(body, "</svg>")
	if !ok || !closed {
		return "", fmt.Errorf("figure %s: the library drew no SVG", f.ID)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="%s-t %s-d"><title id="%s-t">%s</title><desc id="%s-d">%s</desc>%s%s</svg>`,
		f.Width, height, f.ID, f.ID, f.ID, html.EscapeString(f.Title), f.ID, html.EscapeString(f.Text), body, over), nil
}

// frame draws the name, the grid and the axes of a pane; the last has the labels of the horizontal axis.
func (c *canvas) frame(p *Pane, box chartdraw.Box, last bool) {
	y := p.Y.over(box.Height())
	ticks := p.Y.ticks(max(p.Height/28, 2))
	for _, t := range ticks {
		c.path("grid", box.Left, box.Bottom-y.Translate(t.Value), box.Right, box.Bottom-y.Translate(t.Value))
	}
	chartdraw.Draw.Text(c.r, p.Name, 4, box.Top-9, looks("name"))
	axis := looks("axis", stroked)
	chartdraw.YAxis{AxisType: chartdraw.YAxisSecondary, TickStyle: axis, GridMajorStyle: chartdraw.Hidden(), GridMinorStyle: chartdraw.Hidden(), Zero: chartdraw.GridLine{Style: chartdraw.Hidden()}}.
		Render(c.r, box, y, axis, ticks)
	along := c.X.ticks(12)
	if !last {
		along = nil
	}
	chartdraw.XAxis{TickStyle: axis, GridMajorStyle: chartdraw.Hidden(), GridMinorStyle: chartdraw.Hidden()}.Render(c.r, box, c.x, axis, along)
	if last && c.X.Name != "" {
		c.ending(c.X.Name, box.Right, box.Bottom+below+named/2, "axis")
	}
}

// ending puts a text that ends at a place: how wide it is, the page's own fonts know.
func (c *canvas) ending(text string, x, y int, class string) {
	fmt.Fprintf(&c.over, `<text x="%d" y="%d" text-anchor="end" class="%s text">%s</text>`, x, y, html.EscapeString(class), html.EscapeString(text))
}

// widely is by how much a text may be wider in the fonts of the page than the library measures it.
const widely = 1.3

// path draws a straight line.
func (c *canvas) path(class string, x1, y1, x2, y2 int) {
	looks(class, stroked).WriteDrawingOptionsToRenderer(c.r)
	c.r.MoveTo(x1, y1)
	c.r.LineTo(x2, y2)
	c.r.Stroke()
}

// content draws what a pane shows.
func (c *canvas) content(p *Pane, box chartdraw.Box) {
	y := p.Y.over(box.Height())
	for i := range p.Lines {
		c.line(p, &p.Lines[i], box, y)
	}
	for _, rule := range p.Rules {
		if rule.Y < p.Y.Min || rule.Y > p.Y.Max {
			continue
		}
		at := box.Bottom - y.Translate(p.Y.place(rule.Y))
		c.path("rule "+rule.Class, box.Left, at, box.Right, at)
		fmt.Fprintf(&c.over, `<rect class="hint" x="%d" y="%d" width="%d" height="8"><title>%s</title></rect>`, box.Left, at-4, box.Width(), html.EscapeString(rule.Title))
	}
	for _, d := range p.Dots {
		x, at := box.Left+c.x.Translate(c.X.place(d.X)), func(v float64) int {
			return box.Bottom - y.Translate(min(max(p.Y.place(v), p.Y.place(p.Y.Min)), p.Y.place(p.Y.Max)))
		}
		if d.High > d.Low {
			c.path("whisker "+d.Class, x, at(d.Low), x, at(d.High))
			c.path("whisker "+d.Class, x-4, at(d.Low), x+4, at(d.Low))
			c.path("whisker "+d.Class, x-4, at(d.High), x+4, at(d.High))
		}
		fmt.Fprintf(&c.over, `<circle class="dot %s" cx="%d" cy="%d" r="4"><title>%s</title></circle>`, html.EscapeString(d.Class), x, at(d.Y), html.EscapeString(d.Title))
	}
}

// line draws a line, piece by piece where it has gaps.
func (c *canvas) line(p *Pane, l *Line, box chartdraw.Box, y *chartdraw.ContinuousRange) {
	parts := []func(*chartdraw.Style){stroked}
	if l.Dashed {
		parts = append(parts, dashed)
	}
	if l.Area {
		parts = append(parts, filled)
	}
	for _, piece := range pieces(l) {
		s := chartdraw.ContinuousSeries{Style: looks("line "+l.Class, parts...)}
		for _, at := range piece {
			s.XValues = append(s.XValues, c.X.place(at.X))
			s.YValues = append(s.YValues, min(max(p.Y.place(at.Y), p.Y.place(p.Y.Min)), p.Y.place(p.Y.Max)))
		}
		s.Render(c.r, box, c.x, y, chartdraw.Style{})
	}
	if l.Dots {
		for _, at := range l.Points {
			if !math.IsNaN(at.Y) {
				fmt.Fprintf(&c.over, `<circle class="dot %s" cx="%d" cy="%d" r="3"/>`, html.EscapeString(l.Class), box.Left+c.x.Translate(c.X.place(at.X)), box.Bottom-y.Translate(p.Y.place(at.Y)))
			}
		}
	}
}

// pieces are the parts of a line between its gaps, with its steps; a point between two gaps is a short line.
func pieces(l *Line) [][]Point {
	var out [][]Point
	var piece []Point
	end := func() {
		if len(piece) == 1 {
			piece = append(piece, piece[0])
		}
		if len(piece) > 0 {
			out = append(out, piece)
		}
		piece = nil
	}
	for _, p := range l.Points {
		if math.IsNaN(p.Y) || math.IsInf(p.Y, 0) {
			end()
			continue
		}
		if n := len(piece); l.Steps && n > 0 && piece[n-1].Y != p.Y {
			piece = append(piece, Point{p.X, piece[n-1].Y})
		}
		piece = append(piece, p)
	}
	end()
	return out
}

// marks draws the lines across all panes, with the labels for which there is room.
func (c *canvas) marks(boxes []chartdraw.Box) {
	free := 0
	for _, m := range c.Marks {
		if m.X < c.X.Min || m.X > c.X.Max {
			continue
		}
		x := left + c.x.Translate(c.X.place(m.X))
		c.path("mark "+m.Class, x, 6, x, 18)
		for _, box := range boxes {
			c.path("mark "+m.Class, x, box.Top, x, box.Bottom)
		}
		wide := int(widely * float64(chartdraw.Draw.MeasureText(c.r, m.Label, looks("label")).Width()))
		switch {
		case m.Label == "":
		case x+3+wide <= c.Width-right/2 && x+3 >= free:
			chartdraw.Draw.Text(c.r, m.Label, x+3, 14, looks("label "+m.Class))
			free = x + 3 + max(wide+6, labelled)
		case x+3+wide > c.Width-right/2 && x-3-wide >= free:
			// There is no room to the right of the line: to its left.
			c.ending(m.Label, x-3, 14, "label "+m.Class)
			free = x + 3
		}
		fmt.Fprintf(&c.over, `<rect class="hint" x="%d" y="%d" width="6" height="%d"><title>%s</title></rect>`, x-3, 0, above, html.EscapeString(m.Title))
	}
}

// hints puts what is told of each column over all panes.
func (c *canvas) hints() {
	for _, h := range c.Hints {
		x := left + c.x.Translate(c.X.place(max(h.From, c.X.Min)))
		wide := left + c.x.Translate(c.X.place(min(h.To, c.X.Max))) - x
		fmt.Fprintf(&c.over, `<rect class="hint" x="%d" y="%d" width="%d" height="%d"><title>%s</title></rect>`, x, c.top, max(wide, 1), c.bottom-c.top, html.EscapeString(h.Title))
	}
}
