package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/style"
)

// phase is a part of a request's time: its name, the glyph and look of its bar, and how long it took.
type phase struct {
	name, glyph string
	look        style.Token
	d           time.Duration
}

// timeline are the marks of a request as offsets from its start: all of them, or without those that stand beside others.
func (f *frame) timeline(q *single, whole bool) [][]part {
	if q.flight != nil {
		return f.flightTime(q)
	}
	e, m := q.ended, &q.ended.Marks
	var out [][]part
	if lag, ok := e.Lag(); ok {
		look := style.FG
		if lag > lateSent {
			look = style.Warn
		}
		out = append(out, []part{{style.Dim, "sent "}, {look, ms(lag) + " late"}})
	}
	switch {
	case !m.Connected.OK:
	case e.Reused:
		out = append(out, item("connection", "reused"))
	default:
		out = append(out, append(item("connected", ms(m.Connected.At-m.Started.At)), connectParts(e.Connect)...))
	}
	for _, one := range []struct {
		name string
		mark bench.Mark
	}{{"written", m.Written}, {"headers", m.Headers}, {"first chunk", m.FirstChunk}, {"first token", m.FirstToken}, {"first answer", m.FirstAnswer},
		{"last token", m.LastToken}, {"ended", m.Ended}} {
		d, ok := one.mark.Since(m.Started)
		beside := one.name == "written" || one.name == "first chunk"
		if !ok || one.name == "first answer" && one.mark == m.FirstToken || beside && !whole {
			continue
		}
		out = append(out, item(one.name, ms(d)))
	}
	return out
}

// connectParts are what making a connection took, in brackets.
func connectParts(c bench.Connect) []part {
	text := ""
	for _, one := range []struct {
		name string
		d    time.Duration
	}{{"look-up", c.DNS}, {"tcp", c.TCP}, {"tls", c.TLS}} {
		if one.d > 0 {
			text += ", " + one.name + " " + ms(one.d)
		}
	}
	if text == "" {
		return nil
	}
	return []part{{style.Dim, " (" + text[2:] + ")"}}
}

// flightTime is how far a request has come.
func (f *frame) flightTime(q *single) [][]part {
	fl, now := q.flight, f.st.Journal.At
	var out [][]part
	if lag, ok := bench.MarkAt(fl.Started).Since(fl.Scheduled); ok {
		out = append(out, item("sent", ms(lag)+" late"))
	}
	out = append(out, item("in flight for", ms(max(now-fl.Started, 0))))
	if fl.FirstToken.OK {
		out = append(out, item("first token", ms(fl.FirstToken.At-fl.Started)))
	}
	if fl.LastToken.OK {
		out = append(out, append(item("newest token", ms(fl.LastToken.At-fl.Started)), part{style.Dim, ", " + ms(max(now-fl.LastToken.At, 0)) + " ago"}))
	}
	return out
}

// waits is the phase until the first token: the server's queue and its prefill, which cannot be told apart from outside. late is the one before it, in which
// redline had not sent the request yet.
const (
	waits = "wait"
	late  = "late"
)

// spans are the phases of a request, in their order, those that took no time left out.
func (f *frame) spans(q *single) []phase {
	var out []phase
	add := func(name, glyph string, look style.Token, from, to bench.Mark) {
		if d, ok := to.Since(from); ok && d > 0 {
			out = append(out, phase{name, glyph, look, d})
		}
	}
	g := f.drawn()
	if fl := q.flight; fl != nil {
		started, now := bench.MarkAt(fl.Started), bench.MarkAt(f.st.Journal.At)
		add(late, g.Free, style.Warn, fl.Scheduled, started)
		if !fl.FirstToken.OK {
			add(waits, g.OverFull, style.Accent2, started, now)
		} else {
			add(waits, g.OverFull, style.Accent2, started, fl.FirstToken)
			add("decode", g.Busy, style.Accent, fl.FirstToken, now)
		}
		return out
	}
	m := &q.ended.Marks
	at := m.Started
	add(late, g.Free, style.Warn, m.Scheduled, m.Started)
	next := func(name, glyph string, look style.Token, to bench.Mark) {
		if to.OK {
			add(name, glyph, look, at, to)
			at = to
		}
	}
	next("connect", g.Held, style.Mark, m.Connected)
	next("send", g.Drain, style.Dim, m.Written)
	if !m.FirstToken.OK {
		next(waits, g.OverFull, style.Accent2, m.Ended)
		return out
	}
	next(waits, g.OverFull, style.Accent2, m.FirstToken)
	next("decode", g.Busy, style.Accent, m.LastToken)
	next("drain", g.Drain, style.Dim, m.Ended)
	return out
}

// phases draw where a request's time went, in proportion, and name it.
func (f *frame) phases(q *single, whole bool) [][]part {
	all := f.spans(q)
	total := time.Duration(0)
	for _, p := range all {
		total += p.d
	}
	if total <= 0 {
		return nil
	}
	cells := min(f.W-f.labelCells()-2, 100)
	var out [][]part
	if cells >= 12 {
		line := []part{}
		drawn, sum := 0, time.Duration(0)
		for _, p := range all {
			sum += p.d
			end := int(float64(cells)*float64(sum)/float64(total) + 0.5)
			end = max(min(end, cells), drawn)
			line = append(line, part{p.look, strings.Repeat(p.glyph, end-drawn)})
			drawn = end
		}
		// The bar is one item: its phases stand side by side.
		out = append(out, f.flow("phases", [][]part{line}, false)...)
	}
	var legend [][]part
	if !whole {
		// The longest are told first, as there may be room for no more.
		slices.SortStableFunc(all, func(a, b phase) int { return cmp.Compare(b.d, a.d) })
	}
	for _, p := range all {
		name := p.name
		if name == waits && whole && f.W >= 100 {
			name += " (queue and prefill)"
		}
		share := strconv.Itoa(int(100*float64(p.d)/float64(total)+0.5)) + "%"
		if 200*p.d < total {
			share = "<1%"
		}
		legend = append(legend, []part{{p.look, p.glyph}, {style.Dim, " " + name + " "}, {style.FG, ms(p.d)}, {style.Dim, " " + share}})
	}
	return append(out, f.flow("", legend, whole)...)
}
