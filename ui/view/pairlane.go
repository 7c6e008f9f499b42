package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// halves are the columns of lanes that stand side by side.
type halves struct {
	// label are those left of the plots, plot those of each, numbers those right of them.
	label, plot, numbers int
}

// widestHalf bounds a plot, as a lane alone is bounded.
const widestHalf = 80

// halves divides the width between two plots, each with its edge, and the numbers.
func (f *frame) halves() halves {
	h := halves{label: 12, numbers: 34}
	if f.Density >= layout.Full {
		h.numbers = 44
	}
	h.plot = min(max((f.W-h.label-h.numbers-2)/2, 1), widestHalf)
	return h
}

// pairLanes draws the lanes of both targets with their differences, and what else differs where there is room: at least two rows are left to the log.
func (f *frame) pairLanes(rows int) {
	h := f.halves()
	f.pairHead(h)
	rows--
	tall := 2
	if f.Density >= layout.Full {
		tall = 3
	}
	more := len(f.pairs.contests) - len(bench.Lanes)
	for tall < 5 && rows-5*(tall+1)-1 >= max(more, 0)+4 {
		tall++
	}
	for i, m := range bench.Lanes {
		lanes := [2]chart.Lane{f.half(0, i, tall, h.plot), f.half(1, i, tall, h.plot)}
		for y := range tall {
			f.pairLane(&lanes, i, m, y, h)
		}
	}
	f.pairAxis(h)
	rows -= 5*tall + 1
	for i := len(bench.Lanes); i < len(f.pairs.contests) && rows > 2; i++ {
		f.contestRow(i, h.label+2*h.plot+2)
		rows--
	}
}

// pairHead is the line over the lanes.
func (f *frame) pairHead(h halves) {
	r := f.start().To(h.label)
	for i := range 2 {
		f.pairTitle(r, i, h.plot)
		r.Blank(1)
	}
	f.contestHeads(r)
	f.end()
}

// pairLane is row y of a lane of both.
func (f *frame) pairLane(lanes *[2]chart.Lane, i int, m bench.Metric, y int, h halves) {
	r := f.start()
	f.clickable(Hit{Spot: OnLane, Metric: m})
	switch f.pointed(r, m, y); {
	case y == 0:
		r.Put(f.nameInk(m), m.String())
	case y == 1 && distributed(m, f.percentile(m)):
		r.Put(style.Dim, f.percentile(m).String())
	case y == 1 || y == 2 && distributed(m, f.percentile(m)):
		r.Put(style.Dim, laneUnit(m))
	}
	r.To(6)
	lanes[0].Label(r, y, h.label-r.Cells())
	for k := range lanes {
		lanes[k].Draw(r, y)
		r.Put(style.Faint, f.g.Edge)
	}
	if c := f.contest(i); c != nil {
		switch y {
		case 0:
			f.contestNumbers(r, c, true)
		case 1:
			f.contestWords(r, c)
		case 2:
			f.pairPromise(r, m)
		}
	}
	f.end()
}

// half is the plot of one target's lane. Both have one scale, so that a taller bar is a greater number.
func (f *frame) half(side, i, rows, width int) chart.Lane {
	m, p := bench.Lanes[i], &f.pairs
	f.plot = f.plot[:0]
	for _, c := range p.values[side][i] {
		for range p.span.repeat {
			f.plot = append(f.plot, chart.Column{V: c.v, OK: c.ok, Dim: c.few})
		}
	}
	columns := append([]chart.Column(nil), f.plot[min(p.span.over, len(f.plot)):]...)
	for _, l := range f.s.Rivals.Of[side].Levels {
		if at := p.span.at(l.Begin); at > 0 && at < p.span.count {
			if cell := p.span.cell(at); cell < len(columns) {
				columns[cell].Marker = true
			}
		}
	}
	lane := chart.Lane{Columns: columns, Width: width, Rows: rows, Scale: chart.Scale{Ceil: max(p.ranges[m].Ceil(), 1e-9)}, Mode: f.st.Graph, Ink: style.Lane(m), Millis: m.Unit() == "ms"}
	if t, ok := f.asked(m); ok && !t.Quota() {
		lane.Threshold, lane.HasThreshold, lane.Floor = t.Limit, true, t.Floor
		for k := range columns {
			columns[k].Breached = columns[k].OK && t.At == f.percentile(m) && t.Broken(columns[k].V)
		}
	}
	return lane
}

// pairAxis is the time axis under each of the two.
func (f *frame) pairAxis(h halves) {
	r := f.start().To(h.label - 1)
	r.Glyph(style.Faint, f.g.CornerL)
	a := chart.Axis{Width: h.plot, Window: f.pairs.span.shown(), Edge: f.edgeWord()}
	a.Draw(r)
	r.Glyph(style.Faint, f.g.Edge)
	a.Draw(r)
	r.Glyph(style.Faint, f.g.CornerR)
	f.end()
}

// pairPromise is the promise on a metric, with what becomes of it at each target.
func (f *frame) pairPromise(r *style.Row, m bench.Metric) {
	t, ok := f.asked(m)
	if !ok || t.Quota() {
		return
	}
	r.Blank(1).Put(style.Dim, t.At.String()+" "+bound(t))
	for i := range 2 {
		of := f.of(i)
		if mark, look := of.verdict(m, of.figure(m)); mark != "" {
			r.Put(style.Dim, "  "+bench.Letter(i)+" ").Put(look, mark)
		}
	}
}
