package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// chosen tells whether a lane is the chosen one.
func (f *frame) chosen(m bench.Metric) bool { return f.st.Chosen && f.st.Metric == m }

// focused is the lane that is shown in full: the chosen metric, or the first one where a view without a lane for it has chosen it.
func (f *frame) focused() (m bench.Metric, lane int) {
	for i, l := range bench.Lanes {
		if l == f.st.Metric {
			return l, i
		}
	}
	return bench.Lanes[0], 0
}

// pointed begins a row: in the first one of the chosen lane with what points at it, else with a blank.
func (f *frame) pointed(r *style.Row, m bench.Metric, y int) *style.Row {
	if y == 0 && f.chosen(m) {
		return r.Glyph(style.Select, f.g.Select)
	}
	return r.Blank(1)
}

// nameInk is the look of a lane's name.
func (f *frame) nameInk(m bench.Metric) style.Token {
	if f.chosen(m) {
		return style.Select
	}
	return style.Strong
}

// sixName is a lane's name, or below it what it is measured in, in six cells and with the blank or the mark before them.
func (f *frame) sixName(r *style.Row, m bench.Metric, y int) {
	if f.pointed(r, m, y); y == 0 {
		r.Cell(f.nameInk(m), m.String(), 6)
		return
	}
	r.Cell(style.Dim, f.unit(m, y), 6)
}

// wideStart begins a row of a lane in Full and Wide, up to the numbers.
func (f *frame) wideStart(lane *chart.Lane, m bench.Metric, y int) *style.Row {
	r := f.start()
	f.clickable(Hit{Spot: OnLane, Metric: m})
	f.sixName(r, m, y)
	lane.Label(r, y, f.Label-r.Cells())
	f.draw(r, lane, y)
	return r.Put(style.Faint, " "+f.g.Edge+" ")
}
