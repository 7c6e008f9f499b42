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
		{"two minutes with changes", Axis{Width: 60, Window: 2 * time.Minute, Marks: []AxisMark{{Column: 15, Kind: Up}, {Column: 31, Kind: Up}, {Column: 47, Kind: Down}}},
			"-2m────────────▲──────────-60s─▲──────────-30s─▼─────────now"},
		{"of two marks in a column the later counts", Axis{Width: 20, Window: time.Minute, Marks: []AxisMark{{Column: 5, Kind: Note}, {Column: 5, Kind: Up}}}, "-1m──▲───────────now"},
		{"a window that is not round", Axis{Width: 60, Window: 7*time.Minute + 23*time.Second, Marks: nil}, "-7m23s─────-6m─────────────-4m─────────────-2m───────────now"},
		{"a quarter of an hour", Axis{Width: 60, Window: 15 * time.Minute, Marks: nil}, "-15m──────────────-10m─────────────────-5m───────────────now"},
		{"what is to come stands right of now", Axis{Width: 40, Window: time.Minute, Ahead: 8, Future: 15 * time.Second}, "-1m───────────-30s───────────now────+15s"},
		{"now gives way to a mark", Axis{Width: 40, Marks: []AxisMark{{Column: 30, Kind: Up}, {Column: 37, Kind: Up, Ahead: true}}, Ahead: 8, Future: 15 * time.Second}, "──────────────────────────────▲─now──▲──"},
		{"too narrow for times", Axis{Width: 4, Window: time.Minute, Marks: nil}, "─now"},
		{"no room at all", Axis{Width: 2, Window: time.Minute, Marks: nil}, "──"},
		{"marks off the axis", Axis{Width: 8, Window: 0, Marks: []AxisMark{{Column: -1, Kind: Up}, {Column: 8, Kind: Up}}}, "─────now"},
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
		if r.IntN(3) == 0 {
			a.Ahead, a.Future = r.IntN(80), time.Duration(r.Int64N(int64(3*time.Hour)))
		}
		for range r.IntN(60) {
			a.Marks = append(a.Marks, AxisMark{Column: r.IntN(320) - 10, Kind: MarkKind(r.IntN(4)), Ahead: r.IntN(5) == 0})
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
