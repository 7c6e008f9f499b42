package view

import (
	"math"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// hauntedBy is what the columns of an earlier run beside this one follow from.
type hauntedBy struct {
	gatheredBy
	past *bench.Snapshot
}

// gatherGhost brings them up to date.
func (f *frame) gatherGhost() {
	past := f.past()
	if past == nil || f.st.Aligned != ByTime {
		return
	}
	is := hauntedBy{f.gathered, past}
	if f.hauntedBy == is {
		return
	}
	f.hauntedBy = is
	for i, m := range bench.Lanes {
		f.haunted[i] = f.ghosts.values(past, m, f.percentile(m), f.span, f.haunted[i][:0])
	}
}

// haunt puts the ghost behind the columns of a lane: a level of this run behind those of the present one, an earlier run behind each.
func (f *frame) haunt(columns []chart.Column, i int, m bench.Metric) {
	switch {
	case f.past() == nil:
		if f.ghost() == nil {
			return
		}
		f.hauntFrom(columns, f.level, nil, f.ghostValue(f.ghost(), m))
	case f.st.Aligned == ByTime:
		for k := range columns {
			if at := (k + f.cellsOver()) / f.span.repeat; at < len(f.haunted[i]) {
				if c := f.haunted[i][at]; c.ok && c.v > 0 {
					columns[k].Ghost, columns[k].HasGhost = c.v, true
				}
			}
		}
	case f.st.Earlier.Only != nil:
		f.hauntFrom(columns, f.level, nil, f.ghostValue(f.st.Earlier.Only, m))
	default:
		levels := f.s.Levels
		for k, l := range levels {
			var next *bench.Level
			if k+1 < len(levels) {
				next = levels[k+1]
				if f.span.at(max(next.Begin, 0)) <= 0 {
					// It was over before what is in sight.
					continue
				}
			}
			f.hauntFrom(columns, l, next, f.ghostValue(f.like(l), m))
		}
	}
}

// hauntFrom puts one value behind the columns from one level on to the next.
func (f *frame) hauntFrom(columns []chart.Column, l, next *bench.Level, v bench.Value) {
	if l == nil || !v.OK {
		return
	}
	end := len(columns)
	if next != nil {
		end = min(end, f.span.cell(max(f.span.at(max(next.Begin, 0)), 0)))
	}
	for i := max(f.span.cell(max(f.span.at(max(l.Begin, 0)), 0)), 0); i < end; i++ {
		columns[i].Ghost, columns[i].HasGhost = v.V, true
	}
}

// cellsOver is how many columns of the plot are cut off at its old end.
func (f *frame) cellsOver() int { return min(f.span.over, f.span.count*f.span.repeat) }

// ghostValue is where a level lies in a lane as a ghost.
func (f *frame) ghostValue(l *bench.Level, m bench.Metric) bench.Value {
	if l == nil || l.Stats[m].Readiness == bench.Absent {
		return bench.Value{}
	}
	if v := l.Stats[m].At(f.percentile(m)); sound(v) && v.V > 0 {
		return v
	}
	return bench.Value{}
}

// ghostTop is the greatest value of a ghost in columns, but for one of more than a hundred; 0 without any.
func ghostTop(columns []chart.Column) float64 {
	top, second, n := 0.0, 0.0, 0
	for _, c := range columns {
		if !c.HasGhost || !(c.Ghost > 0) || c.Ghost > math.MaxFloat64/100 {
			continue
		}
		n++
		switch {
		case c.Ghost >= top:
			top, second = c.Ghost, top
		case c.Ghost > second:
			second = c.Ghost
		}
	}
	if n > 100 {
		return second
	}
	return top
}

// ghostly are the numbers of the level that is raced against, as they stand in the row below those of the present one; false without a race.
func (f *frame) ghostly(m bench.Metric) (figure, bool) {
	if !f.raced() {
		return figure{}, false
	}
	g := figure{Stat: &f.racer.Stats[m], millis: m.Unit() == "ms"}
	g.few = g.Readiness == bench.Few
	return g, g.Readiness != bench.Absent
}

// ghostRow writes the numbers of the earlier run under those of this one, in cells as wide as theirs; false without a race.
func (f *frame) ghostRow(r *style.Row, m bench.Metric) bool {
	if !f.raced() {
		return false
	}
	g, ok := f.ghostly(m)
	if f.Density < layout.Full {
		r.Right(style.Dim, "ghost", 6)
		if ok {
			f.ghostCells(r, m, g)
		}
		return true
	}
	r.Cell(style.Dim, "ghost", nowCells)
	if !ok {
		r.Put(style.Faint, "not measured")
		return true
	}
	if m == bench.RPM || m == bench.TPM {
		r.Put(style.Dim, g.text(g.Mean))
		if sound(g.Half) && sound(g.Mean) {
			r.Put(style.Faint, " ±"+spread(g.Half.V))
		}
		return true
	}
	widths := [3]int{statCells, keyCells, lastCells}
	for i, p := range keyed(m) {
		end := r.Cells() + widths[i]
		r.Put(style.Dim, slow(p, g, g.text(g.At(p))))
		if t, ok := f.threshold(m); ok && t.At == p && !t.Quota() {
			f.pastVerdict(r.Blank(1), t)
		}
		r.To(end)
	}
	return true
}

// keyed are the percentiles of the number columns.
func keyed(m bench.Metric) [3]bench.Percentile {
	if m == bench.TPS {
		return [3]bench.Percentile{bench.P50, bench.P5, bench.P1}
	}
	return [3]bench.Percentile{bench.P50, bench.P95, bench.P99}
}

// pastVerdict is whether the earlier run kept a promise of this one.
func (f *frame) pastVerdict(r *style.Row, t bench.Threshold) {
	switch v := t.Judge(&f.racer.Summary); {
	case !v.Known:
	case v.Broken:
		r.Put(style.Bad, f.g.Fail)
	default:
		r.Put(style.Good, f.g.OK)
	}
}

// ghostCompact writes them where a lane has but two rows, with Δ under the column of now; false without a race.
func (f *frame) ghostCompact(r *style.Row, m bench.Metric) bool {
	g, ok := f.ghostly(m)
	if !ok || f.Density != layout.Compact || f.Lane > 2 {
		return false
	}
	text, look := f.delta(m)
	if f.st.Set.Width(f.deltaSign()+text) <= 7 {
		text = f.deltaSign() + text
	}
	r.Right(look, text, 7)
	f.ghostCells(r, m, g)
	if text := "  ghost"; (m == bench.RPM || m == bench.TPM) && len(text) < r.Left() {
		r.Put(style.Faint, text)
	}
	return true
}

// ghostCells are the numbers in cells of seven.
func (f *frame) ghostCells(r *style.Row, m bench.Metric, g figure) {
	if m == bench.RPM || m == bench.TPM {
		text := g.text(g.Mean)
		if sound(g.Half) && sound(g.Mean) {
			text += "±" + spread(g.Half.V)
		}
		r.Blank(2).Put(style.Dim, text)
		return
	}
	for i, p := range keyed(m) {
		r.Right(style.Dim, slow(p, g, g.text(g.At(p))), 7)
		if i < 2 {
			r.Blank(1)
		}
	}
}
