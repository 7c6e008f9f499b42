package report

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// Aim is what a scenario is about: the number to be made as large as its promises allow.
type Aim uint8

// What a scenario may be about: requests that keep every promise, requests, or tokens, each a minute.
const (
	AimGoodput Aim = iota
	AimRequests
	AimTokens
)

var aimNames = []string{"goodput", "rpm", "tpm"}

// String is the aim's word.
func (a Aim) String() string { return aimNames[a%3] }

// metric is the rate whose samples the aim rests on.
func (a Aim) metric() bench.Metric {
	if a == AimTokens {
		return bench.TPM
	}
	return bench.RPM
}

// ParseAim reads an aim's word.
func ParseAim(text string) (Aim, error) {
	if i := slices.Index(aimNames, text); i >= 0 {
		return Aim(i), nil
	}
	return 0, fmt.Errorf("want one of %s, in quotes", strings.Join(aimNames, ", "))
}

// value is the aim's number at a level, with its unit; absent where it cannot be believed at all.
func (a Aim) value(l *bench.Level) (bench.Value, string) {
	st := &l.Stats[a.metric()]
	switch {
	case st.Readiness == bench.Absent:
		return bench.Value{}, ""
	case a == AimRequests:
		return st.Mean, "requests a minute"
	case a == AimTokens:
		return st.Mean, "tokens a minute"
	}
	return l.GoodPerMinute, "good requests a minute"
}

// aimWords are what the scenario is about, and the load at which there was most of it: among the levels that broke no promise, if there are any.
func aimWords(s *bench.Snapshot, a Aim) string {
	text := fmt.Sprintf("%s, which is about %s", Printable(s.Run.Scenario), map[Aim]string{AimGoodput: "goodput", AimRequests: "RPM", AimTokens: "TPM and what it costs"}[a])
	var best *bench.Level
	most, unit, intact := 0.0, "", false
	doubt := map[bench.Readiness]string{bench.Few: "~"}
	for _, l := range s.Levels {
		v, of := a.value(l)
		_, broken := analysis.Judged(l.Verdicts)
		if !l.Reached.OK || l.Span < analysis.LongEnough || !v.OK || intact && broken {
			continue
		}
		if best == nil || !broken && !intact || v.V > most {
			best, most, unit, intact = l, v.V, of, !broken
		}
	}
	if best == nil {
		return text
	}
	if most <= 0 {
		return text + ": none at any load"
	}
	sign := doubt[best.Stats[a.metric()].Readiness]
	if a == AimGoodput && best.GoodRateRough {
		sign = "≈"
	}
	text += fmt.Sprintf(": most at %s (level %d), %s %s", best.Load, best.ID, sign+short(most), unit)
	if cost := costWords(s, best); a == AimTokens && cost != "" {
		text += ", " + cost
	}
	if !intact {
		// Which one is told: the promises in force may be others than the scenario's.
		text += ", though it broke " + ThresholdList(brokenOf(best))
	}
	return text
}

// brokenOf are the promises that a level is known to break.
func brokenOf(l *bench.Level) []bench.Threshold {
	var out []bench.Threshold
	for _, v := range l.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			out = append(out, v.Threshold)
		}
	}
	return out
}

// costWords are what a million output tokens cost at a level; empty where that is not known.
func costWords(s *bench.Snapshot, l *bench.Level) string {
	c := analysis.CostOf(&l.Summary, s.Run.Prices)
	if !c.PerMillion.OK {
		return ""
	}
	return roughly(c.Rough) + price(c.PerMillion.V) + " a million output tokens"
}
