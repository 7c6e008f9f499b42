package view

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/style"
)

// textBytes is how much of a text is shown, messageBytes bounds bench.Ended.Message.
const (
	textBytes    = 1 << 10
	messageBytes = 512
)

// extent is how much of a text there is to show: in all so many of a unit, 0 where nobody knows; cut tells that what is at hand is only its beginning,
// and written, above 0, that so many bytes of it are written in other words, with escapes.
type extent struct {
	all     int
	unit    string
	cut     bool
	written int
}

// promptExtent is how long a prompt is, in characters.
func promptExtent(p *bench.Prompt) extent {
	e := extent{unit: "characters", cut: p.Cut}
	switch alone := p.Turn <= 1 && len(p.History) == 0; {
	case alone && p.Chars > 0:
		e.all = p.Chars
	case !p.Cut:
		e.all = utf8.RuneCountInString(p.Text)
	}
	return e
}

// keptExtent is how much there is of a text of which so many bytes are kept at most: one that fills them is taken for cut, as a character that did not fit
// may have gone with the rest.
func keptExtent(text string, most int) extent {
	if len(text) > most-utf8.UTFMax {
		return extent{unit: "bytes", cut: true}
	}
	return extent{all: len(text), unit: "bytes"}
}

// told is how much is shown of a text whose beginning that is: "first 1 024 of 65 536 characters"; empty where all is.
func (e extent) told(shown, text string) string {
	if !e.cut && len(shown) >= len(text) {
		return ""
	}
	n := len(shown)
	switch {
	case e.unit == "characters":
		n = utf8.RuneCountInString(shown)
	case e.written > 0 && n < len(text):
		return "a part of the first " + count(e.written) + " bytes"
	case e.written > 0:
		n = e.written
	}
	if e.all > n {
		return "first " + count(n) + " of " + count(e.all) + " " + e.unit
	}
	return "first " + count(n) + " " + e.unit
}

// beginning is what is shown of a text at most, up to a whole character.
func beginning(text string) string {
	if len(text) <= textBytes {
		return text
	}
	end := textBytes
	for end > textBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// quoted is a text that somebody else wrote, behind its name: in lines, or the beginning of it in one.
func (f *frame) quoted(label, text string, of extent, whole bool) [][]part {
	if text == "" {
		return f.flow(label, [][]part{{{style.Dim, "empty"}}}, whole)
	}
	return f.quotedAs(label, "", text, of, whole)
}

// quotedAs is a text behind its name and a lead. Where not all of it is shown, how much of how much is told: on a line of its own, or behind the one line.
func (f *frame) quotedAs(label, lead, text string, of extent, whole bool) [][]part {
	indent := f.labelCells()
	name := " " + label + strings.Repeat(" ", max(indent-1-f.st.Set.Width(label), 1))
	if f.W < 50 && label == "" {
		name = " "
	}
	first := f.st.Set.Width(name + lead)
	rest := max(f.W-indent-1, 1)
	shown := beginning(text)
	lines := f.wrap(shown, max(f.W-first-1, 1), rest)
	told, behind := of.told(shown, text), ""
	if !whole && (len(lines) > 1 || told != "") {
		if of.all > 0 {
			behind = " " + count(of.all) + " " + of.unit
		}
		if len(behind) > f.W/4 {
			behind = ""
		}
		if head := f.wrap(lines[0], max(f.W-first-2-len(behind), 1), rest); len(head) > 0 {
			lines = []string{head[0] + f.g.Ellipsis}
		}
	}
	out := [][]part{{{style.Dim, name}, {style.Dim, lead}}}
	for i, line := range lines {
		if i == 0 {
			out[0] = append(out[0], part{style.FG, line}, part{style.Dim, behind})
			continue
		}
		out = append(out, []part{{style.Dim, strings.Repeat(" ", indent)}, {style.FG, line}})
	}
	if whole && told != "" {
		out = append(out, []part{{style.Dim, strings.Repeat(" ", indent) + f.g.Ellipsis + " " + told}})
	}
	return out
}

// wrap cuts a text into lines of so many cells, the first and the others, at its line breaks and else at blanks where there are some.
func (f *frame) wrap(text string, first, rest int) []string {
	var out []string
	width := first
	for _, paragraph := range strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r", ""), "\n") {
		paragraph = strings.ReplaceAll(paragraph, "\t", "  ")
		for {
			at, blank, cells := 0, 0, 0
			for at < len(paragraph) {
				cluster, _ := ansi.FirstGraphemeCluster(paragraph[at:], ansi.GraphemeWidth)
				w := f.st.Set.Width(cluster)
				if cells+w > width && at > 0 {
					break
				}
				if cluster == " " {
					blank = at
				}
				cells, at = cells+w, at+len(cluster)
			}
			if at >= len(paragraph) {
				out = append(out, paragraph)
				width = rest
				break
			}
			if blank > at/2 && paragraph[at] != ' ' {
				at = blank
			}
			out = append(out, paragraph[:at])
			paragraph = strings.TrimPrefix(paragraph[at:], " ")
			width = rest
		}
	}
	return out
}
