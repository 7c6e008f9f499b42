package view

import (
	"strings"

	"redline/ui/layout"
	"redline/ui/style"
)

// section is a heading with lines below it.
type section struct {
	title string
	lines [][]part
}

// sectionColumn is the least width of a column of sections, sectionGap the blank cells between two.
const (
	sectionColumn = 55
	sectionGap    = 2
)

// sectionWidth is how many cells a line of a section has, and in how many columns sections stand.
func (f *frame) sectionWidth() (width, columns int) {
	columns = min(max(f.W/sectionColumn, 1), 3)
	return f.W/columns - sectionGap, columns
}

// aboutCells are the cells of what a line of a section is about.
func (f *frame) aboutCells() int {
	if f.Density <= layout.List {
		return 9
	}
	return 13
}

// say adds a line to the section: what it is about, and words in as many rows as they take.
func (f *frame) say(s *section, label string, look style.Token, text string) {
	if text == "" {
		return
	}
	width, _ := f.sectionWidth()
	for i, l := range f.explain(nil, "", text, max(width-f.aboutCells()-2, 8)) {
		if i > 0 {
			label = ""
		}
		s.lines = append(s.lines, []part{f.label(label), {look, l.words}})
	}
}

// fact adds a line of parts, of which the last ones that find no room are left out.
func (f *frame) fact(s *section, label string, parts ...ranked) {
	width, _ := f.sectionWidth()
	s.lines = append(s.lines, append([]part{f.label(label)}, f.fitting(parts, max(width-f.aboutCells()-2, 0))...))
}

// strung adds parts in as many lines as they take; each but the first begins with a comma.
func (f *frame) strung(s *section, label string, parts ...part) {
	width, _ := f.sectionWidth()
	room := max(width-f.aboutCells()-2, 1)
	line, used := []part{f.label(label)}, 0
	for _, p := range parts {
		if w := f.st.Set.Width(p.text); used > 0 && used+w > room {
			s.lines = append(s.lines, line)
			line, used = []part{f.label("")}, 0
			p.text = strings.TrimPrefix(p.text, ", ")
		}
		line, used = append(line, p), used+f.st.Set.Width(p.text)
	}
	s.lines = append(s.lines, line)
}

// label is what a line is about, in its cells.
func (f *frame) label(text string) part { return part{style.Dim, f.padded(text, f.aboutCells())} }

// padded is a text of so many cells, or a cell less and a blank where it is longer.
func (f *frame) padded(text string, n int) string {
	for f.st.Set.Width(text) < n {
		text += " "
	}
	if f.st.Set.Width(text) > n {
		head, _ := f.split(text, max(n-1, 1))
		return head + " "
	}
	return text
}

// sections draws sections in so many rows, side by side where the screen is wide, from the line on that was scrolled to.
func (f *frame) sections(all []section, rows int) {
	width, columns := f.sectionWidth()
	packed := f.columnsOf(all, columns, rows)
	height := 0
	for _, c := range packed {
		height = max(height, len(c))
	}
	f.scrolled, f.sectionRows = 0, rows
	if height > rows {
		f.sectionRows = max(rows-1, 1) // the last row tells that there is more
		f.scrolled = height - f.sectionRows
	}
	from := min(max(f.st.Row[f.st.View], 0), f.scrolled)
	for y := range min(f.sectionRows, height-from) {
		r := f.start()
		for c, lines := range packed {
			if from+y >= len(lines) {
				continue
			}
			begin := c * (width + sectionGap)
			r.To(begin + 1)
			for _, p := range lines[from+y] {
				r.Cut(p.look, p.text, begin+width-r.Cells())
			}
		}
		f.end()
	}
	if height > rows && rows > 1 {
		f.moreBelow(f.scrolled - from)
	}
}

// moreBelow is the last row of a page that does not fit: how many lines are out of sight below.
func (f *frame) moreBelow(left int) {
	r := f.start().Blank(1)
	text := "up and down: "
	if left > 0 {
		text += plural(left, "line") + " more below"
	} else {
		text += "the end"
	}
	r.Cut(style.Accent2, text, r.Left()-1)
	f.end()
}

// columnsOf are the lines of sections in so many columns at most, kept whole and as even as can be.
func (f *frame) columnsOf(all []section, columns, rows int) [][][]part {
	total := 0
	for _, s := range all {
		total += len(s.lines) + 2
	}
	for limit := max(total/columns, 1); ; limit++ {
		var out [][][]part
		var column [][]part
		for _, s := range all {
			if len(column) > 0 && len(column)+2+len(s.lines) > limit && len(out) < columns-1 {
				out, column = append(out, column), nil
			}
			if len(column) > 0 && f.Density > layout.List {
				column = append(column, nil)
			}
			column = append(append(column, f.sectionTitle(s.title)), s.lines...)
		}
		out = append(out, column)
		if len(column) <= limit || limit > total {
			return out
		}
	}
}

// sectionTitle heads a section, with a rule over the width of its column where there is room for such things.
func (f *frame) sectionTitle(title string) []part {
	out := []part{{style.Accent, title}}
	width, _ := f.sectionWidth()
	if n := width - 2 - f.st.Set.Width(title); f.Density > layout.Small && n > 0 {
		out = append(out, part{style.Faint, " " + strings.Repeat(f.g.Rule, n)})
	}
	return out
}

// scroll goes up or down in a page of sections, as it was drawn last.
func (v *Screen) scroll(st *State, m Motion) {
	by := map[Motion]int{Up: -1, Down: +1, PageUp: -v.sectionRows, PageDown: +v.sectionRows, First: -v.scrolled, Last: +v.scrolled}[m]
	at := min(max(st.Row[st.View], 0), v.scrolled)
	st.Row[st.View] = min(max(at+by, 0), v.scrolled)
}
