package view

import (
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
	return amount(f.use(m))
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
		parts[0].part = part{look, "60 s " + f.used(m) + " of " + chart.Tick(t.Limit) + " used"}
		if b, ok := f.binding(m); ok {
			parts = append(parts, ranked{part{b.look, ", " + b.text}, min(b.rank, 2)})
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
	parts := []ranked{{part{look, f.quotaShare(q)}, 0}}
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
	look, share := f.quotaLook(q), f.quotaShare(q)
	if form == 2 {
		share = f.quotaBrief(q)
	}
	parts = append(parts, ranked{part{look, share}, 0})
	first, binds := f.binding(m)
	own := binds && first.of.Own
	if binds && !own && first.of.Unit == q.Unit() {
		parts, binds = append(parts, ranked{part{first.look, ", " + first.short}, first.rank}), false
	}
	if sound(f.usedUp(q)) {
		parts = append(parts, ranked{part{look, ", " + f.quotaCount(q.Remaining) + " left"}, 5})
	}
	if text := f.whole(q); text != "" {
		if form > 0 {
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
	} else {
		// A quota that refills as it is used shows little of what was asked; one of another span than the count shows more.
		rank := 4
		if q.Per > time.Minute {
			rank = 6
		}
		parts = append(parts, ranked{part{style.Dim, ", 60 s " + f.used(m)}, rank})
	}
	switch {
	case own:
		parts = append(parts, ranked{part{first.look, ", " + first.short}, first.rank})
	case binds:
		parts = append(parts, ranked{part{first.look, ", " + first.of.Unit + " " + first.short}, first.rank + 1})
	}
	for _, p := range parts {
		if p.rank <= []int{5, 3, 0}[form] {
			least += f.st.Set.Width(p.text)
		}
	}
	return parts, least
}

// nearingQuota is the look of a share of a quota.
func nearingQuota(share float64) style.Token {
	if share >= 0.9 {
		return style.Warn
	}
	return style.Dim
}

// quotaUse is a quota's use in at most so many cells, if it fits in any words: the server's own where it has one ("RPM 41% of 3.5k used", "RPM 41% used",
// "41% used"), else that of the trailing 60 s against the operator's limit.
func (f *frame) quotaUse(m bench.Metric, room int) (text string, look style.Token, ok bool) {
	var forms []string
	if all := f.quotas(m); len(all) > 0 {
		q := &all[0]
		look = f.quotaLook(q)
		brief := f.quotaBrief(q)
		least := strings.TrimPrefix(brief, q.Unit()+" ")
		if q.Unit() != m.String() {
			// Without its name a quota of a day would pass for the lane's own.
			least = strings.TrimSuffix(brief, " used")
		}
		forms = []string{f.quotaShare(q), brief, least}
	} else if t, ok := f.asked(m); ok {
		look = nearingQuota(f.use(m) / t.Limit)
		share, limit := percent(bench.Some(100*f.use(m)/t.Limit)), " of "+chart.Tick(t.Limit)
		forms = []string{"60 s " + f.used(m) + limit + " used", "60 s " + f.used(m) + limit, share + limit + " used", share + " used"}
	}
	if b, ok := f.binding(m); ok && len(forms) > 1 && b.rank == 1 && b.of.Own == (len(f.quotas(m)) == 0) && (b.of.Own || strings.HasPrefix(forms[1], b.of.Unit+" ")) {
		// Where it binds says more than of what the share is.
		forms = append([]string{strings.TrimSuffix(forms[len(forms)-2], " used") + ", " + b.short}, forms...)
	}
	for _, text := range forms {
		if f.st.Set.Width(text) <= room {
			return text, look, true
		}
	}
	return "", style.Dim, false
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
