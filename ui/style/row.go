package style

import (
	"strings"
	"unicode/utf8"
)

// Row writes one row of the screen: runs of text with a look each, cut to a width in cells. Equal neighbours share one control
// sequence, the sequence is the shortest that does, and the row ends reset. Control characters, and all else that a terminal
// would obey rather than show, are replaced, so that any text may be written. Make one and use it for every row:
//
//	row := style.NewRow(set)
//	row.Start(width).Put(style.Dim, "CONC ").Put(style.Big, "40").To(60).Put(style.Good, set.Glyphs.OK)
//	lines = append(lines, row.String())
//
// It is not safe for concurrent use.
type Row struct {
	set    *Set
	buf    []byte
	width  int
	cells  int
	look   Token
	all    Token
	forced bool
}

// NewRow is a row of no width; Start gives it one.
func NewRow(set *Set) *Row { return &Row{set: set, buf: make([]byte, 0, 512), look: NumTokens} }

// Set is the theme that the row writes with.
func (r *Row) Set() *Set { return r.set }

// Use changes the theme, from the next Start on.
func (r *Row) Use(set *Set) { r.set = set }

// Start begins an empty row of a width in cells; a width below 0 is 0.
func (r *Row) Start(width int) *Row {
	r.buf, r.width, r.cells, r.look, r.forced = r.buf[:0], max(width, 0), 0, NumTokens, false
	return r
}

// All gives every following run one look, whatever it asks for, up to the next Start: the chosen row of a list.
func (r *Row) All(t Token) *Row {
	r.all, r.forced = t, true
	return r
}

// Width is the row's width in cells, Cells what is written of it, Left what is free.
func (r *Row) Width() int { return r.width }

// Cells is how many cells are written.
func (r *Row) Cells() int { return r.cells }

// Left is how many cells are free.
func (r *Row) Left() int { return r.width - r.cells }

// Put writes text, cut at the row's width, but never within a number.
func (r *Row) Put(t Token, text string) *Row {
	if len(text) > r.Left() && !r.set.fits(text, r.Left()) {
		text = r.set.whole(text, r.Left(), false)
	}
	r.put(t, text, r.width-r.cells)
	return r
}

// Cut writes text in at most n cells; text that is longer loses its tail to an ellipsis, and a number at the cut with it.
func (r *Row) Cut(t Token, text string, n int) *Row {
	n = min(n, r.Left())
	if n <= 0 {
		return r
	}
	if !r.set.fits(text, n) {
		r.put(t, r.set.whole(text, n-1, true), n-1)
		text = r.set.Glyphs.Ellipsis
		n = 1
	}
	r.put(t, text, n)
	return r
}

// Cell writes text in exactly n cells from the left, cut at the tail.
func (r *Row) Cell(t Token, text string, n int) *Row {
	end := r.cells + n
	return r.Cut(t, text, n).To(end)
}

// Right writes text in exactly n cells from the right, cut at the tail as Cut does.
func (r *Row) Right(t Token, text string, n int) *Row {
	n = min(n, r.Left())
	if n > 0 && len(text) > n && !r.set.fits(text, n) {
		text = r.set.whole(text, n-1, true) + r.set.Glyphs.Ellipsis
	}
	if w := r.set.Width(text); w < n {
		r.Blank(n - w)
		n = w
	}
	return r.Cut(t, text, n)
}

// Middle writes text in at most n cells; text that is longer loses its middle, so that a long name keeps both its ends.
func (r *Row) Middle(t Token, text string, n int) *Row {
	n = min(n, r.Left())
	if n <= 0 || r.set.fits(text, n) {
		return r.Put(t, text)
	}
	tail := (n - 1) / 2
	r.put(t, text, n-1-tail)
	r.put(t, r.set.Glyphs.Ellipsis, 1)
	r.put(t, r.set.tail(text, tail), tail)
	return r
}

// Repeat writes a one-cell glyph n times.
func (r *Row) Repeat(t Token, glyph string, n int) *Row {
	n = min(n, r.Left())
	if n <= 0 {
		return r
	}
	r.turn(t)
	for range n {
		r.buf = append(r.buf, glyph...)
	}
	r.cells += n
	return r
}

// Glyph writes one glyph of the set that is one cell wide: Put without a look at the text.
func (r *Row) Glyph(t Token, glyph string) *Row {
	if r.cells < r.width {
		r.turn(t)
		r.buf = append(r.buf, glyph...)
		r.cells++
	}
	return r
}

// Rune writes one character that is one cell wide.
func (r *Row) Rune(t Token, c rune) *Row {
	if c == ' ' {
		return r.Blank(1)
	}
	if r.set.Glyphs.ASCII && c >= utf8.RuneSelf {
		return r.Cell(t, string(c), 1)
	}
	if r.cells < r.width {
		r.turn(t)
		r.buf = utf8.AppendRune(r.buf, c)
		r.cells++
	}
	return r
}

// Blank writes n blanks. They do not end a run of ink, which saves the sequences on both sides.
func (r *Row) Blank(n int) *Row {
	n = min(n, r.Left())
	if n <= 0 {
		return r
	}
	if r.forced || r.set.painted && r.look == NumTokens || r.look != NumTokens && r.set.solid[r.look] {
		r.turn(FG)
	}
	for range n {
		r.buf = append(r.buf, ' ')
	}
	r.cells += n
	return r
}

// To writes blanks up to a column, counted from 0; a column that is behind stays behind.
func (r *Row) To(column int) *Row { return r.Blank(column - r.cells) }

// Fill writes a rule from here to the end.
func (r *Row) Fill(t Token, glyph string) *Row { return r.Repeat(t, glyph, r.Left()) }

// String is the row, filled to its width with blanks and reset.
func (r *Row) String() string {
	r.Blank(r.Left())
	return r.end()
}

// Ragged is the row without the blanks at its end, where the terminal shows none: fewer bytes, and clean when copied.
// A theme with a background of its own fills the row all the same.
func (r *Row) Ragged() string {
	if r.forced || r.set.painted {
		return r.String()
	}
	if r.look == NumTokens || !r.set.solid[r.look] {
		kept := len(strings.TrimRight(string(r.buf), " "))
		r.cells -= len(r.buf) - kept
		r.buf = r.buf[:kept]
	}
	return r.end()
}

func (r *Row) end() string {
	if r.look != NumTokens {
		r.buf = append(r.buf, r.set.reset[r.look]...)
		r.look = NumTokens
	}
	return string(r.buf)
}

// turn changes the look, unless it is the present one.
func (r *Row) turn(t Token) {
	if r.forced {
		t = r.all
	}
	if t >= NumTokens {
		t = FG
	}
	if t != r.look {
		r.buf = append(r.buf, r.set.change[r.look][t]...)
		r.look = t
	}
}

// put writes text in at most n cells. A wide character that does not fit leaves its first cell blank.
func (r *Row) put(t Token, text string, n int) {
	n = min(n, r.Left())
	if n <= 0 || text == "" {
		return
	}
	r.turn(t)
	end := r.cells + n
	for text != "" && r.cells < end {
		if run := asciiRun(text, end-r.cells); run > 0 {
			r.buf = append(r.buf, text[:run]...)
			r.cells += run
			text = text[run:]
			continue
		}
		shown, w, size := r.set.next(text)
		if r.cells+w > end {
			r.buf = append(r.buf, ' ')
			r.cells++
			return
		}
		r.buf = append(r.buf, shown...)
		r.cells += w
		text = text[size:]
	}
}
