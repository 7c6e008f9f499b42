package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"redline/bench"
)

// requestColumns are the columns of a table of requests, in their order; what is said of levelColumns holds for them.
var requestColumns = []string{"run", "target", "request", "level", "loop", "load", "workload", "outcome", "http_status", "scheduled_at_s", "started_at_s", "first_token_at_s", "last_token_at_s", "ended_at_s",
	"ttft_ms", "first_answer_ms", "tpot_ms", "e2e_ms", "send_lag_ms", "longest_gap_ms", "stalls", "one_burst", "new_connection", "look_up_ms", "tcp_ms", "tls_ms",
	"input_tokens", "cached_input_tokens", "output_tokens", "hidden_tokens", "events", "chunks", "tokens_counted_from", "turn", "finish", "asked_to_wait_s", "message"}

// Requests is a table with a row for each request, in the form of Set.CSV. It keeps none of them.
type Requests struct {
	out  *csv.Writer
	veil *bench.Veil
}

// NewRequests begins a table of requests; private hides what a bench.Veil hides.
func NewRequests(w io.Writer, private bool) (*Requests, error) {
	t := &Requests{out: csv.NewWriter(w)}
	if private {
		t.veil = &bench.Veil{}
	}
	return t, t.out.Write(requestColumns)
}

// Row adds a request of a run and a target, whose workloads are those of r. An error is that of the writer.
func (t *Requests) Row(run, target string, r *bench.Run, e *bench.Ended) error {
	if t.veil != nil {
		e = t.veil.Journal(&bench.Journal{Ended: []*bench.Ended{e}}).Ended[0]
	}
	m, c := &e.Marks, &e.Counts
	tpot := ""
	if v, ok := e.TPOT(); ok {
		tpot = cell(finite(v))
	}
	source := c.Source.String()
	if c.Output == 0 && c.Input == 0 {
		source = ""
	}
	return t.out.Write([]string{harmless(run), harmless(target), strconv.FormatUint(e.ID, 10), strconv.Itoa(e.Level), e.Load.Mode.String(), cell(finite(e.Load.N)), harmless(workName(r, e.Prompt.Work)), e.Outcome.String(), counted(e.Status),
		cell(exactly(m.Scheduled)), cell(exactly(m.Started)), cell(exactly(m.FirstToken)), cell(exactly(m.LastToken)), cell(exactly(m.Ended)),
		lasted(e.TTFT()), lasted(e.TTFA()), tpot, lasted(e.E2E()), lasted(e.Lag()), spent(e.MaxGap), strconv.Itoa(e.Stalls), strconv.FormatBool(e.Burst), strconv.FormatBool(!e.Reused), spent(e.Connect.DNS), spent(e.Connect.TCP), spent(e.Connect.TLS),
		counted(c.Input), counted(c.Cached), strconv.Itoa(c.Output), counted(c.Hidden), strconv.Itoa(c.Events), strconv.Itoa(c.Chunks), source, counted(e.Prompt.Turn), harmless(e.Finish), waited(e.RetryAfter), harmless(e.Message)})
}

// Close writes what is left.
func (t *Requests) Close() error {
	t.out.Flush()
	return t.out.Error()
}

// exactly is a mark in seconds, to the microsecond.
func exactly(m bench.Mark) *float64 {
	if !m.OK {
		return nil
	}
	v := m.At.Round(time.Microsecond).Seconds()
	return &v
}

// lasted is a time in ms; empty where there is none.
func lasted(d time.Duration, ok bool) string {
	if !ok {
		return ""
	}
	return cell(finite(bench.Millis(d)))
}

// spent is a time in ms, of which 0 means that there is none.
func spent(d time.Duration) string { return lasted(d, d != 0) }

// waited is a time in seconds, of which 0 means that there is none.
func waited(d time.Duration) string { return cell(some(d.Seconds())) }
