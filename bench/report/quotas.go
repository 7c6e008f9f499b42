package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// limitsOf are the quotas with what they mean for the load, the one that binds first before the others.
func limitsOf(s *bench.Snapshot) []analysis.Quota {
	if s.Run == nil || len(s.Quotas) == 0 && !slices.ContainsFunc(s.Run.Thresholds, bench.Threshold.Quota) {
		return nil
	}
	d := analysis.DemandOf(s.Levels, s.State == bench.Done, s.Run.QuotaReserve > 0)
	return analysis.Quotas(s, &d)
}

// modeOf is the loop of the present load, or of the last one.
func modeOf(s *bench.Snapshot) bench.Mode {
	if l := s.Level(); l != nil {
		return l.Load.Mode
	}
	return s.Target.Mode
}

// boundAt is the load at which a quota binds: "52", "~52" where it is rough, "9.87/s" in the open loop.
func boundAt(q *analysis.Quota, mode bench.Mode) string {
	text := short(q.At.V) + "/s"
	if mode == bench.Closed {
		text = grouped(int(math.Round(min(q.At.V, math.MaxInt32))))
	}
	if q.Rough {
		text = "~" + text
	}
	return text
}

// bindsField is the quota that binds first as a column of plain lines, with the load at which it does: RPM:52, TPM:now, RPM:>80, RPM:never, RPD:2h5m.
func bindsField(s *bench.Snapshot) string {
	all := limitsOf(s)
	if len(all) == 0 {
		return absent
	}
	q := &all[0]
	word := ""
	switch q.Binds {
	case analysis.BindsNow:
		word = "now"
	case analysis.BindsAt:
		word = boundAt(q, modeOf(s))
	case analysis.BindsPast:
		word = ">" + boundAt(q, modeOf(s))
	case analysis.BindsNever:
		word = "never"
	case analysis.BindsInTime:
		if q.Lasts == 0 {
			return absent
		}
		word = span(q.Lasts)
	default:
		return absent
	}
	return strings.ReplaceAll(q.Unit+":"+word, " ", "-")
}

// bindsWords say where a quota binds.
func bindsWords(q *analysis.Quota, mode bench.Mode) string {
	load := "concurrency "
	if mode == bench.Open {
		load = ""
	}
	switch q.Binds {
	case analysis.BindsNow:
		return "used up at the present load"
	case analysis.BindsAt:
		return "binds at about " + load + boundAt(q, mode)
	case analysis.BindsPast:
		return "does not bind below " + load + boundAt(q, mode)
	case analysis.BindsNever:
		return fmt.Sprintf("not reached: the server saturates first, at %s of it", share(percentOf(q.Most)))
	case analysis.BindsInTime:
		if q.Lasts == 0 {
			return "whole again before it is used up"
		}
		return "used up in " + span(q.Lasts) + " at the last load"
	}
	return "not known yet where it binds"
}

// quotaLine is a quota in words: how much of it is used, and at which load it binds.
func quotaLine(q *analysis.Quota, s *bench.Snapshot) string {
	words := []string{q.Unit}
	if q.Own {
		words[0] = "own " + q.Unit
	}
	switch {
	case q.Own:
		words[0] += " " + amountOf(q.Limit)
		if now := q.Now; now.OK {
			words = append(words, fmt.Sprintf("%s a minute at the last load", short(now.V)))
		}
	case q.Used.OK:
		words[0] += fmt.Sprintf(" %s of %s used", share(percentOf(q.Used)), amountOf(q.Limit))
	case q.Limit.OK:
		words[0] += " limit " + amountOf(q.Limit)
	}
	if q.Left.OK && !q.Own {
		words = append(words, amountOf(q.Left)+" left")
	}
	if q.Whole.OK && q.Whole.At > s.At {
		words = append(words, "whole in "+span(q.Whole.At-s.At))
	}
	if !q.Own {
		words = append(words, "as the server said last")
	}
	if q.Limit.OK || q.Binds != analysis.BindsUnknown {
		words = append(words, bindsWords(q, modeOf(s)))
	}
	return strings.Join(words, ", ")
}

// reportBinding is a quota with the load at which it binds.
type reportBinding struct {
	Unit        string   `json:"unit"`
	Own         bool     `json:"own"`
	Limit       *float64 `json:"limit"`
	PeriodS     *float64 `json:"period_s"`
	Demand      *float64 `json:"use_per_period_at_the_last_load"`
	Binds       string   `json:"binds"`
	At          *float64 `json:"binds_at_load"`
	Rough       bool     `json:"rough"`
	MostPercent *float64 `json:"server_reaches_percent"`
	LastsS      *float64 `json:"lasts_s"`
}

// bindsNames are how saved reports name where a quota binds.
var bindsNames = [...]string{analysis.BindsUnknown: "unknown", analysis.BindsNow: "now", analysis.BindsAt: "at", analysis.BindsPast: "past", analysis.BindsNever: "never", analysis.BindsInTime: "in time"}

// reportBindingsOf are the quotas, the one that binds first before the others.
func reportBindingsOf(s *bench.Snapshot) []reportBinding {
	out := []reportBinding{}
	for _, q := range limitsOf(s) {
		one := reportBinding{Unit: q.Unit, Own: q.Own, Limit: known(q.Limit), PeriodS: finite(q.Per.Seconds()), Demand: known(q.Now), Binds: bindsNames[q.Binds], At: known(q.At), Rough: q.Rough,
			MostPercent: known(percentOf(q.Most))}
		if q.Lasts > 0 {
			one.LastsS = inSeconds(q.Lasts)
		}
		out = append(out, one)
	}
	return out
}
