package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/ui/style"
)

func TestRowsOfAHeatRiseAndKeepThePromiseOnAnEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 3000 {
		var s HeatScale
		low := math.Pow(10, -3+9*r.Float64())
		high := low * math.Pow(10, 4*r.Float64())
		s.Step(low, high)
		rows, log := 1+r.IntN(60), r.IntN(2) == 0
		limit := low + (high-low)*r.Float64()
		edges, at := s.Edges(rows, log, limit)
		if len(edges) != rows+1 {
			t.Fatalf("%d edges for %d rows", len(edges), rows)
		}
		for i := range rows {
			if !(edges[i+1] > edges[i]) {
				t.Fatalf("%g to %g in %d rows, log %v, limit %g: edge %d of %v does not rise", low, high, rows, log, limit, i+1, edges)
			}
		}
		if edges[rows] < high*(1-1e-6) || log && edges[0] > low*(1+1e-6) || !log && edges[0] != 0 {
			t.Fatalf("%g to %g in %d rows, log %v: %g to %g", low, high, rows, log, edges[0], edges[rows])
		}
		if rows > 2 && limit > edges[0] && limit < edges[rows] && (at < 1 || edges[at] != limit) {
			t.Fatalf("limit %g is not an edge of %v", limit, edges)
		}
	}
}

func TestAHeatScaleGrowsAtOnceAndShrinksLate(t *testing.T) {
	var s HeatScale
	s.Step(100, 1000)
	was, _ := s.Edges(10, true, 0)
	for range 9 {
		s.Step(200, 500)
	}
	if now, _ := s.Edges(10, true, 0); now[0] != was[0] || now[10] != was[10] {
		t.Errorf("shrunk after nine: %v, was %v", now, was)
	}
	s.Step(200, 500)
	if now, _ := s.Edges(10, true, 0); now[10] >= was[10] {
		t.Errorf("not shrunk after ten: %v", now)
	}
	s.Step(50, 5000)
	if now, _ := s.Edges(10, true, 0); now[10] < 5000 || now[0] > 50 {
		t.Errorf("not grown at once: %v", now)
	}
	kept := s
	for _, bad := range [][2]float64{{0, 5}, {-1, 5}, {5, 1}, {math.NaN(), 5}, {5, math.NaN()}, {5, math.Inf(1)}} {
		s.Step(bad[0], bad[1])
	}
	if s != kept {
		t.Error("what is no range changed the scale")
	}
	var none HeatScale
	for _, limit := range []float64{0, math.NaN(), math.Inf(1), -5} {
		if edges, at := none.Edges(0, true, limit); len(edges) != 2 || at >= 0 {
			t.Errorf("limit %g: %v, %d", limit, edges, at)
		}
	}
}

func TestShadesRiseFromASingleSample(t *testing.T) {
	for _, most := range []uint64{0, 1, 2, 5, 24, 900, 1e6, math.MaxUint64} {
		s := ShadesFor(most)
		for k := range s {
			if k > 0 && s[k] <= s[k-1] {
				t.Errorf("%d: %v", most, s)
			}
			if s.Of(s[k]) != k+1 || k > 0 && s.Of(s[k]-1) != k {
				t.Errorf("%d: shade of %d is %d", most, s[k], s.Of(s[k]))
			}
		}
		if s.Of(0) != 0 || s.Of(1) != 1 || most > 8 && s.Of(most) != NumShades {
			t.Errorf("%d: none is %d, one is %d, the most %d", most, s.Of(0), s.Of(1), s.Of(most))
		}
	}
}

func TestEveryLengthHasOneColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for range 500 {
		low := 1 + r.IntN(5000)
		high := low + r.IntN(1<<r.IntN(30))
		cells := 1 + r.IntN(120)
		l := NewLengths(low, high, cells)
		if len(l.Cells) != cells || l.Count() < 1 || l.First[0] != low {
			t.Fatalf("%d to %d in %d cells: %+v", low, high, cells, l)
		}
		for i := range l.Count() {
			first, next := l.First[i], l.First[i+1]
			if next <= first || l.At(first) != i || l.At(next-1) != i {
				t.Fatalf("%d to %d in %d cells: column %d is from %d to below %d", low, high, cells, i, first, next)
			}
		}
		if l.At(0) != 0 || l.At(math.MaxInt) != l.Count()-1 {
			t.Fatal("what lies outside is not in the outermost column")
		}
	}
	for _, bad := range [][3]int{{0, 0, 0}, {-5, -9, 10}, {1, math.MaxInt, 7}, {math.MaxInt, 1, 3}} {
		l := NewLengths(bad[0], bad[1], bad[2])
		row := style.NewRow(sets["unicode"]).Start(40)
		l.Axis(row, " tokens")
	}
}

func TestAHeatIsExactWhateverItShows(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for range 400 {
		h := Heat{Rows: r.IntN(12), Limit: r.IntN(14) - 2, Column: r.IntN(9) - 2, Row: r.IntN(14) - 2, Chosen: r.IntN(2) == 0, Shades: ShadesFor(r.Uint64() >> r.IntN(64))}
		for range r.IntN(8) {
			c := HeatColumn{}
			for range r.IntN(12) {
				c.Counts = append(c.Counts, r.Uint64()>>r.IntN(64))
			}
			h.Columns = append(h.Columns, c)
		}
		for range r.IntN(60) {
			h.Cells, h.Markers = append(h.Cells, r.IntN(12)-3), append(h.Markers, r.IntN(9) == 0)
		}
		h.Markers = h.Markers[:r.IntN(len(h.Markers)+1)]
		set := sets[[]string{"unicode", "ascii", "mono"}[r.IntN(3)]]
		row := style.NewRow(set)
		for y := -1; y <= h.Rows; y++ {
			row.Start(100)
			if h.Draw(row, y); row.Cells() != len(h.Cells) || ansi.StringWidth(row.String()) != 100 {
				t.Fatalf("row %d is %d cells, want %d", y, row.Cells(), len(h.Cells))
			}
		}
	}
}

// TestAHeatNeedsNoColour: each shade, the promise, a marker and the chosen cell's column are glyphs of their own.
func TestAHeatNeedsNoColour(t *testing.T) {
	h := Heat{Rows: 2, Limit: 1, Cells: []int{0, 1, 2, 3, 4, 5, 6}, Markers: []bool{6: true}, Shades: Shades{1, 2, 3, 4, 5}, Column: 5, Row: 0, Chosen: true}
	for n := range 6 {
		h.Columns = append(h.Columns, HeatColumn{Counts: []uint64{uint64(n), 0}})
	}
	h.Columns = append(h.Columns, HeatColumn{})
	for name, want := range map[string]string{"unicode": "╌╌╌╌╌│┊\n ·░▒▓█┊", "ascii": "-----!|\n .:+%#|"} {
		row, got := style.NewRow(sets[name]), []string{}
		for y := range 2 {
			row.Start(7)
			h.Draw(row, y)
			got = append(got, ansi.Strip(row.String()))
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, text, want)
		}
	}
}

func TestALegendIsWholeOrNotThere(t *testing.T) {
	s := ShadesFor(5000)
	row := style.NewRow(sets["unicode"]).Start(60)
	if !s.Legend(row, Block) || !strings.Contains(ansi.Strip(row.String()), "█ 4k+") {
		t.Errorf("%v: %q", s, ansi.Strip(row.String()))
	}
	if row.Start(12); s.Legend(row, Block) || row.Cells() != 0 {
		t.Error("a part of a legend")
	}
}
