package selftest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// Markdown is the report as a table and a few sentences.
func (r *Report) Markdown() string {
	var b strings.Builder
	rows := [][]string{{"streams", "tokens", "tokens/s", "CPU-s per million", "KiB per stream", "lag p50, ms", "lag p99, ms", "lag max, ms", "verdict"}}
	for i := range r.Rows {
		rows = append(rows, r.Rows[i].cells())
	}
	b.WriteString(table(rows))
	b.WriteString("\nEach pair is redline / the raw reader; what a run needs beside its streams is in the memory of its streams. Verdict: seconds in which redline said rightly whether it was late by more than 10 ms.\n\n")
	for _, s := range r.sentences() {
		b.WriteString("- " + s + "\n")
	}
	return b.String()
}

func (r *Row) cells() []string {
	a, z := &r.Redline, &r.Raw
	lag := func(q float64) string {
		return pair(millis(a.Lags.Quantile(q)), millis(z.Lags.Quantile(q)))
	}
	return []string{
		grouped(a.Plan.Streams), a.Plan.shape(), pair(grouped(int(a.Rate+0.5)), grouped(int(z.Rate+0.5))), pair(seconds(a.PerMillion), seconds(z.PerMillion)),
		pair(kib(a.Memory), kib(z.Memory)), lag(0.5), lag(0.99), lag(1), fmt.Sprintf("%d of %d", a.Agreement.Right, a.Agreement.Windows),
	}
}

// sentences are what the numbers amount to.
func (r *Report) sentences() []string {
	var out []string
	for _, lag := range []time.Duration{time.Millisecond, Late} {
		out = append(out, r.rangeOf(lag))
	}
	a := r.Agreement
	out = append(out, fmt.Sprintf("The verdict on the client itself was right in %d of %d seconds (%d late ones missed, %d cried for nothing); those within a fifth of 10 ms are left out.",
		a.Right, a.Windows, a.Missed, a.Cried))
	lost, sent := r.Lost()
	switch {
	case lost == 0:
		out = append(out, fmt.Sprintf("All %s tokens that were sent were counted.", grouped(sent)))
	case lost < 0:
		out = append(out, fmt.Sprintf("%s tokens more were counted than the %s that were sent.", grouped(-lost), grouped(sent)))
	default:
		out = append(out, fmt.Sprintf("%s of %s tokens that were sent were not counted.", grouped(lost), grouped(sent)))
	}
	if r.Left > 0 {
		out = append(out, fmt.Sprintf("%s do not fit: this process may open %s files, and needs %d beside its streams (ulimit -n tells the limit, and raises it where it may).",
			streams(r.Left), grouped(r.Files), beside))
	}
	return out
}

// rangeOf says up to where instants are good to a lag.
func (r *Report) rangeOf(lag time.Duration) string {
	text := fmt.Sprintf("Instants are good to %d ms (99 of 100)", lag.Milliseconds())
	var parts []string
	if tried := r.tried(false); len(tried) > 0 {
		parts = append(parts, upTo(tried, r.Spread, lag, r.SpreadEnd, func(s *Result) string {
			return grouped(int(s.Rate+0.5)) + " tokens a second on " + streams(s.Plan.Streams) + " that are spread"
		}))
	}
	if tried := r.tried(true); len(tried) > 0 {
		parts = append(parts, upTo(tried, r.Bursts, lag, r.BurstsEnd, func(s *Result) string { return streams(s.Plan.Streams) + " that send at once" }))
	}
	if len(parts) == 0 {
		return text + ": nothing was tried."
	}
	return text + " " + strings.Join(parts, ", and ") + "."
}

func upTo(tried, steps []Result, lag time.Duration, end string, words func(*Result) string) string {
	last, ok := good(tried, lag)
	if !ok {
		first, _ := least(tried, lag)
		return "only below " + words(&first) + ", if at all"
	}
	text := "up to " + words(&last)
	if n := len(steps) - 1; n >= 0 && end != "" && (last.Plan == steps[n].Plan || steps[n].behind() && n > 0 && last.Plan == steps[n-1].Plan) {
		text += " (" + end + ")"
	}
	return text
}

// table aligns the cells of a table in markdown.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %*s ", widths[i], cell)
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for _, w := range widths {
			b.WriteString("|" + strings.Repeat("-", w+1) + ":")
		}
		b.WriteString("|\n")
	}
	return b.String()
}

func pair(a, b string) string { return a + " / " + b }

func millis(d time.Duration) string {
	ms := bench.Millis(d)
	switch {
	case ms < 9.995:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	case ms < 99.95:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 0, 64)
}

func seconds(v bench.Value) string {
	if !v.OK {
		return "-"
	}
	return strconv.FormatFloat(v.V, 'f', 1, 64)
}

func kib(n int) string { return strconv.FormatFloat(float64(n)/1024, 'f', 0, 64) }

func streams(n int) string {
	if n == 1 {
		return "1 stream"
	}
	return grouped(n) + " streams"
}

// grouped writes a number with a comma in each thousand.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
