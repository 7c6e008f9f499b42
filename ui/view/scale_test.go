package view

import (
	"math"
	"strings"
	"testing"

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
