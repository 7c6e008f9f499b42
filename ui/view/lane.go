package view

import (
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// mark is a level's begin within the span.
type mark struct {
	column int
	kind   chart.MarkKind
	// label is the load; a ramp passes many, and has none.
	label string
}

// findMarks collects the levels that begin within the span. Of several in neighbouring columns the last one stands for all: a marker takes its
// column whole, and levels of a second or two would leave nothing of what was measured.
func (f *frame) findMarks() {
	f.marks = f.marks[:0]
	var was bench.Setpoint
	for i, l := range f.s.Levels {
		c := f.span.at(l.Begin)
		if l.Begin < 0 || c < 0 || c >= f.span.count || i == 0 && l.Begin < f.span.width {
			continue
		}
		n := len(f.marks)
		merged := n > 0 && c-f.marks[n-1].column <= max(f.per/f.span.repeat, 1)
		if !merged {
			was = l.Was
		}
		m := mark{column: c, kind: chart.Note, label: named(l.Load)}
		if l.Cause == bench.CauseProfile && !l.Committed.OK {
			m.label = ""
		}
		if l.Cause == bench.CauseLoad || l.Cause == bench.CauseProfile || merged {
			switch {
			case l.Load.Mode != was.Mode:
			case l.Load.N > was.N:
				m.kind = chart.Up
			case l.Load.N < was.N:
				m.kind = chart.Down
			}
		}
		if merged {
			f.marks[n-1] = m
			continue
		}
		f.marks = append(f.marks, m)
	}
}

// columns turns the measured columns of lane i into those of a plot, in the Screen's buffer.
func (f *frame) columns(i int) []chart.Column {
	f.plot = f.plot[:0]
	for _, c := range f.values[i] {
		for range f.span.repeat {
			f.plot = append(f.plot, chart.Column{V: c.v, OK: c.ok, Dim: c.few})
		}
	}
	out := f.plot[min(f.span.over, len(f.plot)):]
	for _, m := range f.marks {
		if at := f.span.cell(m.column); at < len(out) {
			out[at].Marker = true
		}
	}
	f.haunt(out, i, bench.Lanes[i])
	f.point(out)
	return out
}

// lane is the plot of an effect lane.
func (f *frame) lane(i int) chart.Lane {
	m := bench.Lanes[i]
	l := chart.Lane{Columns: f.columns(i), Width: f.Chart - f.ahead, Rows: f.Lane, Scale: f.scale(m), Mode: f.st.Graph, Ink: style.Lane(m), Millis: m.Unit() == "ms"}
	t, ok := f.threshold(m)
	if !ok {
		return l
	}
	l.Threshold, l.HasThreshold, l.Floor = t.Limit, true, t.Floor
	if t.Quota() {
		// A quota is head room, not a promise: being near it breaks nothing.
		return l
	}
	for k := range l.Columns {
		c := &l.Columns[k]
		c.Breached = c.OK && t.Broken(c.V)
		if len(f.promised[i]) > 0 {
			// Another percentile is plotted than was promised; whether the promise is kept is seen all the same.
			p := f.promised[i][(k+min(f.span.over, f.span.count*f.span.repeat))/f.span.repeat]
			c.Breached = c.OK && p.ok && t.Broken(p.v)
			c.Whole = c.Breached && !t.Broken(c.V)
		}
	}
	return l
}

// point marks the column under the time cursor.
func (f *frame) point(columns []chart.Column) {
	if !f.cursor.ok {
		return
	}
	if i := f.span.cell(f.cursor.column); i < len(columns) {
		columns[i].Cursor = true
	}
}

// cause is the plot of the LOAD lane: what was set, with the load's number behind each marker, and what a profile will set. Loads of the two modes
// have a scale each.
func (f *frame) cause() chart.Lane {
	f.plot = f.plot[:0]
	buckets, tops := f.s.Buckets, f.tops()
	k := 0
	for i := range f.span.count {
		from := f.span.start(i)
		for k < len(buckets) && buckets[k].End() <= from {
			k++
		}
		c := chart.Column{}
		if from >= 0 && k < len(buckets) && buckets[k].Start < from+f.span.width {
			last := k
			for last+1 < len(buckets) && buckets[last+1].Start < from+f.span.width {
				last++
			}
			set := buckets[last].Target
			c = chart.Column{V: set.N / tops[set.Mode&1], OK: true, Dim: buckets[last].Active == 0 || set.Mode != f.s.Target.Mode}
		}
		for range f.span.repeat {
			f.plot = append(f.plot, c)
		}
	}
	out := f.plot[min(f.span.over, len(f.plot)):]
	for _, m := range f.marks {
		if i := f.span.cell(m.column); i < len(out) {
			out[i].Marker, out[i].Label = true, m.label
		}
	}
	f.markNotes(out)
	f.labelStart(out)
	f.point(out)
	out = f.planAhead(out, tops)
	return chart.Lane{Columns: out, Width: f.Chart, Rows: f.Cause, Scale: chart.Scale{Ceil: 1}, Mode: f.st.Graph, Ink: style.LaneLoad}
}

// tops are the ends of the LOAD lane's scales, by mode: for requests in flight that of the bar, for rates a round one above the greatest.
func (f *frame) tops() [2]float64 {
	var most [2]float64
	see := func(s bench.Setpoint) {
		if s.N < 1e12 {
			most[s.Mode&1] = max(most[s.Mode&1], s.N)
		}
	}
	see(f.s.Target)
	see(f.live.Target)
	for _, l := range f.s.Levels {
		see(l.Load)
	}
	out := [2]float64{scaleEnd(most[bench.Closed]), roundUp(1.1 * most[bench.Open])}
	if p := planned(f.live); p != nil {
		m := p.Profile.Mode & 1
		if peak := p.Profile.Most(); m == bench.Open {
			out[m] = max(out[m], roundUp(peak))
		} else {
			for out[m] < peak && out[m] < 1e12 {
				out[m] *= 2
			}
		}
	}
	out[bench.Closed] = min(out[bench.Closed], max(float64(f.s.Run.Max), most[bench.Closed], 1))
	return out
}

// scaleEnd is the power of two, from 16, with room for the next doubling.
func scaleEnd(most float64) float64 {
	end := 16.0
	for end < 2*most && end < 1e12 {
		end *= 2
	}
	return end
}

// causeLabel writes the ends of the LOAD lane's scale.
func (f *frame) causeLabel(r *style.Row, lane *chart.Lane, y int) {
	text := ""
	switch {
	case y == 0:
		text = chart.Tick(f.tops()[f.s.Target.Mode&1])
		if f.s.Target.Mode == bench.Open && len(text)+2 <= f.Label-r.Cells()-2 {
			text += "/s"
		}
	case y == lane.Rows-1:
		text = "0"
	}
	if len(text) > f.Label-r.Cells()-2 {
		// The labels in the lane name the loads.
		text = ""
	}
	r.Right(style.Dim, text, f.Label-r.Cells()-2).Blank(1).Put(style.Faint, f.g.AxisY)
}

// labelStart writes the load at the left edge, where no marker tells it.
func (f *frame) labelStart(columns []chart.Column) {
	for i, c := range columns {
		if c.OK {
			if !c.Marker && c.Label == "" && i+4 < len(columns) {
				columns[i].Label = f.loadAt(i)
			}
			return
		}
	}
}

// loadAt is the load that was set in a cell of the plot.
func (f *frame) loadAt(cell int) string {
	from := f.span.start((cell + f.span.over) / f.span.repeat)
	if b := within(f.s.Buckets, from, from+f.span.width); len(b) > 0 {
		return named(b[len(b)-1].Target)
	}
	return ""
}

// draw writes row y of a lane, and leaves what is to come empty.
func (f *frame) draw(r *style.Row, lane *chart.Lane, y int) {
	lane.Draw(r, y)
	r.Blank(f.Chart - lane.Width)
}

// axis is the time axis under the lanes.
func (f *frame) axis() chart.Axis {
	a := chart.Axis{Width: f.Chart, Window: f.span.shown(), Ahead: f.ahead, Edge: f.edgeWord()}
	for _, m := range f.marks {
		a.Marks = append(a.Marks, chart.AxisMark{Column: f.span.cell(m.column) / f.per, Kind: m.kind})
	}
	a.Marks = f.noteMarks(a.Marks)
	if f.cursor.ok {
		a.Cursor, a.Here = f.span.cell(f.cursor.column)/f.per, stamp(f.cursor.from)
	}
	if f.ahead > 0 {
		a.Future = time.Duration(f.ahead*f.per) * f.cellTime()
		a.Marks = f.marksAhead(a.Marks)
	}
	return a
}
