package view

import (
	"strconv"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// whyLog is how many rows the log must have to give one for good to the line that says why; a shorter one gives it while there is an alarm.
const whyLog = 3

// whyRow draws the line that says why the numbers are no better, where there is room for it above a log of so many rows, and tells how many rows the log
// has left. The line stays where it is, whatever it says.
func (f *frame) whyRow(log int) int {
	d := f.diagnosis()
	first := d.First()
	switch {
	case log < 1, log < whyLog && (first == nil || first.Grade != analysis.Alarm):
		return log
	case d == nil:
		f.start()
		f.end()
		return log - 1
	}
	r := f.start()
	label := "WHY"
	if f.Density >= layout.Full {
		label = "WHY   "
	}
	r.Blank(1).Put(style.Strong, label).Blank(1)
	more := f.whyMore(d)
	room := r.Left() - 1
	if w := f.width(more) + 2; w < room/2 {
		room -= w
	} else {
		more = nil
	}
	f.why(r, d, room)
	if more != nil {
		begin := f.W - f.width(more) - 1
		r.To(begin)
		f.clickableCells(Hit{Spot: OnAction, Action: action.ShowDiagnosis}, begin, f.W-1)
		for _, p := range more {
			r.Put(p.look, p.text)
		}
	}
	f.end()
	return log - 1
}

// whyMore is the key to the page, and how many causes more it has.
func (f *frame) whyMore(d *analysis.Diagnosis) []part {
	var out []part
	n := len(d.Found)
	if !d.Unexplained() {
		n--
	}
	if n > 0 {
		out = append(out, part{style.Dim, "+" + strconv.Itoa(n) + "  "})
	}
	return append(out, part{style.Strong, f.st.Keys.Key(action.ShowDiagnosis)}, part{style.Dim, " diagnosis"})
}

// why writes the first cause with what was seen of it, as much as there is room for; or what is missing, that what was found does not explain what is broken, or that
// nothing stands out.
func (f *frame) why(r *style.Row, d *analysis.Diagnosis, room int) {
	first := d.First()
	switch {
	case d.Unexplained():
		r.Cut(style.FG, d.Verdict(), room)
		return
	case first == nil:
		r.Cut(style.Dim, d.Verdict(), room)
		return
	}
	look := style.FG
	if first.Grade == analysis.Remark {
		look = style.Dim
	}
	end := r.Cells() + room
	r.Cut(gradeLook(first.Grade), first.Cause.String(), room)
	gap := ": "
	for i, saw := range first.Saw {
		if i > 0 && f.st.Set.Width(gap+saw) > end-r.Cells() {
			break
		}
		r.Cut(look, gap+saw, end-r.Cells())
		gap = "; "
	}
}

// gradeLook is the look of a cause's name; the word beside it says the same.
func gradeLook(g analysis.Grade) style.Token {
	switch g {
	case analysis.Alarm:
		return style.Warn
	case analysis.Limits:
		return style.Accent
	}
	return style.Dim
}

// reasoned is the diagnosis of one second, in one state of the run.
type reasoned struct {
	fold  fold
	state bench.RunState
	is    *analysis.Diagnosis
}

// diagnosis is why the numbers of the present level are no better: as the program has followed it, or else as this snapshot alone tells it.
func (f *frame) diagnosis() *analysis.Diagnosis {
	if f.st.Why != nil || f.level == nil {
		return f.st.Why
	}
	if is := foldOf(f.s); f.reasoned.is == nil || f.reasoned.fold != is || f.reasoned.state != f.s.State {
		f.reasoned = reasoned{is, f.s.State, analysis.Diagnose(f.s)}
	}
	return f.reasoned.is
}
