package view

import (
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

const (
	// readCells is the widest column of text that reads well, digitCells what the stream's speed takes beside it.
	readCells  = 100
	digitCells = 18
)

// stream is one stream's text as it arrives, in so many rows, beside its speed in big digits: the newest line is the last one, as for its reader.
func (f *frame) stream(rows int) {
	if rows < 1 {
		return
	}
	var reading bench.Reading
	if j := f.st.Journal; j != nil {
		reading = j.Reading
	}
	f.streamHead(&reading)
	rows--
	digits := digitCells
	if rows < chart.BigRows || f.Density == layout.List && f.W < 40 {
		digits = 2
	}
	width := min(f.W-digits-2, readCells)
	text := steady(reading.Text)
	if f.st.Private {
		text = dotted(reading.Chars, width, rows)
	}
	lines := f.st.Set.Lines(text, width)
	lines = lines[max(len(lines)-rows, 0):]
	for y := range rows {
		r := f.start().Blank(2)
		if f.st.Replay != nil && reading.ID == 0 {
			// There is no stream whose speed could stand here.
			f.end()
			continue
		}
		if digits > 2 && y < chart.BigRows {
			sign, speed, unit := big(chart.Num(reading.Speed))
			chart.DrawBig(r, style.Big, speed, y)
			if y == unitRow(f.g.ASCII) {
				r.Blank(1).Put(style.Dim, sign+unit)
			}
		} else if digits > 2 && y == chart.BigRows {
			r.Put(style.Dim, "tok/s")
		}
		r.To(digits)
		if y < len(lines) {
			r.Put(style.FG, lines[y])
			if y == len(lines)-1 && reading.ID != 0 && !reading.Over {
				r.Put(style.Select, " ")
			}
		}
		f.end()
	}
}

// steady leaves out the first line of a text that has lost its beginning, so that what is shown does not break anew with each token.
func steady(text string) string {
	if len(text) < bench.ReadingBytes-8 {
		return text
	}
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)/2 {
		return text[i+1:]
	}
	return text
}

// dotted is what is left of a text of so many characters where only its pace may be seen: a dot for each, as many as fill the last rows.
func dotted(chars, width, rows int) string {
	width = max(width, 2)
	whole := min(max(chars, 0)/width, max(rows, 1)-1)
	return strings.Repeat("·", whole*width+max(chars, 0)%width)
}

// streamHead says which stream it is: "stream #1234 · 47.2 tok/s · 212 tokens · done".
func (f *frame) streamHead(g *bench.Reading) {
	if g.ID == 0 {
		text := "no stream to read yet"
		if f.st.Frozen {
			text = "no stream was followed when the view was frozen"
		}
		if f.st.Replay != nil {
			text = "a recording keeps no text of answers"
		}
		f.rule(text)
		return
	}
	parts := []group{{0, []part{{style.Strong, " stream #" + strconv.FormatUint(g.ID, 10)}}}}
	say := func(rank int, look style.Token, text string) {
		parts = append(parts, group{rank, []part{{style.Dim, " · "}, {look, text}}})
	}
	if sound(g.Speed) {
		say(1, style.FG, chart.Num(g.Speed)+" tok/s")
	}
	say(2, style.Dim, amount(g.Tokens)+" tokens")
	// A stream is counted from its first token on, and its text comes from the next chunk after it has been chosen.
	unread := g.Text == "" && !f.st.Private && g.FirstToken.OK
	switch {
	case g.Over && g.Outcome == bench.OK:
		say(3, style.Good, "done")
	case g.Over:
		say(1, style.Bad, g.Outcome.String())
	case !g.FirstToken.OK:
		say(3, style.Accent2, "waiting for its first token")
	case unread:
		say(3, style.Accent2, "waiting for its text")
	default:
		say(3, style.Accent2, "arriving")
	}
	switch {
	case f.st.Private:
		say(4, style.Warn, "text hidden")
	case unread && g.Over:
		say(4, style.Dim, "ended before its text was read")
	}
	r := f.start().Glyph(style.Faint, f.g.Rule)
	for _, p := range f.groups(parts, r.Left()-2) {
		r.Put(p.look, p.text)
	}
	r.Blank(1).Fill(style.Faint, f.g.Rule)
	f.end()
}
