package style

// Lines breaks text into lines of at most width cells: at its line breaks, at blanks, between wide characters, and within a word only where it alone is
// longer than a line. The lines are parts of text, to be written with Put; a width below 2 is 2.
func (s *Set) Lines(text string, width int) []string {
	width = max(width, 2)
	b := breaker{set: s, text: text, gap: -1}
	for b.at < len(text) {
		switch text[b.at] {
		case '\n':
			b.cut(b.at, b.at+1)
			b.at++
			continue
		case '\r':
			b.at++
			continue
		}
		b.next(width)
	}
	return append(b.lines, text[b.start:])
}

// breaker goes through a text: the line that is being made begins at start and has so many cells up to at; gap is where it may end, -1 for nowhere yet, and
// after is where the next line would begin then.
type breaker struct {
	set                          *Set
	text                         string
	lines                        []string
	start, at, cells, gap, after int
}

// cut ends the line, and begins the next one.
func (b *breaker) cut(end, next int) {
	b.lines = append(b.lines, b.text[b.start:end])
	b.start, b.cells, b.gap = next, 0, -1
}

// next takes one character.
func (b *breaker) next(width int) {
	_, w, size := b.set.next(b.text[b.at:])
	// A blank that carries an accent is no place to break at: the accent would be lost with it.
	blank := size == 1 && (b.text[b.at] == ' ' || b.text[b.at] == '\t')
	if w == 2 && b.at > b.start {
		b.gap, b.after = b.at, b.at
	}
	switch {
	case b.cells+w <= width || b.at == b.start:
	case blank:
		b.cut(b.at, b.at+size)
		b.at += size
		return
	case b.gap >= 0:
		at := b.after
		b.cut(b.gap, at)
		b.cells = b.set.Width(b.text[at:b.at])
	default:
		b.cut(b.at, b.at)
	}
	if blank {
		b.gap, b.after = b.at, b.at+size
	}
	b.cells += w
	b.at += size
	if w == 2 {
		b.gap, b.after = b.at, b.at
	}
}
