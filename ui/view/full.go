package view

import (
	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// laneUnit is the unit under a lane's name.
func laneUnit(m bench.Metric) string {
	switch m {
	case bench.TPS:
		return "tok/s"
	case bench.RPM:
		return "req/m"
	case bench.TPM:
		return "tok/m"
	}
	return "ms"
}

// full draws Full and Wide.
func (f *frame) full() {
	f.headLine()
	f.rule("")
	f.loadRows()
	f.pilotRule("")
	f.side.prepare(f)
	y := 0
	cause := f.cause()
	for i := range f.Cause {
		r := f.start()
		r.Blank(1)
		f.name(r, "LOAD", f.loadUnit(), i)
		f.causeLabel(r, &cause, i)
		f.draw(r, &cause, i)
		r.Put(style.Faint, " "+f.g.Edge+" ")
		f.causeSide(r, i)
		f.sideRow(y)
		y++
	}
	for i, m := range bench.Lanes {
		lane := f.lane(i)
		for k := range f.Lane {
			r := f.wideStart(&lane, m, k)
			switch {
			case f.cursor.ok && k == 0:
				f.cursorNumbers(r, m, 3, f.beside(r)/3)
			case f.cursor.ok:
				f.cursorRemark(r, m, k)
			case k == 0:
				f.numbers(r, m)
			default:
				f.remark(r, m, k)
			}
			f.sideRow(y)
			y++
		}
	}
	f.axis().Cornered(f.axisStart())
	f.sideRow(y)
	f.errors()
	log := f.whyRow(f.Log - 1)
	f.eventsRule()
	f.log(log)
	f.rule("")
	f.footer()
}

// causeSide is what stands beside row y of the LOAD lane: the heading of the numbers, and how far the level has come; or where the time cursor stands, and in
// which level.
func (f *frame) causeSide(r *style.Row, y int) {
	switch {
	case f.cursor.ok && y == 0:
		f.cursorHead(r, f.beside(r))
	case y > 1: // a tall LOAD lane has no more to say
	case f.cursor.ok:
		f.cursorLevel(r, f.beside(r))
	case y == 0:
		f.heading(r)
	default:
		for _, p := range f.settling(true) {
			r.Put(p.look, p.text)
		}
	}
}

// eventsRule heads the log; what connections take stands in it, since it belongs to no lane.
func (f *frame) eventsRule() {
	f.events = len(f.out)
	r := f.start().Glyph(style.Faint, f.g.Rule).Put(style.Dim, " events ")
	if parts := f.connections(f.W - 24); len(parts) > 0 {
		r.Repeat(style.Faint, f.g.Rule, f.W-r.Cells()-f.width(parts)-4).Blank(1)
		for _, p := range parts {
			r.Put(p.look, p.text)
		}
		r.Blank(1)
	}
	r.Fill(style.Faint, f.g.Rule)
	f.end()
}

// name writes a lane's name in its first row and what it is measured in below.
func (f *frame) name(r *style.Row, name, unit string, y int) {
	if y == 0 {
		r.Cell(style.Strong, name, 6)
		return
	}
	r.Cell(style.Dim, unit, 6)
}

// unit is the lane's unit, in its second row, and in the third which percentile it plots.
func (f *frame) unit(m bench.Metric, y int) string {
	switch {
	case y == 1 && f.logarithmic(m):
		return laneUnit(m) + " log"
	case y == 1:
		return laneUnit(m)
	case y == 2 && (m == bench.TTFT || m == bench.ITL):
		return f.plotted(m).String()
	}
	return ""
}

// sideRow adds the side column's row, if there is one, and closes the row.
func (f *frame) sideRow(y int) {
	if f.Density == layout.Wide {
		f.row.To(f.Label+f.Chart+f.Numbers).Put(style.Faint, f.g.Edge)
		f.side.draw(f, y)
	}
	f.end()
}

// loadUnit is what the load counts.
func (f *frame) loadUnit() string {
	if f.s.Target.Mode == bench.Open {
		return "req/s"
	}
	return ""
}
