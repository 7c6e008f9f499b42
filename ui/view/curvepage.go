package view

import (
	"slices"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// legendCells is the room right of the plots.
const (
	legendCells     = 48
	wideLegendCells = 56
)

// curvePage draws what came of each load: the plots with what follows from them, and the table of levels.
func (f *frame) curvePage(rows int) {
	f.measureLoads()
	switch {
	case rows < 1 || f.curveEmpty(rows):
	case f.Density >= layout.Full:
		f.curveFull(rows)
	case f.Density == layout.Compact:
		f.curveCompact(rows)
	case f.Density == layout.Small:
		f.curveSmall(rows)
	default:
		f.levelTable(rows)
	}
}

// curveFull has the legend at the right.
func (f *frame) curveFull(rows int) {
	n, legend := len(f.loads.all), legendCells
	if f.Density == layout.Wide {
		legend = wideLegendCells
	}
	table := min(n, max(rows/3, 4)) + 1
	// Beyond some height a plot says nothing more, and rows do.
	plots := rows - table - 3
	if most := 40; plots > most {
		table = min(n+1, table+plots-most)
		plots = rows - table - 3
	}
	upper := plots / 2
	f.plotLoads(f.W-legend-1, upper, plots-upper)
	lines := f.legend(legend - 3)
	y := 0
	for _, p := range []*chart.Panel{&f.loads.out, &f.loads.metric} {
		_, height := p.Size()
		for i := range height {
			r := f.start().Blank(1)
			p.Draw(r, i)
			if r.Blank(2); y < len(lines) {
				for _, part := range lines[y] {
					r.Put(part.look, part.text)
				}
			}
			f.end()
			y++
		}
	}
	f.start()
	f.end()
	f.levelTable(table)
}

// curveCompact has what follows from the levels in two lines below.
func (f *frame) curveCompact(rows int) {
	n := len(f.loads.all)
	table := min(n, max(rows/3, 3)) + 1
	plots := rows - table - 2 - 2
	upper := plots / 2
	f.plotLoads(f.W-2, upper, plots-upper)
	for _, p := range []*chart.Panel{&f.loads.out, &f.loads.metric} {
		_, height := p.Size()
		for i := range height {
			r := f.start().Blank(1)
			p.Draw(r, i)
			f.end()
		}
	}
	f.legendLine(f.answersInBrief())
	f.legendLine(f.comparedInBrief())
	f.levelTable(table)
}

// curveSmall has the two plots side by side.
func (f *frame) curveSmall(rows int) {
	n := len(f.loads.all)
	table := min(n, max(rows/3, 2)) + 1
	plot := rows - table - 1
	f.plotAbreast(f.W-2, plot-2)
	for i := range plot {
		r := f.start().Blank(1)
		f.loads.out.Draw(r, i)
		f.loads.metric.Draw(r, i)
		f.end()
	}
	f.legendLine(f.answersInBrief())
	f.levelTable(table)
}

// curveEmpty draws what is to do to get a curve, if there is no point of one yet, and the rows that there are.
func (f *frame) curveEmpty(rows int) bool {
	all := f.loads.all
	if len(all) > 0 && f.Density < layout.Small {
		return false
	}
	if slices.ContainsFunc(all, func(o standing) bool { return o.ripe(outRate(o.level), bench.TPS).OK }) {
		return false
	}
	var lines [][]part
	line := func(parts ...part) { lines = append(lines, parts) }
	line(part{style.Strong, "no settled level yet"})
	if now := f.settling(true); len(now) > 0 {
		line(now...)
	}
	line(part{style.Dim, "each load becomes a point, firm once it settles:"})
	if f.st.Replay == nil {
		line(part{style.Dim, "press "}, part{style.Strong, "+"}, part{style.Dim, ", wait for "}, part{style.Good, "ready"}, part{style.Dim, ", press "}, part{style.Strong, "+"}, part{style.Dim, " again"})
	}
	line(part{style.Dim, "four of them can show the knee"})
	line(part{style.Dim, "one that breaks a promise shows the limit"})
	if note := f.leftOut(); note != "" {
		line(part{style.Warn, note})
	}
	if rows > len(lines) {
		f.start()
		f.end()
	}
	for _, l := range lines {
		if rows--; rows >= 0 {
			f.legendLine(l)
		}
	}
	// A row between the two, and the heading.
	if rows -= 2; len(all) > 0 && rows > 1 {
		f.start()
		f.end()
		f.levelTable(min(len(all)+1, rows))
	}
	return true
}

// legendLine is a line of parts across the screen.
func (f *frame) legendLine(parts []part) {
	r := f.start().Blank(1)
	for _, p := range parts {
		r.Cut(p.look, p.text, r.Left()-1)
	}
	f.end()
}
