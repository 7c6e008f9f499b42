package style

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/themes"
)

func TestANumberIsNeverCut(t *testing.T) {
	row := NewRow(New(themes.ANSI(), None, Unicode))
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"Δ vs 208", 7, "Δ vs…"},
		{"1 702 tok/s", 4, "…"},
		{"n 1 184, open", 6, "n…"},
		{"−51%", 3, "…"},
		{"12.3k", 4, "…"},
		{"max 256 ±4", 9, "max…"},
		{"max 256 ±4", 10, "max 256 ±4"},
		{"at 16 21 s", 6, "at…"},
		{"words only", 5, "word…"},
		{"at 4 123", 5, "at…"},
	} {
		if got := row.Start(40).Cut(FG, c.text, c.n).Ragged(); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.n, got, c.want)
		}
	}
	if got := row.Start(6).Put(FG, "in ").Put(FG, "12.3k").Ragged(); got != "in" {
		t.Errorf("a number at the row's end is %q", got)
	}
}

// TestNumbersInARowAreNumbersOfItsText: whatever the room, each number that is shown is one that was written.
func TestNumbersInARowAreNumbersOfItsText(t *testing.T) {
	number := regexp.MustCompile(`[−±≈~≥≤<>×$+]*\d+(?: \d{3}\b)*(?:\.\d+)?[kMGT%]?`)
	rng := rand.New(rand.NewPCG(3, 4))
	row := NewRow(New(themes.ANSI(), None, Unicode))
	words := []string{"now ", "≈", "−51% ", "12.3k", "1 702", " of ", "±4", " tok/s", "0.42 ", "$5.00", ", ", "≥20 ", "接続"}
	for range 20000 {
		text := ""
		for range 1 + rng.IntN(5) {
			text += words[rng.IntN(len(words))] + strconv.Itoa(rng.IntN(3000)) + " x "
		}
		have, n := number.FindAllString(text, -1), rng.IntN(30)
		for _, got := range []string{row.Start(30).Cut(FG, text, n).Ragged(), row.Start(30).Right(FG, text, n).Ragged(), row.Start(n).Put(FG, text).Ragged()} {
			for _, shown := range number.FindAllString(strings.TrimSpace(ansi.Strip(got)), -1) {
				if !slices.Contains(have, shown) {
					t.Fatalf("%q in %d cells is %q: %q is a cut number", text, n, got, shown)
				}
			}
		}
	}
}
