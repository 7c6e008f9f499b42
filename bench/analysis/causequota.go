package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"redline/bench"
)

// nearQuota is the share of a quota, 0..1, from which on it binds.
const nearQuota = 0.9

// oftenRefused is the share of 429s, 0..1, from which on they stand before other questions.
const oftenRefused = 0.05

// allowance is a quota as it stands at this moment.
type allowance struct {
	unit        string
	used, limit float64
	// own: the operator's, which the server knows nothing of.
	own bool
	// reset is how long until it is whole again, 0 where that is not known.
	reset time.Duration
}

func (a allowance) share() float64 { return a.used / a.limit }

// allowances are those that the server states and those that the operator has set, the nearest to its limit first.
func allowances(s *bench.Snapshot) []allowance {
	var out []allowance
	for i := range s.Quotas {
		q := &s.Quotas[i]
		used := q.Used()
		renewed := q.Reset.OK && s.Folded >= q.At+q.Reset.At
		if !used.OK || renewed {
			continue
		}
		a := allowance{unit: q.Unit(), used: used.V * q.Limit.V, limit: q.Limit.V}
		if q.Reset.OK {
			a.reset = q.At + q.Reset.At - s.Folded
		}
		out = append(out, a)
	}
	for _, t := range s.Run.Thresholds {
		used := float64(s.Minute.Attempts)
		if t.Metric == bench.TPM {
			used = float64(s.Minute.Tokens)
		}
		if t.Quota() && t.Limit > 0 {
			out = append(out, allowance{unit: t.Metric.String(), own: true, used: used, limit: t.Limit})
		}
	}
	slices.SortStableFunc(out, func(a, b allowance) int { return cmp.Compare(b.share(), a.share()) })
	return out
}

// seesQuota: the server answers 429, or a quota is nearly used up; the nearest one is named first. Quotas are those of this moment.
func seesQuota(g *signals) (sight, bool) {
	t := g.l.Tally
	limited, of := t.Limited, t.OK+t.Failed+t.Limited
	var all []allowance
	if g.present {
		all = allowances(g.s)
	}
	near := len(all) > 0 && all[0].share() >= nearQuota
	if limited < 2 && !near {
		return sight{}, false
	}
	stated := slices.ContainsFunc(all, func(a allowance) bool { return !a.own && a.share() >= nearQuota })
	// A limit that only the operator knows slows no answer: where a promise is broken something else breaks it.
	out := sight{binds: limited >= 2 || stated || len(g.broken) == 0}
	if limited > 0 {
		refused := float64(limited) / float64(of)
		if out.failed = refused; stated || refused >= oftenRefused {
			out.urgent = 1.5 + refused
		}
		out.saw = append(out.saw, "429 on "+ofAll(limited, of))
	}
	for i, a := range all {
		if i > 2 || i > 0 && a.share() < 0.01 {
			break
		}
		text := a.unit + " " + percent(a.share()) + " used"
		if a.share() >= nearQuota {
			of := whole(a.limit)
			if a.own {
				of = "your own " + of
			}
			text = fmt.Sprintf("%s %s of %s", a.unit, whole(a.used), of)
			if a.reset > 0 {
				text += ", resets in " + wait(a.reset)
			}
		}
		out.saw = append(out.saw, text)
	}
	if len(all) == 0 && g.present {
		out.saw = append(out.saw, "no quota is stated")
	}
	return out, true
}

// whole is a count, from 10,000 on in thousands or millions.
func whole(v float64) string {
	switch {
	case v >= 1e7:
		return digits(v/1e6) + "M"
	case v >= 1e4:
		return digits(v/1e3) + "k"
	}
	return fmt.Sprintf("%.0f", math.Round(v))
}
