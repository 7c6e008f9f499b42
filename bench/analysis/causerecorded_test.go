package analysis_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redline/bench"
	"redline/bench/analysis"
)

var update = flag.Bool("update", false, "record the levels anew from the simulated server")

// recording is what a run left of itself for its diagnosis.
type recording struct {
	// Because is how it was made, Want the cause that is named first; empty for none.
	Because, Want string
	Promises      []bench.Threshold
	Levels        []*bench.Level
}

// recorded are the recordings, by what they are a case of.
var recorded = map[string]struct {
	because string
	want    string
	drive   drive
}{
	"queue":   {"small-gpu with 8 slots, 4 and 32 in flight, without gauges", "queueing", drive{least: 64, most: 512, server: slots(8), loads: []float64{4, 32}, promises: chat}},
	"cache":   {"small-gpu with 700 blocks, 8 and 32 in flight", "KV cache", drive{least: 512, server: blocks(700), loads: []float64{8, 32}, gauges: true, promises: chat}},
	"prefill": {"small-gpu, prompts up to 6,000 tokens, 1, 4 and 16 in flight", "prefill-bound", drive{least: 500, most: 6000, answer: 16, loads: []float64{1, 4, 16}, promises: []string{"ttft.p95<=2s"}}},
	"decode":  {"small-gpu with 512 slots, 48 and 128 in flight", "decode-bound", drive{least: 64, most: 128, server: slots(512), loads: []float64{48, 128}, promises: []string{"tps.p5>=25"}}},
	"healthy": {"small-gpu, 8 and 24 in flight", "", drive{least: 64, most: 1024, loads: []float64{8, 24}, gauges: true, promises: chat}},
}

// TestRecordedLevelsAreNamedAsTheyWere holds the rules against levels that were measured once, whatever the simulated server does today.
func TestRecordedLevelsAreNamedAsTheyWere(t *testing.T) {
	for name, c := range recorded {
		path := filepath.Join("testdata", "causes", name+".json")
		if *update {
			record(t, path, recording{Because: c.because, Want: c.want}, c.drive.run(t))
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var r recording
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		s := run(t, nil, r.Levels...)
		s.Run.Thresholds = r.Promises
		got := ""
		if first := analysis.Diagnose(s).First(); first != nil && first.Grade != analysis.Remark {
			got = first.Cause.String()
		}
		if got != r.Want {
			t.Errorf("%s (%s): %q, want %q", name, r.Because, got, r.Want)
		}
		// At their first loads none of them was in trouble.
		if first := analysis.DiagnoseLevel(s, 0).First(); first != nil && first.Grade != analysis.Remark {
			t.Errorf("%s: at %v already %v: %q", name, r.Levels[0].Load, first.Cause, first.Saw)
		}
	}
}

// record writes what a diagnosis needs of a run.
func record(t *testing.T, path string, r recording, s *bench.Snapshot) {
	t.Helper()
	r.Promises = s.Run.Thresholds
	for _, l := range s.Levels {
		slim := *l
		slim.Batches, slim.Sample = nil, slim.Sample[:min(len(slim.Sample), 120)]
		r.Levels = append(r.Levels, &slim)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	// A row for each level, so that a difference can be read.
	text := strings.ReplaceAll(string(data), `{"ID":`, "\n"+`{"ID":`)
	if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
