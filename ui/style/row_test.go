package style

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"redline/themes"
)

func unicodeSet() *Set { return New(themes.ANSI(), ANSI256, Unicode) }

func TestRowMergesEqualLooks(t *testing.T) {
	row := NewRow(unicodeSet())
	got := row.Start(12).Put(Accent, "ab").Put(Accent, "cd").Put(LaneTTFT, "ef").Put(Bad, "gh").String()
	if n := strings.Count(got, "\x1b["); n != 3 {
		t.Errorf("%d sequences for two looks and a reset, want 3: %q", n, got)
	}
	if plain := ansi.Strip(got); plain != "abcdefgh    " {
		t.Errorf("text is %q", plain)
	}
}

func TestRowBlanksDoNotEndARunOfInk(t *testing.T) {
	row := NewRow(unicodeSet())
	got := row.Start(9).Put(Accent, "ab").Blank(3).Put(Accent, "cd").String()
	if n := strings.Count(got, "\x1b["); n != 2 {
		t.Errorf("%d sequences, want a start and a reset: %q", n, got)
	}
	got = row.Start(9).Put(Select, "ab").Blank(3).String()
	if !strings.HasPrefix(got, row.Set().Start(Select)+"ab"+row.Set().change[Select][FG]+" ") {
		t.Errorf("blanks after a reversed run are reversed too: %q", got)
	}
}

func TestRowEndsReset(t *testing.T) {
	for _, p := range []Profile{Attrs, ANSI16, ANSI256, True} {
		row := NewRow(New(themes.ANSI(), p, Unicode))
		for look := range NumTokens {
			got := row.Start(4).Put(look, "x").Ragged()
			if strings.Contains(got, "\x1b[") && !strings.HasSuffix(got, "\x1b[m") {
				t.Errorf("%s: look %d ends %q", p, look, got)
			}
		}
	}
}

func TestRowWithoutProfileIsText(t *testing.T) {
	row := NewRow(New(themes.ANSI(), None, Unicode))
	if got := row.Start(6).Put(Bad, "a").Put(Select, "b").String(); got != "ab    " {
		t.Errorf("got %q", got)
	}
}

func TestRowAligns(t *testing.T) {
	row := NewRow(New(themes.ANSI(), None, Unicode))
	for _, c := range []struct{ why, got, want string }{
		{"left in a cell", row.Start(10).Cell(FG, "ab", 4).Put(FG, "|").Ragged(), "ab  |"},
		{"right in a cell", row.Start(10).Right(FG, "ab", 4).Put(FG, "|").Ragged(), "  ab|"},
		{"a long text loses its tail", row.Start(10).Cell(FG, "abcdef", 4).Put(FG, "|").Ragged(), "abc…|"},
		{"also from the right", row.Start(10).Right(FG, "abcdef", 4).Put(FG, "|").Ragged(), "abc…|"},
		{"a long name keeps both ends", row.Start(20).Middle(FG, "Qwen2.5-7B-Instruct", 11).Put(FG, "|").Ragged(), "Qwen2…truct|"},
		{"the middle of wide text", row.Start(20).Middle(FG, "模型名称很长", 7).Ragged(), "模 …长"},
		{"a column behind stays behind", row.Start(10).Put(FG, "abc").To(1).Put(FG, "d").Ragged(), "abcd"},
		{"a column ahead", row.Start(10).To(3).Put(FG, "d").Ragged(), "   d"},
		{"a rule to the end", row.Start(5).Put(FG, "a").Fill(Faint, "─").Ragged(), "a────"},
		{"the row's width cuts all", row.Start(3).Put(FG, "abcdef").Put(FG, "x").String(), "abc"},
		{"half a wide character is a blank", row.Start(3).Put(FG, "模型").String(), "模 "},
		{"trailing blanks go", row.Start(9).Put(FG, "a  ").Ragged(), "a"},
		{"a negative width is none", row.Start(-4).Put(FG, "a").String(), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, c.got, c.want)
		}
	}
}

func TestRowReplacesWhatATerminalWouldObey(t *testing.T) {
	row := NewRow(New(themes.ANSI(), None, Unicode))
	for _, c := range []struct{ why, text, want string }{
		{"an escape", "a\x1b[31mb", "a·[31mb"},
		{"line breaks and tabs are blanks", "a\r\n\tb", "a  b"},
		{"eight-bit controls", "a\u009bb", "a·b"},
		{"broken UTF-8", "a\xffb", "a·b"},
		{"a direction override", "a\u202eb", "a·b"},
		{"a joined emoji keeps its first", "👩\u200d💻!", "👩!"},
		{"a skin tone goes", "👍🏽!", "👍!"},
		{"emoji dress goes", "❤\ufe0f!", "❤!"},
		{"combining marks stay with their letter", "e\u0301!", "e\u0301!"},
		{"a mark without a letter", "\u0301!", "·!"},
	} {
		if got := row.Start(20).Put(FG, c.text).Ragged(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.why, got, c.want)
		}
	}
}

func TestRowFoldsToASCII(t *testing.T) {
	row := NewRow(New(themes.ANSI(), None, ASCII))
	if got := row.Start(60).Put(FG, "≤500 ±11 −4% ✓ é 模 …").Ragged(); got != "<500 +-11 -4% ok ? ?? ~" {
		t.Errorf("got %q", got)
	}
}

func TestRowAllTakesEveryRun(t *testing.T) {
	row := NewRow(unicodeSet())
	got := row.Start(6).All(Select).Put(Bad, "a").Blank(1).Put(Good, "b").Ragged()
	if want := row.Set().Start(Select) + "a b   " + row.Set().Reset(Select); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPaintedThemeFillsEveryRow(t *testing.T) {
	dark, err := themes.Load("redline-dark", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	row := NewRow(New(dark, ANSI256, Unicode))
	if got := row.Start(5).Ragged(); got != row.Set().Start(FG)+"     "+row.Set().Reset(FG) {
		t.Errorf("an empty row is %q", got)
	}
}

// text is random, with a bent to what is difficult.
func text(r *rand.Rand) string {
	parts := []string{"abc", " ", "é", "e\u0301", "模型", "👩\u200d💻", "🇩🇪", "❤\ufe0f", "\x1b[0m", "\t", "│", "▁▂▃", "✓", "\xff", "한국", "ก\u0e33", "हिन्दी", "\u200b",
		"ﷺ", "1\ufe0f\u20e3", "≤500", "\u00ad", "\u202e"}
	var b strings.Builder
	for range r.IntN(12) {
		if r.IntN(8) == 0 {
			b.WriteRune(rune(r.IntN(0x1ffff)))
			continue
		}
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

func TestEveryRowIsExactlyAsWideAsAsked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sets := []*Set{unicodeSet(), New(themes.Mono(), Attrs, Unicode), New(themes.ANSI(), None, ASCII)}
	for range 3000 {
		set := sets[r.IntN(len(sets))]
		row := NewRow(set)
		width := r.IntN(301)
		row.Start(width)
		for range r.IntN(8) {
			s, n, look := text(r), r.IntN(40)-3, Token(r.IntN(int(NumTokens)+2))
			before := row.Cells()
			switch r.IntN(6) {
			case 0:
				row.Put(look, s)
			case 1:
				row.Cut(look, s, n)
			case 2:
				row.Cell(look, s, n)
			case 3:
				row.Right(look, s, n)
			case 4:
				row.Middle(look, s, n)
			case 5:
				row.Blank(n)
			}
			if row.Cells() > width || row.Cells() < before {
				t.Fatalf("%d cells of %d after %d", row.Cells(), width, before)
			}
			// Runs that touch could join into one character; views part their runs, and so does this test.
			row.Put(FG, "|")
		}
		cells := row.Cells()
		got := row.String()
		if w := ansi.StringWidth(got); w != width {
			t.Fatalf("%d cells, want %d (%d written): %q", w, width, cells, got)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
	}
}

func TestWidthIsWhatPutWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, set := range []*Set{unicodeSet(), New(themes.ANSI(), None, ASCII)} {
		row := NewRow(set)
		for range 3000 {
			s := text(r)
			if row.Start(1000).Put(FG, s); row.Cells() != set.Width(s) {
				t.Fatalf("%q: wrote %d cells, measured %d", s, row.Cells(), set.Width(s))
			}
		}
	}
}

func FuzzRow(f *testing.F) {
	f.Add("abc模\x1b", 5)
	f.Fuzz(func(t *testing.T, s string, width int) {
		row := NewRow(unicodeSet())
		width = min(max(width, 0), 300)
		if got := ansi.StringWidth(row.Start(width).Cell(Bad, s, width).String()); got != width {
			t.Errorf("%d cells, want %d", got, width)
		}
	})
}

func BenchmarkRow(b *testing.B) {
	row := NewRow(unicodeSet())
	b.ReportAllocs()
	for b.Loop() {
		row.Start(120).Put(Strong, " TTFT ").Right(Dim, "≤500 ", 8).Glyph(Faint, "┤").Repeat(LaneTTFT, "▅", 40).Glyph(Mark, "┊")
		row.Repeat(LaneTTFT, "▇", 19).Put(FG, " 388      371     442 ").Put(Good, "✓").Put(FG, "    498").Right(Dim, "−51%", 9)
		_ = row.String()
	}
}
