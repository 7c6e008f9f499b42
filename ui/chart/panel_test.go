package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redline/bench"
	"redline/ui/style"
)

func rows(p *Panel, set *style.Set) string {
	var b strings.Builder
	width, height := p.Size()
	row := style.NewRow(set)
	for y := range height {
		row.Start(width)
		p.Draw(row, y)
		fmt.Fprintf(&b, "%s|\n", ansi.Strip(row.String()))
	}
	return b.String()
}

func latencies() bench.Sketch {
	r := rand.New(rand.NewPCG(41, 42))
	h := bench.NewHistogram()
	for range 3000 {
		h.Add(250*math.Exp(0.35*r.NormFloat64()), 1)
	}
	return h.Sketch()
}

func TestPanelsLookAsTheyDid(t *testing.T) {
	for name, set := range sets {
		var b strings.Builder
		var p Panel
		h := NewHistogram(latencies(), 20)
		h.Title, h.Threshold, h.Ink = "TTFT ms", 500, style.LaneTTFT
		h.Plot(&p, set, 48, 9)
		b.WriteString(rows(&p, set))
		Histogram{}.Plot(&p, set, 30, 5)
		b.WriteString(rows(&p, set))
		golden(t, "panel_"+name, b.String())
	}
}

func TestPanelsAreExactWhateverTheyShow(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	var p Panel
	for i := range 200 {
		width, height := r.IntN(102)-1, r.IntN(32)-1
		if i%2 == 0 {
			width, height = r.IntN(20), r.IntN(8)
		}
		set := sets[[]string{"unicode", "ascii", "mono"}[r.IntN(3)]]
		any := func() float64 { return anything(r).V }
		if i%3 == 0 {
			h := Histogram{From: any(), Threshold: any(), Title: "title that is too long for narrow panels"}
			for range r.IntN(60) {
				h.Bars = append(h.Bars, Bar{any(), any()})
			}
			h.Plot(&p, set, width, height)
		} else {
			c := Curve{Log: r.IntN(2) == 0, NameCells: r.IntN(8), Left: r.IntN(20), Unit: "conc", Knee: any(), Threshold: any(), Title: "title that is too long for narrow panels", Ink: style.Accent}
			for range r.IntN(12) {
				c.Points = append(c.Points, CurvePoint{X: any(), Y: any(), Here: r.IntN(5) == 0, Past: r.IntN(5) == 0})
			}
			c.Plot(&p, set, width, height)
		}
		if w, h := p.Size(); w != max(width, 0) || h != max(height, 0) {
			t.Fatalf("%d × %d, want %d × %d", w, h, width, height)
		}
		row := style.NewRow(set)
		for y := -1; y <= height; y++ {
			row.Start(200)
			if p.Draw(row, y); row.Cells() != max(width, 0) || ansi.StringWidth(row.String()) != 200 {
				t.Fatalf("row %d is %d cells, want %d", y, row.Cells(), width)
			}
		}
	}
}

func TestHistogramSharesAddUp(t *testing.T) {
	h := NewHistogram(latencies(), 24)
	sum, last := 0.0, h.From
	for _, b := range h.Bars {
		if b.Upto <= last || b.Share < 0 {
			t.Errorf("bar %+v after %g", b, last)
		}
		sum, last = sum+b.Share, b.Upto
	}
	if len(h.Bars) != 24 || math.Abs(sum-1) > 0.02 {
		t.Errorf("%d bars add up to %g", len(h.Bars), sum)
	}
	one := bench.NewHistogram()
	one.Add(100, 5)
	if h := NewHistogram(one.Sketch(), 8); len(h.Bars) != 8 {
		t.Errorf("samples all alike give %d bars", len(h.Bars))
	}
	if h := NewHistogram(bench.Sketch{}, 8); len(h.Bars) != 0 {
		t.Error("no samples give bars")
	}
}

// TestLongTimesAreToldInSeconds: 12k ms is nobody's number.
func TestLongTimesAreToldInSeconds(t *testing.T) {
	h := Histogram{From: 800, Bars: []Bar{{12_400, 0.6}, {40_000, 0.4}}, Threshold: 20_000, Millis: true}
	var p Panel
	h.Plot(&p, sets["unicode"], 60, 8)
	got := rows(&p, sets["unicode"])
	for _, want := range []string{"800", "≤20s", "40s"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestAPanicInACanvasCostsThePanelOnly(t *testing.T) {
	if plotSafe(func() { panic("index out of range") }) || !plotSafe(func() {}) {
		t.Error("plotSafe does not tell")
	}
}
