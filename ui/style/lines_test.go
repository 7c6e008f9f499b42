package style

import (
	"strings"
	"testing"
	"unicode/utf8"

	"redline/themes"
)

func TestTextBreaksWhereAReaderWouldBreakIt(t *testing.T) {
	set := New(themes.ANSI(), None, Unicode)
	for _, c := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"at blanks", "one two three", 8, "one two|three"},
		{"a blank at the end of a line is dropped", "one two three", 7, "one two|three"},
		{"a word that fills the line stays whole", "abcdefgh ij", 8, "abcdefgh|ij"},
		{"a longer word breaks within", "abcdefghij", 4, "abcd|efgh|ij"},
		{"at its own line breaks, empty lines too", "one\n\ntwo", 8, "one||two"},
		{"carriage returns break nothing", "one\r\ntwo", 8, "one\r|two"},
		{"wide characters break between any two", "负载均衡器", 5, "负载|均衡|器"},
		{"a wide character that would stick out goes to the next line", "abc负", 4, "abc|负"},
		{"an accent stays with its letter", "ae\u0301ae\u0301", 2, "ae\u0301|ae\u0301"},
		{"after the last break there is a line to write in", "one\n", 8, "one|"},
		{"nothing is one empty line", "", 8, ""},
	} {
		if got := strings.Join(set.Lines(c.text, c.width), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("one two three", 7)
	f.Add("负载 均衡\r\n器 e\u0301 \x1b[31m\t👩‍👩‍👧‍👦", 5)
	sets := []*Set{New(themes.ANSI(), None, Unicode), New(themes.ANSI(), None, ASCII)}
	f.Fuzz(func(t *testing.T, text string, width int) {
		if !utf8.ValidString(text) || len(text) > 4096 {
			return
		}
		for _, set := range sets {
			lines := set.Lines(text, width)
			left := text
			for _, line := range lines {
				if w := set.Width(line); w > max(width, 2) && strings.ReplaceAll(line, "\r", "") != "" && set.Width(strings.ReplaceAll(line, "\r", "")) > max(width, 2) {
					t.Fatalf("%q has %d cells, want %d at most", line, w, width)
				}
				at := strings.Index(left, line)
				if at < 0 || strings.Trim(left[:at], " \t\n\r") != "" {
					t.Fatalf("%q is lost or out of order", line)
				}
				left = left[at+len(line):]
			}
			if strings.Trim(left, " \t\n\r") != "" {
				t.Fatalf("%q is lost", left)
			}
		}
	})
}
