package view

import (
	"strconv"
	"strings"

	"redline/bench"
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
			r.Cell(style.Dim, l.word, 7).Blank(1)
		}
		r.Cut(style.FG, l.text, r.Left()-1)
		f.end()
		n++
	}
	for ; n < rows; n++ {
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

// event puts an event into words; false for what other lines tell already.
func (f *frame) event(e *bench.Event) (line, bool) {
	g := f.g
	text := func(what string) string {
		switch {
		case e.Text == "":
			return what
		case what == "":
			return e.Text
		}
		return what + ": " + e.Text
	}
	move := strconv.Itoa(e.From) + " → " + strconv.Itoa(e.To)
	l := line{g.Event, style.Dim, e.Kind.String(), e.Text}
	switch e.Kind {
	case bench.EventOpen, bench.EventReach, bench.EventAsk:
		return l, false
	case bench.EventAnswer:
		if e.Text == "" {
			return l, false
		}
	case bench.EventStart:
		if e.Text == "" {
			l.text = "concurrency " + strconv.Itoa(e.To)
		}
	case bench.EventCommit:
		if e.Cause != bench.CauseLoad || e.From == e.To {
			// A level that began for another reason has a line of its own.
			return l, false
		}
		l.glyph, l.look, l.text = g.Up, style.Mark, move
		if e.To < e.From {
			l.glyph = g.Down
		}
		if e.Text != "" {
			l.text += "  " + e.Text
		}
	case bench.EventNote:
		l.glyph, l.look, l.text = g.Note, style.Mark, "“"+e.Text+"”"
	case bench.EventPause:
		l.glyph, l.look, l.text = g.Paused, style.Warn, text("paused")
	case bench.EventResume:
		l.glyph, l.look, l.text = g.Running, style.Good, text("sending again")
	case bench.EventDrain:
		l.glyph, l.look, l.text = g.Draining, style.Warn, text("no new requests, running ones finish")
	case bench.EventDrained:
		l.glyph, l.word, l.text = g.OK, "drain", text("nothing in flight any more")
	case bench.EventCancel:
		l.glyph, l.look, l.text = g.Fail, style.Bad, text("load 0, "+plural(e.N, "request")+" cut")
	case bench.EventDown:
		l.glyph, l.look, l.text = g.Dead, style.Bad, text("target down")
	case bench.EventUp:
		l.glyph, l.look, l.text = g.OK, style.Good, text("target answers again")
	case bench.EventGap:
		l.glyph, l.look, l.text = g.Warn, style.Warn, text("time jumped by "+length(e.Span))
	case bench.EventBudget:
		l.glyph, l.look, l.text = g.Warn, style.Warn, text("budget used up")
	case bench.EventFailure:
		l.glyph, l.look, l.word = g.Fail, style.Bad, e.Outcome.String()
		if e.Text == "" {
			l.text = "×" + strconv.Itoa(e.N)
		}
	case bench.EventBroken:
		l.glyph, l.look, l.text = g.Warn, style.Warn, crossed(e.Text, false)
	case bench.EventBusy, bench.EventWarn:
		l.glyph, l.look = g.Warn, style.Warn
	case bench.EventKept:
		l.glyph, l.look, l.text = g.OK, style.Good, crossed(e.Text, true)
	}
	return l, true
}

// crossed puts a threshold at the front of a text into words: "itl.p95<=40ms (53 ms)" is "ITL p95 over 40 ms (53 ms)".
func crossed(text string, kept bool) string {
	name, rest, _ := strings.Cut(text, " ")
	t, err := bench.ParseThreshold(name)
	if err != nil {
		return text
	}
	out := t.Metric.String()
	if t.At != bench.Mean {
		out += " " + t.At.String()
	}
	if kept {
		out += " back"
	}
	if t.Floor != kept {
		out += " under "
	} else {
		out += " over "
	}
	return out + strings.TrimLeft(inWords(t), "≤≥ ") + " " + rest
}
