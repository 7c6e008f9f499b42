package style

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// whole is the head of a text that does not fit into n cells: as much of it as does, but never part of a number. A number that loses digits or
// its unit is another number; it had better not be there at all.
func (s *Set) whole(text string, n int) string {
	cells, at := 0, 0
	for at < len(text) {
		_, w, size := s.next(text[at:])
		if cells+w > n {
			break
		}
		cells += w
		at += size
	}
	if at >= len(text) || !splits(text, at) {
		return strings.TrimRight(text[:at], " ")
	}
	for at > 0 && splits(text, at) {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if !strings.ContainsRune("−-+±≈~≥≤<>×$", r) {
			break
		}
		at -= size
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
		return unicode.IsDigit(before) || before == '.' || before == ' ' && thousands(text, at) || strings.ContainsRune("−-+±≈~≥≤<>×$", before)
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
