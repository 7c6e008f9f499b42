package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/view/viewtest"
)

// TestPromisesWithoutALaneAreShown: what the chip counts can be looked up.
func TestPromisesWithoutALaneAreShown(t *testing.T) {
	promise := func(text string) func(*bench.Snapshot, *State) {
		return func(s *bench.Snapshot, _ *State) {
			th, err := bench.ParseThreshold(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Run.Thresholds = append(s.Run.Thresholds[:len(s.Run.Thresholds):len(s.Run.Thresholds)], th)
		}
	}
	for _, c := range []struct{ promise, want string }{
		{"e2e.p95<=5s", "E2E p95 5.38 s ✗ ≤5s"},
		{"e2e.p95<=6s", "E2E p95 5.38 s ✓ ≤6s"},
		{"tpot.p50<=25ms", "TPOT p50 21.8 ms ✓ ≤25ms"},
		{"ttfa.p95<=1s", "TTFA p95 – ≤1s"},
		{"ttft.p99<=450ms", "TTFT p99 481 ms ✗ ≤450ms"},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {200, 60}} {
			if got := drawn(viewtest.Running, size[0], size[1], promise(c.promise)); !strings.Contains(got, c.want) {
				t.Errorf("%s at %v: %q is not in\n%s", c.promise, size, c.want, got)
			}
		}
	}
}

// TestMarkersSideBySideAreOne: levels of a second leave what was measured in sight.
func TestMarkersSideBySideAreOne(t *testing.T) {
	s, st := viewtest.Make(viewtest.Running, 0), state("plain", 120, 36)
	last := s.Level()
	for i := range 8 {
		begin := last.Begin + time.Duration(i+1)*time.Second
		s.Levels = append(s.Levels, &bench.Level{ID: 9 + i, Cause: bench.CauseLoad, Load: bench.InFlight(41 + i), Was: bench.InFlight(40 + i), Begin: begin})
	}
	f := NewScreen().frame(s, st)
	f.measure()
	for i := 1; i < len(f.marks); i++ {
		if f.marks[i].column-f.marks[i-1].column < 2 {
			t.Errorf("markers in columns %d and %d", f.marks[i-1].column, f.marks[i].column)
		}
	}
	if m := f.marks[len(f.marks)-1]; m.label != "48" || m.kind != chart.Note {
		t.Errorf("from 48 over 40 to 48 again is %+v", m)
	}
}

// TestSmallHeadingNamesTheNumbersBelowIt: what the lanes plot is not what the column holds.
func TestSmallHeadingNamesTheNumbersBelowIt(t *testing.T) {
	for _, p := range []bench.Percentile{bench.P50, bench.P95, bench.P99, bench.Max} {
		got := drawn(viewtest.Running, 60, 15, func(_ *bench.Snapshot, st *State) { st.Percentile = p })
		for row := range strings.Lines(got) {
			if strings.Contains(row, "LOAD") && !strings.Contains(row, "p95") {
				t.Errorf("plotting %v, the column of p95 is headed %q", p, row)
			}
		}
	}
}
