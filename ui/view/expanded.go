package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// Rows that the expanded lane leaves to the log, by density, and what a stream's text takes at least of its own.
var leastLog = [...]int{layout.Small: 2, layout.Compact: 3, layout.Full: 5, layout.Wide: 9}

const leastStream = 5

// expanded draws the chosen lane alone, in full: LOAD above it, its numbers beside it, and of TPS the text of one stream as it arrives below.
func (f *frame) expanded() {
	switch f.Density {
	case layout.Line:
		f.line()
		return
	case layout.List:
		f.expandedList()
		return
	}
	m, i := f.focused()
	spare := max(f.Log-leastLog[f.Density], 0)
	f.Log, f.Lane = f.Log-spare, f.effects+spare
	stream := 0
	if m == bench.TPS {
		stream = max(f.Lane*3/5, min(f.Lane-2, leastStream))
		f.Lane -= stream
	}
	f.effects = f.Lane
	f.expandedHead()
	f.expandedCause()
	lane, rows := f.lane(i), f.panel(m)
	for y := range f.Lane {
		r := f.expandedRow(&lane, m, y)
		if y < len(rows) {
			rows[y].draw(r)
		}
		f.sideRow(f.Cause + y)
	}
	f.expandedFoot(stream)
}

// expandedHead is the head of Live, down to the lanes.
func (f *frame) expandedHead() {
	f.headLine()
	switch {
	case f.Density == layout.Small:
		f.smallLoad()
		return
	case f.Density == layout.Compact:
		f.loadLine()
		f.pilotRule(f.loop())
	default:
		f.rule("")
		f.loadRows()
		f.side.prepare(f)
		f.pilotRule("")
	}
}

// expandedCause is the LOAD lane, with what Live has beside it.
func (f *frame) expandedCause() {
	cause := f.cause()
	for y := range f.Cause {
		var r *style.Row
		switch {
		case f.Density == layout.Small:
			for i := range cause.Columns {
				cause.Columns[i].Label = ""
			}
			r = f.smallStart(&cause, bench.NumMetrics, y).Blank(1)
		case f.Density == layout.Compact:
			r = f.start().Blank(1).Cell(style.Strong, "LOAD", 5)
			f.causeLabel(r, &cause, y)
			f.draw(r, &cause, y)
			r.Put(style.Faint, f.g.Edge).Blank(1)
		default:
			r = f.start().Blank(1)
			f.name(r, "LOAD", f.loadUnit(), y)
			f.causeLabel(r, &cause, y)
			f.draw(r, &cause, y)
			r.Put(style.Faint, " "+f.g.Edge+" ")
		}
		switch {
		case f.cursor.ok && y == 0:
			f.cursorHead(r, f.beside(r))
		case y > 1: // a tall LOAD lane has no more to say
		case f.cursor.ok:
			f.cursorLevel(r, f.beside(r))
		case y == 0 && f.Cause > 1:
			r.Put(style.Dim, f.headingOf())
		default:
			for _, p := range f.settling(f.Density > layout.Compact) {
				r.Put(p.look, p.text)
			}
		}
		f.sideRow(y)
	}
}

// headingOf names the scope of the numbers below, and what they are compared with.
func (f *frame) headingOf() string {
	out := "numbers of the " + f.st.Scope.String()
	if f.compares() {
		out += ", " + f.deltaSign() + f.referenceName()
	}
	return out
}

// expandedRow begins row y of the lane, up to the panel beside it.
func (f *frame) expandedRow(lane *chart.Lane, m bench.Metric, y int) *style.Row {
	switch f.Density {
	case layout.Small:
		return f.smallStart(lane, m, y).Blank(1)
	case layout.Compact:
		return f.laneStart(lane, m, y).Blank(1)
	}
	return f.wideStart(lane, m, y)
}

// expandedFoot is what stands below the lane: the axis, the stream, and the errors, log and keys of Live.
func (f *frame) expandedFoot(stream int) {
	r := f.axisStart()
	f.axis().Cornered(r)
	switch f.Density {
	case layout.Small:
		f.smallAxis(r)
	case layout.Compact:
		f.dwell(r.Blank(1))
	}
	f.sideRow(f.Cause + f.Lane)
	f.stream(stream)
	f.errors()
	switch {
	case f.Density >= layout.Full:
		log := f.whyRow(f.Log - 1)
		f.eventsRule()
		f.log(log)
		f.rule("")
	case f.Density == layout.Compact:
		log := f.whyRow(f.Log)
		f.rule("")
		f.log(log)
	default:
		f.log(f.whyRow(f.Log))
	}
	f.footer()
}

// expandedList is the lane without a plot: its value in big digits, and below it what there is room for.
func (f *frame) expandedList() {
	f.listHead()
	rows := f.H - 1 - f.Errors - f.Log - f.Footer
	m, _ := f.focused()
	if m == bench.TPS {
		f.stream(rows)
	} else {
		all := f.panel(m)
		for y := range rows {
			r := f.start()
			f.pointed(r, m, y).Cell(f.nameInk(m), map[bool]string{true: m.String()}[y == 0], 5)
			if y < len(all) {
				all[y].draw(r)
			}
			f.end()
		}
	}
	if f.Footer == 0 && f.urgent() {
		f.footer()
		return
	}
	f.listErrors()
	f.log(f.Log)
	if f.Footer > 0 {
		f.footer()
	}
}
