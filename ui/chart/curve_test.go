package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"redline/ui/style"
)

func levels() []CurvePoint {
	return []CurvePoint{{X: 8, Y: 510}, {X: 16, Y: 1000}, {X: 24, Y: 1455}, {X: 32, Y: 1640}, {X: 48, Y: 1768, Breached: true}, {X: 40, Y: 1702, Here: true},
		{X: 56, Y: 1771, Short: true, Breached: true}, {X: 40, Y: 1500, Past: true}}
}

// waits are times that belong to the levels, far apart.
func waits() []CurvePoint {
	out := levels()
	for i, y := range []float64{180, 210, 268, 318, 905, 442, 12_610, 520} {
		out[i].Y = y
	}
	return out
}

func TestCurvesLookAsTheyDid(t *testing.T) {
	for name, set := range sets {
		var b strings.Builder
		var p Panel
		for _, one := range []struct {
			c    Curve
			w, h int
		}{
			{Curve{Points: levels(), Knee: 32, Title: "output tok/s by concurrency", Ink: style.Accent}, 48, 12},
			{Curve{Points: levels(), Threshold: 1200, Ink: style.Accent}, 30, 8},
			{Curve{Points: waits(), Log: true, Millis: true, Threshold: 500, Knee: 32, Names: []string{"TTFT", "p95", "ms log"}, NameCells: 6, Unit: "conc", Ink: style.LaneTTFT}, 70, 11},
			{Curve{Points: waits(), Millis: true, Threshold: 500, Names: []string{"TTFT", "p95", "ms"}, NameCells: 6, Unit: "conc", Ink: style.LaneTTFT}, 70, 11},
			{Curve{Points: levels()[:1], Ink: style.Accent}, 40, 6},
			{Curve{Points: levels()[:1], Log: true, Ink: style.Accent}, 40, 6},
			{Curve{Points: []CurvePoint{{X: 40, Y: 100}, {X: 41, Y: 104, Chosen: true}}, Ink: style.Accent}, 40, 6},
			{Curve{Points: []CurvePoint{{X: 1, Y: 60}, {X: 2, Y: 118}, {X: 4, Y: 230}, {X: 64, Y: 1300}, {X: 2000, Y: 1500}}, Ink: style.Accent}, 60, 8},
			{Curve{Points: []CurvePoint{{X: 2.5, Y: 512}, {X: 5, Y: 1010}, {X: 7.5, Y: 1490}}, Unit: "req/s", NameCells: 6, Ink: style.Accent, Joined: false}, 60, 7},
			{Curve{Points: levels(), Joined: true, Ink: style.Accent}, 40, 3},
			{Curve{Title: "nothing"}, 30, 5},
		} {
			one.c.Plot(&p, set, one.w, one.h)
			b.WriteString(rows(&p, set))
		}
		golden(t, "curve_"+name, b.String())
	}
}

func TestAnAxisOfLoadsHasRoundTicks(t *testing.T) {
	many := make([]float64, 256)
	for i := range many {
		many[i] = float64(i + 1)
	}
	for _, c := range []struct {
		what     string
		loads    []float64
		from, to float64
		log      bool
		ticks    []float64
	}{
		{"without loads there is an axis all the same", nil, 0, 1, false, []float64{1}},
		{"one load stands in the middle", []float64{8}, 0, 16, false, []float64{2, 4, 6, 8, 10, 12, 14, 16}},
		{"the ticks are at the loads that were tried", []float64{8, 16, 24, 32, 40, 48, 56}, 0, 57.12, false, []float64{8, 16, 24, 32, 40, 48, 56}},
		{"and at their common step", []float64{16, 32, 48, 40}, 0, 48.96, false, []float64{8, 16, 24, 32, 40, 48}},
		{"loads in tens", []float64{10, 20, 30}, 0, 30.6, false, []float64{5, 10, 15, 20, 25, 30}},
		{"two loads side by side do not begin at 0", []float64{40, 41}, 39.75, 41.25, false, []float64{40, 41}},
		{"rates need not be whole", []float64{2.5, 5, 7.5}, 0, 7.65, false, []float64{2.5, 5, 7.5}},
		{"loads far apart stand on a logarithmic axis", []float64{1, 2, 4, 8, 64, 2000}, 1 / 1.02, 2040, true, []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000}},
		{"loads in plenty", many, 0, 261.12, false, []float64{25, 50, 75, 100, 125, 150, 175, 200, 225, 250}},
	} {
		e := FitLoads(c.loads, 70)
		if math.Abs(e.From-c.from) > 1e-9 || math.Abs(e.To-c.to) > 1e-9 || e.Log != c.log || !slices.Equal(e.Ticks, c.ticks) {
			t.Errorf("%s: %+v", c.what, e)
		}
	}
}

func TestAnAxisOfValuesIsHonest(t *testing.T) {
	for _, c := range []struct {
		what     string
		values   []float64
		rows     int
		log      bool
		from, to float64
		ticks    []float64
	}{
		{"linear begins at 0 and ends above the greatest", []float64{500, 1771}, 9, false, 0, 2000, []float64{0, 500, 1000, 1500, 2000}},
		{"few rows have few ticks", []float64{500, 1771}, 3, false, 0, 2000, []float64{0, 1000, 2000}},
		{"few rows waste little", []float64{1420}, 4, false, 0, 1500, []float64{0, 750, 1500}},
		{"logarithmic lies around the values", []float64{180, 12_610}, 9, true, 150, 15_000, []float64{200, 500, 1000, 2000, 5000, 10_000}},
		{"values within a decade have finer ticks", []float64{173, 257}, 9, true, 150, 300, []float64{150, 200, 300}},
		{"values all alike have room on both sides", []float64{250}, 9, true, 200, 400, []float64{200, 300, 400}},
		{"nothing but 0 has an axis", []float64{0}, 9, true, 0, 1, []float64{1}},
		{"nothing has an axis", nil, 9, false, 0, 1, []float64{1}},
		{"what is no number is left out", []float64{math.NaN(), math.Inf(1), 40, -3}, 4, false, 0, 40, []float64{0, 20, 40}},
	} {
		e := FitValues(c.values, c.rows, c.log)
		if e.From != c.from || e.To != c.to || !slices.Equal(e.Ticks, c.ticks) {
			t.Errorf("%s: %+v", c.what, e)
		}
	}
	e := Extent{From: 100, To: 10_000, Log: true}
	for _, c := range []struct{ v, share float64 }{{100, 0}, {1000, 0.5}, {10_000, 1}, {5, 0}, {0, 0}, {1e9, 1}, {math.NaN(), 0}} {
		if got := e.Share(c.v); math.Abs(got-c.share) > 1e-12 {
			t.Errorf("%g lies at %g, want %g", c.v, got, c.share)
		}
	}
}
