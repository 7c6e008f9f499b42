package view

import (
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
)

// mostTrials bounds the rows of the table of trials.
const mostTrials = 16

// ranking is a line of a sheet with its importance: the lower the rank, the sooner it gets room.
type ranking struct {
	rank int
	draw func(*style.Row)
}

// rampSheet lays the sheet of the ramp over the lower rows of the frame: what it will do and may take, or how far it has come. The line that is typed stays in any case,
// then what is wrong with it.
func (f *frame) rampSheet(room int) {
	problem := f.problemLines(max(room-1, 1))
	lines := []ranking{{1, f.rampHead}}
	tells := f.live.Ramping
	if f.st.Sheet.Typed || tells == nil || tells.Ramp == nil {
		lines = append(lines, f.rampTerms()...)
	} else {
		lines = append(lines, f.trialLines(tells, room-1-len(problem)-3)...)
	}
	if r := f.st.Sheet.Ramp; r != nil && onRamp(f.live) == nil {
		lines = append(lines, ranking{0, f.rampWorst})
	}
	f.stack(room, lines, problem)
}

// stack lays lines over the frame, the least important left out, with the line that is typed and the problem with it below.
func (f *frame) stack(room int, lines []ranking, problem []part) {
	for n := room - 1 - len(problem); len(lines) > max(n, 0); {
		last := 0
		for i := range lines {
			if lines[i].rank >= lines[last].rank {
				last = i
			}
		}
		lines = slices.Delete(lines, last, last+1)
	}
	var out []func(*style.Row)
	for _, l := range lines {
		out = append(out, l.draw)
	}
	out = append(out, f.sheetEntry)
	if room >= 2 {
		for _, l := range problem {
			out = append(out, func(r *style.Row) { r.Blank(1).Cut(l.look, l.text, r.Left()-1) })
		}
	}
	f.overlay(out)
}

// sheetRule is the heading of a sheet: its name, what is in it, and words at its right end.
func (f *frame) sheetRule(r *style.Row, name, text string, right []part) {
	r.Glyph(style.Faint, f.g.Rule).Put(style.Accent, " "+name+" ")
	end := f.W - f.width(right) - 4
	if text != "" {
		r.Cut(style.Strong, text, max(end-r.Cells()-2, 0)).Blank(1)
	}
	if len(right) > 0 && end > r.Cells() {
		r.Repeat(style.Faint, f.g.Rule, end-r.Cells()).Blank(1)
		for _, p := range right {
			r.Put(p.look, p.text)
		}
		r.Blank(1)
	}
	r.Fill(style.Faint, f.g.Rule)
}

// rampHead names the ramp, and what it has come to and taken.
func (f *frame) rampHead(r *style.Row) {
	tells := f.live.Ramping
	if f.st.Sheet.Typed || tells == nil || tells.Ramp == nil {
		text := ""
		if f.st.Sheet.Ramp != nil {
			text = f.st.Sheet.Ramp.String()
		}
		f.sheetRule(r, "ramp to the redline", text, nil)
		return
	}
	end := f.live.At
	look := style.Accent2
	if tells.Phase.Over() {
		if look = style.Strong; tells.Ended.OK {
			end = tells.Ended.At
		}
	}
	all := []group{{0, []part{{look, tells.Phase.String()}}}, {2, []part{{style.Dim, ", " + spanWords(end-tells.Began)}}}}
	if tells.Requests > 0 {
		all = append(all, group{1, []part{{style.Dim, " · "}, {style.FG, amount(float64(tells.Requests)) + " requests"}}})
	}
	if tells.Tokens > 0 {
		all = append(all, group{3, []part{{style.Dim, " · "}, {style.FG, amount(float64(tells.Tokens)) + " tokens"}}})
	}
	if sound(tells.Cost) && tells.Cost.V > 0 {
		all = append(all, group{2, []part{{style.Dim, " · "}, {style.FG, money(tells.Cost.V)}}})
	}
	name := "ramp to the redline"
	if f.W < 80 {
		name = "ramp"
	}
	f.sheetRule(r, name, tells.Ramp.String(), f.groups(all, f.W-len(name)-f.st.Set.Width(tells.Ramp.String())-10))
}

// rampTerms are what the ramp that is typed, or offered, will do.
func (f *frame) rampTerms() []ranking {
	r := f.st.Sheet.Ramp
	if r == nil {
		return nil
	}
	look, most := style.FG, ""
	if bound, ok := MostOf(f.s.Run, r.Mode); ok && r.Most > bound.N {
		look, most = style.Warn, " over the bound of "+f.loadText(bound)
	}
	out := []ranking{
		f.term(3, "load", part{style.Strong, f.stepsText(r)}, part{look, most}, part{style.Dim, ", until a promise breaks"}, part{style.Dim, "; then halved back to the greatest that keeps all"}),
		f.term(4, "a step", part{style.FG, "until its verdict is sure"}, part{style.Dim, ", at most " + spanWords(r.Cap) + " or " + count(r.CapRequests) + " requests"}, part{style.Dim, " once settled"}, pastWords(r)),
	}
	if parts := f.heldPromises(); parts != nil {
		out = append(out, f.term(2, "promises", parts...))
	} else {
		out = append(out, f.term(2, "promises", part{style.Warn, f.noPromise()}))
	}
	if why := f.waits(); why != "" {
		out = append(out, f.term(2, "now", part{style.Warn, why}))
	} else if onCruise(f.live) != nil {
		out = append(out, f.term(2, "now", part{style.Warn, "a cruise has the load; the ramp ends it"}))
	}
	return out
}

// term is a line of a sheet: a name, and what belongs to it. Of several parts those go from the end that there is no room for; the first stays, if need be cut.
func (f *frame) term(rank int, name string, parts ...part) ranking {
	return ranking{rank, func(r *style.Row) {
		r.Blank(1).Cell(style.Dim, name, 10)
		for i, p := range parts {
			if i > 0 && f.st.Set.Width(p.text) >= r.Left() {
				return
			}
			r.Cut(p.look, p.text, r.Left()-1)
		}
	}}
}

// pastWords are what limited requests do to a ramp.
func pastWords(r *bench.Ramp) part {
	if r.PastLimits {
		return part{style.Warn, "; a 429 does not stop it"}
	}
	return part{style.Dim, "; a 429 stops it (past 429 goes on)"}
}

// loadText is a load with what it counts where that is not plain: "64 in flight", "20/s".
func (f *frame) loadText(s bench.Setpoint) string {
	if s.Mode == bench.Open {
		return named(s)
	}
	return named(s) + " in flight"
}

// stepsText are the loads of a ramp, those in the middle left out where there are many: "8 → 16 → 32 in flight".
func (f *frame) stepsText(r *bench.Ramp) string {
	all := r.Steps()
	var words []string
	for i, n := range all {
		if len(all) > 9 && i >= 5 && i < len(all)-2 {
			if i == 5 {
				words = append(words, "…")
			}
			continue
		}
		if r.Mode == bench.Open {
			words = append(words, perSecond(n))
		} else {
			words = append(words, slots(n))
		}
	}
	if r.Mode == bench.Open {
		return strings.Join(words, " → ") + " a second"
	}
	return strings.Join(words, " → ") + " in flight"
}

// heldPromises are the promises that a ramp holds loads to; nil where there are none.
func (f *frame) heldPromises() []part {
	var out []part
	for _, t := range f.live.Run.Thresholds {
		if t.Quota() {
			continue
		}
		text := subject(t) + " " + limitText(t)
		if len(out) > 0 {
			text = " · " + text
		}
		out = append(out, part{style.FG, text})
	}
	return out
}

// noPromise says that there is nothing to hold a load to, and how there would be.
func (f *frame) noPromise() string {
	return "none is set: esc, then " + f.st.Keys.Key(action.Threshold) + " sets one, as in ttft.p95<=500ms"
}

// trialLines is the table of what was tried, the newest first, in at most so many rows.
func (f *frame) trialLines(r *bench.Ramping, rows int) []ranking {
	trials := slices.Clone(r.Trials)
	if r.Now.Load.N > 0 && !r.Phase.Over() {
		trials = append(trials, r.Now)
	}
	slices.Reverse(trials)
	var out []ranking
	if text := RedlineWords(r); text != "" {
		out = append(out, ranking{1, func(row *style.Row) { row.Blank(1).Cut(style.Strong, text, row.Left()-1) }})
	}
	if len(trials) == 0 {
		return append(out, ranking{2, func(row *style.Row) { row.Blank(1).Put(style.Dim, "nothing is decided yet") }})
	}
	out = append(out, ranking{3, f.trialHead})
	for i, t := range trials[:min(len(trials), mostTrials, max(rows-len(out), 1))] {
		out = append(out, ranking{2 + 2*min(i, 1), func(row *style.Row) { f.trialRow(row, &t) }})
	}
	return out
}

// Columns of the table of trials: those that a narrow screen has no room for are left out.
const (
	trialLoad    = 8
	trialVerdict = 14
	trialCount   = 7
	trialPromise = 27
	trialShare   = 21
	trialTook    = 8
)

// trialWide tells how much of the table there is room for: the counts, the shares, what else there is.
func (f *frame) trialWide() (counts, shares, all bool) {
	need := 1 + trialLoad + 2 + trialVerdict + trialPromise
	return f.W >= need+trialCount, f.W >= need+trialCount+trialShare, f.W >= need+2*trialCount+trialShare+trialTook
}

func (f *frame) trialHead(r *style.Row) {
	counts, shares, all := f.trialWide()
	r.Blank(1).Right(style.Dim, "load", trialLoad).Blank(2).Cell(style.Dim, "verdict", trialVerdict)
	if counts {
		r.Right(style.Dim, "n", trialCount-2).Blank(2)
	}
	if all {
		r.Right(style.Dim, "worth", trialCount-2).Blank(2)
	}
	r.Cell(style.Dim, "nearest promise", min(trialPromise, r.Left()))
	if shares {
		r.Cell(style.Dim, "over it", trialShare)
	}
	if all {
		r.Right(style.Dim, "took", trialTook)
	}
}

// trialRow is a load that was tried, or is: its verdict and what that rests on.
func (f *frame) trialRow(r *style.Row, t *bench.Trial) {
	counts, shares, all := f.trialWide()
	verdict, look := f.trialVerdict(t)
	r.Blank(1).Right(style.Strong, named(t.Load), trialLoad).Blank(2).Cell(look, verdict, trialVerdict-1).Blank(1)
	if counts {
		r.Right(style.FG, count(t.N), trialCount-2).Blank(2)
	}
	if all {
		worth := chart.Absent
		if t.Worth > 0 {
			worth = strconv.FormatFloat(t.Worth, 'f', 0, 64)
		}
		r.Right(style.Dim, worth, trialCount-2).Blank(2)
	}
	text := chart.Absent
	if t.Binding.Limit > 0 && sound(t.Value) {
		text = subject(t.Binding) + " " + valueText(t.Binding, t.Value) + " of " + limitText(t.Binding)
	} else if t.Binding.Limit > 0 && t.Holds == bench.Broke {
		text = subject(t.Binding) + " " + limitText(t.Binding)
	}
	r.Cell(style.FG, text, min(trialPromise, r.Left()))
	if shares {
		r.Cell(style.FG, shareText(t), trialShare)
	}
	if all {
		took := f.live.At - t.Begin
		if t.End.OK {
			took = t.End.At - t.Begin
		}
		r.Right(style.Dim, length(took), trialTook)
	}
}

// trialVerdict is what a trial says, with a sign.
func (f *frame) trialVerdict(t *bench.Trial) (string, style.Token) {
	rough := ""
	if t.Rough {
		rough = "~"
	}
	switch {
	case t.Holds == bench.Kept && t.Brief:
		return f.g.OK + " " + rough + "kept, brief", style.Good
	case t.Holds == bench.Kept:
		return f.g.OK + " " + rough + "kept", style.Good
	case t.Holds == bench.Broke && strings.HasPrefix(t.Why, "client"):
		// It says nothing of the server, whether once or twice.
		return f.g.Warn + " client busy", style.Warn
	case t.Holds == bench.Broke && t.Why != "":
		return f.g.Fail + " " + t.Why, style.Bad
	case t.Holds == bench.Broke:
		return f.g.Fail + " " + rough + "broke", style.Bad
	case t.Need > 0:
		return "~" + count(t.Need) + " to go", style.Accent2
	}
	return "now", style.Accent2
}

// shareText is the share of requests that broke the promise, and its interval: "2.1% (0.4 to 4.6)".
func shareText(t *bench.Trial) string {
	if t.N == 0 {
		return chart.Absent
	}
	if !sound(t.Low) || !sound(t.High) {
		return chart.Absent // no single request keeps it or breaks it
	}
	end := func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }
	return portion(bench.Some(100*float64(t.Over)/float64(t.N))) + " (" + end(t.Low.V) + " to " + end(t.High.V) + ")"
}

// rampEvent is what becomes of a ramp, for the log: N is its phase.
func (f *frame) rampEvent(e *bench.Event, l *line) {
	phase := bench.RampPhase(min(max(e.N, 0), int(bench.RampLeft)))
	l.glyph, l.look = f.g.Select, style.Accent2
	switch phase {
	case bench.RampFound, bench.RampOpen:
		l.glyph, l.look = f.g.OK, style.Good
	case bench.RampNone:
		l.glyph, l.look = f.g.Fail, style.Bad
	case bench.RampLeft:
		l.glyph, l.look = f.g.Here, style.Mark
	}
	if r := f.s.Ramping; phase.Over() && r != nil && r.Ended.OK && r.Ended.At == e.At {
		l.text = strings.TrimPrefix(RedlineWords(r), "ramp ")
		return
	}
	l.text = strings.TrimPrefix(e.Text, "ramp ")
	if l.text == "" {
		if l.text = phase.String(); e.To.N > 0 {
			l.text += " " + named(e.To)
		}
	}
}
