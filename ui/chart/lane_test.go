package chart

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/themes"
	"redline/ui/style"
)

var update = flag.Bool("update", false, "write the golden files anew")

var sets = map[string]*style.Set{
	"unicode": style.New(themes.ANSI(), style.ANSI16, style.Unicode),
	"ascii":   style.New(themes.ANSI(), style.None, style.ASCII),
	"mono":    style.New(themes.Mono(), style.Attrs, style.Unicode),
}

// golden compares a picture with its file. Escapes are shown, so that the file reads and its diffs do.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\x1b[", "‹")
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

// story is a minute: calm, a rise of load, a breach with an outlier, a gap, and relief. Two columns a second if fine.
func story(n int, limit float64) []Column {
	r := rand.New(rand.NewPCG(7, 7))
	columns := make([]Column, n)
	for i := range columns {
		at := float64(i) / float64(n)
		v := 180 + 30*r.Float64()
		switch {
		case at >= 0.8:
			v = 300 + 40*r.Float64()
		case at >= 0.5:
			v = 480 + 260*r.Float64()
		case at >= 0.25:
			v = 250 + 40*r.Float64()
		}
		columns[i] = Column{V: v, OK: at < 0.1 || at > 0.15, Breached: v > limit, Dim: at > 0.95}
	}
	columns[n/20] = Column{V: 0, OK: true}
	columns[n*6/10] = Column{V: 1710, OK: true, Breached: true}
	columns[n/4] = Column{Marker: true, Label: "32"}
	columns[n/2] = Column{Marker: true, V: 600, OK: true, Label: "48"}
	columns[n*8/10] = Column{Marker: true}
	columns[n*9/10].Cursor = true
	return columns
}

// picture is a lane with its labels and its axis.
func picture(set *style.Set, l *Lane, title string) string {
	var b strings.Builder
	row := style.NewRow(set)
	fmt.Fprintf(&b, "%s\n", title)
	for y := range l.Rows {
		row.Start(l.Width + 9)
		l.Label(row, y, 8)
		l.Draw(row, y)
		row.Glyph(style.Faint, set.Glyphs.Edge)
		fmt.Fprintf(&b, "%s\n", row.String())
	}
	return b.String()
}

func TestLanesLookAsTheyDid(t *testing.T) {
	for name, set := range sets {
		var b strings.Builder
		columns := story(60, 500)
		for rows := 1; rows <= 5; rows++ {
			l := &Lane{Columns: columns, Width: 60, Rows: rows, Scale: Scale{Ceil: 1000}, Ink: style.LaneTTFT, Threshold: 500, HasThreshold: true}
			b.WriteString(picture(set, l, fmt.Sprintf("ceiling 500 of 1 000, rows %d", rows)))
		}
		row := style.NewRow(set).Start(69)
		row.To(7)
		Axis{Width: 60, Window: 2 * time.Minute, Marks: []AxisMark{{Column: 15, Kind: Up}, {Column: 30, Kind: Up}, {Column: 48, Kind: Down}}}.Cornered(row)
		b.WriteString(row.String() + "\n")

		floor := story(60, 0)
		for i := range floor {
			floor[i].V, floor[i].Breached = 8000/max(floor[i].V, 100), floor[i].V > 500
		}
		b.WriteString(picture(set, &Lane{Columns: floor, Width: 60, Rows: 3, Scale: Scale{Ceil: 50}, Ink: style.LaneTPS, Threshold: 16,
			HasThreshold: true, Floor: true}, "floor 16 of 50"))
		b.WriteString(picture(set, &Lane{Columns: columns, Width: 60, Rows: 3, Scale: Scale{Ceil: 2000, Least: 100, Log: true}, Ink: style.LaneTTFT,
			Threshold: 500, HasThreshold: true}, "logarithmic, 100 to 2 000"))
		b.WriteString(picture(set, &Lane{Columns: columns[40:], Width: 60, Rows: 2, Scale: Scale{Ceil: 1000}, Ink: style.LaneRPM},
			"fewer columns than cells, no threshold"))
		b.WriteString(picture(set, &Lane{Columns: story(60*Braille.PerCell(set), 500), Width: 60, Rows: 3, Scale: Scale{Ceil: 1000}, Mode: Braille, Ink: style.LaneTTFT,
			Threshold: 500, HasThreshold: true}, "braille"))
		b.WriteString(picture(set, &Lane{Columns: columns, Width: 60, Rows: 3, Scale: Scale{Ceil: 1000}, Mode: Ramp, Ink: style.LaneTTFT,
			Threshold: 500, HasThreshold: true}, "ramp"))
		ghost := story(60, 500)
		for i := range ghost {
			ghost[i].HasGhost, ghost[i].Ghost = true, 700
		}
		b.WriteString(picture(set, &Lane{Columns: ghost, Width: 60, Rows: 4, Scale: Scale{Ceil: 1000}, Ink: style.LaneTTFT}, "a ghost at 700"))
		golden(t, "lane_"+name, b.String())
	}
}

// anything is a column of any kind.
func anything(r *rand.Rand) Column {
	values := []float64{0, 1, -1, 500, 1e-300, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), r.Float64() * 1000, r.NormFloat64()}
	flip := func() bool { return r.IntN(4) == 0 }
	c := Column{V: values[r.IntN(len(values))], OK: !flip(), Marker: flip(), Cursor: flip(), Breached: flip(), Dim: flip(), HasGhost: flip(),
		Ghost: values[r.IntN(len(values))]}
	if flip() {
		c.Label = []string{"48", "1 000", "模型", "\x1b[31m", "é\u0301"}[r.IntN(5)]
	}
	return c
}

func anyScale(r *rand.Rand) Scale {
	values := []float64{0, 1, -5, 1000, 1e-300, 1e300, math.NaN(), math.Inf(1), r.Float64() * 100}
	return Scale{Ceil: values[r.IntN(len(values))], Least: values[r.IntN(len(values))], Log: r.IntN(2) == 0}
}

func TestLanesAreExactWhateverTheyShow(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	names := []string{"unicode", "ascii", "mono"}
	for range 1000 {
		set := sets[names[r.IntN(3)]]
		width := r.IntN(303) - 2
		columns := make([]Column, r.IntN(320))
		for i := range columns {
			columns[i] = anything(r)
		}
		l := &Lane{Columns: columns, Width: width, Rows: r.IntN(8) - 1, Scale: anyScale(r), Mode: Mode(r.IntN(3)), Ink: style.LaneTTFT,
			Threshold: anything(r).V, HasThreshold: r.IntN(2) == 0, Floor: r.IntN(2) == 0}
		labels := r.IntN(12)
		row := style.NewRow(set)
		for y := -1; y <= l.Rows; y++ {
			row.Start(400)
			l.Label(row, y, labels)
			if row.Cells() != labels {
				t.Fatalf("label %d of %d rows: %d cells, want %d: %+v", y, l.Rows, row.Cells(), labels, l)
			}
			l.Draw(row, y)
			if row.Cells() != labels+max(width, 0) {
				t.Fatalf("row %d of %d: %d cells, want %d", y, l.Rows, row.Cells()-labels, width)
			}
			if got := ansi.StringWidth(row.String()); got != 400 {
				t.Fatalf("row %d of %d is %d cells: %q", y, l.Rows, got, row.String())
			}
		}
	}
}

func TestZeroIsNotAbsent(t *testing.T) {
	row := style.NewRow(sets["ascii"])
	l := &Lane{Columns: []Column{{}, {V: 0, OK: true}, {V: 1e-9, OK: true}, {V: math.NaN(), OK: true}}, Width: 4, Rows: 1, Scale: Scale{Ceil: 10}}
	row.Start(4)
	l.Draw(row, 0)
	if got := row.String(); got != " _. " {
		t.Errorf("absent, 0, hardly anything, NaN draw as %q", got)
	}
}

func TestBreachShowsWithoutColour(t *testing.T) {
	for name, set := range sets {
		for rows := 1; rows <= 2; rows++ {
			draw := func(breached bool) string {
				l := &Lane{Columns: []Column{{V: 900, OK: true, Breached: breached}}, Width: 1, Rows: rows, Scale: Scale{Ceil: 1000}}
				row := style.NewRow(set).Start(1)
				l.Draw(row, 0)
				return ansi.Strip(row.String())
			}
			if draw(true) == draw(false) {
				t.Errorf("%s, %d rows: a breached column looks like any other: %q", name, rows, draw(true))
			}
		}
	}
}

func TestOnlyThePartOverTheLineIsBad(t *testing.T) {
	set := sets["unicode"]
	l := &Lane{Columns: []Column{{V: 990, OK: true, Breached: true}}, Width: 1, Rows: 3, Scale: Scale{Ceil: 1000}, Ink: style.LaneTTFT, Threshold: 500,
		HasThreshold: true}
	for y, want := range []style.Token{style.Bad, style.Bad, style.LaneTTFT} {
		row := style.NewRow(set).Start(1)
		l.Draw(row, y)
		if got := row.String(); !strings.HasPrefix(got, set.Start(want)) {
			t.Errorf("row %d is %q, want look %q", y, got, set.Start(want))
		}
	}
}

func TestClippedColumnsSaySo(t *testing.T) {
	l := &Lane{Columns: []Column{{V: 1001, OK: true}, {V: 1000, OK: true}}, Width: 2, Rows: 2, Scale: Scale{Ceil: 1000}}
	row := style.NewRow(sets["ascii"]).Start(2)
	l.Draw(row, 0)
	if got := row.String(); got != "^#" {
		t.Errorf("over and at the ceiling draw as %q", got)
	}
}

func TestStripFillsItsHeight(t *testing.T) {
	var columns []Column
	for _, v := range []float64{0, 1, 7} {
		columns = append(columns, Column{V: v, OK: true})
	}
	row := style.NewRow(sets["ascii"]).Start(5)
	Strip(row, style.Bad, columns, 5, Block)
	if got := row.String(); got != "  _.#" {
		t.Errorf("got %q", got)
	}
}

func laneOf(width int) *Lane {
	return &Lane{Columns: story(width, 500), Width: width, Rows: 3, Scale: Scale{Ceil: 1000}, Ink: style.Lane(bench.TTFT), Threshold: 500,
		HasThreshold: true}
}

func TestModesReadTheirOwnNames(t *testing.T) {
	for m := Block; m <= Ramp; m++ {
		if got, err := ParseMode(m.String()); err != nil || got != m {
			t.Errorf("%s reads as %s, %v", m, got, err)
		}
	}
	if _, err := ParseMode("sixel"); err == nil {
		t.Error("sixel is no mode")
	}
}
