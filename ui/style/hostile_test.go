package style

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"

	"redline/themes"
)

// hostile are texts that terminals obey, reorder, join, or measure in more than one way.
var hostile = []string{
	"模型 名称", "ｆｕｌｌ", "한국어", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪🇫🇷", "👍🏽", "❤️", "❤", "☺️", "#️⃣", "1️⃣", "e\u0301\u0327", "a\u0489", "\u0301alone", "שלום", "مرحبا 123", "\u202eabc\u202c", "\u2066x\u2069", "a\u200eb\u200fc",
	"\t", "a\nb\r\nc", "\x00\x1b[31m\x9b31m\u009b31m\x7f", "\xff\xfe", "a\u200db", "\ue000\U000f0000", "\u0378\U000e0fff", "\U000e0041\U000e007f", "\ufeffx", "so\u00adft", "\u200b", "\u2028x\u2029", "ญี่ปุ่น", "हिन्दी", "ཧཱུྃ",
	"\u115f\u1160", "\uffa0", "\u3164", "ㄱ", "ﷺ", "𒐫", "\u2e3b", "\u034f", "\u061c", "\u180e", "꧅", "\u1b04", "\u0600\u0661", "\u0d4e\u0d15",
}

// shown checks one row: no wider than it may be by two measures of different makers, and nothing in it that a terminal would obey.
func shown(t *testing.T, text, row string, width int, ascii bool) {
	t.Helper()
	plain := ansi.Strip(row)
	if w := ansi.StringWidth(row); w > width {
		t.Errorf("%q takes %d cells of %d: %q", text, w, width, plain)
	}
	if w := uniseg.StringWidth(plain); w > width {
		t.Errorf("%q takes %d cells of %d by another measure: %q", text, w, width, plain)
	}
	for _, r := range plain {
		if ascii && r > '~' {
			t.Errorf("%q is no ASCII: %q", text, plain)
			return
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) || r == unicode.ReplacementChar || r >= 0xfe00 && r <= 0xfe0f {
			t.Errorf("%q reaches the terminal as %q", text, plain)
			return
		}
	}
}

func TestNoTextBreaksARow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, glyphs := range []*Glyphs{Unicode, ASCII} {
		row := NewRow(New(themes.ANSI(), ANSI256, glyphs))
		for range 20_000 {
			text := ""
			for range 1 + r.IntN(4) {
				text += hostile[r.IntN(len(hostile))]
			}
			width := r.IntN(24)
			shown(t, text, row.Start(width).Put(Bad, text).String(), width, glyphs.ASCII)
			shown(t, text, row.Start(width).Cut(Bad, text, width/2).Middle(Good, text, width-width/2).String(), width, glyphs.ASCII)
			if t.Failed() {
				return
			}
		}
	}
}

func FuzzNoTextBreaksARow(f *testing.F) {
	for _, text := range append(hostile, strings.Join(hostile, "")) {
		f.Add(text, 9)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		width &= 63
		row := NewRow(unicodeSet())
		shown(t, text, row.Start(width).Put(Bad, text).String(), width, false)
		shown(t, text, row.Start(width).Right(Bad, text, width).String(), width, false)
	})
}
