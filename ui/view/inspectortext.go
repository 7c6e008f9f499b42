package view

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"redline/ui/style"
)

// textBytes is how much of a text is shown.
const textBytes = 1 << 10

// quoted is a text that somebody else wrote, behind its name: in lines, or the beginning of it in one.
func (f *frame) quoted(label, text string, whole bool) [][]part {
	if text == "" {
		return f.flow(label, [][]part{{{style.Dim, "empty"}}}, whole)
	}
	return f.quotedAs(label, "", text, style.FG, whole)
}

// quotedAs is a text behind its name and a lead, with a look.
func (f *frame) quotedAs(label, lead, text string, look style.Token, whole bool) [][]part {
	indent := f.labelCells()
	name := " " + label + strings.Repeat(" ", max(indent-1-f.st.Set.Width(label), 1))
	if f.W < 50 && label == "" {
		name = " "
	}
	first := f.st.Set.Width(name + lead)
	rest := max(f.W-indent-1, 1)
	cut := len(text) > textBytes
	lines := f.wrap(text[:min(len(text), textBytes)], max(f.W-first-1, 1), rest)
	if !whole && len(lines) > 1 || cut && len(lines) > 0 {
		if !whole {
			lines = lines[:1]
		}
		last := len(lines) - 1
		room := rest
		if last == 0 {
			room = max(f.W-first-1, 1)
		}
		head := f.wrap(lines[last], max(room-1, 1), max(room-1, 1))
		if len(head) > 0 {
			lines[last] = head[0] + f.g.Ellipsis
		}
	}
	out := [][]part{{{style.Dim, name}, {style.Dim, lead}}}
	for i, line := range lines {
		if i == 0 {
			out[0] = append(out[0], part{look, line})
			continue
		}
		out = append(out, []part{{style.Dim, strings.Repeat(" ", indent)}, {look, line}})
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
