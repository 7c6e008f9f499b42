package view

import (
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

func TestCeiling(t *testing.T) {
	of := func(v ...float64) []chart.Column {
		var out []chart.Column
		for _, x := range v {
			out = append(out, chart.Column{V: x, OK: true})
		}
		return out
	}
	for _, c := range []struct {
		sentence string
		columns  []chart.Column
		limit    float64
		want     float64
	}{
		{"nothing seen", nil, 0, 1},
		{"nothing seen, a threshold", nil, 500, 800},
		{"below the threshold it is the threshold's", of(371, 442), 500, 800},
		{"above it what is seen", of(371, 905), 500, 1000},
		{"a threshold far off is left out", of(20, 30), 2000, 40},
		{"absent and senseless columns do not count", append(of(10), chart.Column{V: 1e6}, chart.Column{V: math.NaN(), OK: true}, chart.Column{V: math.Inf(1), OK: true}), 0, 12},
		{"small values", of(0.003), 0, 0.004},
	} {
		if got := ceiling(c.columns, c.limit); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.sentence, got, c.want)
		}
	}
}

func TestRoundUpNeverFallsBelow(t *testing.T) {
	for v := 1e-9; v < 1e15; v *= 1.07 {
		if r := roundUp(v); r < v*(1-1e-9) || r > 1.5*v {
			t.Errorf("%v is rounded to %v", v, r)
		}
	}
}

// TestABarThatEndsBelowTheBoundSaysWhere: at 80 columns nothing stands below it.
func TestABarThatEndsBelowTheBoundSaysWhere(t *testing.T) {
	for most, want := range map[int]string{256: " to 128, max 256 ±4", 64: "░ max 64 ±4"} {
		got := drawn(viewtest.Running, 80, 24, func(s *bench.Snapshot, _ *State) { s.Run.Max = most })
		if !strings.Contains(got, want) {
			t.Errorf("max %d: %q is not in\n%s", most, want, got)
		}
	}
}

// TestAYoungRunFillsItsWindow at every size: not two columns of it.
func TestAYoungRunFillsItsWindow(t *testing.T) {
	for _, cells := range []int{23, 26, 37, 59, 120} {
		for _, c := range []struct{ now, most time.Duration }{{10 * time.Second, 60 * time.Second}, {25 * time.Second, 75 * time.Second}, {45 * time.Second, 95 * time.Second}, {80 * time.Second, 2 * time.Minute}} {
			st := &State{Window: 2 * time.Minute, Growing: true}
			w := st.EffectiveWindow(c.now, cells)
			if w < c.now || cells < 100 && w > c.most || w > st.Window {
				t.Errorf("%d cells at %v: a window of %v", cells, c.now, w)
			}
			if got := over(w, c.now, cells).shown(); got < c.now {
				t.Errorf("%d cells at %v: %v shown", cells, c.now, got)
			}
		}
		if w := (&State{Window: 2 * time.Minute, Growing: true}).EffectiveWindow(5*time.Minute, cells); w != 2*time.Minute {
			t.Errorf("%d cells: an old run has a window of %v", cells, w)
		}
	}
	if w := (&State{Window: 2 * time.Minute, Growing: true}).EffectiveWindow(10*time.Second, 26); w != 13*time.Second {
		t.Errorf("a small screen shows %v of a run of 10 s", w)
	}
}

// TestTheScaleOfARateIsNeverCut: a number without its unit is better than an ellipsis.
func TestTheScaleOfARateIsNeverCut(t *testing.T) {
	for _, rate := range []float64{0.004, 0.05, 0.3, 2.5, 7.5, 99, 1234} {
		got := drawn(viewtest.Open, 80, 24, func(s *bench.Snapshot, _ *State) {
			s.Target = bench.PerSecond(rate)
			for _, l := range s.Levels {
				l.Load = bench.PerSecond(rate)
			}
		})
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, " LOAD") && strings.Contains(strings.SplitN(line, "┤", 2)[0], "…") {
				t.Errorf("at %v/s: %s", rate, line)
			}
		}
	}
}
