package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"redline/bench"
)

func TestATraceIsReplayedAtItsOwnRateUnlessMoreIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "day.csv")
	writeFile(t, path, "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,10,4\n2023-11-16 18:15:48,10,4\n2023-11-16 18:15:49,10,4\n2023-11-16 18:15:52,10,4\n")
	for _, row := range []struct {
		sentence string
		args     []string
		load     bench.Setpoint
		shape    bench.Shape
		problem  string
	}{
		{"three gaps in six seconds", nil, bench.PerSecond(0.5), bench.Recorded, ""},
		{"twice as fast", []string{"--speed", "2"}, bench.PerSecond(1), bench.Recorded, ""},
		{"stretched to a rate", []string{"--rate", "3"}, bench.PerSecond(3), bench.Recorded, ""},
		{"in a closed loop its lengths are sent", []string{"-c", "5"}, bench.InFlight(5), bench.Recorded, ""},
		{"with arrivals of another kind", []string{"--arrivals", "poisson"}, bench.PerSecond(0.5), bench.Poisson, ""},
		{"a speed beside a rate", []string{"--rate", "3", "--speed", "2"}, bench.PerSecond(3), bench.Recorded, "want no --rate"},
		{"faster than the bound", []string{"--speed", "9", "--max-rate", "4"}, bench.PerSecond(4.5), bench.Recorded, "want at most 8"},
		{"no speed at all", []string{"--speed", "0"}, bench.PerSecond(0.5), bench.Recorded, "want 0.001 to 1000"},
	} {
		s, r, _ := resolved(t, t.TempDir(), nil, append([]string{"--workload", path}, row.args...)...)
		s.open(t.Context(), r.found)
		if got := s.load(); got.Mode != row.load.Mode || math.Abs(got.N-row.load.N) > 1e-6 || s.arrivals.Shape != row.shape {
			t.Errorf("%s: load %s, arrivals %s; want %s, %s", row.sentence, got, s.arrivals, row.load, bench.Arrivals{Shape: row.shape})
		}
		if text := strings.Join(r.found.list, "\n"); (text == "") != (row.problem == "") || !strings.Contains(text, row.problem) {
			t.Errorf("%s: problems %q, want %q", row.sentence, text, row.problem)
		}
	}
}
