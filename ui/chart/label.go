package chart

import "redline/ui/style"

// middleRows is the least height at which the middle of the scale has a label too.
const middleRows = 8

// Label writes the axis label of row y in exactly width cells, the closing "┤" among them: "900 ┤", "≤500 ┤", "≥20  0 ┤". From three
// rows up top, bottom and threshold are named, each where it lies. Two rows have no line: the scale's top stands in the first, the threshold below.
func (l *Lane) Label(row *style.Row, y, width int) {
	width = min(width, row.Left())
	if width < 2 || y < 0 || y >= l.Rows {
		row.Blank(width)
		return
	}
	bound, value := l.labels(y)
	// A gap before the axis if there is room; the figures first.
	gap := 1
	if bound != "" && value != "" && row.Set().Width(bound)+2+len(value) > width-1-gap {
		value = ""
	}
	if bound != "" && value != "" {
		bound += "  "
	}
	text := bound + value
	w := row.Set().Width(text)
	if w > width-2 {
		gap = 0
	}
	row.Right(style.Dim, text, width-1-gap)
	row.Blank(gap)
	row.Glyph(style.Faint, row.Set().Glyphs.AxisY)
}

// labels are the threshold's label and the scale's in row y, "" for none.
func (l *Lane) labels(y int) (bound, value string) {
	if l.HasThreshold {
		at := l.Rows - 1
		if l.Rows >= lineRows {
			at -= l.thresholdRow()
		}
		if y == at {
			bound = l.bound()
		}
	}
	switch {
	case l.Rows < lineRows && y == 0 && l.Rows > 1:
		return "", l.tick(l.Scale.top())
	case l.Rows < lineRows:
		return bound, ""
	}
	switch {
	case y == l.Rows-1:
		value = l.tick(l.Scale.Base())
	case y == 0 && bound == "":
		value = l.tick(l.Scale.top())
	case l.Rows >= middleRows && y == l.Rows-1-l.Rows/2 && bound == "":
		value = l.tick(l.Scale.middle())
	}
	return bound, value
}

// bound is the threshold with its side: "≤500".
func (l *Lane) bound() string {
	if l.Floor {
		return "≥" + l.tick(l.Threshold)
	}
	return "≤" + l.tick(l.Threshold)
}

// tick is a number of the lane's scale.
func (l *Lane) tick(v float64) string {
	if l.Millis {
		return TickMillis(v)
	}
	return Tick(v)
}

// Strip writes a lane of one row with a scale of its own, the greatest column filling it: errors, gaps of a stream.
func Strip(row *style.Row, ink style.Token, columns []Column, width int, mode Mode) {
	l := Lane{Columns: columns, Width: width, Rows: 1, Ink: ink, Mode: mode}
	for _, c := range columns[max(0, len(columns)-max(width, 0)):] {
		if c.present() {
			l.Scale.Ceil = max(l.Scale.Ceil, c.V)
		}
	}
	l.Draw(row, 0)
}
