package layout

import "testing"

func TestDensityFollowsSize(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want Density
	}{
		{0, 0, Line}, {-3, -1, Line}, {33, 50, Line}, {300, 6, Line}, {34, 7, List}, {40, 8, List}, {55, 60, List}, {300, 12, List},
		{56, 13, Small}, {60, 15, Small}, {75, 80, Small}, {300, 21, Small}, {76, 22, Compact}, {80, 24, Compact}, {109, 90, Compact},
		{200, 31, Compact}, {110, 32, Full}, {120, 36, Full}, {159, 90, Full}, {200, 35, Full}, {160, 36, Wide}, {200, 60, Wide},
	} {
		if got := Of(c.w, c.h); got != c.want {
			t.Errorf("%d×%d: %v, want %v", c.w, c.h, got, c.want)
		}
	}
}

func TestRowsOfTheMockups(t *testing.T) {
	for _, c := range []struct {
		w, h, lane, log int
	}{
		{60, 13, 1, 2}, {60, 15, 1, 4}, {76, 22, 2, 4}, {80, 24, 2, 6}, {110, 32, 3, 5}, {120, 36, 3, 9}, {160, 36, 3, 9}, {120, 50, 6, 7}, {160, 50, 6, 7}, {200, 60, 7, 12},
	} {
		p := For(c.w, c.h)
		if p.Lane != c.lane || p.Log != c.log {
			t.Errorf("%d×%d: lanes of %d and a log of %d, want %d and %d", c.w, c.h, p.Lane, p.Log, c.lane, c.log)
		}
	}
}

func TestPlanNeverExceedsTheScreen(t *testing.T) {
	for w := -1; w <= 320; w++ {
		for h := -1; h <= 120; h++ {
			p := For(w, h)
			rows := p.Head + p.Cause + 5*p.Lane + p.Errors + p.Log + p.Footer + p.Axis + p.Rules
			if p.Density == List {
				rows += 5
			}
			if rows > max(h, 0) {
				t.Fatalf("%d×%d: %d rows", w, h, rows)
			}
			if p.Density > Line && rows != h {
				t.Fatalf("%d×%d: only %d rows", w, h, rows)
			}
			if c := p.Label + p.Chart + p.Numbers + p.Side; c > max(w, 0) {
				t.Fatalf("%d×%d: %d columns", w, h, c)
			}
			if p.Density >= Small && p.Chart < 20 {
				t.Fatalf("%d×%d: a plot of %d columns", w, h, p.Chart)
			}
		}
	}
}
