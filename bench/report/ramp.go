package report

import (
	"fmt"
	"strings"

	"redline/bench"
)

// rampSentence is what becomes of a ramp: its phase, the load it is about, and what led to it.
func rampSentence(e bench.Event, text string) string {
	phase := bench.RampPhase(min(max(e.N, 0), int(bench.RampLeft)))
	words, load := e.Kind.String()+" "+phase.String(), e.To.String()
	text = strings.TrimPrefix(text, "ramp ")
	if e.To.N > 0 && !phase.Over() && !strings.HasPrefix(text, load+":") && !strings.HasPrefix(text, load+" ") {
		words += " at " + load
	}
	if text != "" {
		words += ": " + text
	}
	return words
}

// rampFields are the fields of a plain line that tell of a ramp, from its beginning on; none in a run without one.
func rampFields(s *bench.Snapshot) string {
	r := s.Ramping
	if r == nil || r.Ramp == nil {
		return ""
	}
	phase := strings.ReplaceAll(r.Phase.String(), " ", "-")
	if r.Phase.Over() {
		if r.Found != nil && r.Phase == bench.RampFound && r.Found.AtLeast() {
			return fmt.Sprintf(" ramp=at-least redline=%s", r.Found.Load)
		}
		if r.Found != nil && r.Phase != bench.RampLeft {
			return fmt.Sprintf(" ramp=%s redline=%s", phase, r.Found.Load)
		}
		return fmt.Sprintf(" ramp=%s redline=%s", phase, absent)
	}
	need := absent
	if r.Now.Need > 0 {
		need = fmt.Sprint(r.Now.Need)
	}
	return fmt.Sprintf(" ramp=%s ramp.load=%s ramp.n=%d ramp.need=%s", phase, r.Now.Load, r.Now.N, need)
}

// writeRamp is what the last ramp came to, what it tried, and what that took.
func writeRamp(b *strings.Builder, s *bench.Snapshot, end Options, width int) {
	r := s.Ramping
	if r == nil || r.Ramp == nil {
		return
	}
	text := end.ramped(r)
	if text == "" {
		text = "ramp " + r.Phase.String()
	}
	entry(b, "redline", strings.TrimPrefix(text, "redline: "), width)
	var tried []string
	for i := range r.Trials {
		tried = append(tried, trialWords(&r.Trials[i]))
	}
	if len(tried) > 0 {
		entry(b, "tried", strings.Join(tried, "; "), width)
	}
	took := fmt.Sprintf("%s, %s requests, %s tokens", r.Ramp, grouped(r.Requests), grouped(r.Tokens))
	if r.Cost.OK && r.Cost.V > 0 {
		took += ", cost " + money(r.Cost.V)
	}
	if r.Ended.OK {
		took += ", in " + span(r.Ended.At-r.Began)
	}
	entry(b, "ramp", took, width)
}

// trialWords are a load that was tried with its verdict and what that rests on: "16 kept (n 92, ttft.p95<=500ms: 221 ms, 1.1% over, 0.1 to 5.7)".
func trialWords(t *bench.Trial) string {
	var of []string
	if t.N > 0 {
		of = append(of, fmt.Sprintf("n %d", t.N))
	}
	if t.Binding.Limit > 0 {
		text := t.Binding.String()
		if t.Value.OK {
			text += ": " + strings.TrimSpace(number(t.Value)+" "+t.Binding.Metric.Unit())
		}
		of = append(of, text)
	}
	if t.N > 0 && t.Low.OK && t.High.OK {
		of = append(of, fmt.Sprintf("%s over, %.1f to %.1f", share(bench.Some(100*float64(t.Over)/float64(t.N))), 100*t.Low.V, 100*t.High.V))
	}
	if t.Lag.OK {
		of = append(of, "client up to "+number(t.Lag)+" ms late")
	}
	words := t.Load.String() + " " + holdsWord(t)
	if len(of) > 0 {
		words += " (" + strings.Join(of, ", ") + ")"
	}
	return Printable(words)
}

// holdsWord is the verdict of a trial; one that a cap has decided is rough, one of few requests that were all far within the limits brief. A client that is busy breaks nothing.
func holdsWord(t *bench.Trial) string {
	word := [...]string{bench.NotYet: "undecided", bench.Kept: "kept", bench.Broke: "broke"}[min(t.Holds, bench.Broke)]
	if t.Why != "" {
		if word += " by " + t.Why; strings.HasPrefix(t.Why, "client") {
			word = "not judged, " + t.Why
		}
	}
	if t.Rough {
		word = "~" + word
	}
	if t.Brief {
		word += ", brief"
	}
	return word
}

// markRamp is the ramp as a table of a saved summary.
func markRamp(b *strings.Builder, s *bench.Snapshot, end Options) {
	r := s.Ramping
	if r == nil || r.Ramp == nil {
		return
	}
	b.WriteString("\n## Redline\n\n")
	if text := end.ramped(r); text != "" {
		b.WriteString(plainMark(text) + "\n")
	}
	if len(r.Trials) == 0 {
		return
	}
	b.WriteString("\n")
	markRow(b, []string{"load", "verdict", "n", "promise", "value", "over it", "95 %"})
	markRow(b, []string{"--:", ":--", "--:", ":--", "--:", "--:", "--:"})
	for i := range r.Trials {
		t := &r.Trials[i]
		over, ends, promise := absent, absent, absent
		if t.N > 0 && t.Low.OK && t.High.OK {
			over = share(bench.Some(100 * float64(t.Over) / float64(t.N)))
			ends = fmt.Sprintf("%.1f to %.1f%%", 100*t.Low.V, 100*t.High.V)
		}
		if t.Binding.Limit > 0 {
			promise = t.Binding.String()
		}
		markRow(b, []string{t.Load.String(), Printable(holdsWord(t)), fmt.Sprint(t.N), promise, number(t.Value), over, ends})
	}
}

// reportRamp is the last ramp of a saved summary.
type reportRamp struct {
	Ramp     string         `json:"ramp"`
	Phase    string         `json:"phase"`
	Because  string         `json:"because"`
	Words    string         `json:"words"`
	Redline  *reportRedline `json:"redline"`
	Trials   []reportTrial  `json:"trials"`
	Requests int            `json:"requests"`
	Tokens   int            `json:"tokens"`
	Cost     *float64       `json:"cost"`
	BeganS   *float64       `json:"began_at_s"`
	EndedS   *float64       `json:"ended_at_s"`
}

// reportRedline is what a ramp has found; the loads are in the unit of their loop.
type reportRedline struct {
	Mode       string   `json:"loop"`
	Load       *float64 `json:"load"`
	Above      *float64 `json:"broken_at"`
	Level      int      `json:"level"`
	RPM        *float64 `json:"rpm_requests_per_min"`
	TPM        *float64 `json:"tpm_tokens_per_min"`
	Goodput    *float64 `json:"goodput_percent"`
	PerMillion *float64 `json:"cost_per_million_output_tokens"`
	Promise    string   `json:"bound_by"`
	AtAbove    *float64 `json:"value_at_broken"`
	Because    string   `json:"stopped_by"`
	Rough      bool     `json:"rough"`
	AtLeast    bool     `json:"at_least"`
	Lag        *float64 `json:"client_late_ms"`
}

// reportTrial is a load that was tried; shares are of the requests that break the promise.
type reportTrial struct {
	Load    *float64 `json:"load"`
	Level   int      `json:"level"`
	Verdict string   `json:"verdict"`
	Rough   bool     `json:"rough"`
	Brief   bool     `json:"brief"`
	Lag     *float64 `json:"client_late_ms"`
	N       int      `json:"n"`
	Over    int      `json:"over"`
	Worth   *float64 `json:"independent_n"`
	Low     *float64 `json:"share_low_percent"`
	High    *float64 `json:"share_high_percent"`
	Promise string   `json:"promise"`
	Value   *float64 `json:"value"`
	Because string   `json:"stopped_by"`
	BeganS  *float64 `json:"began_at_s"`
	EndedS  *float64 `json:"ended_at_s"`
}

// reportRampOf is the last ramp of a run; nil without one.
func reportRampOf(s *bench.Snapshot, end Options) *reportRamp {
	r := s.Ramping
	if r == nil || r.Ramp == nil {
		return nil
	}
	out := &reportRamp{Ramp: r.Ramp.String(), Phase: r.Phase.String(), Because: Printable(r.Why), Words: end.ramped(r), Trials: []reportTrial{}, Requests: r.Requests, Tokens: r.Tokens,
		Cost: known(r.Cost), BeganS: inSeconds(r.Began), EndedS: markSeconds(r.Ended)}
	promise := func(t bench.Threshold) string {
		if t.Limit > 0 {
			return t.String()
		}
		return ""
	}
	percent := func(v bench.Value) *float64 { v.V *= 100; return known(v) }
	if f := r.Found; f != nil {
		out.Redline = &reportRedline{Mode: f.Load.Mode.String(), Load: finite(f.Load.N), Above: some(f.Above.N), Level: f.Level, RPM: known(f.RPM), TPM: known(f.TPM), Goodput: known(f.Goodput),
			PerMillion: known(f.PerMillion), Promise: promise(f.Bound), AtAbove: known(f.AtAbove), Because: Printable(f.Why), Rough: f.Rough, AtLeast: f.AtLeast(), Lag: known(f.Lag)}
	}
	for i := range r.Trials {
		t := &r.Trials[i]
		verdict := [...]string{bench.NotYet: "undecided", bench.Kept: "kept", bench.Broke: "broke"}[min(t.Holds, bench.Broke)]
		out.Trials = append(out.Trials, reportTrial{Load: finite(t.Load.N), Level: t.Level, Verdict: verdict, Rough: t.Rough, Brief: t.Brief, Lag: known(t.Lag), N: t.N, Over: t.Over, Worth: some(t.Worth), Low: percent(t.Low), High: percent(t.High),
			Promise: promise(t.Binding), Value: known(t.Value), Because: Printable(t.Why), BeganS: inSeconds(t.Begin), EndedS: markSeconds(t.End)})
	}
	return out
}
