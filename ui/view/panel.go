package view

import (
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// panelRow is a row beside the expanded lane, with its importance: the lower the rank, the sooner it gets room.
type panelRow struct {
	rank int
	draw func(r *style.Row)
}

// leastForDigits is the least height of a panel with big digits.
const leastForDigits = 4

// panel are the rows beside the expanded lane, as many as it has: the value in big digits, and what belongs to it.
func (f *frame) panel(m bench.Metric) []panelRow {
	height := f.Lane
	if f.Density == layout.List {
		height = f.H - 1 - f.Errors - f.Log - f.Footer
	}
	if height < leastForDigits {
		return f.briefPanel(m)
	}
	var all []panelRow
	for y := range chart.BigRows {
		all = append(all, panelRow{0, func(r *style.Row) { f.bigValue(r, m, y) }})
	}
	if f.cursor.ok {
		all = append(all, f.cursorPanel(m)...)
	} else {
		all = append(all, f.numbersPanel(m)...)
	}
	for len(all) > height {
		worst := len(all) - 1
		for i, row := range all {
			if row.rank > all[worst].rank {
				worst = i
			}
		}
		all = append(all[:worst], all[worst+1:]...)
	}
	return all
}

// briefPanel is what Live has beside a lane, where there is no room for big digits.
func (f *frame) briefPanel(m bench.Metric) []panelRow {
	if f.cursor.ok {
		return []panelRow{{0, func(r *style.Row) { f.cursorNumbers(r, m, 2, f.beside(r)/2) }}, {0, func(r *style.Row) { f.cursorRemark(r, m, 1) }}}
	}
	return []panelRow{
		{0, func(r *style.Row) {
			r.Put(style.Dim, "now ").Put(f.nowInk(), f.nowText(m)).Put(style.Dim, " "+laneUnit(m)+"  "+f.key(m).String())
			f.keyNumber(r, m, f.figure(m), min(8, r.Left()))
		}},
		{0, func(r *style.Row) { f.promiseRow(r, m) }},
	}
}

// big takes a number apart: what big digits can show, and the sign and unit that they can not.
func big(text string) (sign, digits, unit string) {
	digits = strings.TrimLeft(text, "≈~≥")
	sign = text[:len(text)-len(digits)]
	short := strings.TrimRight(digits, "sMGT")
	return sign, short, digits[len(short):]
}

// bigValue is row y of the value in big digits: now, or what the time cursor reads. Its unit stands at their foot.
func (f *frame) bigValue(r *style.Row, m bench.Metric, y int) {
	text, look, of := f.nowText(m), style.Big, "now"
	if f.nowInk() == style.Faint {
		look = style.Faint
	}
	if f.cursor.ok {
		v := f.read(m, f.percentile(m))
		if text, of = v.text, "at "+stamp(f.cursor.from); m == bench.TTFT || m == bench.ITL {
			of = v.name + " " + of
		}
	}
	sign, digits, unit := big(text)
	chart.DrawBig(r, look, digits, y)
	r.Blank(2)
	foot := unitRow(f.g.ASCII)
	switch {
	case y == foot && unit == "s":
		r.Put(style.Dim, sign+"s")
	case y == foot:
		r.Put(style.Dim, sign+unit).Put(style.Dim, strings.TrimPrefix(" "+laneUnit(m), map[bool]string{true: " "}[sign+unit == ""]))
	case y == foot-1:
		r.Put(style.Dim, of)
	}
}

// numbersPanel are the numbers of the scope.
func (f *frame) numbersPanel(m bench.Metric) []panelRow {
	row := func(rank int, draw func(r *style.Row)) panelRow { return panelRow{rank, draw} }
	remark := func(rank, y int) panelRow { return row(rank, func(r *style.Row) { f.remark(r, m, y) }) }
	out := []panelRow{row(9, func(*style.Row) {})}
	if m == bench.RPM || m == bench.TPM {
		out = append(out, row(0, func(r *style.Row) { f.meanRow(r, m) }), remark(1, 1), remark(2, 2))
		if f.another4(m) {
			out = append(out, remark(5, 4))
		}
		if m == bench.RPM {
			out = append(out, remark(3, 3))
		}
		return append(out, row(4, func(r *style.Row) { f.sampleRow(r, m) }))
	}
	ps := []bench.Percentile{bench.P50, bench.P95, bench.P99, bench.Max, bench.Mean}
	if m == bench.TPS {
		ps = []bench.Percentile{bench.P50, bench.P5, bench.P1, bench.Mean}
	}
	out = append(out, row(5, f.tableHead))
	for i, p := range ps {
		rank := [...]int{1, 1, 2, 3, 6}[i]
		if p == f.key(m) {
			rank = 0
		}
		out = append(out, row(rank, func(r *style.Row) { f.tableRow(r, m, p) }))
	}
	out = append(out, row(2, func(r *style.Row) { f.sampleRow(r, m) }), row(1, func(r *style.Row) { f.promiseRow(r, m) }))
	if m == bench.TTFT && f.s.Target.Mode == bench.Open {
		out = append(out, row(2, func(r *style.Row) { f.fromSchedule(r, "") }))
	}
	if m == bench.TTFT {
		out = append(out, row(4, f.promptRow))
	} else {
		out = append(out, remark(4, 2))
	}
	if f.compares() {
		out = append(out, row(6, func(r *style.Row) { f.before(r, m) }))
	}
	if m == bench.TTFT {
		out = append(out, row(7, func(r *style.Row) {
			for _, p := range f.connections(f.beside(r)) {
				r.Put(p.look, p.text)
			}
		}))
	}
	return out
}

// another4 tells whether the metric has a fourth remark.
func (f *frame) another4(m bench.Metric) bool { return len(f.quotas(m)) > 0 }

// tableCells are the columns of the table of percentiles: their names, the value, the verdict, the reference's value, and Δ.
func (f *frame) tableCells() [5]int {
	if f.Density >= layout.Full {
		return [5]int{6, 8, 4, 10, 9}
	}
	if f.Density == layout.Compact {
		return [5]int{5, 7, 2, 7, 7}
	}
	return [5]int{4, 7, 2, 6, 7}
}

// tableHead names the columns.
func (f *frame) tableHead(r *style.Row) {
	c := f.tableCells()
	r.Blank(c[0]).Right(style.Dim, f.st.Scope.String(), c[1]).Blank(c[2])
	if f.compares() {
		r.Right(style.Dim, strings.TrimSpace(f.referenceWithin(c[3])), c[3]).Right(style.Dim, f.deltaSign(), c[4])
	}
}

// tableRow is one percentile, with its verdict, that of the reference, and how it moved.
func (f *frame) tableRow(r *style.Row, m bench.Metric, p bench.Percentile) {
	c, g := f.tableCells(), f.figure(m)
	look, mark, markLook := style.FG, "", style.FG
	if p == f.key(m) {
		look = style.Strong
	}
	if t, ok := f.threshold(m); ok && t.At == p {
		if mark, markLook = f.verdict(m, g); mark == f.g.Fail {
			look = style.Bad
		}
	}
	end := r.Cells() + c[0] + c[1] + c[2]
	r.Cell(style.Dim, p.String(), c[0]).Right(g.ink(look), slow(p, g, g.text(g.At(p))), c[1])
	if mark != "" && r.Cells()+f.st.Set.Width(mark)+1 <= end {
		r.Blank(1).Put(markLook, mark)
	}
	r.To(end)
	if !f.compares() {
		return
	}
	was := figure{Stat: &f.reference.Stats[m], millis: g.millis}
	was.few = was.Readiness == bench.Few
	if was.Readiness == bench.Absent {
		was.Stat = &empty
	}
	text, ink := f.deltaAt(m, p)
	r.Right(style.Dim, slow(p, was, was.text(was.At(p))), c[3]).Right(ink, text, c[4])
}

// promiseRow is the verdict with what it is held to.
func (f *frame) promiseRow(r *style.Row, m bench.Metric) {
	t, ok := f.threshold(m)
	switch {
	case ok && t.Quota():
		f.quota(r, m)
		return
	case !ok:
		r.Put(style.Faint, "no promise set")
		return
	}
	r.Put(style.Dim, "SLO "+t.At.String()+" "+inWords(t)).Blank(2)
	g := f.figure(m)
	switch mark, look := f.verdict(m, g); {
	case mark == f.g.Fail:
		r.Put(look, mark).Blank(1).Put(look, f.broken(m, g, f.beside(r)-1))
	case mark != "":
		r.Put(look, mark).Blank(1).Put(look, "kept")
	default:
		text := "not known yet"
		if f.st.Set.Width(text) > f.beside(r) {
			text = "not known"
		}
		r.Put(style.Faint, text)
	}
}

// meanRow is the mean of a rate with its interval, and how it moved.
func (f *frame) meanRow(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	r.Put(style.Dim, f.st.Scope.String()+" mean ").Put(g.ink(style.Strong), g.text(g.Mean))
	if sound(g.Half) && sound(g.Mean) && !g.grey {
		r.Put(style.Dim, " ±"+spread(g.Half.V))
	}
	if text, look := f.delta(m); text != "" && text != "–" && f.st.Set.Width(text)+4 <= f.beside(r) {
		r.Put(style.Dim, "  "+f.deltaSign()+" ").Put(look, text)
		r.Put(style.Dim, f.referenceWithin(f.beside(r)))
	}
}

// sampleRow is on how much the numbers rest, and how far they can be believed.
func (f *frame) sampleRow(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	r.Put(style.Dim, "n ").Put(style.FG, count(g.N))
	if text := " " + samples(m); f.Density >= layout.Full {
		r.Put(style.Dim, text)
	}
	st, young := f.young(m)
	switch {
	case g.grey:
		r.Put(style.Faint, ", of the level at "+f.levelName(g.from))
	case young:
		text := f.missing(m, st)
		if f.st.Set.Width(text)+2 > f.beside(r) && st.Need > 0 {
			text = count(st.Need) + " to go"
		}
		r.Put(style.Dim, ", ").Put(style.Accent2, text)
	case f.paceless(m):
		r.Put(style.Dim, ", ").Put(style.Warn, "one burst: no pace")
	case g.Readiness == bench.Few:
		r.Put(style.Dim, ", ").Put(style.Warn, "few samples")
	case g.Readiness == bench.Ready:
		r.Put(style.Dim, ", ").Put(style.Good, "ready")
		if f.level != nil && f.level.State == bench.Unsettled && f.st.Scope == Level {
			r.Put(style.Dim, ", ").Put(style.Warn, "level unsettled")
		}
	default:
		r.Put(style.Dim, ", ").Put(style.Faint, "not known yet")
	}
	if m == bench.ITL && f.counted() {
		from := f.counting()
		if f.st.Set.Width(from.text)+2 <= f.beside(r) {
			r.Put(style.Dim, ", ").Put(from.look, from.text)
		}
	}
}

// promptRow is how long the prompts are that the first tokens waited for.
func (f *frame) promptRow(r *style.Row) {
	in, _ := f.lengths()
	if in == "" {
		r.Put(style.Dim, "prompt –")
		return
	}
	parts := []ranked{{part{style.Dim, "prompt " + in + " tok"}, 0}}
	if asked, _, ok := f.askedLengths(); ok {
		parts = append(parts, ranked{part{style.Dim, ", asked " + asked}, 2})
	}
	if f.scope.Cached > 0 {
		parts = append(parts, ranked{part{style.Dim, ", cached " + amount(float64(f.scope.Cached)) + " in all"}, 1})
	}
	for _, p := range f.fitting(parts, f.beside(r)) {
		r.Put(p.look, p.text)
	}
}

// cursorPanel are the numbers of the cursor's column, one below the other.
func (f *frame) cursorPanel(m bench.Metric) []panelRow {
	out := []panelRow{{9, func(*style.Row) {}}}
	if m != bench.RPM && m != bench.TPM {
		for i, v := range f.readings(m, 3) {
			out = append(out, panelRow{1 + i, func(r *style.Row) {
				r.Cell(style.Dim, v.name, 6).Right(v.look, v.text, 8)
				if v.mark != "" {
					r.Blank(1).Put(v.markLook, v.mark)
				}
			}})
		}
	} else {
		out = append(out, panelRow{1, func(r *style.Row) { f.cursorNumbers(r, m, 3, 10) }})
	}
	return append(out, panelRow{2, func(r *style.Row) { f.cursorRemark(r, m, 1) }}, panelRow{3, func(r *style.Row) { f.cursorRemark(r, m, 2) }})
}
