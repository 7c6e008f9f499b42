package view

import (
	"slices"
	"strconv"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// levelColumn is a column of the table of levels.
type levelColumn struct {
	name  string
	cells int
	// rank is its importance: the lower, the longer it stays.
	rank int
	cell func(f *frame, o *standing) (string, style.Token)
}

// verdictCells is the least room for the last column, whatever its words; up to a fourth of the screen they take what they need, at the cost of numbers.
const verdictCells = 12

// verdictRoom is the room for the last column.
func (f *frame) verdictRoom() int {
	room := verdictCells
	for i := range f.loads.all {
		room = max(room, min(f.width(f.verdictOf(&f.loads.all[i]))+2, f.W/4))
	}
	return room
}

// levelColumns are the columns, from the left.
func (f *frame) levelColumns() []levelColumn {
	out := []levelColumn{
		{f.loadUnitWord(), 6, 0, func(f *frame, o *standing) (string, style.Token) { return numberOf(o.load()), style.Strong }},
	}
	if f.revisited() {
		out = append(out, levelColumn{"visits", 8, 5, func(_ *frame, o *standing) (string, style.Token) {
			if len(o.past) == 0 {
				return "", style.Dim
			}
			return strconv.Itoa(len(o.past) + 1), style.Dim
		}})
	}
	out = append(out,
		levelColumn{"dwell", 8, 6, func(f *frame, o *standing) (string, style.Token) { return length(f.dwelt(o.level)), style.Dim }},
		levelColumn{"n", 7, 4, func(f *frame, o *standing) (string, style.Token) {
			n := o.level.Stats[bench.TTFT].N
			if text := count(n); f.st.Set.Width(text) < 7 {
				return text, style.FG
			}
			return amount(float64(n)), style.FG
		}},
		levelColumn{"out", 8, 1, func(f *frame, o *standing) (string, style.Token) {
			v := outRate(o.level)
			return about(v.OK && o.level.Stats[bench.TPS].Readiness != bench.Ready) + chart.Num(v), style.FG
		}},
		levelColumn{"/stream", 9, 7, stat(bench.TPS, bench.P50)},
	)
	out = append(out, f.latencyColumns()...)
	if f.priced() {
		out = append(out, levelColumn{"$/M out", 9, 5, func(f *frame, o *standing) (string, style.Token) { return f.perMillion(o.level), style.FG }})
	}
	return append(out,
		levelColumn{"err", 7, 3, func(f *frame, o *standing) (string, style.Token) {
			return portion(o.level.Counted.ErrorShare()), f.badIf(o.broken[bench.Errors])
		}},
		levelColumn{"goodput", 9, 5, func(f *frame, o *standing) (string, style.Token) { return f.goodputText(o.level), style.FG }})
}

// stat is the cell of a metric at a percentile.
func stat(m bench.Metric, p bench.Percentile) func(*frame, *standing) (string, style.Token) {
	return func(f *frame, o *standing) (string, style.Token) { return f.cameText(o, m, p) }
}

// latencyColumns are the usual latencies, as far as there is room for them, and among or behind them what is plotted, with what it was at the visit before.
func (f *frame) latencyColumns() []levelColumn {
	m, p := f.curveMetric()
	plotted := levelColumn{m.String() + " " + p.String(), 10, 0, stat(m, p)}
	usual := []levelColumn{plotted}
	if f.Density > layout.Small {
		// Where there is less room, there is room for what is plotted alone.
		usual = []levelColumn{
			{"TTFT p50", 10, 8, stat(bench.TTFT, bench.P50)},
			{"TTFT p95", 10, 1, stat(bench.TTFT, bench.P95)},
			{"ITL p95", 9, 2, stat(bench.ITL, bench.P95)},
		}
	}
	at := slices.IndexFunc(usual, func(c levelColumn) bool { return c.name == plotted.name })
	if at < 0 {
		at, usual = len(usual), append(usual, plotted)
	}
	usual[at].rank = 0
	if !f.revisited() {
		return usual
	}
	return slices.Insert(usual, at+1, levelColumn{"was", 8, 5, func(f *frame, o *standing) (string, style.Token) {
		if l := o.visitBefore(); l != nil {
			return f.inTable(m, came(l, m, p)), style.Dim
		}
		return "", style.Dim
	}})
}

// numberOf is a load without its unit, which the heading has.
func numberOf(s bench.Setpoint) string {
	if s.Mode == bench.Open {
		return perSecond(s.N)
	}
	return named(s)
}

// dwelt is how long a level's load was in force.
func (f *frame) dwelt(l *bench.Level) time.Duration {
	end := f.moment()
	if l.Ended.OK {
		end = l.Ended.At
	}
	return max(end-since(l), 0)
}

// goodputOf is the goodput of a level; absent where requests can not be held to every promise (see measured).
func (f *frame) goodputOf(l *bench.Level) bench.Value {
	bursty := l.Bursts.OK && l.Bursts.V > 0.5
	for _, t := range f.loads.promises {
		paced := t.Metric == bench.ITL || t.Metric == bench.TPS || t.Metric == bench.TPOT
		if !t.Quota() && t.Metric != bench.Errors && (paced && bursty || l.Stats[t.Metric].N == 0) {
			return bench.Value{}
		}
	}
	return l.Goodput
}

// goodputText is the same as it is said; what was reckoned from a draw of the requests says so.
func (f *frame) goodputText(l *bench.Level) string {
	v := f.goodputOf(l)
	if !sound(v) {
		return portion(v)
	}
	return reckoned(l.GoodputRough) + portion(v)
}

func (f *frame) badIf(bad bool) style.Token {
	if bad {
		return style.Bad
	}
	return style.FG
}

// cameText is a metric of a load, in the look of its promise.
func (f *frame) cameText(o *standing, m bench.Metric, p bench.Percentile) (string, style.Token) {
	v, bad := came(o.level, m, p), false
	for _, t := range f.loads.promises {
		// A value that keeps its promise is not the one that breaks it.
		bad = bad || t.Metric == m && t.At == p && o.broken[m] && v.OK && t.Broken(v.V)
	}
	text := f.inTable(m, v)
	if o.level.Stats[m].Readiness == bench.Few && v.OK {
		text = "~" + text
	}
	return text, f.badIf(bad)
}

func (f *frame) inTable(m bench.Metric, v bench.Value) string {
	if m.Unit() == "ms" {
		return chart.NumMillis(v)
	}
	return chart.Num(v)
}

// levelTable draws the levels, the highest load first, in so many rows, its heading among them.
func (f *frame) levelTable(rows int) {
	d := &f.loads
	d.visible = max(rows-1, 0)
	if rows < 1 {
		return
	}
	columns := f.fittingColumns(f.levelColumns(), f.W-2-f.verdictRoom())
	n := len(d.all)
	from := f.firstRow(n)
	r := f.start().Blank(1)
	for _, c := range columns {
		r.Right(style.Dim, c.name, c.cells)
	}
	r.Put(style.Dim, "  verdict")
	if d.visible < n {
		text := strconv.Itoa(from+1) + "–" + strconv.Itoa(min(from+d.visible, n)) + " of " + strconv.Itoa(n)
		f.rightAligned(r, []part{{style.Dim, text}})
	}
	f.end()
	for i := from; i < min(from+d.visible, n); i++ {
		o := &d.all[i]
		r := f.start()
		f.clickable(Hit{Spot: OnRow, Index: o.handle()})
		if i == d.chosen {
			r.All(style.Select).Glyph(style.Select, f.g.Select)
		} else {
			r.Blank(1)
		}
		for _, c := range columns {
			text, look := c.cell(f, o)
			if o.earlier {
				look = style.Dim
			}
			r.Right(look, text, c.cells)
		}
		r.Blank(2)
		for _, p := range f.shortened(f.verdictOf(o), r.Left()) {
			r.Put(p.look, p.text)
		}
		f.end()
	}
}

// firstRow is the first load that is shown: the chosen one, or else the present one, stays in the middle, so that a row which is added moves neither.
func (f *frame) firstRow(n int) int {
	d := &f.loads
	at := d.chosen
	if at < 0 {
		at = presentRow(d.all)
	}
	return max(min(at-d.visible/2, n-d.visible), 0)
}

// fittingColumns are those that there is room for, by importance, in their own order.
func (f *frame) fittingColumns(all []levelColumn, room int) []levelColumn {
	fits := make([]bool, len(all))
	for rank := range 10 {
		for i, c := range all {
			if c.rank == rank && c.cells <= room {
				fits[i] = true
				room -= c.cells
			}
		}
	}
	var out []levelColumn
	for i, c := range all {
		if fits[i] {
			out = append(out, c)
		}
	}
	return out
}

// visitBefore is the newest of the other visits of a load that can say anything of it; nil if there is none.
func (o *standing) visitBefore() *bench.Level {
	for _, l := range slices.Backward(o.past) {
		if !analysis.Touched(l) {
			return l
		}
	}
	return nil
}

// verdictOf is what is to say of a load: its promises, how firm it is, and what it is on the curve.
func (f *frame) verdictOf(o *standing) []part {
	out := f.standingWords(o)
	if o.earlier {
		out = append(out, part{style.Dim, " " + f.drawn().Past + " before " + f.noted(o.until)})
	}
	switch {
	case o.here:
		out = append(out, part{style.Strong, " " + f.drawn().Here + " here"})
	case o.again:
		out = append(out, part{style.Dim, " here again"})
	}
	if d := &f.loads; d.knee.X == o.load().N && d.knee.X > 0 && !o.earlier {
		out = append(out, part{style.Mark, " " + f.drawn().Marker + " knee"})
	}
	if n := f.redlineX(); n == o.load().N && n > 0 && !o.earlier {
		out = append(out, part{style.Accent2, " " + f.drawn().Redline + " redline"})
	}
	if f.loads.cheapest == o.level {
		out = append(out, part{style.Good, " cheapest"})
	}
	out = append(out, f.driftWords(o)...)
	if word := analysis.FirmnessOf(o.level).String(); word != "" {
		out = append(out, part{style.Dim, " " + f.drawn().Short + " " + word})
	}
	return out
}

// noted is a note as it is named.
func (f *frame) noted(text string) string {
	if text == "" {
		return "the note"
	}
	return `"` + text + `"`
}
