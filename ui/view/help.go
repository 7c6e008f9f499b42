package view

import (
	"strconv"

	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"

	"redline/bench"
)

// help draws the table of actions over the whole screen but for the first and the last line, in as many columns as fit.
func (f *frame) help() {
	if f.Density >= layout.Small {
		f.headLine()
	} else {
		f.listHead()
	}
	rows := max(f.H-2, 0)
	lines := f.helpLines()
	columns := 1
	const column = 58
	for columns*column+column <= f.W && columns*rows < len(lines) {
		columns++
	}
	width := f.W / columns
	if columns > 1 {
		// Balanced columns break between groups where they can.
		rows = min(rows, (len(lines)+columns-1)/columns+2)
	}
	for y := range min(rows, len(lines)) {
		r := f.start()
		for c := range columns {
			if i := c*rows + y; i < len(lines) {
				r.To(c * width)
				lines[i].draw(r, width)
			}
		}
		f.end()
	}
	for len(f.out) < f.H-1 {
		f.start()
		f.end()
	}
	if len(f.out) < f.H {
		f.helpFoot()
	}
	if len(f.out) > f.H {
		f.out = f.out[:f.H]
	}
}

// helpLine is a heading, or a key with its words.
type helpLine struct{ title, keys, words string }

func (l helpLine) draw(r *style.Row, width int) {
	if l.title != "" {
		r.Blank(1).Put(style.Accent, l.title)
		return
	}
	r.Blank(2).Cell(style.Strong, l.keys, 9).Cut(style.FG, l.words, width-13)
}

func (f *frame) helpLines() []helpLine {
	var out []helpLine
	for i, s := range action.Sections() {
		if i > 0 {
			out = append(out, helpLine{})
		}
		out = append(out, helpLine{title: s.Title})
		for _, row := range s.Rows {
			out = append(out, helpLine{keys: row.Keys, words: row.Help})
		}
	}
	return out
}

// helpFoot tells what this screen costs.
func (f *frame) helpFoot() {
	r := f.start().Blank(1).Put(style.Strong, "esc").Put(style.Dim, " close")
	text := strconv.Itoa(max(f.st.FPS, 1)) + " looks/s"
	if f.st.BytesPerSecond >= 0 {
		text = "this screen: " + chart.Num(bench.Some(f.st.BytesPerSecond/1000)) + " KB/s, " + text
	}
	if cpu := bench.Some(100 * f.s.Health.CPU); sound(cpu) && cpu.V > 0 {
		text += ", redline uses " + percent(cpu) + " of the CPU"
	}
	f.rightAligned(r, []part{{style.Dim, text}})
	f.end()
}
