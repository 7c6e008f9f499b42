package chart

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"redline/ui/style"
)

// MarkKind is what a mark on the time axis tells.
type MarkKind uint8

const (
	// Up and Down are a change of load.
	Up MarkKind = iota
	Down
	// Note is a note of the user's, or a change of the plan.
	Note
	// Annotation is a note that was added when the run was over.
	Annotation
)

// AxisMark is a mark on the time axis, in the column of its marker in the lanes.
type AxisMark struct {
	// Column counts cells from the left, from 0.
	Column int
	Kind   MarkKind
	// Ahead is a mark of what is yet to come.
	Ahead bool
}

// Axis is the time axis under the lanes: how far back the left end lies, and what happened when.
type Axis struct {
	// Width is cells, as wide as the lanes.
	Width  int
	Window time.Duration
	Marks  []AxisMark
	// Ahead are the cells at the right end that show what is to come, Future is their time.
	Ahead  int
	Future time.Duration
	// Edge is what the end of the past is called; empty is "now".
	Edge string
	// Here is the time at the time cursor, which stands in column Cursor; empty without one.
	Here   string
	Cursor int
}

// sign is something that stands on the axis.
type sign struct {
	at   int
	text string
	look style.Token
}

// Draw writes the axis in exactly Width cells. Marks come before times: a time that would touch a mark is left out.
func (a Axis) Draw(row *style.Row) {
	if a.Width <= 0 {
		return
	}
	g := row.Set().Glyphs
	end := row.Cells() + a.Width
	start := row.Cells()
	var room [32]sign
	for _, s := range a.signs(row.Set(), room[:0]) {
		row.Repeat(style.Faint, g.Rule, start+s.at-row.Cells())
		row.Put(s.look, s.text)
	}
	row.Repeat(style.Faint, g.Rule, end-row.Cells())
}

// Cornered writes the axis between its corners, in exactly Width + 2 cells: the left one stands under the lanes' "┤", the right one
// under their edge.
func (a Axis) Cornered(row *style.Row) {
	g := row.Set().Glyphs
	row.Glyph(style.Faint, g.CornerL)
	a.Draw(row)
	row.Glyph(style.Faint, g.CornerR)
}

// sign is the mark as it stands on the axis.
func (m AxisMark) sign(set *style.Set) sign {
	look := style.Mark
	switch {
	case m.Ahead:
		look = style.Dim
	case m.Kind == Annotation:
		look = style.Accent2
	}
	return sign{m.Column, [...]string{set.Glyphs.Up, set.Glyphs.Down, set.Glyphs.Note, set.Glyphs.Annotation}[m.Kind&3], look}
}

// signs are what stands on the axis, from the left, without overlap.
func (a Axis) signs(set *style.Set, out []sign) []sign {
	free := func(at, width int) bool {
		if at < 0 || at+width > a.Width {
			return false
		}
		for _, s := range out {
			if at < s.at+set.Width(s.text)+1 && s.at < at+width+1 {
				return false
			}
		}
		return true
	}
	if a.Here != "" && len(a.Here) <= a.Width {
		// The cursor's time stands under it, or as near as the ends of the axis allow.
		out = append(out, sign{min(max(a.Cursor-len(a.Here)/2, 0), a.Width-len(a.Here)), a.Here, style.Select})
	}
	for _, m := range slices.Backward(a.Marks) {
		taken := slices.ContainsFunc(out, func(s sign) bool { return m.Column >= s.at && m.Column < s.at+set.Width(s.text) })
		if m.Column >= 0 && m.Column < a.Width && !taken {
			out = append(out, m.sign(set))
		}
	}
	// A time may give way to a mark by two cells; further off it would lie.
	place := func(at int, text string, give ...int) {
		for _, by := range append([]int{0}, give...) {
			if free(at+by, len(text)) {
				out = append(out, sign{at + by, text, style.Dim})
				return
			}
		}
	}
	past, edge := max(a.Width-a.Ahead, 0), cmp.Or(a.Edge, "now")
	if a.Ahead <= 0 {
		place(past-len(edge), edge)
	} else {
		// Now is where the lanes end, or as near to it as a mark allows.
		place(past-len(edge), edge, 1, 2, 3, 4, -1, -2)
	}
	if a.Ahead > 0 && a.Future > 0 {
		text := "+" + span(a.Future, time.Second)
		place(a.Width-len(text), text)
	}
	if a.Window > 0 {
		place(0, "-"+span(a.Window, a.Window))
		step := a.step()
		for back := step; back < a.Window; back += step {
			text := "-" + span(back, step)
			place(past-int(float64(past)*float64(back)/float64(a.Window))-len(text)/2, text, -1, 1, -2, 2)
		}
	}
	slices.SortFunc(out, func(x, y sign) int { return cmp.Compare(x.at, y.at) })
	return out
}

// labelCells is about how far times on the axis lie apart.
const labelCells = 14

// step is the least round time that puts labels far enough apart.
func (a Axis) step() time.Duration {
	least := time.Duration(float64(a.Window) * labelCells / float64(max(a.Width-a.Ahead, 1)))
	for _, s := range [...]time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200} {
		if s*time.Second >= least {
			return s * time.Second
		}
	}
	return (least/(24*time.Hour) + 1) * 24 * time.Hour
}

// Span is a stretch of time as the left end of an axis over it says it, without its sign: "98s", "1m58s", "2m", "1h5m".
func Span(d time.Duration) string { return span(d, d) }

// span is a time back in the unit of its step: "30s", "2m", "2m30s", "1h".
func span(d, step time.Duration) string {
	num := func(n time.Duration, unit string) string { return strconv.Itoa(int(n)) + unit }
	h, m, s := d/time.Hour, d/time.Minute, d/time.Second
	switch {
	case d%time.Hour == 0:
		return num(h, "h")
	case h > 0:
		return num(h, "h") + num(m%60, "m")
	case d%time.Minute == 0 && step%time.Minute == 0:
		return num(m, "m")
	case s < 100:
		return num(s, "s")
	case s%60 == 0:
		return num(m, "m")
	}
	return num(m, "m") + num(s%60, "s")
}
