package report

import (
	"fmt"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/sim/model"
)

// driven is a run of a simulated server in virtual time, at loads that are held so many seconds each.
func driven(t *testing.T, seconds int, loads ...int) *bench.Snapshot {
	t.Helper()
	m := model.SmallGPU.Params()
	m.Seed = 7
	p, err := plant.New(plant.Options{Model: m, Seed: 7, Load: bench.InFlight(loads[0]), Folds: true, Thresholds: []bench.Threshold{threshold(t, "ttft.p95<=300ms")}})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range loads {
		if i > 0 {
			p.Set(bench.InFlight(n), bench.CauseLoad)
		}
		for range seconds {
			p.Second()
		}
	}
	return p.Snapshot()
}

// TestDistributionsHaveTheNumbersOfTheTable: each dot is a percentile of its level's statistics, with their number of samples, its line goes through it and never back, and
// what the table does not know has no line.
func TestDistributionsHaveTheNumbersOfTheTable(t *testing.T) {
	figures := 0
	for _, seconds := range []int{4, 30, 240} {
		seed, s := seconds, driven(t, seconds, 2, 8, 30)
		for _, of := range []struct {
			m      bench.Metric
			sketch func(*bench.Facts) bench.Sketch
		}{
			{bench.TTFT, func(f *bench.Facts) bench.Sketch { return f.TTFT }}, {bench.ITL, func(f *bench.Facts) bench.Sketch { return f.ITL }},
			{bench.E2E, func(f *bench.Facts) bench.Sketch { return f.E2E }}, {bench.TPS, func(f *bench.Facts) bench.Sketch { return f.TPS }},
		} {
			f := spreadFigure(s, "x", of.m.String(), "requests", of.m, of.sketch)
			if f == nil {
				continue
			}
			figures++
			p := f.Panes[0]
			told := map[string]bool{}
			for _, l := range s.Levels {
				st := &l.Stats[of.m]
				for _, at := range []bench.Percentile{bench.P1, bench.P5, bench.P50, bench.P95, bench.P99} {
					if v := st.At(at); v.OK && st.Readiness != bench.Absent {
						told[fmt.Sprintf("level %d, load %s: %s %s %s, of %d", l.ID, l.Load, at, short(v.V), strings.TrimSpace(of.m.Unit()), st.N)] = true
					}
				}
			}
			for _, d := range p.Dots {
				if !told[d.Title] {
					t.Errorf("seed %d, %v: a dot %q that no level has", seed, of.m, d.Title)
				}
			}
			for _, line := range p.Lines {
				for i := 1; i < len(line.Points); i++ {
					if line.Points[i].X < line.Points[i-1].X {
						t.Errorf("seed %d, %v: the line goes back at %v", seed, of.m, line.Points[i])
						break
					}
				}
			}
		}
	}
	if figures < 4 {
		t.Fatalf("%d figures only", figures)
	}
}

// TestWhatTheTableDoesNotKnowHasNoLine, though batches of the level have samples of it.
func TestWhatTheTableDoesNotKnowHasNoLine(t *testing.T) {
	sketch := func(*bench.Facts) bench.Sketch {
		return bench.Merge(bench.SketchOf(100), bench.SketchOf(120), bench.SketchOf(140), bench.SketchOf(90), bench.SketchOf(95))
	}
	l := &bench.Level{ID: 1, Load: bench.InFlight(8), Batches: []*bench.Bucket{{}}}
	if _, ok := spreadOf(l, bench.E2E, sketch); ok {
		t.Error("it has a line")
	}
	l.Stats[bench.E2E] = bench.Stat{N: 78, Readiness: bench.Ready, P50: bench.Some(110), P95: bench.Some(326), P99: bench.Some(1511)}
	one, ok := spreadOf(l, bench.E2E, sketch)
	if !ok || one.at(0.95) != 326 || one.at(0.99) != 1511 || one.at(0.998) < 1511 || len(one.dots) != 3 {
		t.Errorf("%v, %+v", ok, one)
	}
}
