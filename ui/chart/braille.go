package chart

import "redline/ui/style"

// brailleSteps is the dots of a cell, one above the other.
const brailleSteps = 4

// The dots of a braille cell from the bottom, as bits: left and right half.
var (
	leftDots  = [brailleSteps + 1]rune{0, 0x40, 0x44, 0x46, 0x47}
	rightDots = [brailleSteps + 1]rune{0, 0x80, 0xa0, 0xb0, 0xb8}
)

// braille draws two columns to a cell. What takes a column whole takes the cell; the worse look of the two wins.
func (p *painter) braille(columns []Column) {
	if len(columns)%2 == 1 {
		p.pair(Column{}, columns[0])
		columns = columns[1:]
	}
	for i := 0; i+1 < len(columns); i += 2 {
		p.take(columns[i:], 2)
		p.pair(columns[i], columns[i+1])
	}
}

func (p *painter) pair(a, b Column) {
	whole := a
	whole.Cursor, whole.Marker = a.Cursor || b.Cursor, a.Marker || b.Marker
	if whole.Label == "" {
		whole.Label = b.Label
	}
	if p.special(whole) {
		return
	}
	left, right := p.steps(a, brailleSteps), p.steps(b, brailleSteps)
	if left < 0 && right < 0 {
		p.empty(a)
		return
	}
	worse := a
	if right >= 0 && (left < 0 || p.bad(b)) {
		worse = b
	}
	switch {
	case left >= 0 && p.clipped(a) || right >= 0 && p.clipped(b):
		p.row.Glyph(p.ink(worse), p.glyphs.Clip)
	case left <= 0 && right <= 0:
		p.row.Glyph(p.ink(worse), p.glyphs.Zero)
	case a.Ahead && left >= 0 || b.Ahead && right >= 0:
		p.row.Rune(style.Dim, 0x2800|plannedDots(leftDots[max(left, 0)], rightDots[max(right, 0)]))
	default:
		p.row.Rune(p.ink(worse), 0x2800|leftDots[max(left, 0)]|rightDots[max(right, 0)])
	}
}

// checkered is every other dot of a cell.
const checkered = 0x95

// plannedDots are those of what is yet to come: every other one, so that it is told from what has been in every look.
func plannedDots(left, right rune) rune {
	if all := left | right; all&checkered == 0 {
		return all
	}
	return (left | right) & checkered
}
