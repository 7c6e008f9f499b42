package report

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
	"redline/ui/view/viewtest"
)

// tableOf reads a table back: its rows by the names of its columns.
func tableOf(t *testing.T, text string) []map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%v, %d rows", err, len(rows))
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, name := range rows[0] {
			one[name] = row[i]
		}
		out = append(out, one)
	}
	return out
}

func TestATableHasARowForEachLevel(t *testing.T) {
	s := reporttest.Story()
	s.Levels[1].Note = "a \"note\", with\na line"
	var b bytes.Buffer
	if err := (Set{Of(s, Options{Origin: &Origin{Name: "first", Began: savedAt}})}).CSV(&b); err != nil {
		t.Fatal(err)
	}
	rows := tableOf(t, b.String())
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for name, want := range map[string]string{"run": "first", "began": "2026-11-30T14:15:00Z", "level": "2", "loop": "closed", "load": "48", "note": `a "note", with a line`, "ok": "480", "ttft_ms_p95": "2480", "ttft_readiness": "ready",
		"tps_p5": "41.8", "rpm": "478", "rpm_half": "11", "promises_broken": "ttft.p95<=2s", "promises_kept": "", "e2e_ms_p50": "", "e2e_readiness": "absent"} {
		if got := rows[1][name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestARunInForceHasItsBeginning, and its name where it has one, as the same run has that was read from a file.
func TestARunInForceHasItsBeginning(t *testing.T) {
	s := reporttest.Story()
	run := *s.Run
	run.Start, s.Run = savedAt, &run
	var live, kept, nameless bytes.Buffer
	for out, end := range map[*bytes.Buffer]Options{&live: {Name: "first"}, &kept: {Origin: &Origin{Name: "first", Began: savedAt}}, &nameless: {}} {
		if err := (Set{Of(s, end)}).CSV(out); err != nil {
			t.Fatal(err)
		}
	}
	if live.String() != kept.String() {
		t.Errorf("in force:\n%s\nof a file:\n%s", live.String(), kept.String())
	}
	if row := tableOf(t, nameless.String())[0]; row["began"] != "2026-11-30T14:15:00Z" || row["run"] == "" {
		t.Errorf("%q", row)
	}
}

func TestNoTextOfSomebodyElsesIsAFormula(t *testing.T) {
	for text, want := range map[string]string{"=1+2": "'=1+2", "+49": "'+49", "-1": "'-1", "@a": "'@a", "\t=a": "' =a", " =a": "' =a", "\r=a": "' =a", "＝a": "'＝a", "|calc": "'|calc", "a=1": "a=1", "": "", "gpu-7:8000": "gpu-7:8000"} {
		if got := harmless(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for seed := range uint64(60) {
		var b bytes.Buffer
		if err := (Set{Of(viewtest.Random(seed), Options{})}).CSV(&b); err != nil {
			t.Fatal(err)
		}
		for _, row := range tableOf(t, b.String()) {
			for name, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+@\t\r") || strings.Contains(cell, "NaN") || strings.Contains(cell, "Inf") {
					t.Fatalf("seed %d: %s is %q", seed, name, cell)
				}
			}
		}
	}
}

func TestATableOfRequestsHasOnlyWhatIsKnown(t *testing.T) {
	at := func(ms int) bench.Mark { return bench.MarkAt(time.Duration(ms) * time.Millisecond) }
	well := bench.Ended{Request: bench.Request{ID: 7, Level: 2, Load: bench.InFlight(8)}, Status: 200, Finish: "stop", Counts: bench.Counts{Input: 30, Output: 11, Events: 11, Chunks: 10, FirstEvents: 1, Source: bench.FromUsage},
		Marks: bench.Marks{Started: at(1000), FirstToken: at(1200), LastToken: at(2200), Ended: at(2210)}}
	bad := bench.Ended{Request: bench.Request{ID: 8}, Outcome: bench.Refused, Message: "=dial " + hostMarker, Marks: bench.Marks{Started: at(3000), Ended: at(3001)}}
	for _, private := range []bool{false, true} {
		var b bytes.Buffer
		table, err := NewRequests(&b, private)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*bench.Ended{&well, &bad} {
			if err := table.Row("r", "", &bench.Run{Works: []bench.Workload{{Name: "chat"}}}, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
		rows := tableOf(t, b.String())
		for name, want := range map[string]string{"request": "7", "load": "8", "workload": "chat", "outcome": "ok", "started_at_s": "1", "ttft_ms": "200", "tpot_ms": "100", "e2e_ms": "1200", "scheduled_at_s": "", "send_lag_ms": "", "input_tokens": "30", "output_tokens": "11"} {
			if got := rows[0][name]; got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string]string{"ttft_ms": "", "tpot_ms": "", "first_token_at_s": "", "outcome": bench.Refused.String(), "http_status": "", "tokens_counted_from": ""} {
			if got := rows[1][name]; got != want {
				t.Errorf("of one that failed %s is %q, want %q", name, got, want)
			}
		}
		if got := rows[1]["message"]; private == strings.Contains(got, hostMarker) || !private && !strings.HasPrefix(got, "'=") {
			t.Errorf("private %v: the message is %q", private, got)
		}
	}
}
