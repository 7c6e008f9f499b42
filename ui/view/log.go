package view

import (
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// line is an event as the log shows it.
type line struct {
	glyph string
	look  style.Token
	word  string
	text  string
}

// log draws the newest events, newest first, in so many rows.
func (f *frame) log(rows int) {
	n := 0
	for i := len(f.s.Events) - 1; i >= 0 && n < rows; i-- {
		e := &f.s.Events[i]
		l, ok := f.event(e)
		if !ok {
			continue
		}
		r := f.start().Blank(1).Put(style.Dim, stamp(e.At)).Blank(1)
		if f.Density >= layout.Full {
			r.Blank(1)
		}
		r.Put(l.look, l.glyph).Blank(1)
		if f.Density > layout.Small {
			// A class of failure that is longer takes the room that it needs.
			r.Cell(style.Dim, l.word, max(7, f.st.Set.Width(l.word))).Blank(1)
		}
		r.Cut(style.FG, l.text, r.Left()-1)
		f.end()
		n++
	}
	for ; n < rows; n++ {
		// Only where nothing else would stand is there room to explain.
		if n == rows-1 && f.st.View == action.Live && f.Density >= layout.Small && f.welcome() {
			continue
		}
		f.start()
		f.end()
	}
}

// newest is the last event worth a line.
func (f *frame) newest() (*bench.Event, line, bool) {
	for i := len(f.s.Events) - 1; i >= 0; i-- {
		if l, ok := f.event(&f.s.Events[i]); ok {
			return &f.s.Events[i], l, true
		}
	}
	return nil, line{}, false
}

// told tells whether other lines tell of the event already: a level that began for another reason than the load has a line of its own.
func told(e *bench.Event) bool {
	switch e.Kind {
	case bench.EventOpen, bench.EventReach, bench.EventAsk:
		return true
	case bench.EventAnswer:
		return e.Text == ""
	case bench.EventCommit:
		if e.From.Mode != e.To.Mode {
			return true
		}
		return e.Cause != bench.CauseLoad && e.Cause != bench.CauseProfile || e.From == e.To
	}
	return false
}

// event puts an event into words; false for what other lines tell already.
func (f *frame) event(e *bench.Event) (line, bool) {
	if told(e) {
		return line{}, false
	}
	if f.st.Private && f.foreign(e) {
		without := *e
		without.Text = ""
		e = &without
	}
	g := f.g
	l := line{g.Event, style.Dim, e.Kind.String(), e.Text}
	say := func(glyph string, look style.Token, what string) {
		l.glyph, l.look, l.text = glyph, look, what
		if e.Text != "" {
			l.text += ": " + e.Text
		}
	}
	switch e.Kind {
	case bench.EventStart:
		if e.Text == "" {
			l.text = titled(e.To)
			if e.N > 0 {
				l.text += ", warm-up " + plural(e.N, "request")
			}
		}
	case bench.EventCommit:
		f.moved(e, &l)
	case bench.EventNote:
		l.glyph, l.look, l.text = g.Note, style.Mark, "“"+e.Text+"”"
	case bench.EventAnnotation:
		l.glyph, l.look, l.text = g.Annotation, style.Accent2, "“"+e.Text+"”"
	case bench.EventPause:
		say(g.Paused, style.Warn, "paused")
	case bench.EventResume:
		say(g.Running, style.Good, "sending again")
	case bench.EventDrain:
		say(g.Draining, style.Warn, "no new requests, running ones finish")
	case bench.EventDrained:
		l.word = "drain"
		say(g.OK, style.Good, "nothing in flight any more")
	case bench.EventCancel:
		say(g.Fail, style.Bad, "load 0, "+plural(e.N, "request")+" cancelled")
	case bench.EventDown:
		say(g.Dead, style.Bad, "target down")
	case bench.EventUp:
		say(g.OK, style.Good, "target answers again, after "+length(e.Span))
	case bench.EventGap:
		say(g.Warn, style.Warn, "time jumped by "+length(e.Span))
	case bench.EventBudget:
		say(g.Warn, style.Warn, "budget used up")
	default:
		f.judged(e, &l)
	}
	return l, true
}

// foreign tells whether an event's text is in the words of the server or the network, which may name a host or quote a prompt.
func (f *frame) foreign(e *bench.Event) bool {
	if e.Kind == bench.EventFailure {
		return true
	}
	for i := range f.s.Failures {
		if m := f.s.Failures[i].Message; m != "" && strings.Contains(e.Text, m) {
			return true
		}
	}
	return false
}

// moved is a change of load.
func (f *frame) moved(e *bench.Event, l *line) {
	l.glyph, l.look = f.g.Up, style.Mark
	if e.To.N < e.From.N {
		l.glyph = f.g.Down
	}
	l.text = moves(e.From, e.To)
	if e.Text != "" {
		l.text += "  " + e.Text
	}
}

// judged are the events that follow from the numbers.
func (f *frame) judged(e *bench.Event, l *line) {
	g := f.g
	switch e.Kind {
	case bench.EventFailure:
		l.glyph, l.look, l.word = f.g.Fail, style.Bad, e.Outcome.String()
		l.text = strings.TrimSpace("×" + count(max(e.N, 1)) + " " + e.Text)
		if f.Density <= layout.Small {
			// No column has the class there.
			l.text = l.word + " " + l.text
		}
	case bench.EventUnsent:
		l.glyph, l.look = f.g.Fail, style.Bad
		l.text = strings.TrimSpace("×" + count(max(e.N, 1)) + " " + or(e.Text, "arrivals that found no room"))
	case bench.EventMode:
		l.glyph, l.look, l.text = f.g.Here, style.Mark, e.To.Mode.String()+" loop: "+moves(e.From, e.To)
		if e.Text != "" {
			l.text += "  " + e.Text
		}
	case bench.EventWork:
		l.glyph, l.look, l.text = f.g.Note, style.Mark, or(f.workloadOf(e), e.Text)
	case bench.EventProfile:
		l.glyph, l.look, l.text = f.g.Select, style.Accent2, profileWords(e.Text)
		switch e.N {
		case bench.ProfileHeld:
			l.glyph, l.look = f.g.Here, style.Mark
		case bench.ProfileOver:
			l.glyph, l.look = f.g.OK, style.Dim
		}
	case bench.EventRamp:
		f.rampEvent(e, l)
	case bench.EventCruise:
		f.cruiseEvent(e, l)
	case bench.EventBroken:
		l.glyph, l.look, l.text = f.g.Warn, style.Warn, crossed(e.Text, false)
	case bench.EventKept:
		l.glyph, l.look, l.text = f.g.OK, style.Good, crossed(e.Text, true)
	case bench.EventPromise:
		l.glyph, l.look, l.text = g.Note, style.Mark, promised(e)
	case bench.EventClear:
		l.glyph, l.look, l.text = g.Here, style.Mark, strings.TrimSpace("measured anew from here on "+e.Text)
	case bench.EventBusy:
		f.strained(e, l)
	case bench.EventWarn:
		l.glyph, l.look = f.g.Warn, style.Warn
	}
}

// strained is a change of the verdict on the client itself; N is the verdict.
func (f *frame) strained(e *bench.Event, l *line) {
	l.glyph, l.look = f.g.Warn, style.Warn
	switch strain := bench.Strain(min(max(e.N, 0), int(bench.Saturated))); strain {
	case bench.Unstrained:
		l.glyph, l.look = f.g.OK, style.Good
	case bench.Saturated:
		l.look = style.Bad
		fallthrough
	default:
		l.text = strings.TrimSpace(strain.String() + " " + e.Text)
	}
}

// profileWords is what happened to a profile, without its kind, which the log names before it, and without its text where that stands at the end.
func profileWords(text string) string {
	head, _, _ := strings.Cut(strings.TrimPrefix(text, "profile "), " from profile ")
	return head
}

// workloadOf is the workload that an event puts in force: "long: 4 096 in, at most 256 out".
func (f *frame) workloadOf(e *bench.Event) string {
	works := f.s.Run.Works
	if e.Work < 0 || e.Work >= len(works) {
		return ""
	}
	return strings.Trim(works[e.Work].Name+": "+works[e.Work].Words, ": ")
}

// or is the first text that is not empty.
func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// crossed puts a threshold at the front of a text into words: "itl.p95<=40ms (53 ms)" is "ITL p95 over 40 ms (53 ms)".
func crossed(text string, kept bool) string {
	name, rest, _ := strings.Cut(text, " ")
	t, err := bench.ParseThreshold(name)
	if err != nil {
		return text
	}
	out := subject(t)
	if kept {
		out += " back"
	}
	if t.Floor != kept {
		out += " under "
	} else {
		out += " over "
	}
	return out + strings.TrimLeft(inWords(t), "≤≥ ") + " " + longTime(rest)
}

// promised is a change of a promise in words: "TTFT p95 ≤ 500 ms from now on, was ≤ 2 s".
func promised(e *bench.Event) string {
	out := subject(e.Promise) + " " + inWords(e.Promise)
	if e.Dropped {
		return out + " dropped"
	}
	out += " from now on"
	if _, old, ok := strings.Cut(e.Text, ", was "); ok {
		if was, err := bench.ParseThreshold(old); err == nil {
			out += ", was " + inWords(was)
		}
	}
	return out
}

// subject is what a promise is about: "TTFT p95", "errors".
func subject(t bench.Threshold) string {
	if t.At == bench.Mean {
		return t.Metric.String()
	}
	return t.Metric.String() + " " + t.At.String()
}

// longTime is a value in brackets, from a second on in seconds, as limits are: "(37839 ms)" is "(37.8 s)".
func longTime(text string) string {
	number, ok := strings.CutSuffix(strings.TrimPrefix(text, "("), " ms)")
	if v, err := strconv.ParseFloat(number, 64); ok && err == nil && v >= 999.5 && v < 1e12 {
		return "(" + chart.Num(bench.Some(v/1000)) + " s)"
	}
	return text
}
