package view

import (
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// onRamp is the ramp that has the load; nil without one.
func onRamp(s *bench.Snapshot) *bench.Ramping {
	if r := s.Ramping; r != nil && r.Ramp != nil && !r.Phase.Over() && s.State != bench.Done {
		return r
	}
	return nil
}

// ramped is the last ramp, where it is over and something is to be said of it; nil else.
func ramped(s *bench.Snapshot) *bench.Ramping {
	if r := s.Ramping; r != nil && r.Ramp != nil && onRamp(s) == nil {
		return r
	}
	return nil
}

// rampParts are how far a ramp has come, by importance: "RAMP confirming 41 · n 62 of ~90 · TTFT p95 471 of ≤500 ms · 32 kept, 48 broke".
func (f *frame) rampParts(r *bench.Ramping) []group {
	head := []part{{style.Accent2, "RAMP"}, {style.Strong, " " + r.Phase.String()}}
	if r.Now.Load.N > 0 {
		head[1].text += " " + named(r.Now.Load)
	}
	out := []group{{0, head}}
	if why := f.waits(); why != "" {
		out = append(out, group{1, []part{{style.Dim, " · "}, {style.Warn, why}}})
	} else if r.Why != "" {
		out = append(out, group{4, []part{{style.Dim, " · " + bench.Clause(r.Why)}}})
	}
	if r.Now.N > 0 {
		out = append(out, group{2, []part{{style.Dim, " · n "}, {style.FG, sampled(&r.Now)}}})
	}
	if t := r.Now.Binding; sound(r.Now.Value) && t.Limit > 0 {
		look := style.FG
		if t.Broken(r.Now.Value.V) {
			look = style.Warn
		}
		out = append(out, group{1, []part{{style.Dim, " · " + subject(t) + " "}, {look, valueText(t, r.Now.Value)}, {style.Dim, " of " + limitText(t)}}})
	}
	if text := bracket(r.Trials); text != "" {
		out = append(out, group{3, []part{{style.Dim, " · " + text}}})
	}
	return out
}

// waits is what keeps a ramp or a cruise from going on: the run does not send.
func (f *frame) waits() string {
	switch f.live.State {
	case bench.Running:
		return ""
	case bench.Waiting:
		return "begins with the run"
	case bench.Down:
		return "waits for the target"
	case bench.Warming:
		return "waits for the warm-up"
	}
	return "waits until requests are sent again"
}

// sampled is how many requests a trial has judged, and about how many it takes.
func sampled(t *bench.Trial) string {
	if t.Need > 0 && t.Holds == bench.NotYet {
		return count(t.N) + " of ~" + count(t.N+t.Need)
	}
	return count(t.N)
}

// valueText is a value of a promise's metric, without its unit where the limit behind it has the same.
func valueText(t bench.Threshold, v bench.Value) string {
	switch t.Metric.Unit() {
	case "%":
		return percent(v)
	case "ms":
		switch {
		case t.Limit < 1000 || !sound(v):
		case v.V < 999.5:
			return chart.Num(v) + " ms"
		default:
			return chart.Num(bench.Some(v.V/1000)) + " s"
		}
		return chart.NumMillis(v)
	}
	return chart.Num(v)
}

// valueInUnit is a value of a promise's metric with its unit: "512 ms", "2.1 s", "19.2 tok/s", "1.4%".
func valueInUnit(t bench.Threshold, v bench.Value) string {
	text, unit := valueText(t, v), t.Metric.Unit()
	if !sound(v) || unit == "%" || strings.HasSuffix(text, "s") {
		return text
	}
	return text + " " + unit
}

// limitText is a promise's limit with its side and unit: "≤500 ms", "≤2 s", "≥20 tok/s", "≤1%".
func limitText(t bench.Threshold) string {
	text, unit := bound(t), t.Metric.Unit()
	switch {
	case unit == "%":
		return text + unit
	case unit == "ms" && t.Limit >= 1000:
		return text[:len("≤")] + chart.Tick(t.Limit/1000) + " s"
	}
	return text + " " + unit
}

// between are the greatest load that kept all promises, and the least above it that did not; zero where there is none.
func between(trials []bench.Trial) (kept, broke bench.Setpoint) {
	for i := range trials {
		t := &trials[i]
		switch {
		case t.Holds == bench.Kept && t.Load.N > kept.N:
			kept = t.Load
		case t.Holds == bench.Broke && (broke.N == 0 || t.Load.N < broke.N):
			broke = t.Load
		}
	}
	if broke.N > 0 && kept.N >= broke.N {
		// It broke when it was tried again.
		kept = bench.Setpoint{}
		for i := range trials {
			if t := &trials[i]; t.Holds == bench.Kept && t.Load.N < broke.N && t.Load.N > kept.N {
				kept = t.Load
			}
		}
	}
	return kept, broke
}

// bracket are the two loads between which the redline is, as far as they are known: "32 kept, 48 broke".
func bracket(trials []bench.Trial) string {
	kept, broke := between(trials)
	var out []string
	if kept.N > 0 {
		out = append(out, named(kept)+" kept")
	}
	if t := trialAt(trials, broke); broke.N > 0 && t.Why != "" {
		out = append(out, t.Why+" at "+named(broke))
	} else if broke.N > 0 {
		out = append(out, named(broke)+" broke")
	}
	return strings.Join(out, ", ")
}

// finding is what a ramp that is over has come to: what stands first, and details in the order in which they are told, each with its rank.
func finding(r *bench.Ramping) (head string, details []ranked) {
	add := func(rank int, text string) { details = append(details, ranked{part{style.FG, text}, rank}) }
	_, broke := between(r.Trials)
	at := trialAt(r.Trials, broke)
	switch {
	case r.Phase == bench.RampNone:
		head = "redline: none"
		if broke.N > 0 {
			head += ", not even " + titled(broke)
		}
		if why := boundBy(bindingOf(at), at.Value, at.Why, bench.Setpoint{}); why != "" {
			add(1, why)
		} else if r.Why != "" {
			add(1, bench.Clause(r.Why))
		}
		return head, details
	case r.Phase == bench.RampLeft || r.Found == nil:
		head = "ramp left"
		if r.Why != "" {
			head += ": " + bench.Clause(r.Why)
		}
		if text := bracket(r.Trials); text != "" {
			add(1, text)
		}
		return head, details
	}
	return foundLoad(r)
}

// foundLoad is the redline that a ramp has found, and what it was measured to be.
func foundLoad(r *bench.Ramping) (head string, details []ranked) {
	add := func(rank int, text string) { details = append(details, ranked{part{style.FG, text}, rank}) }
	found := r.Found
	head = "redline: "
	switch {
	case r.Phase == bench.RampOpen:
		head += "above "
	case found.AtLeast():
		// Not the server has said so.
		head += "at least "
	}
	load := titled(found.Load)
	if found.Rough {
		i := strings.LastIndexByte(load, ' ')
		load = load[:i+1] + "~" + load[i+1:]
	}
	head += load
	if sound(found.RPM) {
		add(2, "RPM "+chart.Num(found.RPM))
	}
	if sound(found.TPM) {
		add(3, "TPM "+chart.Num(found.TPM))
	}
	if r.Phase == bench.RampOpen {
		add(1, "every promise is kept at the most that was allowed")
	} else if found.AtLeast() {
		add(1, "not the server's limit: the client was busy at "+named(found.Above))
	} else if why := boundBy(found.Bound, found.AtAbove, found.Why, found.Above); why != "" {
		add(1, why)
	}
	if sound(found.Goodput) {
		add(4, "goodput "+portion(found.Goodput))
	}
	if sound(found.PerMillion) {
		add(5, money(found.PerMillion.V)+" per million output tokens")
	}
	if sound(found.Lag) {
		add(3, "client up to "+chart.NumMillis(found.Lag)+" late")
	}
	return head, details
}

// trialAt is the last trial of a load; an empty one where there is none.
func trialAt(trials []bench.Trial, load bench.Setpoint) *bench.Trial {
	for i := len(trials) - 1; i >= 0; i-- {
		if trials[i].Load == load {
			return &trials[i]
		}
	}
	return &bench.Trial{}
}

func bindingOf(t *bench.Trial) bench.Threshold {
	if t.Why != "" {
		return bench.Threshold{}
	}
	return t.Binding
}

// boundBy is what binds, and its value at the load above: "bound by TTFT p95 (512 ms at 42)", "stopped by 429 at 42".
func boundBy(t bench.Threshold, v bench.Value, why string, above bench.Setpoint) string {
	at := ""
	if above.N > 0 {
		at = " at " + named(above)
	}
	switch {
	case why != "":
		return "stopped by " + why + at
	case t.Limit <= 0:
		return ""
	case !sound(v):
		return "bound by " + subject(t) + strings.TrimRight(" ("+strings.TrimSpace("broken"+at)+")", " ")
	}
	return "bound by " + subject(t) + " (" + valueInUnit(t, v) + at + ")"
}

// RedlineWords is what a ramp that is over has come to, in one line; empty while it is not: "redline: concurrency 41 · RPM 478 · TPM 133k · bound by TTFT p95
// (512 ms at 42)".
func RedlineWords(r *bench.Ramping) string {
	if r == nil || r.Ramp == nil || !r.Phase.Over() {
		return ""
	}
	head, details := finding(r)
	words := []string{head}
	for _, d := range details {
		words = append(words, d.text)
	}
	return strings.Join(words, " · ")
}

// leftFor is how long it is told on Live that something has let the load go.
const leftFor = time.Minute

// rampedParts are what the last ramp came to, as long as it still answers the question: until a note, another workload or promise, or a clear puts another one. One
// that was left is told for a minute.
func (f *frame) rampedParts(r *bench.Ramping) []group {
	s := f.live
	if r.Phase == bench.RampLeft && (!r.Ended.OK || s.At-r.Ended.At > leftFor) || f.otherSince(r.Ended.At) {
		return nil
	}
	head, details := finding(r)
	look := style.Good
	switch {
	case r.Phase == bench.RampNone:
		look = style.Bad
	case r.Phase == bench.RampLeft, r.Found != nil && r.Found.AtLeast():
		look = style.Warn
	}
	name, rest, _ := strings.Cut(head, ":")
	out := []group{{0, []part{{look, name}, {style.Strong, strings.TrimRight(":"+rest, ":")}}}}
	for _, d := range details {
		out = append(out, group{d.rank, []part{{style.Dim, " · "}, d.part}})
	}
	return out
}

// otherSince tells whether what is asked of the server is not what it was at an instant.
func (f *frame) otherSince(at time.Duration) bool {
	for i := len(f.live.Events) - 1; i >= 0; i-- {
		e := &f.live.Events[i]
		if e.At < at {
			return false
		}
		switch e.Kind {
		case bench.EventNote, bench.EventWork, bench.EventPromise, bench.EventClear, bench.EventMode, bench.EventTarget:
			if e.At > at {
				return true
			}
		}
	}
	return false
}
