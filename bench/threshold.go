package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Threshold is a promise about one metric: a ceiling ("ttft.p95<=2s") or a floor ("tps.p5>=20"). On RPM and TPM it is a
// quota: shown as use and head room, never counted as a promise kept or broken.
type Threshold struct {
	Metric Metric     `json:",omitzero"`
	At     Percentile `json:",omitzero"`
	Floor  bool       `json:",omitzero"`
	// Limit is in the metric's unit, above 0.
	Limit float64 `json:",omitzero"`
}

// Quota tells whether the threshold is a quota rather than a promise.
func (t Threshold) Quota() bool { return t.Metric == RPM || t.Metric == TPM }

// String is the threshold in the form that ParseThreshold reads: "ttft.p95<=2s", "itl.p95<=25ms".
func (t Threshold) String() string {
	op, unit, at := "<=", "", "."+t.At.String()
	if t.Floor {
		op = ">="
	}
	switch t.Metric.Unit() {
	case "ms":
		unit = "ms"
	case "%":
		unit = "%"
	}
	if t.At == Mean {
		at = ""
	}
	limit := t.Limit
	// A second and more are told in seconds, as they are typed, if that says the same to the last bit.
	if s := t.Limit / 1000; unit == "ms" && s >= 1 && s*1000 == t.Limit {
		limit, unit = s, "s"
	}
	return strings.ToLower(t.Metric.String()) + at + op + strconv.FormatFloat(limit, 'f', -1, 64) + unit
}

// Broken tells whether a value breaks the promise.
func (t Threshold) Broken(v float64) bool {
	if t.Floor {
		return v < t.Limit
	}
	return v > t.Limit
}

// Same tells whether two thresholds are about the same number: one can stand in the other's place.
func (t Threshold) Same(o Threshold) bool { return t.Metric == o.Metric && t.At == o.At }

// WithPromise is a fresh list in which a threshold stands in the place of the one that is about the same number, or with drop none does. A new one goes before
// the others of its metric, since a lane shows the first; one of a metric that has none goes to the end.
func WithPromise(all []Threshold, t Threshold, drop bool) []Threshold {
	at := slices.IndexFunc(all, t.Same)
	switch {
	case drop:
		return slices.DeleteFunc(slices.Clone(all), t.Same)
	case at >= 0:
		out := slices.Clone(all)
		out[at] = t
		return out
	}
	if at = slices.IndexFunc(all, func(o Threshold) bool { return o.Metric == t.Metric }); at < 0 {
		at = len(all)
	}
	return slices.Insert(slices.Clone(all), at, t)
}

// ThresholdError is a text that is no threshold; Why names what is wrong in it.
type ThresholdError struct{ Text, Why string }

func (e *ThresholdError) Error() string {
	return fmt.Sprintf("threshold %q: %s (want for example ttft.p95<=500ms, itl.p95<=25ms, tps.p5>=20, errors<=1%%, rpm<=600, tpm<=300k)", e.Text, e.Why)
}

// ParseThreshold reads METRIC[.PERCENTILE]<=VALUE or >=: ttft, itl, tpot, e2e, ttfa take ms, s or no unit (ms) and p50, p95, p99 or
// max; tps takes p50, p5 or p1 and a floor; rpm and tpm take a number with k or M; errors takes a percentage.
func ParseThreshold(s string) (Threshold, error) {
	bad := func(why string) (Threshold, error) { return Threshold{}, &ThresholdError{Text: s, Why: why} }
	text := strings.ToLower(strings.ReplaceAll(s, " ", ""))
	left, right, floor := "", "", false
	for _, op := range []string{"<=", ">=", "≤", "≥", "<", ">"} {
		if l, r, ok := strings.Cut(text, op); ok {
			left, right, floor = l, r, strings.ContainsAny(op, ">≥")
			break
		}
	}
	if left == "" || right == "" {
		return bad("no metric, <= or >=, and value")
	}
	name, at, hasAt := strings.Cut(left, ".")
	t := Threshold{Metric: NumMetrics, Floor: floor}
	for m := Metric(0); m < NumMetrics; m++ {
		if strings.ToLower(m.String()) == name {
			t.Metric = m
		}
	}
	if t.Metric == NumMetrics {
		return bad(fmt.Sprintf("no metric %q", name))
	}
	if floor != (t.Metric == TPS) {
		return bad(fmt.Sprintf("%s takes %s", t.Metric, map[bool]string{true: ">=", false: "<="}[t.Metric == TPS]))
	}
	var ok bool
	if t.At, ok = thresholdPercentile(t.Metric, at, hasAt); !ok {
		return bad(fmt.Sprintf("%s has no %q", t.Metric, at))
	}
	if t.Limit, ok = parseQuantity(right, t.Metric.Unit()); !ok {
		return bad(fmt.Sprintf("value %q is not a positive number with a fitting unit", right))
	}
	return t, nil
}

func thresholdPercentile(m Metric, name string, given bool) (Percentile, bool) {
	switch m {
	case RPM, TPM, Errors:
		return Mean, !given
	case TPS:
		if !given {
			return P5, true
		}
		for _, p := range []Percentile{P50, P5, P1} {
			if p.String() == name {
				return p, true
			}
		}
		return 0, false
	}
	if !given {
		return P95, true
	}
	for _, p := range []Percentile{P50, P95, P99, Max} {
		if p.String() == name {
			return p, true
		}
	}
	return 0, false
}

func parseQuantity(s, unit string) (float64, bool) {
	factor := 1.0
	cut := func(suffix string, f float64) bool {
		if rest, ok := strings.CutSuffix(s, suffix); ok {
			s, factor = rest, f
			return true
		}
		return false
	}
	switch unit {
	case "ms":
		_ = cut("ms", 1) || cut("s", 1000)
	case "%":
		cut("%", 1)
	case "tok/s":
		cut("tok/s", 1)
	default:
		_ = cut("k", 1e3) || cut("m", 1e6)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v > 0) || v*factor > 1e12 {
		return 0, false
	}
	return v * factor, true
}
