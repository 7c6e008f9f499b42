package view

import (
	"strconv"

	"redline/ui/style"
)

// Picker is the list of themes.
type Picker struct {
	Themes []Theme
	Row    int
}

// Theme is one of them.
type Theme struct {
	Name string
	// Variant is the background that it is made for: dark, light or any; Own tells that it is the operator's.
	Variant string
	Own     bool
	// Set is the theme made ready; nil where its file can not be read, and Problem says why.
	Set     *style.Set
	Problem string
}

// mostPicker bounds the rows of the list, its heading included.
const mostPicker = 12

// picker draws the list of themes over the view.
func (f *frame) picker() {
	p := f.st.Picker
	rows := f.overlayRows(mostPicker)
	var lines []func(*style.Row)
	if rows >= leastPalette {
		lines = append(lines, f.pickerHead)
	}
	n := min(rows-len(lines), len(p.Themes))
	name := 8
	for _, t := range p.Themes {
		name = max(name, min(f.st.Set.Width(t.Name), 24))
	}
	first := firstShown(p.Row, n, len(p.Themes))
	for i := first; i < first+n; i++ {
		lines = append(lines, func(r *style.Row) { f.pickerRow(r, i, name) })
	}
	f.overlay(lines)
}

func (f *frame) pickerHead(r *style.Row) {
	p := f.st.Picker
	r.Glyph(style.Faint, f.g.Rule).Put(style.Accent, " themes ")
	if f.st.Set.Mono() {
		r.Put(style.Warn, f.g.Warn).Cut(style.FG, " colours are off here, so that all look alike ", r.Left()-12)
	}
	text := strconv.Itoa(p.Row+1) + " of " + strconv.Itoa(len(p.Themes))
	r.Repeat(style.Faint, f.g.Rule, f.W-r.Cells()-len(text)-4).Put(style.Dim, " "+text+" ").Fill(style.Faint, f.g.Rule)
}

// swatches are the looks that a theme is shown by, with the text of each.
func (f *frame) swatches() []part {
	bars := f.drawn().Bars
	full := bars[len(bars)-1]
	out := []part{{style.Strong, "12.5"}, {style.Dim, " ms "}}
	for t := style.LaneLoad; t <= style.LaneTPM; t++ {
		out = append(out, part{t, full + full})
	}
	out = append(out, part{style.Good, " " + f.g.OK}, part{style.Warn, " " + f.g.Warn}, part{style.Bad, " " + f.g.Fail + " "})
	for i := range style.HeatSteps {
		out = append(out, part{style.Heat + style.Token(i), full})
	}
	return out
}

// pickerRow is one theme, in its own looks.
func (f *frame) pickerRow(r *style.Row, i, name int) {
	t := &f.st.Picker.Themes[i]
	f.clickable(Hit{Spot: OnChoice, Index: i})
	look, sign := style.FG, " "
	if i == f.st.Picker.Row {
		look, sign = style.Strong, f.g.Select
	}
	r.Put(style.Accent, sign).Blank(1)
	if t.Set == nil {
		r.Cell(style.Dim, t.Name, name).Blank(1).Put(style.Bad, f.g.Fail+" ").Cut(style.Dim, t.Problem, r.Left()-1)
		return
	}
	r.Cell(look, t.Name, name).Blank(1)
	for _, p := range f.swatches() {
		if f.st.Set.Width(p.text) > r.Left()-1 {
			return
		}
		r.Swatch(t.Set, p.look, p.text)
	}
	whose := "built in"
	if t.Own {
		whose = "yours"
	}
	if r.Left() > 20 {
		r.Blank(2).Cell(style.Dim, t.Variant, 6).Put(style.Dim, whose)
	}
}
