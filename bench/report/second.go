package report

import (
	"time"

	"redline/bench"
)

// secondLine is a second of a run in a stream.
type secondLine struct {
	Type    string      `json:"type"`
	Target  *targetName `json:"of_target"`
	AtS     *float64    `json:"at_s"`
	State   string      `json:"state"`
	Because string      `json:"because"`
	// ProgressPercent is how much of the run's duration, requests or profile is over; null where it has no such end.
	ProgressPercent *float64 `json:"progress_percent"`
	Mode            string   `json:"loop"`
	LoadInFlight    *float64 `json:"load_in_flight"`
	LoadPerS        *float64 `json:"load_requests_per_s"`
	Workload        string   `json:"workload"`
	InFlight        int      `json:"in_flight"`
	Held            int      `json:"held"`
	HeldBy          string   `json:"held_by"`
	// Now is the second alone, or the few that came together; Window the last seconds, WindowS how many; both null before the first.
	Now     *pulse         `json:"now"`
	Window  *pulse         `json:"window"`
	WindowS *float64       `json:"window_s"`
	Level   *presentLevel  `json:"level"`
	Total   reportRequests `json:"total"`
	Spend   reportSpend    `json:"spend"`
	Client  secondClient   `json:"client"`
	Events  []reportEvent  `json:"events"`
}

type secondClient struct {
	Strain string   `json:"strain"`
	Why    string   `json:"why"`
	LagMs  *float64 `json:"lag_p99_ms"`
}

// pulse are the numbers by which a run is followed; those of a level, and of the whole run, have more in the summary.
type pulse struct {
	OK        int      `json:"ok"`
	Failed    int      `json:"failed"`
	Limited   int      `json:"limited_429"`
	Unsent    int      `json:"unsent"`
	TTFT      *point   `json:"ttft_ms"`
	ITL       *point   `json:"itl_ms"`
	TPS       *floor   `json:"tps_tokens_per_s"`
	E2E       *point   `json:"e2e_ms"`
	RPM       *float64 `json:"rpm_requests_per_min"`
	TPM       *float64 `json:"tpm_tokens_per_min"`
	Output    *float64 `json:"output_tokens_per_s"`
	Offered   *float64 `json:"offered_requests_per_s"`
	Errors    *float64 `json:"errors_percent"`
	Goodput   *float64 `json:"goodput_percent"`
	MeanLoad  *float64 `json:"mean_in_flight"`
	MeasuredS *float64 `json:"measured_s"`
}

// point are two points of a distribution; readiness is as in the summary.
type point struct {
	N         int      `json:"n"`
	Readiness string   `json:"readiness"`
	P50       *float64 `json:"p50"`
	P95       *float64 `json:"p95"`
}

// floor are two points of speeds, of which the slow ones matter.
type floor struct {
	N         int      `json:"n"`
	Readiness string   `json:"readiness"`
	P50       *float64 `json:"p50"`
	P5        *float64 `json:"p5"`
}

// presentLevel is the level in force.
type presentLevel struct {
	ID       int             `json:"level"`
	State    string          `json:"state"`
	BeganS   *float64        `json:"began_at_s"`
	ReachedS *float64        `json:"reached_at_s"`
	Verdicts []reportVerdict `json:"verdicts"`
	pulse
}

// SecondOf is the last second of a snapshot that is complete, without the events that were told in it. Now has what came after an instant: the end of the second
// that was told before it.
func SecondOf(s *bench.Snapshot, after time.Duration) *secondLine {
	s = Begun(s)
	t := s.Total.Tally
	left := unfinished(t)
	out := &secondLine{
		Type: "second", AtS: inSeconds(s.Folded), State: stateName(s.State), Because: Printable(s.Why), Mode: s.Target.Mode.String(), Workload: workName(s.Run, s.Work),
		InFlight: s.InFlight, Held: s.Held, HeldBy: Printable(s.HeldBy), Total: reportRequests{&t.Sent, t.OK, t.Failed, t.Limited, t.Cancelled, &left, t.Unsent},
		Spend:  spendOf(s),
		Client: secondClient{s.Health.Strain.String(), Printable(s.Health.Why), known(s.Health.Lag())}, Events: []reportEvent{},
	}
	if s.Target.Mode == bench.Open {
		out.LoadPerS = finite(s.Target.N)
	} else {
		out.LoadInFlight = finite(s.Target.N)
	}
	if done, ok := Progress(s); ok {
		out.ProgressPercent = finite(100 * done)
	}
	if s.Folded > after {
		out.Now, _ = pulseOf(s.Buckets, s.Folded-after)
	}
	out.Window, out.WindowS = pulseOf(s.Buckets, window)
	if l := s.Level(); l != nil {
		full := levelOf(l, s.Run)
		out.Level = &presentLevel{ID: l.ID, State: full.State, BeganS: full.BeganS, ReachedS: full.ReachedS, Verdicts: full.Verdicts, pulse: pulseIn(&l.Summary)}
	}
	return out
}

func spendOf(s *bench.Snapshot) reportSpend {
	return reportSpend{In: s.Spend.In, Out: s.Spend.Out, Cost: known(s.Spend.Cost), Budget: some(s.Spend.Budget), Budgets: some(float64(s.Spend.BudgetTokens))}
}

// pulseOf are the numbers of the newest buckets that together are no longer than a span, one at least; nil where there is none.
func pulseOf(all []*bench.Bucket, longest time.Duration) (*pulse, *float64) {
	sum, from := time.Duration(0), len(all)
	for from > 0 && (from == len(all) || sum+all[from-1].Span <= longest) {
		from--
		sum += all[from].Span
	}
	if from == len(all) {
		return nil, nil
	}
	s := bench.Window(all[from:])
	out := pulseIn(&s)
	return &out, inSeconds(sum)
}

// pulseIn are the numbers of a summary by which a run is followed.
func pulseIn(s *bench.Summary) pulse {
	t, at := s.Tally, func(m bench.Metric) *bench.Stat { return &s.Stats[m] }
	out := pulse{
		OK: t.OK, Failed: t.Failed, Limited: t.Limited, Unsent: t.Unsent, TTFT: pointOf(at(bench.TTFT)), ITL: pointOf(at(bench.ITL)), E2E: pointOf(at(bench.E2E)),
		RPM: known(at(bench.RPM).Mean), TPM: known(at(bench.TPM).Mean), Output: known(s.OutputRate), Offered: known(s.Offered), Errors: known(s.Counted.ErrorShare()),
		Goodput: known(s.Goodput), MeanLoad: known(s.InFlight), MeasuredS: inSeconds(s.Span),
	}
	if p := at(bench.TPS); p.N > 0 {
		out.TPS = &floor{p.N, readiness(p.Readiness), known(p.P50), known(p.P5)}
	}
	return out
}

// pointOf is a distribution of times; nil where nothing was measured.
func pointOf(s *bench.Stat) *point {
	if s.N == 0 {
		return nil
	}
	return &point{s.N, readiness(s.Readiness), known(s.P50), known(s.P95)}
}
