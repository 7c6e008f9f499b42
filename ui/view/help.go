package view

import (
	"strconv"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// helpLine is a heading, or a key with its words; the zero value is a blank line.
type helpLine struct{ title, keys, words string }

// helpColumn is the least width of a column of help.
const helpColumn = 58

// help draws the table of actions over the whole screen but for the first and the last line.
func (f *frame) help() {
	if f.Density >= layout.Small {
		f.headLine()
	} else {
		f.listHead()
	}
	columns := helpPages(f.W, f.H)
	per := max(f.W/helpColumn, 1)
	from := min(max(f.st.HelpPage, 0)*per, max(len(columns)-1, 0))
	shown := columns[from:min(from+per, len(columns))]
	for y := range max(f.H-2, 0) {
		r := f.start()
		for c, column := range shown {
			if y < len(column) {
				r.To(c * (f.W / per))
				column[y].draw(r, f.W/per)
			}
		}
		f.end()
	}
	if len(f.out) < f.H {
		f.helpFoot()
	}
}

func (l helpLine) draw(r *style.Row, width int) {
	if l.title != "" {
		r.Blank(1).Put(style.Accent, l.title)
		return
	}
	r.Blank(2).Cell(style.Strong, l.keys, 9).Cut(style.FG, l.words, width-12)
}

// HelpPages is how many pages the help has on a screen.
func HelpPages(w, h int) int {
	per := max(w/helpColumn, 1)
	return (len(helpPages(w, h)) + per - 1) / per
}

// helpPages is the help in columns for a screen, groups kept whole where they fit.
func helpPages(w, h int) [][]helpLine {
	rows := max(h-2, 1)
	total := 0
	groups := helpGroups()
	for _, g := range groups {
		total += len(g) + 1
	}
	// The lowest columns that need no more room than the screen is wide; else full ones.
	per := max(w/helpColumn, 1)
	for limit := min(total/per, rows); limit <= rows; limit++ {
		if out := pack(groups, limit); len(out) <= per {
			return out
		}
	}
	return pack(groups, rows)
}

// pack puts groups into columns of so many rows.
func pack(groups [][]helpLine, rows int) [][]helpLine {
	var out [][]helpLine
	var column []helpLine
	for _, g := range groups {
		if len(column) > 0 && len(column)+1+len(g) > rows {
			out, column = append(out, column), nil
		}
		if len(column) > 0 {
			column = append(column, helpLine{})
		}
		for _, l := range g {
			if len(column) >= rows {
				out, column = append(out, column), nil
			}
			column = append(column, l)
		}
	}
	return append(out, column)
}

func helpGroups() [][]helpLine {
	var out [][]helpLine
	for _, s := range action.Sections() {
		g := []helpLine{{title: s.Title}}
		for _, row := range s.Rows {
			g = append(g, helpLine{keys: row.Keys, words: row.Help})
		}
		out = append(out, g)
	}
	return out
}

// helpFoot tells how to go on, and what this screen costs.
func (f *frame) helpFoot() {
	r := f.start().Blank(1).Put(style.Strong, "esc").Put(style.Dim, " close")
	if pages := HelpPages(f.W, f.H); pages > 1 {
		r.Put(style.Strong, "  ?").Put(style.Dim, " more ("+strconv.Itoa(f.st.HelpPage+1)+" of "+strconv.Itoa(pages)+")")
	}
	text := strconv.Itoa(max(f.st.FPS, 1)) + " looks/s"
	if f.st.BytesPerSecond >= 0 {
		text = "this screen: " + chart.Num(bench.Some(f.st.BytesPerSecond/1000)) + " KB/s, " + text
	}
	if cpu := bench.Some(100 * f.s.Health.CPU); sound(cpu) && cpu.V > 0 && f.Density >= layout.Compact {
		text += ", CPU " + percent(cpu)
	}
	f.rightAligned(r, []part{{style.Dim, text}})
	f.end()
}
