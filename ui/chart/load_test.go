package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/ui/style"
)

func bar(set *style.Set, l Load, width int) (cells, ticks string) {
	row := style.NewRow(set).Start(width)
	l.Draw(row, width)
	cells = ansi.Strip(row.String())
	row.Start(width)
	l.Ticks(row, width)
	return cells, strings.TrimRight(ansi.Strip(row.String()), " ")
}

func TestLoadBarShowsEveryKind(t *testing.T) {
	for _, c := range []struct {
		why   string
		load  Load
		width int
		want  string
	}{
		{"one cell a slot", Load{Busy: 5, Draining: 2, Held: 1, Max: 12}, 12, "█████▒▒▞░░░░"},
		{"nothing", Load{Max: 8}, 8, "░░░░░░░░"},
		{"all", Load{Busy: 8, Max: 8}, 4, "████"},
		{"one of many still shows", Load{Busy: 100, Held: 1, Max: 256}, 16, "██████▞░░░░░░░░░"},
		{"on the move", Load{Busy: 4, Target: 6, Max: 10, Moving: true}, 10, "████░░┃░░░"},
		{"on the way down", Load{Busy: 3, Draining: 5, Target: 3, Max: 10, Moving: true}, 10, "███┃▒▒▒▒░░"},
		{"to the very end", Load{Busy: 1, Target: 10, Max: 10, Moving: true}, 10, "█░░░░░░░░┃"},
		{"more than there may be", Load{Busy: 90, Max: 10}, 5, "█████"},
		{"no end", Load{}, 3, "░░░"},
	} {
		if got, _ := bar(sets["unicode"], c.load, c.width); got != c.want {
			t.Errorf("%s: %s, want %s", c.why, got, c.want)
		}
	}
}

func TestTicksEndUnderTheirSlot(t *testing.T) {
	for _, c := range []struct {
		max, width int
		want       string
	}{
		{64, 64, "1      8      16      24      32      40      48      56      64"},
		{10, 20, "1        5        10"},
		{256, 32, "1     64     128     192     256"},
		{1, 10, "1"},
		{0, 10, ""},
	} {
		if _, got := bar(sets["unicode"], Load{Max: c.max}, c.width); got != c.want {
			t.Errorf("1 to %d in %d cells:\n got %s\nwant %s", c.max, c.width, got, c.want)
		}
	}
}

func TestLoadBarIsExactWhateverItShows(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	values := []int{0, -1, 1, 7, 64, 256, math.MaxInt, math.MinInt, 1 << 40}
	any := func() int { return values[r.IntN(len(values))] }
	for range 5000 {
		l := Load{any(), any(), any(), any(), any(), r.IntN(2) == 0, Mode(r.IntN(3))}
		width := r.IntN(303) - 2
		for _, set := range sets {
			row := style.NewRow(set).Start(500)
			if l.Draw(row, width); row.Cells() != max(width, 0) {
				t.Fatalf("%d cells, want %d: %+v", row.Cells(), width, l)
			}
			row.Start(500)
			if l.Ticks(row, width); row.Cells() != max(width, 0) {
				t.Fatalf("ticks: %d cells, want %d: %+v", row.Cells(), width, l)
			}
		}
	}
}
