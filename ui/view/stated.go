package view

import (
	"slices"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// quotas are the server's quotas that belong to a lane, the one with the least left first; those of which nothing is known are left out.
func (f *frame) quotas(m bench.Metric) []bench.Quota {
	var out []bench.Quota
	for _, q := range f.s.Quotas {
		if (q.Kind == bench.QuotaRequests) == (m == bench.RPM) && (m == bench.RPM || m == bench.TPM) && (sound(q.Limit) || sound(q.Remaining)) {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b bench.Quota) int {
		switch u, v := f.usedUp(&a), f.usedUp(&b); {
		case u.OK != v.OK:
			return map[bool]int{true: -1, false: 1}[u.OK]
		case u.V > v.V:
			return -1
		case u.V < v.V:
			return 1
		}
		return 0
	})
	return out
}

// usedUp is the share of a quota that is used up, 0..1; nothing once the instant has passed at which it is whole again: what has been used
// since nobody has said.
func (f *frame) usedUp(q *bench.Quota) bench.Value {
	if v := q.Used(); sound(v) && !f.renewed(q) {
		return v
	}
	return bench.Value{}
}

// renewedAfter is how old a quota must be before it is taken for renewed: between two answers nothing changes.
const renewedAfter = 2 * time.Second

func (f *frame) renewed(q *bench.Quota) bool {
	age := f.s.At - q.At
	return q.Reset.OK && age > q.Reset.At && age > renewedAfter
}

// quotaShare is "RPM 41% of 3 500 used"; what is known of it where that is less.
func (f *frame) quotaShare(q *bench.Quota) string {
	share := f.usedUp(q)
	switch {
	case sound(share):
		return q.Unit() + " " + percent(bench.Some(100*share.V)) + " of " + chart.Tick(q.Limit.V) + " used"
	case sound(q.Remaining) && !sound(q.Limit):
		return q.Unit() + " " + f.quotaCount(q.Remaining) + " left"
	}
	return q.Unit() + " limit " + chart.Tick(q.Limit.V)
}

// quotaBrief is a quota in few words: "RPD 3% used".
func (f *frame) quotaBrief(q *bench.Quota) string {
	if share := f.usedUp(q); sound(share) {
		return q.Unit() + " " + percent(bench.Some(100*share.V)) + " used"
	}
	return f.quotaShare(q)
}

// quotaCount is a count of requests or tokens.
func (f *frame) quotaCount(v bench.Value) string {
	if sound(v) && v.V >= 0 && v.V < 10000 {
		return count(int(v.V))
	}
	return chart.Num(v)
}

// whole is when a quota is whole again; empty where the server does not say, or where it is.
func (f *frame) whole(q *bench.Quota) string {
	switch left := q.At + q.Reset.At - f.s.At; {
	case !q.Reset.OK:
		return ""
	case f.renewed(q):
		return "whole again"
	case left <= 0:
		return ""
	default:
		return "whole in " + length(left+time.Second-1)
	}
}

func (f *frame) quotaLook(q *bench.Quota) style.Token {
	share := f.usedUp(q)
	if !sound(share) {
		return style.Dim
	}
	return nearingQuota(share.V)
}

// stated is the server's own limit per minute on what a lane shows, the lowest of several. A limit per day is none for a rate.
func (f *frame) stated(m bench.Metric) (bench.Threshold, bool) {
	kind := bench.QuotaRequests
	if m == bench.TPM {
		kind = bench.QuotaTokens
	}
	out := bench.Threshold{Metric: m, At: bench.Mean}
	if m != bench.RPM && m != bench.TPM {
		return out, false
	}
	for i := range f.s.Quotas {
		q := &f.s.Quotas[i]
		if q.Kind == kind && q.Per == time.Minute && sound(q.Limit) && q.Limit.V > 0 && (out.Limit == 0 || q.Limit.V < out.Limit) {
			out.Limit = q.Limit.V
		}
	}
	return out, out.Limit > 0
}
