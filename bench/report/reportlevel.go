package report

import (
	"cmp"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// reportLevel is one level of a saved summary.
type reportLevel struct {
	ID       int             `json:"level"`
	Cause    string          `json:"cause"`
	Mode     string          `json:"loop"`
	InFlight *float64        `json:"load_in_flight"`
	PerS     *float64        `json:"load_requests_per_s"`
	Work     string          `json:"workload"`
	BeganS   *float64        `json:"began_at_s"`
	ReachedS *float64        `json:"reached_at_s"`
	EndedS   *float64        `json:"ended_at_s"`
	State    string          `json:"state"`
	Firmness string          `json:"firmness"`
	Note     string          `json:"note"`
	Open     int             `json:"running_at_its_end"`
	Verdicts []reportVerdict `json:"verdicts"`
	// Drifts is what changed in its course by more than noise: a number, and from its first half to its second; nil where nothing did.
	Drifts  *reportDrift  `json:"drifts"`
	Cost    *reportCost   `json:"cost"`
	Numbers reportNumbers `json:"numbers"`
	// Diagnosis is why they are no better.
	Diagnosis *reportDiagnosis `json:"diagnosis"`
}

// reportDrift is a drift within a level, in the unit of what drifts: ms, or output tokens a second.
type reportDrift struct {
	What string   `json:"what"`
	From *float64 `json:"first_half"`
	To   *float64 `json:"second_half"`
}

type reportVerdict struct {
	Promise string   `json:"promise"`
	Kept    *bool    `json:"kept"`
	Value   *float64 `json:"value"`
	Unit    string   `json:"unit"`
	// Beyond: the percentile lies among requests that failed or were never sent.
	Beyond bool `json:"among_the_missed"`
}

// reportNumbers are what a level, or the run, amounts to.
type reportNumbers struct {
	MeasuredS *float64       `json:"measured_s"`
	Requests  reportRequests `json:"requests"`
	TTFT      *latencies     `json:"ttft_ms"`
	TTFA      *latencies     `json:"first_answer_ms"`
	ITL       *latencies     `json:"itl_ms"`
	TPOT      *latencies     `json:"tpot_ms"`
	E2E       *latencies     `json:"e2e_ms"`
	DueTTFT   *latencies     `json:"ttft_from_schedule_ms"`
	DueE2E    *latencies     `json:"e2e_from_schedule_ms"`
	Lag       *latencies     `json:"send_lag_ms"`
	TPS       *speeds        `json:"tps_tokens_per_s"`
	RPM       *rates         `json:"rpm_requests_per_min"`
	TPM       *rates         `json:"tpm_tokens_per_min"`
	Output    *float64       `json:"output_tokens_per_s"`
	InPerMin  *float64       `json:"input_tokens_per_min"`
	OutPerMin *float64       `json:"output_tokens_per_min"`
	Offered   *float64       `json:"offered_requests_per_s"`
	Errors    *float64       `json:"errors_percent"`
	Goodput   *float64       `json:"goodput_percent"`
	// GoodputOf is how many requests goodput is a share of, Ungraded how many were held to other promises and are not among them.
	GoodputOf *int     `json:"goodput_of"`
	Ungraded  int      `json:"ungraded_requests"`
	Rough     bool     `json:"goodput_rough"`
	GoodRate  *float64 `json:"good_requests_per_min"`
	RateRough bool     `json:"good_requests_rough"`
	InFlight  *float64 `json:"mean_in_flight"`
	Prompt    *float64 `json:"mean_input_tokens"`
	Answer    *float64 `json:"mean_output_tokens"`
	Stalls    int      `json:"stalls"`
	Cached    int      `json:"cached_input_tokens"`
	Wasted    int      `json:"wasted_tokens"`
	BusyS     int      `json:"client_busy_s"`
	Saturated int      `json:"client_saturated_s"`
	// Server are the gauges of the server by their names.
	Server map[string]reportGauge `json:"server"`
}

type reportRequests struct {
	// Sent is not known of a level, since a request may begin in one and end in the next.
	Sent       *int `json:"sent"`
	OK         int  `json:"ok"`
	Failed     int  `json:"failed"`
	Limited    int  `json:"limited_429"`
	Cancelled  int  `json:"cancelled"`
	Unfinished *int `json:"unfinished"`
	Unsent     int  `json:"unsent"`
}

type latencies struct {
	N         int      `json:"n"`
	Readiness string   `json:"readiness"`
	Mean      *float64 `json:"mean"`
	P50       *float64 `json:"p50"`
	P95       *float64 `json:"p95"`
	P99       *float64 `json:"p99"`
	Max       *float64 `json:"max"`
}

type speeds struct {
	N         int      `json:"n"`
	Readiness string   `json:"readiness"`
	Mean      *float64 `json:"mean"`
	P50       *float64 `json:"p50"`
	P5        *float64 `json:"p5"`
	P1        *float64 `json:"p1"`
}

type rates struct {
	N         int      `json:"n"`
	Readiness string   `json:"readiness"`
	Mean      *float64 `json:"mean"`
	Half      *float64 `json:"half"`
}

func readiness(r bench.Readiness) string { return [...]string{"absent", "few", "ready", "ready"}[r&3] }

// latenciesOf is a distribution of times; nil where nothing was measured.
func latenciesOf(s *bench.Stat) *latencies {
	if s.N == 0 {
		return nil
	}
	return &latencies{s.N, readiness(s.Readiness), known(s.Mean), known(s.P50), known(s.P95), known(s.P99), known(s.Max)}
}

func ratesOf(s *bench.Stat) *rates {
	if !s.Mean.OK {
		return nil
	}
	return &rates{s.N, readiness(s.Readiness), known(s.Mean), known(s.Half)}
}

// numbersOf are the numbers of the run; those of a level know of fewer requests.
func numbersOf(s *bench.Summary) reportNumbers {
	t, at := s.Tally, func(m bench.Metric) *bench.Stat { return &s.Stats[m] }
	left := unfinished(t)
	out := reportNumbers{
		MeasuredS: inSeconds(s.Span), Requests: reportRequests{&t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled, &left, t.Unsent},
		TTFT: latenciesOf(at(bench.TTFT)), TTFA: latenciesOf(at(bench.TTFA)), ITL: latenciesOf(at(bench.ITL)), TPOT: latenciesOf(at(bench.TPOT)), E2E: latenciesOf(at(bench.E2E)),
		DueTTFT: latenciesOf(&s.DueTTFT), DueE2E: latenciesOf(&s.DueE2E), Lag: latenciesOf(&s.Lag),
		RPM: ratesOf(at(bench.RPM)), TPM: ratesOf(at(bench.TPM)), Output: known(s.OutputRate), InPerMin: known(s.PerMinuteIn), OutPerMin: known(s.PerMinuteOut), Offered: known(s.Offered),
		Errors: known(s.Counted.ErrorShare()), Goodput: known(s.Goodput), Ungraded: s.Ungraded, Rough: s.GoodputRough, GoodRate: known(s.GoodPerMinute), RateRough: s.GoodRateRough, InFlight: known(s.InFlight), Prompt: known(s.PromptTokens), Answer: known(s.AnswerTokens),
		Stalls: s.Stalls, Cached: s.Cached, Wasted: s.Wasted, BusyS: s.Strained[0], Saturated: s.Strained[1], Server: gaugesOf(s.Server),
	}
	if s.Goodput.OK {
		of := s.Counted.Owed() - s.Ungraded
		out.GoodputOf = &of
	}
	if p := at(bench.TPS); p.N > 0 {
		out.TPS = &speeds{p.N, readiness(p.Readiness), known(p.Mean), known(p.P50), known(p.P5), known(p.P1)}
	}
	return out
}

// causes are why a level began, as saved summaries name it.
var causes = map[bench.Cause]string{
	bench.CauseStart: "start", bench.CauseLoad: "load", bench.CauseNote: "note", bench.CauseResume: "resume", bench.CauseRecovery: "recovery", bench.CauseGap: "gap",
	bench.CauseMode: "loop", bench.CauseWork: "workload", bench.CauseProfile: "profile", bench.CauseClear: "clear", bench.CauseRamp: "ramp", bench.CauseCruise: "cruise",
}

func levelOf(l *bench.Level, r *bench.Run) reportLevel {
	out := reportLevel{
		ID: l.ID, Cause: causes[l.Cause], Mode: l.Load.Mode.String(), Work: workName(r, l.Work), BeganS: inSeconds(l.Begin), ReachedS: markSeconds(l.Reached), EndedS: markSeconds(l.Ended),
		State: l.State.String(), Firmness: cmp.Or(analysis.FirmnessOf(l).String(), "firm"), Note: Printable(l.Note), Open: l.Unfinished, Verdicts: []reportVerdict{}, Numbers: numbersOf(&l.Summary),
	}
	if l.Load.Mode == bench.Open {
		out.PerS = finite(l.Load.N)
	} else {
		out.InFlight = finite(l.Load.N)
	}
	if d, ok := analysis.DriftOf(l); ok {
		out.Drifts = &reportDrift{strings.ToLower(strings.TrimSpace(driftName(d))), finite(d.From), finite(d.To)}
	}
	out.Cost = reportCostOf(&l.Summary, r.Prices)
	if l.State == bench.Moving {
		out.State = "moving"
	}
	out.Numbers.Requests.Unfinished = nil
	if l.Tally.Sent == 0 {
		out.Numbers.Requests.Sent = nil
	}
	for _, v := range l.Verdicts {
		if v.Threshold.Quota() {
			continue
		}
		one := reportVerdict{Promise: v.Threshold.String(), Value: known(v.Value), Unit: strings.TrimSpace(v.Threshold.Metric.Unit()), Beyond: v.Known && v.Beyond}
		if v.Known {
			kept := !v.Broken
			one.Kept = &kept
		}
		out.Verdicts = append(out.Verdicts, one)
	}
	return out
}
