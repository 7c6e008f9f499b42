package remote

import (
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"

	"redline/bench"
)

// view is a target as a scrape sees it.
type view struct {
	s             *bench.Snapshot
	book          *book
	target, model string
	// shown: it is driven.
	shown, recording bool
}

// family is a row of the table of metrics. What it reads it gives to put, once for each series; what is absent is not there.
type family struct {
	name, help string
	kind       dto.MetricType
	read       func(v *view, put func(m *dto.Metric, labels ...string))
}

const (
	counts     = dto.MetricType_COUNTER
	measures   = dto.MetricType_GAUGE
	histograms = dto.MetricType_HISTOGRAM
)

type put = func(m *dto.Metric, labels ...string)

// known puts a gauge, unless it is absent.
func known(put put, v bench.Value, scale float64, labels ...string) {
	if v.OK {
		put(gauge(v.V*scale), labels...)
	}
}

// states are those of a run, with the words of their series.
var states = []bench.RunState{bench.Waiting, bench.Running, bench.Paused, bench.Draining, bench.Down, bench.Warming, bench.Done}

// table has all metrics. Units are Prometheus' base units, shares are ratios. Counters and histograms are of the whole run, and as of its last full second, as what is in
// flight is: so they add up. When the operator clears what was measured they go on; of tokens and latencies the second in which that falls may be missing.
var table = []family{
	{"redline_build_info", "The version of redline; always 1.", measures, func(v *view, put put) { put(gauge(1), "version", v.s.Run.Version) }},
	{"redline_run_start_time_seconds", "When the run began, in Unix time.", measures, func(v *view, put put) { put(gauge(float64(v.s.Run.Start.UnixMilli()) / 1000)) }},
	{"redline_run_state", "What the run is doing: 1 for the state that it is in.", measures, func(v *view, put put) {
		for _, s := range states {
			put(truth(s == v.s.State), "state", strings.ReplaceAll(strings.ToLower(s.String()), " ", "_"))
		}
	}},
	{"redline_target_driven", "Whether the target is the one, or one of those, that the load is set for.", measures, func(v *view, put put) { put(truth(v.shown)) }},
	{"redline_recording", "Whether the run is being kept in a file.", measures, func(v *view, put put) { put(truth(v.recording)) }},
	{"redline_load_setpoint", "The load that is set: requests in flight in the closed loop, arrivals a second in the open one.", measures, func(v *view, put put) {
		put(gauge(v.s.Target.N), "loop", v.s.Target.Mode.String())
	}},
	{"redline_requests_in_flight", "Requests in flight: those that were sent and have not ended, as the counters have them.", measures, func(v *view, put put) {
		put(gauge(float64(v.unended())))
	}},
	{"redline_slots_held", "Slots that are held back after failures, for a quota, or until a conversation goes on.", measures, func(v *view, put put) { put(gauge(float64(v.s.Held))) }},
	{"redline_level", "The number of the present level; one begins with each change of the load.", measures, func(v *view, put put) { put(gauge(float64(levelOf(v.s)))) }},
	{"redline_level_settled", "Whether the numbers of the present level have settled.", measures, func(v *view, put put) {
		if l := v.s.Level(); l != nil {
			put(truth(l.State == bench.Settled))
		}
	}},
	{"redline_requests_sent_total", "Requests that were sent.", counts, func(v *view, put put) { put(counter(v.book.once("sent", v.tally().Sent))) }},
	{"redline_requests_unsent_total", "Arrivals of the open loop that found no room and were dropped.", counts, func(v *view, put put) {
		put(counter(v.book.once("unsent", v.tally().Unsent)))
	}},
	{"redline_requests_total", "Requests that ended, by outcome.", counts, func(v *view, put put) {
		t := v.tally()
		for o := range bench.NumOutcomes {
			name := strings.NewReplacer(" ", "_", "-", "_").Replace(o.String())
			put(counter(v.book.once("outcome "+name, t.By[o])), "outcome", name)
		}
	}},
	{"redline_tokens_total", "Tokens as they came, prompt (input) and generated (output); those of requests that failed later are among them.", counts, func(v *view, put put) {
		put(counter(v.book.most("in")), "direction", "input")
		put(counter(v.book.most("out")), "direction", "output")
	}},
	{"redline_time_to_first_token_seconds", "From the hand-over of a request to its first token.", histograms, func(v *view, put put) { v.book.histogram(put, ttft) }},
	{"redline_inter_token_latency_seconds", "Between the tokens of a stream, once a token.", histograms, func(v *view, put put) { v.book.histogram(put, itl) }},
	{"redline_time_per_output_token_seconds", "Mean time between the tokens of a request, once a request.", histograms, func(v *view, put put) { v.book.histogram(put, tpot) }},
	{"redline_request_duration_seconds", "From the hand-over of a request to its last token.", histograms, func(v *view, put put) { v.book.histogram(put, e2e) }},
	{"redline_level_error_ratio", "Share of failed requests among those that succeeded or failed, of the present level.", measures, func(v *view, put put) {
		if l := v.s.Level(); l != nil {
			known(put, l.Counted.ErrorShare(), 0.01)
		}
	}},
	{"redline_level_goodput_ratio", "Share of requests that kept every promise, of the present level.", measures, func(v *view, put put) {
		if l := v.s.Level(); l != nil {
			known(put, l.Goodput, 0.01)
		}
	}},
	{"redline_level_output_tokens_per_second", "Output tokens a second of all streams, of the present level.", measures, func(v *view, put put) {
		if l := v.s.Level(); l != nil {
			known(put, l.OutputRate, 1)
		}
	}},
	{"redline_promise_kept", "Whether the present level keeps a promise; absent while that is not known.", measures, readPromises},
	{"redline_spent_tokens_total", "Tokens that are booked, those of failed, cancelled and preflight requests too.", counts, func(v *view, put put) {
		put(counter(v.book.once("spent in", v.s.Spend.In)), "direction", "input")
		put(counter(v.book.once("spent out", v.s.Spend.Out)), "direction", "output")
	}},
	{"redline_spent_cost", "What the run has cost, in the currency of the prices.", measures, func(v *view, put put) { known(put, v.s.Spend.Cost, 1) }},
	{"redline_quota_limit", "Limit of a quota, as the server's headers tell it.", measures, func(v *view, put put) {
		v.quotas(put, func(q *bench.Quota) bench.Value { return q.Limit })
	}},
	{"redline_quota_remaining", "What is left of a quota, as the server's headers told last.", measures, func(v *view, put put) {
		v.quotas(put, func(q *bench.Quota) bench.Value { return q.Remaining })
	}},
	{"redline_quota_used_ratio", "Share of a quota that is used up, whoever used it.", measures, func(v *view, put put) {
		v.quotas(put, func(q *bench.Quota) bench.Value { return q.Used() })
	}},
	{"redline_client_strained", "Whether the client itself is too busy for its numbers to be the server's: 1 for the verdict that holds.", measures, func(v *view, put put) {
		for _, s := range []bench.Strain{bench.Unstrained, bench.Busy, bench.Saturated} {
			put(truth(s == v.s.Health.Strain), "verdict", s.String())
		}
	}},
	{"redline_client_strained_seconds_total", "Seconds in which the client was busy, or saturated.", counts, func(v *view, put put) {
		put(counter(v.book.once("busy", v.s.Strained[0])), "verdict", "busy")
		put(counter(v.book.once("saturated", v.s.Strained[1])), "verdict", "saturated")
	}},
	{"redline_client_lag_seconds", "How late the client reads and wakes up, the 99th percentile of the last second.", measures, func(v *view, put put) { known(put, v.s.Health.Lag(), 0.001) }},
	{"redline_client_cpu_ratio", "The client's share of the processors that it may use.", measures, func(v *view, put put) {
		if v.s.Folded > 0 {
			put(gauge(v.s.Health.CPU))
		}
	}},
	{"redline_run_seconds", "How long the run has lasted.", measures, func(v *view, put put) { put(gauge(v.s.At.Round(time.Millisecond).Seconds())) }},
}

// tally are the requests of the whole run, those before a clear too.
func (v *view) tally() bench.Tally {
	t := v.s.Total.Tally
	t.Add(v.s.Forgotten)
	return t
}

// unended are the requests that were sent and have not ended.
func (v *view) unended() int {
	t := v.tally()
	return max(t.Sent-t.OK-t.Failed-t.Limited-t.Cancelled, 0)
}

func readPromises(v *view, put put) {
	l := v.s.Level()
	if l == nil {
		return
	}
	for _, of := range l.Verdicts {
		if of.Known && !of.Threshold.Quota() {
			put(truth(!of.Broken), "promise", of.Threshold.String())
		}
	}
}

// quotas puts a value of each quota.
func (v *view) quotas(put put, of func(*bench.Quota) bench.Value) {
	for i := range v.s.Quotas {
		q := &v.s.Quotas[i]
		known(put, of(q), 1, "quota", q.Name, "unit", q.Unit())
	}
}
