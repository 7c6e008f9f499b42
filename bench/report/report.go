package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// Schema names the form of a saved summary. A field may be added under the same name; one that goes, or changes its meaning, makes it the next.
const Schema = "redline.summary/1"

// reportNotes explain a saved summary to a reader who has nothing else.
const reportNotes = "units are in the names: _ms, _s, _percent, _per_s, _per_min; instants (_at_s) count from the start of the run; null is what is not known. " +
	"requests: sent = ok + failed + limited_429 + cancelled + unfinished. ttft: to the first token; itl: between tokens, once a token; tps: tokens per second of one stream, " +
	"p5 and p1 are the slow ones; rpm: requests that ended well per minute; tpm: prompt and output tokens per minute; half: half-width of the 95 % interval of the mean. " +
	"readiness: ready, few (rests on 5 to 19 samples, or on what is still settling), absent (do not use). Failed requests are in no latency; promises count them as worse than every limit. " +
	"A level has only what came after its load was reached, and so has its errors_percent; its requests are all that ended in it. cleared_at_s: the operator had all before it forgotten; forgotten are the requests that had ended by then, which are in no number but spend. " +
	"goodput_of: the requests that goodput is a share of; ungraded_requests ended before the promises were changed last and are not among them; where goodput or good_requests are rough, they rest on a sample. " +
	"Firmness of a level: firm, few (settled, on fewer than 100 requests), short (left before it settled, or not settled yet), unsettled (not within 60 s). " +
	"curves: levels that can be compared (one loop, workload, and no note between them), loads in the unit of their loop; knee: the load behind which output hardly grows, null while none is known; " +
	"limit: above (no promise broken up to kept_at), below (none kept down to broken_at), between (kept at kept_at, broken at broken_at, load is where), doubtful (of loads below broken_at too little is known), " +
	"undecided (a greater load keeps what a lesser one breaks); rough: rests on levels that are not firm. " +
	"diagnosis: why a level's numbers are no better, against the nearest lower load that was measured; grade: alarm (breaks a promise, or makes the numbers worth less), limits (no promise is broken by it), " +
	"remark; weight: the share of a broken promise that it explains, half of that where none is, 1 and more for what stands before all other questions. " +
	"scalability_law: the Universal Scalability Law fitted to output over mean requests in flight, with 95 % intervals, as far as carried says that the data carry it (peak, ceiling). " +
	"cost: in the currency of the prices, failed requests and idle GPUs included. drifts: what changed within a level by more than noise. " +
	"ramp: the last search for the redline, null without one; phase: found, not reached (every promise is kept at the greatest load that was allowed), none, left; a trial is a load that was tried: over of n requests broke " +
	"the promise that was nearest to breaking, share_low and share_high bound the true share with 95 %, rough: a cap decided. cruise: the last cruise control, null without one. " +
	"quotas: binds: now, at (binds_at_load, in the unit of the loop), past (not below binds_at_load), never (the server saturates first, at server_reaches_percent of it), in time (lasts_s), unknown. " +
	"server: what the server told of itself in its metrics, null where it tells nothing; its ttft, itl, queue and e2e are means by its own clock. " +
	"recorded: what the file of the run says beside its seconds, null of a run that was in force; complete: the run was written to its end; annotations were added when it was over. " +
	"recording: how the file of the run stands, absent in a summary that was made of it; state: off, recording, failing (wrong says why), saved; lost_s: seconds of the run that are not in it; left_out: what is not since it came near its bound."

// report is the summary of a run as JSON.
type report struct {
	Schema    string          `json:"schema"`
	About     string          `json:"about"`
	Redline   string          `json:"redline_version"`
	SavedAt   string          `json:"saved_at"`
	State     string          `json:"state"`
	Because   string          `json:"because"`
	LastedS   *float64        `json:"lasted_s"`
	Private   bool            `json:"private"`
	Target    reportTarget    `json:"target"`
	Settings  reportSettings  `json:"settings"`
	Workloads []reportWork    `json:"workloads"`
	Promises  []reportPromise `json:"promises"`
	Limits    []reportPromise `json:"own_quotas"`
	Verdict   []string        `json:"verdict"`
	Levels    []reportLevel   `json:"levels"`
	ClearedS  *float64        `json:"cleared_at_s"`
	Forgotten *reportRequests `json:"forgotten"`
	Curves    []reportCurve   `json:"curves"`
	Ramp      *reportRamp     `json:"ramp"`
	Cruise    *reportCruise   `json:"cruise"`
	Total     reportNumbers   `json:"total"`
	Failures  []reportFailure `json:"failures"`
	Spend     reportSpend     `json:"spend"`
	Quotas    []reportQuota   `json:"server_quotas"`
	Binding   []reportBinding `json:"quotas_in_the_order_in_which_they_bind"`
	Metrics   []reportScrape  `json:"server_metrics"`
	Client    reportClient    `json:"client"`
	Notes     []string        `json:"notes"`
	Events    []reportEvent   `json:"events"`
	// Recorded is what is known of a run that was read from a file.
	Recorded *reportOrigin `json:"recorded"`
	// Recording is how the file of a run stands that is in force, or has just ended.
	Recording *reportKept `json:"recording,omitempty"`
	// Rivals are the targets of a run that drives several, each with a summary of its own, and Differences how they differ; absent where there is one.
	Rivals      []reportRival      `json:"targets,omitempty"`
	Differences []reportDifference `json:"differences,omitempty"`
}

type reportTarget struct {
	URL       string `json:"url"`
	Host      string `json:"host"`
	Address   string `json:"address"`
	Model     string `json:"model"`
	API       string `json:"api"`
	Protocol  string `json:"http"`
	Simulated bool   `json:"simulated"`
	Public    bool   `json:"public"`
}

type reportSettings struct {
	Scenario string `json:"scenario"`
	Arrivals string `json:"arrivals"`
	// Seed is a text: it has more digits than a JSON number keeps.
	Seed            string   `json:"seed"`
	Max             int      `json:"max_in_flight"`
	MaxRate         *float64 `json:"max_requests_per_s"`
	Warmup          int      `json:"warmup_requests"`
	StallMs         *float64 `json:"stall_ms"`
	ConnectS        *float64 `json:"connect_timeout_s"`
	FirstTokenS     *float64 `json:"first_token_timeout_s"`
	IdleS           *float64 `json:"idle_timeout_s"`
	TotalS          *float64 `json:"request_timeout_s"`
	PriceInput      *float64 `json:"price_per_million_input_tokens"`
	PriceOutput     *float64 `json:"price_per_million_output_tokens"`
	PriceCached     *float64 `json:"price_per_million_cached_input_tokens"`
	GPUHour         *float64 `json:"price_per_gpu_hour"`
	GPUs            *float64 `json:"gpus"`
	ReservedPercent *float64 `json:"quota_reserve_percent"`
	Counted         string   `json:"tokens_counted_from"`
}

type reportWork struct {
	Name         string   `json:"name"`
	Words        string   `json:"words"`
	InputTokens  *float64 `json:"input_tokens"`
	OutputTokens *float64 `json:"output_tokens"`
	MaxTokens    *float64 `json:"max_tokens"`
}

type reportPromise struct {
	Promise    string   `json:"promise"`
	Metric     string   `json:"metric"`
	Percentile string   `json:"percentile"`
	Side       string   `json:"side"`
	Limit      *float64 `json:"limit"`
	Unit       string   `json:"unit"`
}

type reportFailure struct {
	Class   string `json:"class"`
	Count   int    `json:"count"`
	Status  *int   `json:"newest_http_status"`
	Message string `json:"newest_message"`
}

type reportSpend struct {
	In      int      `json:"input_tokens"`
	Out     int      `json:"output_tokens"`
	Cost    *float64 `json:"cost"`
	Budget  *float64 `json:"budget"`
	Budgets *float64 `json:"budget_tokens"`
}

type reportQuota struct {
	Unit        string   `json:"unit"`
	Name        string   `json:"name"`
	PeriodS     *float64 `json:"period_s"`
	Limit       *float64 `json:"limit"`
	Remaining   *float64 `json:"remaining"`
	UsedPercent *float64 `json:"used_percent"`
	AtS         *float64 `json:"said_at_s"`
}

type reportClient struct {
	Strain     string   `json:"strain"`
	Why        string   `json:"why"`
	BusyS      int      `json:"busy_s"`
	SaturatedS int      `json:"saturated_s"`
	LagMs      *float64 `json:"lag_p99_ms"`
	CPUPercent *float64 `json:"cpu_percent"`
}

type reportEvent struct {
	AtS  *float64 `json:"at_s"`
	Kind string   `json:"kind"`
	Text string   `json:"text"`
}

// finite is a number of JSON: rounded to six digits that mean something, or nil for what is none.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		return nil
	}
	return &short
}

// known is a value, or nil.
func known(v bench.Value) *float64 {
	if !v.OK {
		return nil
	}
	return finite(v.V)
}

// some is a number of which 0 means that there is none.
func some(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return finite(v)
}

func inSeconds(d time.Duration) *float64 { return finite(d.Round(time.Millisecond).Seconds()) }

func markSeconds(m bench.Mark) *float64 {
	if !m.OK {
		return nil
	}
	return inSeconds(m.At)
}

// reportOf is the summary of a run, as it is shown: what is private has to be hidden in the snapshot before.
func reportOf(s *bench.Snapshot, end Options) *report {
	s = Begun(s)
	r := s.Run
	out := &report{
		Schema: Schema, About: reportNotes, Redline: r.Version, SavedAt: end.Saved.Format(time.RFC3339), State: strings.ToLower(s.State.String()), Because: Printable(s.Why),
		LastedS: inSeconds(s.At), Private: end.Private, Verdict: verdictLines(s), Total: numbersOf(&s.Total), Notes: []string{}, Levels: []reportLevel{}, Curves: reportCurvesOf(s), Binding: reportBindingsOf(s), Metrics: scrapesOf(s), Ramp: reportRampOf(s, end), Recorded: reportOriginOf(end.Origin), Recording: reportKeptOf(end.Kept), Cruise: reportCruiseOf(s),
		Target: reportTarget{URL: ShownURL(r.Target), Host: Printable(r.Host), Address: Printable(r.Address), Model: Printable(r.Model), API: r.API.String(), Protocol: Printable(r.Protocol),
			Simulated: r.Demo, Public: r.Public},
		Settings: reportSettings{Scenario: Printable(r.Scenario), Arrivals: r.Arrivals.String(), Seed: strconv.FormatUint(r.Seed, 10), Max: r.Max, MaxRate: some(r.MaxRate), Warmup: r.Warmup,
			StallMs: some(bench.Millis(r.Stall)), ConnectS: some(r.Limits.Connect.Seconds()), FirstTokenS: some(r.Limits.FirstToken.Seconds()), IdleS: some(r.Limits.Idle.Seconds()), TotalS: some(r.Limits.Total.Seconds()),
			PriceInput: some(r.Prices.Input), PriceOutput: some(r.Prices.Output), PriceCached: known(r.Prices.Cached), GPUHour: some(r.Prices.GPUHour), GPUs: some(float64(r.Prices.GPUs)),
			ReservedPercent: some(100 * r.QuotaReserve), Counted: s.Source.String()},
		Spend: reportSpend{In: s.Spend.In, Out: s.Spend.Out, Cost: known(s.Spend.Cost), Budget: some(s.Spend.Budget), Budgets: some(float64(s.Spend.BudgetTokens))},
		Client: reportClient{Strain: s.Health.Strain.String(), Why: Printable(s.Health.Why), BusyS: s.Strained[0], SaturatedS: s.Strained[1], LagMs: known(s.Health.Lag()),
			CPUPercent: finite(100 * s.Health.CPU)},
		Workloads: []reportWork{}, Promises: []reportPromise{}, Limits: []reportPromise{}, Failures: []reportFailure{}, Quotas: []reportQuota{}, Events: []reportEvent{},
	}
	if end.Private {
		out.Target.URL = bench.Hidden
	}
	out.severally(s, end)
	if out.ClearedS = markSeconds(s.Cleared); s.Cleared.OK {
		t := s.Forgotten
		out.Forgotten = &reportRequests{&t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled, nil, t.Unsent}
	}
	out.fill(s)
	return out
}

// fill adds what there is several of.
func (out *report) fill(s *bench.Snapshot) {
	r := s.Run
	for _, w := range r.Works {
		out.Workloads = append(out.Workloads, reportWork{Printable(w.Name), Printable(w.Words), some(float64(w.InputTokens)), some(float64(w.OutputTokens)), some(float64(w.MaxTokens))})
	}
	for _, t := range r.Thresholds {
		if t.Quota() {
			out.Limits = append(out.Limits, promiseOf(t))
		} else {
			out.Promises = append(out.Promises, promiseOf(t))
		}
	}
	for i, l := range s.Levels {
		one := levelOf(l, r)
		one.Diagnosis = diagnosisOf(s, i)
		out.Levels = append(out.Levels, one)
	}
	for o := bench.OK + 1; o < bench.NumOutcomes; o++ {
		if n := s.Total.Tally.By[o]; n > 0 && !o.Withdrawn() {
			out.Failures = append(out.Failures, failureOf(s, o, n))
		}
	}
	for _, q := range s.Quotas {
		used := q.Used()
		used.V *= 100
		out.Quotas = append(out.Quotas, reportQuota{q.Unit(), Printable(q.Name), finite(q.Per.Seconds()), known(q.Limit), known(q.Remaining), known(used), inSeconds(q.At)})
	}
	for _, n := range r.Notes {
		out.Notes = append(out.Notes, Printable(n))
	}
	for _, e := range s.Events {
		if text := sentence(e); text != "" {
			out.Events = append(out.Events, reportEvent{inSeconds(e.At), e.Kind.String(), text})
		}
	}
}

func promiseOf(t bench.Threshold) reportPromise {
	side := "at most"
	if t.Floor {
		side = "at least"
	}
	return reportPromise{t.String(), strings.ToLower(t.Metric.String()), t.At.String(), side, finite(t.Limit), t.Metric.Unit()}
}

func failureOf(s *bench.Snapshot, o bench.Outcome, n int) reportFailure {
	out := reportFailure{Class: o.String(), Count: n}
	for i := range s.Failures {
		if e := &s.Failures[i]; e.Outcome == o {
			out.Message = bounded(strings.TrimSpace(Printable(e.Message)), longestMessage)
			if e.Status > 0 {
				out.Status = &e.Status
			}
			break
		}
	}
	return out
}

// json is the report as it is written.
func (out *report) json() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(out)
	return b.Bytes(), err
}
