package style

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// signs are what may stand right before a number and belongs to it.
const signs = "−-+±≈~≥≤<>×$"

// whole is the head of a text that does not fit into n cells: as much of it as does, but never part of a number. A number that loses digits or
// its unit is another number; it had better not be there at all. With dots an ellipsis follows, before which a whole number would look cut too.
func (s *Set) whole(text string, n int, dots bool) string {
	cells, at := 0, 0
	for at < len(text) {
		_, w, size := s.next(text[at:])
		if cells+w > n {
			break
		}
		cells += w
		at += size
	}
	back := func() rune {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
		return r
	}
	within := splits(text, at)
	if !within {
		at = len(strings.TrimRight(text[:at], " "))
		last, _ := utf8.DecodeLastRuneInString(text[:at])
		within = dots && unicode.IsDigit(last)
	}
	if !within {
		return text[:at]
	}
	for back(); at > 0 && splits(text, at); {
		back()
	}
	for at > 0 {
		if r, _ := utf8.DecodeLastRuneInString(text[:at]); !strings.ContainsRune(signs, r) {
			break
		}
		back()
	}
	return strings.TrimRight(text[:at], " ")
}

// splits tells whether a cut at a place goes through a number: its digits, its point, the blank of its thousands, the letter of its unit, the sign
// before it.
func splits(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case at == 0:
		return false
	case unicode.IsDigit(after):
		return unicode.IsDigit(before) || before == '.' || before == ' ' && thousands(text, at) || strings.ContainsRune(signs, before)
	case !unicode.IsDigit(before):
		return false
	case after == '.':
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		return unicode.IsDigit(next)
	case after == ' ':
		return thousands(text, at+size)
	}
	return after == '%' || unicode.IsLetter(after)
}

// thousands tells whether the three digits at a place go on a number that is written with a blank between its thousands.
func thousands(text string, at int) bool {
	if at < 2 || text[at-1] != ' ' || text[at-2] < '0' || text[at-2] > '9' || len(text) < at+3 {
		return false
	}
	for _, c := range []byte(text[at : at+3]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) == at+3 || text[at+3] < '0' || text[at+3] > '9'
}
