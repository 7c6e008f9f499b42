package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// gaugeRows are the rows of each lane of gauges: as many as there is room for, once those that compare have theirs.
func (f *frame) gaugeRows(lanes, rows int) int {
	least, most, kept := 1, 1, 0
	switch {
	case f.Density >= layout.Full:
		least, most, kept = 2, 4, 9
	case f.Density == layout.Compact:
		least, most, kept = 2, 3, 5
	}
	fixed := 2 + f.causeRows() // who answers, and the axis
	return min(max((rows-fixed-kept)/max(lanes, 1), least), most)
}

// causeRows are the rows of the LOAD lane over the gauges.
func (f *frame) causeRows() int { return min(f.Cause, 2) }

// serverPlots draws the gauges over the run's time, below the load that they follow from.
func (f *frame) serverPlots(rows int) {
	f.measureGauges()
	lanes := f.toldLanes()
	each := f.gaugeRows(len(lanes), rows)
	cause := f.cause()
	cause.Rows = f.causeRows()
	if f.Density == layout.Small {
		for i := range cause.Columns {
			cause.Columns[i].Label = ""
		}
	}
	for y := range cause.Rows {
		f.gaugeCause(&cause, y)
	}
	for _, i := range lanes {
		lane := f.gaugeLane(i, each)
		for y := range each {
			f.gaugeRow(i, &lane, y)
		}
	}
	r := f.start().To(f.Label - 1)
	f.axis().Cornered(r)
	switch {
	case f.cursor.ok && f.Density < layout.Full:
		f.cursorLevel(r.Blank(1), r.Left()-1)
	default:
		r.Blank(1).Cut(style.Dim, f.windowWord()+" window", r.Left()-1)
	}
	f.end()
}

// gaugeStart begins a row of a lane, up to what stands beside it.
func (f *frame) gaugeStart(name, unit string, lane *chart.Lane, y int) {
	r := f.start().Blank(1)
	cells := 8
	switch f.Density {
	case layout.Compact, layout.Small:
		cells = 5
	}
	switch y {
	case 0:
		r.Cell(style.Strong, name, cells)
	case 1:
		r.Cell(style.Dim, unit, cells)
	default:
		r.Blank(cells)
	}
	if f.Density > layout.Small {
		lane.Label(r, y, f.Label-r.Cells())
	}
	r.To(f.Label)
	f.draw(r, lane, y)
	if f.Density >= layout.Full {
		r.Blank(1)
	}
	r.Put(style.Faint, f.g.Edge)
	if f.Density >= layout.Full {
		r.Blank(1)
	}
}

// gaugeCells are the cells of the columns beside the lanes: now, mean and max.
func (f *frame) gaugeCells() [3]int {
	switch {
	case f.Density >= layout.Full:
		return [3]int{nowCells, statCells, statCells}
	case f.Density == layout.Compact:
		return [3]int{8, 8, 8}
	}
	return [3]int{7, 8, 8}
}

// gaugeColumn writes one column beside a lane.
func (f *frame) gaugeColumn(look style.Token, text string, cells int) {
	if f.Density >= layout.Full {
		f.row.Cell(look, text, cells)
		return
	}
	f.row.Right(look, text, cells)
}

// gaugeCause is row y of the LOAD lane, with the heading of the columns below it.
func (f *frame) gaugeCause(lane *chart.Lane, y int) {
	r := f.start().Blank(1)
	if y == 0 {
		r.Put(style.Strong, "LOAD")
	} else {
		r.Put(style.Dim, f.loadUnit())
	}
	if f.Density > layout.Small {
		r.To(7)
		f.causeLabel(r, lane, y)
	}
	r.To(f.Label)
	f.draw(r, lane, y)
	if f.Density >= layout.Full {
		r.Blank(1)
	}
	r.Put(style.Faint, f.g.Edge)
	if f.Density >= layout.Full {
		r.Blank(1)
	}
	cells := f.gaugeCells()
	switch {
	case f.cursor.ok && y == 0:
		if f.Density < layout.Full {
			r.Blank(1)
		}
		f.cursorHead(r, r.Left()-1)
	case f.cursor.ok:
		f.cursorLevel(r, r.Left()-1)
	case y == 0:
		f.gaugeColumn(style.Dim, "now", cells[0])
		f.gaugeColumn(style.Dim, "mean", cells[1])
		f.gaugeColumn(style.Dim, "max", cells[2])
		if f.Density >= layout.Full {
			r.Cut(style.Dim, "of the "+f.st.Scope.String(), r.Left()-1)
		}
	default:
		for _, p := range f.settling(true) {
			r.Cut(p.look, p.text, r.Left()-1)
		}
	}
	f.end()
}

// gaugeRow is row y of a gauge's lane: its numbers, and below them what it means.
func (f *frame) gaugeRow(i int, lane *chart.Lane, y int) {
	l := &serverLanes[i]
	name := l.name
	switch {
	case f.Density < layout.Full:
		name = l.short
	case l.gauge == bench.KVUsage:
		name = "KV cache"
	}
	f.gaugeStart(name, l.unit, lane, y)
	r := f.row
	cells := f.gaugeCells()
	switch {
	case y == 0 && f.cursor.ok:
		f.gaugeColumn(style.Strong, l.text(amounts(f.cursor.buckets, l.gauge).Mean()), cells[0])
	case y == 0:
		sf := f.scope.Server
		f.gaugeColumn(style.Strong, l.text(f.gaugeNow(l.gauge)), cells[0])
		f.gaugeColumn(style.FG, l.text(sf.Mean(l.gauge)), cells[1])
		f.gaugeColumn(style.FG, l.text(sf.Max(l.gauge)), cells[2])
		if text := f.gaugeNote(l); f.Density >= layout.Full {
			r.Cut(style.Dim, text, r.Left()-1)
		}
	case y == 1:
		if f.Density < layout.Full {
			r.Blank(2)
		}
		p := f.gaugeWord(l)
		r.Cut(p.look, p.text, r.Left())
	}
	f.end()
}

// gaugeNote is what a gauge can be at most.
func (f *frame) gaugeNote(l *serverLane) string {
	switch l.gauge {
	case bench.ServerRunning:
		if most := f.batchSize(); sound(most) && most.V > 0 {
			return "cap " + amount(most.V)
		}
	case bench.KVUsage:
		if v := together(f.s.Server, true, func(s *bench.Scrape) bench.Value { return s.KVTokens }); sound(v) && v.V > 0 {
			return "of " + chart.Num(v) + " tokens"
		}
	case bench.GPUMemory:
		if used, free := f.gaugeNow(l.gauge), f.gaugeNow(bench.GPUMemoryFree); sound(used) && sound(free) {
			return "of " + l.text(bench.Some(used.V+free.V)) + " GiB"
		}
	}
	return ""
}
