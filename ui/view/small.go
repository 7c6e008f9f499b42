package view

import (
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// small draws Small: lanes of one row with now, the number that counts, and its target.
func (f *frame) small() {
	f.headLine()
	f.smallLoad()
	cause := f.cause()
	for i := range cause.Columns {
		// In one row a label would hide the bars; the axis has the marks.
		cause.Columns[i].Label = ""
	}
	r := f.smallStart(&cause, bench.NumMetrics, 0)
	if f.cursor.ok {
		f.cursorHead(r.Blank(1), r.Left()-1)
	} else {
		r.Right(style.Dim, "now", 7).Right(style.Dim, f.keyHeading(), 8).Blank(2).Put(style.Dim, f.targetHeading(r.Left()))
	}
	f.end()
	for i, m := range bench.Lanes {
		lane := f.lane(i)
		for k := range f.Lane {
			r := f.smallStart(&lane, m, k)
			switch {
			case f.cursor.ok && k == 0:
				f.cursorNumbers(r.Blank(1), m, 2, 13)
			case f.cursor.ok:
				f.cursorRemark(r.Blank(1), m, k)
			case k == 0:
				f.smallNumbers(r, m)
			case k == 1:
				f.compactRemark(r, m)
			}
			f.end()
		}
	}
	r = f.axisStart()
	f.axis().Cornered(r)
	f.smallAxis(r)
	f.end()
	f.errors()
	f.log(f.whyRow(f.Log))
	f.footer()
}

// smallAxis is what stands beside the axis: the window, and what is counted; or the level in which the time cursor stands.
func (f *frame) smallAxis(r *style.Row) {
	if f.cursor.ok {
		f.cursorLevel(r.Blank(1), r.Left()-1)
		return
	}
	window := " " + f.windowWord() + " window"
	if f.counted() && f.st.Set.Width(window+", "+f.counting().text) > r.Left() {
		// The axis beside it says what it is.
		window = strings.TrimSuffix(window, " window")
	}
	r.Put(style.Dim, window)
	if name := f.workName(f.s.Work); name != "" {
		r.Put(style.Dim, ", ").Cut(style.Accent2, name, r.Left()-1)
	} else if f.counted() {
		from := f.counting()
		if f.st.Set.Width(from.text)+2 > r.Left() {
			from = f.source()
			from.text = "by " + from.text
		}
		r.Put(style.Dim, ", ").Put(from.look, from.text)
	}
}

// smallStart begins a row of a lane up to the numbers; of no metric it is the LOAD lane.
func (f *frame) smallStart(lane *chart.Lane, m bench.Metric, y int) *style.Row {
	r, name := f.start(), "LOAD"
	if m < bench.NumMetrics {
		name = m.String()
		f.clickable(Hit{Spot: OnLane, Metric: m})
	}
	if f.pointed(r, m, y); y == 0 {
		r.Put(f.nameInk(m), name)
	}
	r.To(f.Label)
	f.draw(r, lane, y)
	return r.Put(style.Faint, f.g.Edge)
}

// keyHeading names what the column of key numbers holds for latencies: the promised percentile, whatever the lanes plot.
func (f *frame) keyHeading() string {
	if p := f.key(bench.TTFT); p == f.key(bench.ITL) {
		return p.String()
	}
	return "promised"
}

// targetHeading names the last column in so many cells: what is promised, or in a race Δ.
func (f *frame) targetHeading(cells int) string {
	if f.raced() {
		return f.deltaSign() + f.referenceWithin(cells-f.st.Set.Width(f.deltaSign()))
	}
	return "target"
}

// smallLoad is the load in words.
func (f *frame) smallLoad() {
	r := f.start().Put(style.Dim, " "+f.title()+" ").Put(f.bigInk(), named(f.live.Target))
	for _, p := range f.bounds() {
		r.Put(p.look, p.text)
	}
	right := f.promises(false)
	end := f.W - f.width(right) - 1
	for _, p := range f.loadWords(end-r.Cells()-2, 0) {
		r.Cut(p.look, p.text, end-r.Cells()-1)
	}
	if money := f.spend(false); f.width(right)+f.width(money) <= min(f.W-r.Cells()-3, 27) {
		right = append(right, money...)
	}
	f.rightAligned(r, right)
	f.end()
}

// bounds are what the load may be at most, and the step.
func (f *frame) bounds() []part {
	step := f.stepped()
	most, ok := Most(f.live)
	if !ok {
		return step
	}
	look, text := style.Dim, " of "+strings.TrimSuffix(named(most), "/s")
	if f.live.Target.N >= most.N && most.N > 0 {
		look = style.Warn
	}
	return append([]part{{look, text}}, step...)
}

// smallNumbers are now, the number that counts, its target and the verdict, in 27 cells.
func (f *frame) smallNumbers(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	r.Right(f.nowInk(), f.nowText(m), 7)
	f.keyNumber(r, m, g, 8)
	r.Blank(2)
	t, ok := f.threshold(m)
	switch {
	case f.raced():
		text, look := f.delta(m)
		r.Cell(look, text, 7)
		if ok && !t.Quota() {
			mark, look := f.verdict(m, g)
			r.Put(look, mark)
		}
	case ok && t.Quota():
		if text, look, ok := f.quotaUse(m, r.Left()); ok {
			r.Put(look, text)
		}
	case ok:
		r.Cell(style.Dim, bound(t), 6)
		mark, look := f.verdict(m, g)
		r.Put(look, mark)
	default:
		r.Put(style.Dim, laneUnit(m))
	}
}

// keyNumber is the number that a promise is about, right-aligned.
func (f *frame) keyNumber(r *style.Row, m bench.Metric, g figure, cells int) {
	p := f.key(m)
	text := slow(p, g, g.text(g.At(p)))
	look := style.FG
	if mark, bad := f.verdict(m, g); mark == f.g.Fail {
		look = bad
	}
	r.Right(g.ink(look), text, cells)
}
