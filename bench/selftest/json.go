package selftest

import (
	"encoding/json"
	"time"

	"redline/bench"
)

// line is a Result as JSON: lags in ms, memory in bytes.
type line struct {
	Reader       string   `json:"reader"`
	Streams      int      `json:"streams"`
	Shape        string   `json:"shape"`
	Asked        float64  `json:"asked_tokens_per_s"`
	Rate         float64  `json:"tokens_per_s"`
	PerMillion   *float64 `json:"cpu_s_per_million_tokens"`
	Memory       int      `json:"bytes_per_stream"`
	P50          float64  `json:"lag_p50_ms"`
	P99          float64  `json:"lag_p99_ms"`
	Max          float64  `json:"lag_max_ms"`
	MedianP99    float64  `json:"lag_p99_of_median_second_ms"`
	Windows      int      `json:"verdicts"`
	Right        int      `json:"verdicts_right"`
	Sent         int      `json:"tokens_sent"`
	Got          int      `json:"tokens_counted"`
	ServerBehind float64  `json:"server_behind_p99_ms"`
}

// reach is up to where instants are good to a lag.
type reach struct {
	Lag    float64  `json:"lag_ms"`
	Rate   *float64 `json:"spread_tokens_per_s"`
	Spread int      `json:"spread_streams"`
	Bursts *int     `json:"burst_streams"`
}

// verdicts are how often the client judged itself, and how.
type verdicts struct {
	All    int `json:"all"`
	Right  int `json:"right"`
	Missed int `json:"missed"`
	Cried  int `json:"cried_wolf"`
}

// MarshalJSON is the report for machines. What is not known is null.
func (r *Report) MarshalJSON() ([]byte, error) {
	lost, sent := r.Lost()
	out := struct {
		Rows     []line   `json:"rows"`
		Spread   []line   `json:"spread_steps"`
		Bursts   []line   `json:"burst_steps"`
		Good     []reach  `json:"good"`
		Verdicts verdicts `json:"verdicts"`
		Sent     int      `json:"tokens_sent"`
		Lost     int      `json:"tokens_lost"`
		Files    int      `json:"files"`
		Left     int      `json:"streams_left_out"`
	}{Sent: sent, Lost: lost, Files: r.Files, Left: r.Left}
	a := r.Agreement
	out.Verdicts = verdicts{a.Windows, a.Right, a.Missed, a.Cried}
	out.Rows, out.Spread, out.Bursts = []line{}, lines(r.Spread), lines(r.Bursts)
	for i := range r.Rows {
		out.Rows = append(out.Rows, r.Rows[i].Redline.line(), r.Rows[i].Raw.line())
	}
	for _, lag := range []time.Duration{time.Millisecond, Late} {
		to := reach{Lag: bench.Millis(lag), Spread: stepStreams}
		if last, ok := good(r.tried(false), lag); ok {
			to.Rate, to.Spread = &last.Rate, last.Plan.Streams
		}
		if last, ok := good(r.tried(true), lag); ok {
			to.Bursts = &last.Plan.Streams
		}
		out.Good = append(out.Good, to)
	}
	return json.Marshal(out)
}

func lines(results []Result) []line {
	out := []line{}
	for i := range results {
		out = append(out, results[i].line())
	}
	return out
}

func (r *Result) line() line {
	l := line{
		Reader: r.Reader, Streams: r.Plan.Streams, Shape: r.Plan.shape(), Asked: float64(r.Plan.Streams) * r.Plan.Rate, Rate: r.Rate, Memory: r.Memory,
		P50: bench.Millis(r.Lags.Quantile(0.5)), P99: bench.Millis(r.Lags.Quantile(0.99)), Max: bench.Millis(r.Lags.Max), MedianP99: bench.Millis(r.P99),
		Windows: r.Agreement.Windows, Right: r.Agreement.Right, Sent: r.Sent.Tokens, Got: r.Got, ServerBehind: r.Sent.Behind,
	}
	if r.PerMillion.OK {
		l.PerMillion = &r.PerMillion.V
	}
	return l
}
