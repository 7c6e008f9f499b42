package view

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// use is what the trailing minute used of a quota.
func (f *frame) use(m bench.Metric) float64 {
	if m == bench.RPM {
		return float64(f.s.Minute.Attempts)
	}
	return float64(f.s.Minute.Tokens)
}

// spent is what was asked of the server in the trailing 60 s: attempts rather than finished requests, as quotas count.
func (f *frame) spent(m bench.Metric) string {
	if m == bench.RPM {
		return "60 s: " + f.used(m) + " sent"
	}
	return "60 s: " + f.used(m) + " tok"
}

// used is the use of the trailing 60 s in figures: a count has no decimals.
func (f *frame) used(m bench.Metric) string {
	if v := f.use(m); v < 10000 {
		return count(int(v))
	}
	return chart.Num(bench.Some(f.use(m)))
}

// quota is what the server says of its quotas, or where it says nothing the use of the trailing 60 s against the operator's own limit.
func (f *frame) quota(r *style.Row, m bench.Metric) {
	if all := f.quotas(m); len(all) > 0 {
		f.told(r, m, all, f.beside(r))
		return
	}
	parts := []ranked{{part{style.Dim, f.spent(m) + ", no quota set"}, 0}}
	if t, ok := f.asked(m); ok {
		look := nearingQuota(f.use(m) / t.Limit)
		parts[0].part = part{look, "60 s use " + f.used(m) + " of " + chart.Tick(t.Limit)}
		if text := f.binding(m); text != "" {
			parts = append(parts, ranked{part{look, ", " + text}, 1})
		}
	}
	if m == bench.RPM && sound(f.scope.RPS) && f.Lane < 4 {
		// Lanes of four rows have a line for it.
		parts = append(parts, ranked{part{style.Dim, " · " + chart.Num(f.scope.RPS) + " req/s"}, 2})
	}
	for _, p := range f.fitting(parts, f.beside(r)) {
		r.Put(p.look, p.text)
	}
}

// told writes the server's own words of its quotas in so many cells: the quota with the least left, the operator's own limit beside it, when it is
// whole again, and the others as a share.
func (f *frame) told(r *style.Row, m bench.Metric, all []bench.Quota, room int) {
	for form := range 3 {
		parts, least := f.quotaParts(m, all, form)
		if form < 2 && least > room {
			continue
		}
		for _, p := range f.fitting(parts, room) {
			r.Put(p.look, p.text)
		}
		return
	}
}

// another is the quota with the second least left in full, where lanes are tall.
func (f *frame) another(r *style.Row, m bench.Metric) {
	all := f.quotas(m)
	if len(all) < 2 {
		return
	}
	q := &all[1]
	look := f.quotaLook(q)
	parts := []ranked{{part{look, f.quotaShare(q, false)}, 0}}
	if sound(f.usedUp(q)) {
		parts = append(parts, ranked{part{look, ", " + f.quotaCount(q.Remaining) + " left"}, 1})
	}
	if text := f.whole(q); text != "" {
		parts = append(parts, ranked{part{look, ", " + text}, 2})
	}
	for _, p := range f.fitting(parts, f.beside(r)) {
		r.Put(p.look, p.text)
	}
}

// quotaParts are the words about a lane's quotas in one of three forms, each shorter than the one before; least is the cells of those that matter, in the first form of all.
func (f *frame) quotaParts(m bench.Metric, all []bench.Quota, form int) (parts []ranked, least int) {
	q := &all[0]
	look := f.quotaLook(q)
	parts = append(parts, ranked{part{look, f.quotaShare(q, form == 0)}, 0})
	if sound(f.usedUp(q)) {
		parts = append(parts, ranked{part{look, ", " + f.quotaCount(q.Remaining) + " left"}, 4})
	}
	if text := f.whole(q); text != "" {
		if form == 2 {
			text = strings.Replace(text, " in ", " ", 1)
		}
		parts = append(parts, ranked{part{look, ", " + text}, 2})
	}
	for i := range all[1:] {
		o := &all[1+i]
		parts = append(parts, ranked{part{f.quotaLook(o), " · " + f.quotaBrief(o)}, 3})
	}
	if t, ok := f.asked(m); ok {
		parts = append(parts, ranked{part{nearingQuota(f.use(m) / t.Limit), ", 60 s " + f.used(m) + bound(t)}, 1})
	} else if text := f.binding(m); text != "" {
		parts = append(parts, ranked{part{style.Dim, ", " + text}, 5})
	}
	for _, p := range parts {
		if p.rank < 3 || form == 0 {
			least += f.st.Set.Width(p.text)
		}
	}
	return parts, least
}

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
func (f *frame) quotaShare(q *bench.Quota, used bool) string {
	share := f.usedUp(q)
	switch {
	case sound(share):
		out := q.Unit() + " " + percent(bench.Some(100*share.V)) + " of " + chart.Tick(q.Limit.V)
		if used {
			out += " used"
		}
		return out
	case sound(q.Remaining) && !sound(q.Limit):
		return q.Unit() + " " + f.quotaCount(q.Remaining) + " left"
	}
	return q.Unit() + " limit " + chart.Tick(q.Limit.V)
}

// quotaBrief is a quota in a word: "RPD 3%".
func (f *frame) quotaBrief(q *bench.Quota) string {
	if share := f.usedUp(q); sound(share) {
		return q.Unit() + " " + percent(bench.Some(100*share.V))
	}
	return f.quotaShare(q, false)
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

// nearingQuota is the look of a share of a quota.
func nearingQuota(share float64) style.Token {
	if share >= 0.9 {
		return style.Warn
	}
	return style.Dim
}

// binding says at which load the quota that binds first is used up, in proportion to the present level; empty for the other quota.
func (f *frame) binding(m bench.Metric) string {
	load, ok := f.binds(m)
	if !ok {
		return ""
	}
	other := bench.RPM
	if m == bench.RPM {
		other = bench.TPM
	}
	if there, ok := f.binds(other); ok && there < load {
		return ""
	}
	if f.s.Minute.Span >= 55e9 {
		if t, _ := f.threshold(m); f.use(m) >= 0.98*t.Limit {
			return "binds now"
		}
	}
	if load > 3*float64(f.level.Load) || load > 1e6 {
		return ""
	}
	return "binds at c≈" + strconv.Itoa(int(math.Round(load)))
}

func (f *frame) binds(m bench.Metric) (float64, bool) {
	t, ok := f.threshold(m)
	if !ok || f.level == nil || f.level.Load < 1 {
		return 0, false
	}
	st := &f.level.Stats[m]
	if st.Readiness == bench.Absent || !sound(st.Mean) || st.Mean.V <= 0 {
		return 0, false
	}
	return float64(f.level.Load) * t.Limit / st.Mean.V, true
}

// useShare is a quota's use in a word: the server's own where it has one ("RPM 41%"), else that of the trailing 60 s ("use 81%"); limit is what it is
// a share of.
func (f *frame) useShare(m bench.Metric) (text, limit string, look style.Token, ok bool) {
	if all := f.quotas(m); len(all) > 0 {
		q := &all[0]
		if sound(f.usedUp(q)) {
			limit = chart.Tick(q.Limit.V)
		}
		return f.quotaBrief(q), limit, f.quotaLook(q), true
	}
	t, ok := f.asked(m)
	if !ok {
		return "", "", style.Dim, false
	}
	share := f.use(m) / t.Limit
	return "use " + percent(bench.Some(100*share)), chart.Tick(t.Limit), nearingQuota(share), true
}

// asked is the operator's own first threshold on a metric.
func (f *frame) asked(m bench.Metric) (bench.Threshold, bool) {
	for _, t := range f.s.Run.Thresholds {
		if t.Metric == m {
			return t, true
		}
	}
	return bench.Threshold{}, false
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
