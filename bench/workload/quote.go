package workload

import (
	"strconv"
	"strings"
)

// short quotes what was read so that it fits in an error: printable, and cut.
func short(text string) string {
	const most = 40
	if r := []rune(text[:min(len(text), 4*most)]); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// printable is text without what a terminal would obey, cut to so many characters.
func printable(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			break
		}
		if !strconv.IsPrint(r) || r == '\uFFFD' {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}
