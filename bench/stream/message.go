package stream

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMessage bounds a message, in bytes.
const MaxMessage = 512

// Message makes a server's words fit to show: cleaned of secrets, without the tags of web pages, printable, one line, at most MaxMessage
// bytes. Cleaning comes first, since a secret that is cut or broken would no longer be known as one, and again for what a page had encoded.
func Message(s string, clean func(string) string) string {
	if clean == nil {
		clean = func(s string) string { return s }
	}
	s = clean(s)
	if text := worded(s); text != s {
		s = clean(text)
	}
	return Clip(Printable(s), MaxMessage)
}

// Printable puts a space for each run of white space and control characters, so that no escape sequence reaches a terminal.
func Printable(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
}

// Clip cuts to at most n bytes between two runes, and shows that it did.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "…"
	cut := n - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}
