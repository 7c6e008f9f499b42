package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestCrossedThresholdsReadAsWords(t *testing.T) {
	for _, c := range []struct {
		text string
		kept bool
		want string
	}{
		{"itl.p95<=40ms (53.3 ms)", false, "ITL p95 over 40 ms (53.3 ms)"},
		{"itl.p95<=40ms (21.8 ms)", true, "ITL p95 back under 40 ms (21.8 ms)"},
		{"ttft.p99<=2s (2.1 s)", false, "TTFT p99 over 2 s (2.1 s)"},
		{"tps.p5>=20 (18.2 tok/s)", false, "TPS p5 under 20 tok/s a stream (18.2 tok/s)"},
		{"tps.p5>=20 (24 tok/s)", true, "TPS p5 back over 20 tok/s a stream (24 tok/s)"},
		{"errors<=1% (3%)", false, "errors over 1% (3%)"},
		{"TTFT p95 over 500 ms", false, "TTFT p95 over 500 ms"},
		{"", true, ""},
	} {
		if got := crossed(c.text, c.kept); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestChangedPromisesReadAsWords(t *testing.T) {
	f := NewScreen().frame(viewtest.Make(viewtest.Running, 0), state("plain", 120, 36))
	for _, c := range []struct {
		text, promise string
		dropped       bool
		want          string
	}{
		{"ttft.p95<=500ms, was ttft.p95<=2s", "ttft.p95<=500ms", false, "TTFT p95 ≤ 500 ms from now on, was ≤ 2 s"},
		{"tps.p5>=20", "tps.p5>=20", false, "TPS p5 ≥ 20 tok/s a stream from now on"},
		{"rpm<=600, was rpm<=300", "rpm<=600", false, "RPM ≤ 600 req/min from now on, was ≤ 300 req/min"},
		{"errors<=1% dropped", "errors<=1%", true, "errors ≤ 1% dropped"},
	} {
		p, err := bench.ParseThreshold(c.promise)
		if err != nil {
			t.Fatal(err)
		}
		l, ok := f.event(&bench.Event{Kind: bench.EventPromise, Promise: p, Dropped: c.dropped, Text: c.text})
		if !ok || l.text != c.want || l.word != "slo" {
			t.Errorf("%q is %s %q, want %q", c.text, l.word, l.text, c.want)
		}
	}
	if l, ok := f.event(&bench.Event{Kind: bench.EventClear}); !ok || l.text != "measured anew from here on" {
		t.Errorf("a clear is %q", l.text)
	}
}

// TestFailuresInTheLogHaveTheirClassAndTheirNumber: whole, at every size.
func TestFailuresInTheLogHaveTheirClassAndTheirNumber(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {50, 10}} {
		for o := bench.OK + 1; o < bench.NumOutcomes; o++ {
			got := drawn(viewtest.Running, size[0], size[1], func(s *bench.Snapshot, _ *State) {
				s.Events = append(s.Events, bench.Event{At: s.At, Kind: bench.EventFailure, Outcome: o, N: 1234, Text: "no token within 2m0s"})
			})
			if want := o.String() + " ×1 234 "; !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
				t.Errorf("%v: %q is not in\n%s", size, want, got)
			}
		}
	}
}

func TestAReasonIsOneShortClause(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "by the operator": "by the operator",
		"429: Rate limit reached on requests per min (RPM): Limit 60, Used 59, Requested 1. Please try again in 724ms.": "429: Rate limit reached on requests per…",
		"429: Too many. " + strings.Repeat("a b ", 30):                                                                  "429: Too many",
		strings.Repeat("é", 60):                                strings.Repeat("é", 39) + "…",
		"no mark is in these words " + strings.Repeat("x", 40): "no mark is in these words…",
	} {
		if got := bench.Clause(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	long := "429: Rate limit reached on requests per min (RPM): Limit 60, Used 59, Requested 1. Please try again in 724ms."
	got := drawn(viewtest.Paused, 120, 36, func(s *bench.Snapshot, _ *State) { s.Why = long })
	if head, _, _ := strings.Cut(got, "\n"); strings.Contains(head, "724ms") || !strings.Contains(head, "Rate limit reached") || !strings.Contains(head, "gpu-7") {
		t.Errorf("the reason takes the room of the target: %s", head)
	}
}
