package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"redline/bench/analysis"
)

// levelColumns are the columns of a table of levels, in their order. One that goes, or changes its meaning, gets another name; new ones come at the end. The
// names are those of the summary as JSON.
var levelColumns = []string{"run", "target", "redline_version", "began", "model", "host", "level", "cause", "loop", "load", "workload", "note", "began_at_s", "reached_at_s", "ended_at_s", "measured_s", "state", "firmness",
	"ok", "failed", "limited_429", "cancelled", "unsent", "running_at_its_end",
	"ttft_n", "ttft_readiness", "ttft_ms_p50", "ttft_ms_p95", "ttft_ms_p99", "itl_n", "itl_readiness", "itl_ms_p50", "itl_ms_p95", "itl_ms_p99", "e2e_n", "e2e_readiness", "e2e_ms_p50", "e2e_ms_p95", "e2e_ms_p99",
	"tps_n", "tps_readiness", "tps_p50", "tps_p5", "tps_p1", "rpm", "rpm_half", "rpm_readiness", "tpm", "tpm_half", "tpm_readiness", "output_tokens_per_s", "errors_percent", "goodput_percent", "mean_in_flight",
	"mean_input_tokens", "mean_output_tokens", "client_busy_s", "client_saturated_s", "promises_kept", "promises_broken", "cost_per_million_output_tokens"}

// CSV writes a table with a row for each level of each run, as RFC 4180 has it, with Unix lines. What is not known is empty. A text of somebody else's that a
// spreadsheet would take for a formula has a ' before it. An error is that of w.
func (all Set) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(levelColumns); err != nil {
		return err
	}
	for _, t := range all.told() {
		r := reportOf(t.s, t.d.end)
		for i := range r.Levels {
			if err := out.Write(t.row(r, &r.Levels[i], analysis.CostOf(&t.s.Levels[i].Summary, t.s.Run.Prices))); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// row is a level as a row of the table.
func (t *told) row(r *report, l *reportLevel, cost analysis.Cost) []string {
	n := &l.Numbers
	load := l.InFlight
	if load == nil {
		load = l.PerS
	}
	began := ""
	if at := t.began(); !at.IsZero() {
		began = at.Format(time.RFC3339)
	}
	row := []string{harmless(t.run), harmless(t.target), harmless(r.Redline), began, harmless(r.Target.Model), harmless(r.Target.Host), strconv.Itoa(l.ID), l.Cause, l.Mode, cell(load), harmless(l.Work), harmless(l.Note),
		cell(l.BeganS), cell(l.ReachedS), cell(l.EndedS), cell(n.MeasuredS), l.State, l.Firmness}
	q := &n.Requests
	for _, count := range []int{q.OK, q.Failed, q.Limited, q.Cancelled, q.Unsent, l.Open} {
		row = append(row, strconv.Itoa(count))
	}
	for _, m := range []*latencies{n.TTFT, n.ITL, n.E2E} {
		if m == nil {
			row = append(row, "0", "absent", "", "", "")
			continue
		}
		row = append(row, strconv.Itoa(m.N), m.Readiness, cell(m.P50), cell(m.P95), cell(m.P99))
	}
	if s := n.TPS; s != nil {
		row = append(row, strconv.Itoa(s.N), s.Readiness, cell(s.P50), cell(s.P5), cell(s.P1))
	} else {
		row = append(row, "0", "absent", "", "", "")
	}
	for _, m := range []*rates{n.RPM, n.TPM} {
		if m == nil {
			row = append(row, "", "", "absent")
			continue
		}
		row = append(row, cell(m.Mean), cell(m.Half), m.Readiness)
	}
	kept, broken := promisesOf(l)
	row = append(row, cell(n.Output), cell(n.Errors), cell(n.Goodput), cell(n.InFlight), cell(n.Prompt), cell(n.Answer), strconv.Itoa(n.BusyS), strconv.Itoa(n.Saturated), kept, broken)
	return append(row, cell(known(cost.PerMillion)))
}

// promisesOf are the promises that a level is known to keep, and those that it is known to break, as they are written.
func promisesOf(l *reportLevel) (kept, broken string) {
	var sides [2][]string
	for _, v := range l.Verdicts {
		switch {
		case v.Kept == nil:
		case *v.Kept:
			sides[0] = append(sides[0], v.Promise)
		default:
			sides[1] = append(sides[1], v.Promise)
		}
	}
	return strings.Join(sides[0], " "), strings.Join(sides[1], " ")
}

// cell is a number without an exponent; empty where there is none.
func cell(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}

// harmless is a text of somebody else's that no spreadsheet takes for a formula.
func harmless(text string) string {
	text = Printable(text)
	if begin := strings.TrimLeft(text, " \u00a0\u3000"); begin != "" && strings.ContainsRune("=+-@|%＝＋－＠", []rune(begin)[0]) {
		return "'" + text
	}
	return text
}

// counted is a whole number, or nothing for 0.
func counted(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
