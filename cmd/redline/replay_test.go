package main

import (
	"context"
	"math"
	"path/filepath"
	"regexp"
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
		{"a trace to be switched to", []string{"--workload", "in=9", "--rate", "2"}, bench.PerSecond(2), bench.Recorded, ""},
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

func TestADataSetIsReadNoLongerThanSomebodyWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.jsonl")
	writeFile(t, path, strings.Repeat("{\"prompt\":\"hello\"}\n", 1000))
	s, r, _ := resolved(t, t.TempDir(), nil, "--workload", path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s.open(ctx, r.found); len(s.sources) > 0 || len(r.found.list) > 0 {
		t.Errorf("given up: %d workloads, %q", len(s.sources), r.found.list)
	}
	if s.open(t.Context(), r.found); len(s.sources) != 1 {
		t.Errorf("waited for: %d workloads, %q", len(s.sources), r.found.list)
	}
}

func TestConfigShowsTheRateAndArrivalsThatATraceBrings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "day.csv")
	writeFile(t, path, "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,10,4\n2023-11-16 18:15:48,10,4\n2023-11-16 18:15:50,10,4\n")
	for _, row := range []struct {
		sentence string
		args     []string
		want     []string
	}{
		{"a trace", []string{"--workload", path}, []string{"concurrency - default", "rate 0.5/s trace day", "arrivals recorded trace day", "seed - default"}},
		{"twice as fast", []string{"--workload", path, "--speed", "2"}, []string{"rate 1/s trace day"}},
		{"a trace at a rate", []string{"--workload", path, "--rate", "3"}, []string{"rate 3/s flag", "arrivals recorded trace day"}},
		{"with other arrivals", []string{"--workload", path, "--arrivals", "poisson"}, []string{"rate 0.5/s trace day", "arrivals poisson flag"}},
		{"none", nil, []string{"concurrency 8 default", "rate - default", "arrivals poisson default"}},
	} {
		o := start(t, nil, append([]string{"config"}, row.args...)...)
		code := o.run(t)
		text := "\n" + blanks.ReplaceAllString(o.out.String(), " ")
		for _, want := range row.want {
			if code != exitOK || !strings.Contains(text, "\n "+want+"\n") {
				t.Errorf("%s: exit code %d, want %q\n%s%s", row.sentence, code, want, o.out.String(), o.errs.String())
			}
		}
	}
	o := start(t, nil, "config", "--workload", path+"x")
	if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "there is no such file") {
		t.Errorf("no trace: exit code %d\n%s", code, o.errs.String())
	}
}

var blanks = regexp.MustCompile(" +")
