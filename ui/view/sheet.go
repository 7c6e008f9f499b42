package view

import (
	"math"
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// Sheet is the profile sheet: what is planned, and what may be typed in its place.
type Sheet struct {
	// Plan is the profile that it tells of: what was typed if that can be read, else the one in force or the last one; nil for none.
	Plan *bench.Profile
	// Typed tells that Plan is none that is in force yet.
	Typed bool
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

// sheet lays the profile sheet over the lower rows of the frame, all but the last. Where there is too little room for all, the line that is typed
// stays.
func (f *frame) sheet() {
	room := f.H - 1 - min(f.Head, 2)
	if room < 1 {
		return
	}
	stages := f.stages(min(mostStages, max(room-sheetRows, 0)))
	n := len(stages)
	var lines []func(*style.Row)
	if room >= leastSheet {
		lines = append(lines, f.sheetHead)
		// A sketch of a row or two would show nothing.
		if p, _ := f.plan(); p != nil && f.sketchCells() >= leastSketch {
			n = max(n, min(sketchRows, room-sheetRows))
		}
		for i := range n {
			lines = append(lines, func(r *style.Row) { f.stageRow(r, stages, i, n) })
		}
	}
	if room >= 3 {
		lines = append(lines, f.worst)
	}
	lines = append(lines, f.sheetEntry)
	if room >= 2 {
		lines = append(lines, f.problem)
	}
	all := f.out
	foot := all[len(all)-1]
	first := max(len(all)-1-len(lines), 0)
	f.out = all[:first]
	for _, draw := range lines[:len(all)-1-first] {
		r := f.start()
		draw(r)
		f.end()
	}
	f.out = append(f.out, foot)
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
	r.Glyph(style.Faint, f.g.Rule).Put(style.Accent, " profile ")
	if p == nil {
		r.Fill(style.Faint, f.g.Rule)
		return
	}
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
	if at != nil {
		now = int(float64(width) * float64(at.At) / float64(max(length, 1)))
	}
	for i := range width {
		n, _, _ := p.At(time.Duration(float64(length) * (float64(i) + 0.5) / float64(width)))
		f.plot = append(f.plot, chart.Column{V: n, OK: true, Ahead: i > now, Marker: i == now})
	}
	lane := chart.Lane{Columns: f.plot, Width: width, Rows: rows, Scale: chart.Scale{Ceil: max(most, 1e-9)}, Ink: style.LaneLoad}
	lane.Draw(r, y)
}

// worst is the most that the profile may take: requests, tokens, cost.
func (f *frame) worst(r *style.Row) {
	p, at := f.plan()
	r.Blank(1)
	if p == nil {
		r.Put(style.Dim, "nothing is planned: type a profile, as in ").Put(style.FG, example(f.live.Target.Mode))
		return
	}
	title, from := "at most ", time.Duration(0)
	if at != nil {
		title, from = "still at most ", at.At
	}
	w := f.worstCase(p, from)
	parts := []ranked{{part{style.Dim, title}, 0}}
	if !w.known {
		parts = append(parts, ranked{part{style.FG, "as many requests as " + slots(p.Most()) + " slots take"}, 0}, ranked{part{style.Dim, ", known once answers have come"}, 1})
	} else {
		parts = append(parts, ranked{part{style.FG, "~" + chart.Num(bench.Some(w.requests)) + " requests"}, 0})
		if w.tokens > 0 {
			parts = append(parts, ranked{part{style.FG, " · " + chart.Num(bench.Some(w.tokens)) + " tokens"}, 2})
		}
		if w.cost > 0 {
			look := style.FG
			if sp := &f.live.Spend; sp.Budget > 0 && sound(sp.Cost) && sp.Cost.V+w.cost > sp.Budget {
				look = style.Warn
			}
			parts = append(parts, ranked{part{look, " · " + money(w.cost)}, 1})
		}
	}
	parts = append(parts, ranked{part{style.Dim, " · " + spanWords(p.Length()-from)}, 3})
	if most := float64(f.s.Run.Max); p.Mode == bench.Closed && p.Most() > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + slots(most)}, 0})
	} else if most := f.s.Run.MaxRate; p.Mode == bench.Open && most > 0 && p.Most() > most {
		parts = append(parts, ranked{part{style.Warn, " · over the bound of " + perSecond(most) + "/s"}, 0})
	}
	for _, p := range f.fitting(parts, r.Left()-1) {
		r.Put(p.look, p.text)
	}
}

// worstCase is what a profile may take at most.
type worstCase struct {
	known                  bool
	requests, tokens, cost float64
}

// worstCase is what a profile may take from an instant of it on: in the open loop its arrivals, in the closed loop as many requests as there is time for
// at the shortest stay in flight that a level has seen; answers as long as they may be.
func (f *frame) worstCase(p *bench.Profile, from time.Duration) worstCase {
	w := worstCase{requests: volume(p, from), known: true}
	if p.Mode == bench.Closed {
		stay := math.Inf(1)
		for _, l := range f.s.Levels {
			if sound(l.Residence) && l.Residence.V > 0 && l.Work == f.s.Work {
				stay = min(stay, l.Residence.V)
			}
		}
		w.requests /= stay
		w.known = !math.IsInf(stay, 1)
	}
	work := f.work()
	in := float64(work.InputTokens)
	if t := f.ofWork(); sound(t.PromptTokens) {
		in = max(in, t.PromptTokens.V)
	}
	w.tokens = w.requests * (in + float64(work.MaxTokens))
	w.cost = w.requests * (in*f.s.Run.Prices.Input + float64(work.MaxTokens)*f.s.Run.Prices.Output) / 1e6
	return w
}

// volume is the load summed over what is left of a profile (see Profile.Volume).
func volume(p *bench.Profile, from time.Duration) float64 {
	sum, begin := 0.0, time.Duration(0)
	for _, s := range p.Stages {
		if left := min(begin+s.Span-from, s.Span); left > 0 {
			n := s.From + (s.To-s.From)*(1-float64(left)/float64(s.Span))
			sum += (n + s.To) / 2 * left.Seconds()
		}
		begin += s.Span
	}
	return sum
}

// example is a profile of a mode.
func example(mode bench.Mode) string {
	if mode == bench.Open {
		return "ramp 0.5..8 in 2m, 8:1m"
	}
	return "ramp 1..64 in 2m, 64:1m"
}

// sheetEntry is the line into which another profile is typed.
func (f *frame) sheetEntry(r *style.Row) {
	if f.st.Entry != nil {
		f.entry(r)
	}
}

// problem is what is wrong with what was typed, or what may be.
func (f *frame) problem(r *style.Row) {
	r.Blank(1)
	switch e := f.st.Entry; {
	case e == nil:
	case e.Problem != "":
		r.Cut(style.Bad, e.Problem, r.Left()-1)
	default:
		r.Cut(style.Faint, "LOAD:SPAN, ramp FROM..TO in SPAN, spike LOAD for SPAN, x3 at the end repeats all", r.Left()-1)
	}
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
