package selftest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

func step(n int, rate, got float64, lag time.Duration) Result {
	return Result{Reader: "redline", Plan: Plan{Streams: n, Rate: rate}, Rate: got, P99: lag}
}

func burst(n int, rate float64, lag time.Duration) Result {
	r := step(n, rate, float64(n)*rate, lag)
	r.Plan.Burst = true
	return r
}

// rows are rows of the table by redline's results.
func rows(results ...Result) []Row {
	var all []Row
	for _, r := range results {
		all = append(all, Row{Redline: r})
	}
	return all
}

func TestReportSaysUpToWhereInstantsAreGood(t *testing.T) {
	const ms = time.Millisecond
	ok, fair, late := step(1000, 5, 5000, ms/2), step(1000, 20, 20_000, 3*ms), step(1000, 50, 49_000, 30*ms)
	short := step(1000, 100, 60_000, 2*ms)
	spike := step(1000, 20, 20_000, ms/2)
	spike.Lags = tally(3 * ms)
	for _, row := range []struct {
		sentence string
		report   Report
		want     string
	}{
		{"both limits were met", Report{Spread: []Result{ok, fair, late}}, "good to 1 ms (99 of 100) up to 5,000 tokens a second on 1,000 streams that are spread.\n" +
			"Instants are good to 10 ms (99 of 100) up to 20,000 tokens a second on 1,000 streams that are spread."},
		{"the first step was too much", Report{Spread: []Result{late}}, "good to 10 ms (99 of 100) only below 49,000 tokens a second on 1,000 streams that are spread, if at all."},
		{"the steps ended before", Report{Spread: []Result{ok, fair}, SpreadEnd: "the time was up"}, "up to 20,000 tokens a second on 1,000 streams that are spread (the time was up)."},
		{"a limit that was met has nothing to do with the end", Report{Spread: []Result{ok, fair}, SpreadEnd: "the time was up"}, "good to 1 ms (99 of 100) up to 5,000 tokens a second on 1,000 streams that are spread.\n"},
		{"the server was the limit", Report{Spread: []Result{ok, short}, SpreadEnd: "the server could do no more"}, "up to 5,000 tokens a second on 1,000 streams that are spread (the server could do no more)."},
		{"bursts", Report{Bursts: []Result{burst(30, 2, ms/2), burst(100, 2, 20*ms)}}, "up to 30 streams that send at once."},
		{"a row of the table was worse than the first step", Report{Rows: rows(fair), Spread: []Result{step(1000, 30, 30_000, ms/2)}},
			"good to 1 ms (99 of 100) only below 20,000 tokens a second on 1,000 streams that are spread, if at all.\nInstants are good to 10 ms (99 of 100) up to 30,000 tokens a second"},
		{"a row of the table was good where the first step was not", Report{Rows: rows(ok), Spread: []Result{fair}}, "good to 1 ms (99 of 100) up to 5,000 tokens a second"},
		{"a row counts by all its tokens, as it is printed", Report{Rows: rows(spike), Spread: []Result{ok, step(1000, 30, 30_000, ms/2)}}, "good to 1 ms (99 of 100) up to 5,000 tokens a second"},
		{"a row of more streams says nothing of fewer", Report{Rows: rows(step(10_000, 1, 10_000, 3*ms)), Spread: []Result{ok, step(1000, 20, 20_000, ms/2)}},
			"good to 1 ms (99 of 100) up to 20,000 tokens a second on 1,000 streams"},
		{"a burst of the table was worse than a step", Report{Rows: rows(burst(100, 50, 3*ms)), Bursts: []Result{burst(30, 2, ms/2), burst(300, 2, ms/2)}},
			"good to 1 ms (99 of 100) up to 30 streams that send at once.\nInstants are good to 10 ms (99 of 100) up to 300 streams"},
		{"nothing was tried", Report{}, "good to 1 ms (99 of 100): nothing was tried."},
	} {
		if got := strings.Join(row.report.sentences(), "\n"); !strings.Contains(got, row.want) {
			t.Errorf("%s:\n%s\nwant in it: %s", row.sentence, got, row.want)
		}
	}
}

func TestReportCountsWhatWasLost(t *testing.T) {
	r := Report{Rows: []Row{{Redline: Result{Got: 90, Sent: Sent{Tokens: 100}}, Raw: Result{Got: 1900, Sent: Sent{Tokens: 1900}}}}}
	for got, want := range map[int]string{90: "10 of 2,000 tokens that were sent were not counted.", 100: "All 2,000 tokens that were sent were counted.", 103: "3 tokens more"} {
		r.Rows[0].Redline.Got = got
		if text := r.Markdown(); !strings.Contains(text, want) {
			t.Errorf("%d of 100: %s\nwant in it: %s", got, text, want)
		}
	}
}

func TestStreamsThatDoNotFitAreNamed(t *testing.T) {
	if got := fit(Plan{Streams: 10_000, Rate: 1}, 1024); got.Streams != 900 || got.Rate*900 < 9999 || got.Rate*900 > 10_001 {
		t.Errorf("%+v", got)
	}
	if got := fit(Plan{Streams: 10_000, Rate: 1}, 0); got.Streams != 10_000 {
		t.Errorf("%+v where the limit is not known", got)
	}
	r := Report{Files: 1024, Left: 10_000}
	if text := r.Markdown(); !strings.Contains(text, "10,000 streams do not fit: this process may open 1,024 files") {
		t.Error(text)
	}
}

func TestTableIsMarkdown(t *testing.T) {
	r := Report{Rows: []Row{{
		Redline: Result{Plan: Plan{Streams: 1000, Rate: 20}, Rate: 20_000, PerMillion: bench.Some(27.05), Memory: 56 << 10, Lags: tally(2 * time.Millisecond), Agreement: Agreement{3, 2, 1, 0}},
		Raw:     Result{Rate: 19_999, Memory: 13 << 10, Lags: tally(time.Millisecond)},
	}}}
	lines := strings.Split(r.Markdown(), "\n")
	for i, want := range []string{"| streams | tokens |", "|--------:|", "|   1,000 | spread | 20,000 / 19,999 |"} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
	for _, want := range []string{"27.1 / -", "56 / 13", "2.00 / 1.00", "2 of 3"} {
		if !strings.Contains(lines[2], want) {
			t.Errorf("%q: want %q in it", lines[2], want)
		}
	}
}

func TestJSONLeavesOutWhatIsNotKnown(t *testing.T) {
	r := Report{Rows: []Row{{}}, Spread: []Result{step(1000, 5, 5000, time.Millisecond/2)}}
	b, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"cpu_s_per_million_tokens":null`, `"lag_ms":1,"spread_tokens_per_s":5000,"spread_streams":1000,"burst_streams":null`, `"burst_steps":[]`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s\nwant in it: %s", b, want)
		}
	}
}
