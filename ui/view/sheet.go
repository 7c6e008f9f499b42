package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// Sheet is the sheet of what sets the load by itself: a ramp to the redline, or a profile, and what may be typed in its place.
type Sheet struct {
	// Plan is the profile that was typed, Ramp the ramp that was, if either can be read. While nothing is typed Ramp is the one that is offered; nil where none
	// can be.
	Plan *bench.Profile
	Ramp *bench.Ramp
	// Typed tells that something was typed, Wrong why it cannot be begun as it stands; empty where it can.
	Typed bool
	Wrong string
}

// Rows that the sheet takes besides those of its stages: its heading, the worst case, the line that is typed and the problem with it.
const (
	sheetRows   = 4
	leastSheet  = sheetRows + 1
	stageCells  = 46
	leastSketch = 24
	mostStages  = 14
	sketchRows  = 5
)

// showsRamp tells whether the sheet tells of a ramp: one is typed, or nothing is and no profile has the load or waits for it.
func (f *frame) showsRamp() bool {
	if f.st.Sheet.Typed {
		return f.st.Sheet.Ramp != nil || f.st.Sheet.Wrong != "" && f.st.Sheet.Plan == nil && f.st.Entry != nil && f.st.Entry.Prompt == "ramp"
	}
	return planned(f.live) == nil && (f.st.Sheet.Ramp != nil || f.live.Ramping != nil && f.live.Ramping.Ramp != nil)
}

// sheet lays the sheet over the lower rows of the frame, all but the last. Where there is too little room for all, the line that is typed
// stays.
func (f *frame) sheet() {
	room := f.H - 1 - min(f.Head, 2)
	if room < 1 {
		return
	}
	if f.showsRamp() {
		f.rampSheet(room)
		return
	}
	problem := f.problemLines(max(room-1, 1))
	// A problem of several lines takes those of the last stages.
	spare := room - sheetRows + 1 - len(problem)
	stages := f.stages(min(mostStages, max(spare, 0)))
	n := len(stages)
	var lines []func(*style.Row)
	if spare >= leastSheet-sheetRows {
		lines = append(lines, f.sheetHead)
		// A sketch of a row or two would show nothing.
		if p, _ := f.plan(); p != nil && f.sketchCells() >= leastSketch {
			n = max(n, min(sketchRows, spare))
		}
		for i := range n {
			lines = append(lines, func(r *style.Row) { f.stageRow(r, stages, i, n) })
		}
	}
	if room >= 2+len(problem) {
		lines = append(lines, f.worst)
	}
	lines = append(lines, f.sheetEntry)
	if room >= 2 {
		for _, l := range problem {
			lines = append(lines, func(r *style.Row) { r.Blank(1).Cut(l.look, l.text, r.Left()-1) })
		}
	}
	f.overlay(lines)
}

// plan is the sheet's profile and where the run is in it.
func (f *frame) plan() (*bench.Profile, *bench.Following) {
	p := f.st.Sheet.Plan
	if at := planned(f.live); at != nil && !f.st.Sheet.Typed {
		return at.Profile, at
	}
	return p, nil
}

// sheetHead names the profile and how long it is.
func (f *frame) sheetHead(r *style.Row) {
	p, at := f.plan()
	if p == nil {
		f.sheetRule(r, "ramp or profile", "", nil)
		return
	}
	r.Glyph(style.Faint, f.g.Rule).Put(style.Accent, " profile ")
	parts := []part{{style.Dim, plural(len(p.Stages), "stage") + ", " + spanWords(p.Length())}}
	switch {
	case at != nil && at.Held:
		parts = append(parts, part{style.Warn, ", held by hand at " + stamp(at.At)})
	case at != nil:
		parts = append(parts, part{style.Accent2, ", " + stamp(at.At) + " in"})
	}
	end := f.W - f.width(parts) - 4
	if text := p.Text; !f.st.Sheet.Typed && text != "" {
		r.Cut(style.Strong, text, max(end-r.Cells()-2, 0)).Blank(1)
	}
	r.Repeat(style.Faint, f.g.Rule, end-r.Cells()).Blank(1)
	for _, p := range parts {
		r.Put(p.look, p.text)
	}
	r.Blank(1).Fill(style.Faint, f.g.Rule)
}

// stageLine is a line of the sheet.
type stageLine struct {
	number     int
	begin, end time.Duration
	load       string
	spike      bool
	// state is below 0 for what is past, 0 for the one in force, above for what is to come.
	state int
}

// stages are the profile's, at most so many: where there are more, the one in force with what comes next.
func (f *frame) stages(most int) []stageLine {
	p, at := f.plan()
	if p == nil {
		return nil
	}
	var out []stageLine
	begin := time.Duration(0)
	present := -1
	if at != nil {
		_, present, _ = p.At(at.At)
	}
	first := max(min(present-most/3, len(p.Stages)-most), 0)
	for i, s := range p.Stages {
		line := stageLine{number: i + 1, begin: begin, end: begin + s.Span, load: stageLoad(p.Mode, s), spike: s.Spike, state: 1}
		begin = line.end
		if at != nil {
			line.state = i - present
		}
		if i >= first && len(out) < most {
			out = append(out, line)
		}
	}
	return out
}

// stageRow is a stage in words, and a row of the sketch of the whole profile beside it.
func (f *frame) stageRow(r *style.Row, all []stageLine, i, rows int) {
	p, _ := f.plan()
	left := 0
	if len(all) > 0 {
		left = len(p.Stages) - all[len(all)-1].number
	}
	switch {
	case i >= len(all):
	case i == len(all)-1 && left > 0:
		r.Blank(4).Put(style.Dim, "and "+plural(left+1, "more stage")+", until "+stamp(p.Length()))
	default:
		f.stageWords(r, all[i])
	}
	if width := f.sketchCells(); width >= leastSketch {
		r.To(f.W - width - 10)
		f.sketch(r, width, rows, i)
	}
}

// sketchCells is the width of the sketch.
func (f *frame) sketchCells() int { return min(f.W-stageCells-16, 120) }

// stageWords is a stage in words; the one in force stands out.
func (f *frame) stageWords(r *style.Row, s stageLine) {
	look, sign := style.FG, " "
	switch {
	case s.state < 0:
		look = style.Faint
	case s.state == 0:
		look, sign = style.Strong, f.g.Select
	}
	r.Blank(1).Put(style.Accent, sign).Blank(1).Right(style.Dim, strconv.Itoa(s.number), 3).Blank(2).Cell(look, s.load, 18)
	f.stageTime(r, s)
}

// stageTime is how long a stage lasts and from when to when, as much of it as there is room for.
func (f *frame) stageTime(r *style.Row, s stageLine) {
	long := spanWords(s.end - s.begin)
	if s.spike {
		long = "spike, " + long
	}
	for _, text := range []string{long + ", " + stamp(s.begin) + " to " + stamp(s.end), long + ", to " + stamp(s.end), "to " + stamp(s.end)} {
		if f.st.Set.Width(text) < r.Left() {
			r.Put(style.Dim, text)
			return
		}
	}
}

// sketch is row y of a picture of the whole profile, what is past of it as it was planned too.
func (f *frame) sketch(r *style.Row, width, rows, y int) {
	p, at := f.plan()
	most, length := p.Most(), p.Length()
	text := ""
	switch y {
	case 0:
		text = named(bench.Setpoint{Mode: p.Mode, N: most})
	case rows - 1:
		text = "0"
	}
	r.Right(style.Dim, text, 7).Blank(1).Put(style.Faint, f.g.AxisY)
	f.plot = f.plot[:0]
	now := -1
	columns := width * f.st.Graph.PerCell(f.st.Set)
	if at != nil {
		now = int(float64(columns) * float64(at.At) / float64(max(length, 1)))
	}
	for i := range columns {
		n, _, _ := p.At(time.Duration(float64(length) * (float64(i) + 0.5) / float64(columns)))
		f.plot = append(f.plot, chart.Column{V: n, OK: true, Ahead: i > now, Marker: i == now})
	}
	lane := chart.Lane{Columns: f.plot, Width: width, Rows: rows, Scale: chart.Scale{Ceil: max(most, 1e-9)}, Mode: f.st.Graph, Ink: style.LaneLoad}
	lane.Draw(r, y)
}

// sheetEntry is the line that is typed. While nothing is, what would begin stands in it, dim.
func (f *frame) sheetEntry(r *style.Row) {
	e := f.st.Entry
	if e == nil {
		return
	}
	f.entry(r)
	offered := ""
	switch {
	case e.Text != "":
	case f.st.Course != nil && f.st.Course.Cruise != nil && onCruise(f.live) == nil:
		offered = f.st.Course.Cruise.Text(f.live.Target.Mode)
	case f.st.Sheet != nil && f.st.Sheet.Ramp != nil && f.showsRamp() && onRamp(f.live) == nil:
		offered = f.st.Sheet.Ramp.String()
	}
	if offered != "" {
		r.Put(style.Dim, " "+offered)
	}
}

// sheetHints are what may be typed, in ever fewer words.
var sheetHints = []string{
	"to the redline: 4..64 x2, 1..32 +4, 4,8,16,32, cap 30s, cap 200, past 429   profile: 4:1m, ramp 4..32 in 2m, spike 64 for 10s",
	"redline: 4..64 x2, +4, 4,8,16, cap 30s, cap 200   profile: 4:1m, ramp 4..32 in 2m",
	"4..64 x2 cap 30s, or a profile: 4:1m, ramp 4..32 in 2m", "4..64 x2, or 4:1m, ramp 4..32 in 2m"}

// mostProblem bounds the lines of a problem.
const mostProblem = 4

// problemLines are what is wrong with what was typed, whole, or what may be; one at least, and at most so many.
func (f *frame) problemLines(most int) []part {
	e := f.st.Entry
	if e == nil {
		return []part{{}}
	}
	problem, look := e.Problem, style.Bad
	if problem == "" && f.st.Sheet != nil {
		// It may only be that the rest is still to be typed.
		problem, look = f.st.Sheet.Wrong, style.Warn
	}
	if problem == "" {
		return []part{{style.Faint, f.longestHint(sheetHints)}}
	}
	var out []part
	for _, line := range f.wrapped(problem, max(f.W-2, 1)) {
		out = append(out, part{look, line})
	}
	return out[:max(min(len(out), most, mostProblem), 1)]
}

// longestHint is the first of several hints, the longest first, that there is room for, else the last.
func (f *frame) longestHint(all []string) string {
	for _, text := range all {
		if f.st.Set.Width(text) <= f.W-2 {
			return text
		}
	}
	return all[len(all)-1]
}

// wrapped is a text in lines of so many cells, broken between words.
func (f *frame) wrapped(text string, cells int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case f.st.Set.Width(*last)+1+f.st.Set.Width(word) <= cells:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// spanWords is the length of a plan: "45 s", "2 min", "1 min 30 s", "2 h 5 min".
func spanWords(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	h, m, s := int(d/time.Hour), int(d/time.Minute)%60, int(d/time.Second)%60
	switch {
	case h > 0 && m > 0:
		return strconv.Itoa(h) + " h " + strconv.Itoa(m) + " min"
	case h > 0:
		return strconv.Itoa(h) + " h"
	case m > 0 && s > 0:
		return strconv.Itoa(m) + " min " + strconv.Itoa(s) + " s"
	case m > 0:
		return strconv.Itoa(m) + " min"
	}
	return strconv.Itoa(s) + " s"
}
