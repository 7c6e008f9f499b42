package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs:\n%s\nwant:\n%s", name, got, want)
	}
}

func TestSummary(t *testing.T) {
	done := reporttest.Story()
	done.State, done.Why, done.InFlight = bench.Done, "interrupted", 0
	done.Total.Tally.Cancelled = 40
	empty := &bench.Snapshot{Run: reporttest.Story().Run, Source: bench.FromEvents}
	failed := reporttest.Story()
	failed.Levels = failed.Levels[:1]
	failed.Total = bench.Summary{Span: time.Second, Tally: bench.Tally{Sent: 3, Failed: 3}}
	failed.Total.Tally.By[bench.Refused] = 3
	failed.Total.Counted = failed.Total.Tally
	failed.Levels[0].Summary, failed.Events, failed.Spend = failed.Total, nil, bench.Spend{}
	told := reporttest.Story()
	told.Run.API, told.Run.Protocol, told.Run.QuotaReserve, told.Source = bench.Anthropic, "HTTP/2.0", 0.3, bench.FromEvents
	told.Run.Thresholds = append(told.Run.Thresholds, bench.Threshold{Metric: bench.RPM, At: bench.Mean, Limit: 600})
	told.Quotas = []bench.Quota{
		{Kind: bench.QuotaInput, Per: time.Minute, Limit: bench.Some(400_000), Remaining: bench.Some(276_500), Reset: bench.MarkAt(19 * time.Second), At: told.At},
		{Kind: bench.QuotaRequests, Per: time.Minute, Limit: bench.Some(3500), Remaining: bench.Some(2065), Reset: bench.MarkAt(12 * time.Second), At: told.At},
		{Kind: bench.QuotaRequests, Per: bench.Day, Remaining: bench.Some(96_900), At: told.At},
	}
	told.Total.Malformed, told.Total.Bursts = 12, bench.Some(0.83)
	told.Total.Tally.By[bench.NotStreaming] = 2
	told.Failures = []bench.Ended{
		{Outcome: bench.NotStreaming, Status: 200, Message: "the answer is text/html", Head: "<!doctype html>\n<title>\x1b[31mWelcome</title>" + strings.Repeat("é", 200)},
		{Outcome: bench.RateLimited, Status: 429, RetryAfter: 2 * time.Second, Message: "rate limit\nreached"},
		{Outcome: bench.ServerError, Status: 502, Head: "\x00bad gateway"},
		{Outcome: bench.TimeoutFirst, Message: "no token within 2m0s"},
	}
	for name, row := range map[string]struct {
		snap  *bench.Snapshot
		end   Options
		width int
	}{
		"summary-interrupted.txt": {done, Options{Why: "interrupted", Cut: true}, 140},
		"summary-80.txt":          {done, Options{Why: "interrupted", Cut: true}, 80},
		"summary-told.txt":        {told, Options{}, 100},
		"summary-nothing.txt":     {empty, Options{}, 80},
		"summary-failed.txt":      {failed, Options{Why: "all 3 requests are sent"}, 80},
	} {
		var b strings.Builder
		if err := summarize(&b, row.snap, row.end, row.width); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b") || strings.Contains(b.String(), "NaN") {
			t.Errorf("%s: a control sequence or NaN:\n%q", name, b.String())
		}
		golden(t, name, b.String())
	}
}

func TestAFailureIsToldWithWhatCanBeDoneAboutIt(t *testing.T) {
	s := reporttest.Story()
	s.Total.Tally.By[bench.ClientError] = 7
	s.Failures = []bench.Ended{{Outcome: bench.ClientError, Status: 400, Message: "too long"}}
	for _, row := range []struct {
		sentence string
		advice   func(*bench.Ended) string
		want     string
	}{
		{"something", func(e *bench.Ended) string { return "turn this, " + e.Message }, " ×7: HTTP 400, too long; turn this, too long\n"},
		{"nothing for this one", func(*bench.Ended) string { return "" }, " ×7: HTTP 400, too long\n"},
		{"nobody knows", nil, " ×7: HTTP 400, too long\n"},
	} {
		var b strings.Builder
		writeFailures(&b, s, Options{Advice: row.advice}, boundless)
		if !strings.Contains(b.String(), row.want) {
			t.Errorf("%s: %q is missing in:\n%s", row.sentence, row.want, b.String())
		}
	}
}
