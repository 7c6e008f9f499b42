package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is how many cells text takes in a row of this set: with its folding and replacing, which is why it may differ from what a
// general measure says.
func (s *Set) Width(text string) int {
	cells := 0
	for text != "" {
		if run := asciiRun(text, len(text)); run > 0 {
			cells += run
			text = text[run:]
			continue
		}
		_, w, size := s.next(text)
		cells += w
		text = text[size:]
	}
	return cells
}

// fits tells whether text takes at most n cells; it stops reading long text as soon as it does not.
func (s *Set) fits(text string, n int) bool {
	for text != "" {
		if run := asciiRun(text, n+1); run > 0 {
			n -= run
			text = text[run:]
		} else {
			_, w, size := s.next(text)
			n -= w
			text = text[size:]
		}
		if n < 0 {
			return false
		}
	}
	return true
}

// tail is the end of text that takes at most n cells.
func (s *Set) tail(text string, n int) string {
	for total := s.Width(text); total > n; {
		_, w, size := s.next(text)
		total -= w
		text = text[size:]
	}
	return text
}

// asciiRun is the length of the plain ASCII at the front, at most n. A last letter that the next character might combine with is
// left for next.
func asciiRun(text string, n int) int {
	n = min(n, len(text))
	for i := range n {
		c := text[i]
		if c >= utf8.RuneSelf {
			if r, _ := utf8.DecodeRuneInString(text[i:]); i > 0 && !single(r) {
				return i - 1
			}
			return i
		}
		if c < ' ' || c == 0x7f {
			return i
		}
	}
	if n < len(text) && text[n] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(text[n:]); !single(r) {
			return n - 1
		}
	}
	return n
}

// single tells of characters that are one cell wide by themselves, everywhere, and never combine: most of what the screen writes.
func single(r rune) bool {
	switch {
	case r < ' ' || r == 0x7f:
		return false
	case r < 0x7f:
		return true
	case r < 0xa1 || r == 0xad || r == 0xa9 || r == 0xae:
		return false
	case r < 0x300:
		return true
	case r >= 0x2010 && r <= 0x2027, r >= 0x2030 && r <= 0x203a, r >= 0x2200 && r <= 0x22ff, r >= 0x2500 && r <= 0x25a9:
		return true
	case r >= 0x25b2 && r <= 0x25b5, r >= 0x25bc && r <= 0x25bf, r >= 0x25c4 && r <= 0x25fa, r == 0x25a0, r == 0x2713, r == 0x2717:
		return true
	case r >= 0x2800 && r <= 0x28ff:
		return true
	}
	return false
}

// next is the first character of text that a reader sees: what to write for it, its cells (1 or 2), and the bytes it takes of text.
func (s *Set) next(text string) (shown string, w, size int) {
	r, size := utf8.DecodeRuneInString(text)
	if single(r) && (size == len(text) || following(text[size:])) {
		shown, w = text[:size], 1
	} else {
		shown, w = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		shown, size = letters(shown)
		shown, w = settle(shown, w, r)
	}
	if s.Glyphs.ASCII {
		shown, w = fold(shown, w)
	}
	return shown, w, size
}

func following(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return single(r)
}

// letters splits a cluster of several letters before its second one, and leaves out the mark that joins them. Scripts of India join several, and terminals
// give the whole one cell, or each its own; apart they take their cells everywhere. Where no mark joins them the first stands for all. Hangul always joins.
func letters(cluster string) (head string, size int) {
	first, at := utf8.DecodeRuneInString(cluster)
	if first >= 0x1100 && first <= 0x115f {
		return cluster, len(cluster)
	}
	for i, r := range cluster[at:] {
		if !unicode.IsLetter(r) {
			continue
		}
		head = cluster[:at+i]
		if last, n := utf8.DecodeLastRuneInString(head); unicode.In(last, unicode.Mn) {
			return head[:len(head)-n], at + i
		}
		return cluster[:at], len(cluster)
	}
	return cluster, len(cluster)
}

// prepends tells of letters that join the one behind them, whatever that is.
func prepends(r rune) bool {
	switch r {
	case 0xd4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89
}

// settle makes a cluster safe and its width certain. Terminals disagree on joined emoji, skin tones, emoji made of text characters and
// flags, and on vowels that stand beside their letter: only the first character of those is kept, which all draw alike. What has no width of its own would be obeyed, not
// shown (controls, direction marks), or stick to the cell before: it becomes a dot, a line break a blank.
func settle(cluster string, w int, first rune) (string, int) {
	switch {
	case first == '\n' || first == '\r' || first == '\t' || first == 0xa0:
		return " ", 1
	case first == utf8.RuneError, w <= 0, unicode.In(first, unicode.C, unicode.M, unicode.Zl, unicode.Zp):
		return "·", 1
	case first == 0x2e3a, first == 0x2e3b, prepends(first), first >= 0x1f1e6 && first <= 0x1f1ff, first >= 0x1160 && first <= 0x11ff, first >= 0xd7b0 && first <= 0xd7fb:
		return "·", 1
	}
	if utf8.RuneLen(first) == len(cluster) {
		return cluster, min(w, 2)
	}
	kept := strings.Map(func(r rune) rune {
		if r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || unicode.In(r, unicode.C, unicode.Mc) || r == 0x20e3 || r == utf8.RuneError {
			return -1
		}
		return r
	}, cluster)
	if strings.ContainsRune(cluster, 0x200d) && !unicode.IsLetter(first) {
		kept = string(first)
	}
	w = ansi.StringWidth(kept)
	if w < 1 || w > 2 {
		kept = string(first)
		w = ansi.StringWidth(kept)
	}
	if w < 1 || w > 2 {
		return "·", 1
	}
	return kept, w
}

// folds are what ASCII writes for the few characters that views and numbers use.
var folds = map[string]string{
	"–": "-", "−": "-", "—": "-", "…": "~", "·": ".", "≤": "<", "≥": ">", "≈": "~", "±": "+-", "×": "x", "÷": "/", "→": ">", "←": "<",
	"↑": "^", "↓": "v", "✓": "ok", "✗": "x", "•": "*", "“": "\"", "”": "\"", "‘": "'", "’": "'", "µ": "u", "°": "o", "©": "c",
	"▲": "^", "▼": "v", "●": "*", "○": "o", "◆": "@", "■": "#", "▽": "v", "›": ">", "‹": "<", "‖": "=", "▸": ">", "½": "/",
	"┊": "|", "│": "|", "┃": "|", "┤": "|", "├": "|", "─": "-", "━": "-", "╌": "-", "└": "+", "┘": "+", "┌": "+", "┐": "+",
	"█": "#", "▓": "X", "▒": ":", "░": ".", "▞": "%", "▁": ".", "▂": ":", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "*",
}

func fold(shown string, w int) (string, int) {
	if shown[0] < utf8.RuneSelf {
		// Without the marks on it.
		return shown[:1], 1
	}
	if plain, ok := folds[shown]; ok {
		return plain, len(plain)
	}
	return "??"[:w], w
}

// Plain is text as a row writes it, in whatever room it takes: for what stands outside of the screen.
func (s *Set) Plain(text string) string {
	var b strings.Builder
	for text != "" {
		shown, _, size := s.next(text)
		b.WriteString(shown)
		text = text[size:]
	}
	return b.String()
}
