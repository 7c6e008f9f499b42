package chart

import (
	"math"
	"sort"

	"redline/ui/style"
)

// Lengths are the columns of an axis of whole numbers from 1 on, whose ratios are alike: tokens of a prompt, places in an answer.
type Lengths struct {
	// First are the least numbers of the columns, rising, and behind them the first number that is beyond the last column.
	First []int
	// Cells is which column each cell across shows: a number that takes several cells is one column.
	Cells []int
}

// maxLength bounds the numbers of an axis.
const maxLength = 1 << 40

// NewLengths divides the numbers from low to high among so many cells.
func NewLengths(low, high, cells int) Lengths {
	var l Lengths
	low = min(max(low, 1), maxLength)
	high = min(max(high, low+1), maxLength+1)
	if cells < 1 {
		return l
	}
	ratio := float64(high+1) / float64(low)
	for x := range cells {
		from := int(float64(low)*math.Pow(ratio, float64(x)/float64(cells)) + 1e-9)
		if n := len(l.First); n == 0 || from > l.First[n-1] {
			l.First = append(l.First, from)
		}
		l.Cells = append(l.Cells, len(l.First)-1)
	}
	l.First = append(l.First, high+1)
	return l
}

// Count is how many columns there are.
func (l *Lengths) Count() int { return max(len(l.First)-1, 0) }

// At is the column of a number; what lies outside is in the first or the last.
func (l *Lengths) At(n int) int {
	i := sort.Search(len(l.First), func(i int) bool { return l.First[i] > n }) - 1
	return min(max(i, 0), max(l.Count()-1, 0))
}

// Axis writes the axis between its corners, in exactly two cells more than there are Cells: round numbers under their columns, and what they count.
func (l *Lengths) Axis(row *style.Row, noun string) {
	g := row.Set().Glyphs
	row.Glyph(style.Faint, g.CornerL)
	start, width := row.Cells(), len(l.Cells)
	end := width - len(noun)
	if end < 12 {
		noun, end = "", width
	}
	last := -1
	for x, i := range l.Cells {
		if x > 0 && i == l.Cells[x-1] {
			continue
		}
		n, ok := roundWithin(l.First[i], l.First[i+1])
		text := Tick(float64(n))
		if at := row.Cells() - start; ok && x > last && x+len(text)+1 <= end && x >= at {
			row.Repeat(style.Faint, g.Rule, x-at).Put(style.Dim, text)
			last = x + len(text) + 2
		}
	}
	row.Repeat(style.Faint, g.Rule, start+end-row.Cells()).Put(style.Dim, noun)
	row.Repeat(style.Faint, g.Rule, start+width-row.Cells())
	row.Glyph(style.Faint, g.CornerR)
}

// roundWithin is the number of 1, 2, 5 × 10ⁿ from one number up to below another; not ok if there is none.
func roundWithin(from, to int) (int, bool) {
	n := int(RoundUp(float64(from)))
	return n, n >= from && n < to
}
