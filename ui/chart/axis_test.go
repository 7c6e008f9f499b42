package chart

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redline/ui/style"
)

func TestAxisNamesItsTimes(t *testing.T) {
	for _, c := range []struct {
		why  string
		axis Axis
		want string
	}{
		{"two minutes with changes", Axis{60, 2 * time.Minute, []AxisMark{{15, Up}, {31, Up}, {47, Down}}},
			"-2m────────────▲──────────-60s─▲──────────-30s─▼─────────now"},
		{"of two marks in a column the later counts", Axis{20, time.Minute, []AxisMark{{5, Note}, {5, Up}}}, "-1m──▲───────────now"},
		{"a window that is not round", Axis{60, 7*time.Minute + 23*time.Second, nil}, "-7m23s─────-6m─────────────-4m─────────────-2m───────────now"},
		{"a quarter of an hour", Axis{60, 15 * time.Minute, nil}, "-15m──────────────-10m─────────────────-5m───────────────now"},
		{"too narrow for times", Axis{4, time.Minute, nil}, "─now"},
		{"no room at all", Axis{2, time.Minute, nil}, "──"},
		{"marks off the axis", Axis{8, 0, []AxisMark{{-1, Up}, {8, Up}}}, "─────now"},
	} {
		row := style.NewRow(sets["unicode"]).Start(c.axis.Width)
		c.axis.Draw(row)
		if got := ansi.Strip(row.String()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.why, got, c.want)
		}
	}
}

func TestAxisIsExactWhateverStandsOnIt(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 3000 {
		a := Axis{Width: r.IntN(303) - 2, Window: time.Duration(r.Int64N(int64(300 * time.Hour)))}
		for range r.IntN(60) {
			a.Marks = append(a.Marks, AxisMark{r.IntN(320) - 10, MarkKind(r.IntN(4))})
		}
		for _, set := range sets {
			row := style.NewRow(set).Start(400)
			a.Draw(row)
			if row.Cells() != max(a.Width, 0) {
				t.Fatalf("%d cells, want %d: %+v", row.Cells(), a.Width, a)
			}
			row.Start(400)
			a.Cornered(row)
			if row.Cells() != max(a.Width, 0)+2 {
				t.Fatalf("%d cells with corners, want %d", row.Cells(), a.Width+2)
			}
		}
	}
}
