package report

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

const hostMarker = "corp-gpu-9"

var savedAt = time.Date(2026, 11, 30, 14, 15, 0, 0, time.UTC)

func TestTheSummaryAsJSONSaysNothingThatIsNotKnown(t *testing.T) {
	r := reportOf(reporttest.Story(), Options{Saved: savedAt})
	data, err := r.json()
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back["schema"] != Schema || back["saved_at"] != "2026-11-30T14:15:00Z" || back["private"] != false {
		t.Errorf("%s", data[:400])
	}
	// Every run has the same fields, whatever happened in it.
	empty, err := reportOf(viewtest.Make(viewtest.Ready, 0), Options{Saved: savedAt}).json()
	if err != nil {
		t.Fatal(err)
	}
	var none map[string]any
	if err := json.Unmarshal(empty, &none); err != nil {
		t.Fatal(err)
	}
	for key := range back {
		if _, ok := none[key]; !ok {
			t.Errorf("an empty run has no %q", key)
		}
	}
	for key, v := range none {
		if list, ok := back[key].([]any); ok && v == nil {
			t.Errorf("%q is null, and a list of %d elsewhere", key, len(list))
		}
	}
	if none["total"].(map[string]any)["ttft_ms"] != nil {
		t.Error("a run without a request has a TTFT")
	}
}

func TestNoNumberOfASummaryIsNone(t *testing.T) {
	for seed := range uint64(300) {
		s := viewtest.Random(seed)
		data, err := reportOf(s, Options{Saved: savedAt}).json()
		if err != nil || !json.Valid(data) || strings.ContainsRune(string(data), '\x1b') {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if text := markdown(s, Options{Saved: savedAt}); strings.ContainsAny(text, "\x1b\x00\x07") {
			t.Fatalf("seed %d: %s", seed, text)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if finite(v) != nil {
			t.Errorf("%v is a number", v)
		}
	}
}

func TestMarkdownIsATableWhateverStandsInIt(t *testing.T) {
	s := reporttest.Story()
	s.Run.Model = "org/model|x <img src=x> @team #12 `a` [l](http://x)"
	s.Levels[0].Note = "a | note\nof two lines ``` end"
	s.Failures = append(s.Failures, bench.Ended{Outcome: bench.ServerError, Message: "``` <script> |"})
	text := markdown(s, Options{Saved: savedAt})
	wide := 0
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "| ") {
			wide = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, "\\|")
		if wide != 0 && n != wide {
			t.Errorf("%d bars in a table of %d: %s", n, wide, line)
		}
		wide = n
	}
	head, _, _ := strings.Cut(text, "\n")
	for _, bad := range []string{" <img", "@team", "#12", " `a`", "[l](h"} {
		if strings.Contains(head, bad) {
			t.Errorf("%q is obeyed in %q", bad, head)
		}
	}
	for _, want := range []string{"## Levels", "## Promises", "| remarks |", "requests  ", "```"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestNothingPrivateIsWritten(t *testing.T) {
	s, _ := viewtest.Planted(hostMarker)
	open := summaryOf(t, s, 0)
	if !strings.Contains(open, hostMarker) {
		t.Fatal("nothing is planted")
	}
	var veil bench.Veil
	v := veil.Snapshot(s)
	data, err := reportOf(v, Options{Private: true, Saved: savedAt}).json()
	if err != nil {
		t.Fatal(err)
	}
	p := Lines{}
	for name, text := range map[string]string{"summary": summaryOf(t, v, 0), "JSON": string(data), "Markdown": markdown(v, Options{Saved: savedAt}), "lines": p.Step(v)} {
		if strings.Contains(text, hostMarker) {
			t.Errorf("%s tells what is private:\n%s", name, text)
		}
	}
}
