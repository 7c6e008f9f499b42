package view

import (
	"strconv"
	"strings"

	"redline/ui/action"
	"redline/ui/style"
)

// Palette is the list of actions that a name is typed for.
type Palette struct {
	// Found are the words that fit what was typed, best first; Row is the chosen one. Argument is what stands behind the name.
	Found    []action.Verb
	Row      int
	Argument string
}

// Rows of the palette, and the cells of its columns.
const (
	mostPalette  = 14
	paletteKeys  = 12
	leastPalette = 4
	mostTrouble  = 3
)

// palette draws the list of actions over the view; the line that is typed is the last one of the frame.
func (f *frame) palette() {
	p := f.st.Palette
	rows := f.overlayRows(mostPalette)
	var lines []func(*style.Row)
	if rows >= leastPalette {
		lines = append(lines, f.paletteHead)
	}
	trouble := f.trouble(min(mostTrouble, rows/2))
	n := min(rows-len(lines)-len(trouble), max(len(p.Found), 1))
	first := firstShown(p.Row, n, len(p.Found))
	name := f.paletteName()
	for i := first; i < first+n; i++ {
		lines = append(lines, func(r *style.Row) {
			if i < len(p.Found) {
				f.paletteRow(r, i, name)
			} else if i == 0 {
				r.Blank(1).Put(style.Dim, "no action has this name")
			}
		})
	}
	for _, text := range trouble {
		lines = append(lines, func(r *style.Row) { r.Blank(1).Cut(style.Bad, text, r.Left()-1) })
	}
	f.overlay(lines)
}

// trouble is what is wrong with what was typed, in at most so many lines.
func (f *frame) trouble(most int) []string {
	if e := f.st.Entry; e != nil && e.Problem != "" && most > 0 {
		lines := f.wrapped(e.Problem, max(f.W-2, 1))
		if over := len(lines) - most; over > 0 {
			lines[most-1] = strings.Join(lines[most-1:], " ")
			lines = lines[:most]
		}
		return lines
	}
	return nil
}

// troubled tells whether the palette shows what is wrong above the line.
func (f *frame) troubled() bool { return f.st.Palette != nil && len(f.out) > 2 }

func (f *frame) paletteHead(r *style.Row) {
	p := f.st.Palette
	r.Glyph(style.Faint, f.g.Rule).Put(style.Accent, " actions ")
	text := strconv.Itoa(min(p.Row+1, len(p.Found))) + " of " + strconv.Itoa(len(p.Found))
	r.Repeat(style.Faint, f.g.Rule, f.W-r.Cells()-len(text)-4).Put(style.Dim, " "+text+" ").Fill(style.Faint, f.g.Rule)
}

// paletteName is the width of the column of names, with the examples of arguments.
func (f *frame) paletteName() int { return min(max(f.W*3/10, 16), 48) }

// paletteRow is one action: its name with what may follow, its keys, and what it does or why it can not be done.
func (f *frame) paletteRow(r *style.Row, i, name int) {
	p := f.st.Palette
	v := &p.Found[i]
	f.clickable(Hit{Spot: OnChoice, Index: i})
	sign, look, dim := " ", style.Strong, style.Dim
	if v.Why != "" {
		look, dim = style.Dim, style.Faint
	}
	if i == p.Row {
		sign = f.g.Select
		r.All(style.Select)
	}
	r.Put(style.Accent, sign).Blank(1).Put(look, v.Name)
	if room := name - r.Cells() - 2; v.Takes != "" && room > 3 {
		r.Blank(1).Cut(dim, v.Takes, room)
	}
	r.To(name)
	if f.W >= 3*paletteKeys+name {
		r.Cell(dim, v.Keys, paletteKeys).Blank(1)
	}
	if v.Why != "" {
		r.Put(style.Warn, f.g.Warn+" ").Cut(dim, v.Why, r.Left()-1)
		return
	}
	r.Cut(style.FG, v.Help, r.Left()-1)
}
