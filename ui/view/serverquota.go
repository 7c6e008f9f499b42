package view

import (
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// quotaBar is how many cells show the use of a quota.
const quotaBar = 10

// serverQuotas are the quotas that its headers state, and the operator's own: how much of each is used, and at which load it binds.
func (f *frame) serverQuotas() section {
	s := section{title: "quotas"}
	all := f.limits()
	if len(all) > 1 {
		s.title += ", in the order in which they bind"
	}
	for i := range all {
		f.quotaUsed(&s, &all[i])
		f.quotaBinds(&s, &all[i])
	}
	if len(f.s.Quotas) == 0 {
		f.say(&s, "stated", style.FG, "none: no answer had headers about quotas")
	}
	if share := f.s.Run.QuotaReserve; share > 0 && share <= 1 {
		f.say(&s, "reserve", style.FG, percent(bench.Some(100*share))+" of each quota is left to others")
	}
	return s
}

// quotaUsed is how much of a quota is used, and what is left of it until when.
func (f *frame) quotaUsed(s *section, q *analysis.Quota) {
	look := style.FG
	if sound(q.Used) && nearingQuota(q.Used.V) != style.Dim {
		look = nearingQuota(q.Used.V)
	}
	text, label := "limit not stated", q.Unit
	switch {
	case sound(q.Used) && sound(q.Limit):
		text = percent(bench.Some(100*q.Used.V)) + " of " + chart.Tick(q.Limit.V) + " used"
	case sound(q.Limit):
		text = "limit " + chart.Tick(q.Limit.V)
	}
	parts := []ranked{{part{look, f.padded(text, 24)}, 0}}
	if q.Own {
		m := bench.RPM
		if q.Kind != bench.QuotaRequests {
			m = bench.TPM
		}
		label = "own " + q.Unit
		parts[0].text = f.padded(f.used(m)+" of "+chart.Tick(q.Limit.V)+" used", 24)
	}
	if sound(q.Used) {
		parts = append(parts, ranked{part{look, " " + f.gauge(q.Used.V)}, 3})
	}
	switch {
	case q.Own:
		parts = append(parts, ranked{part{style.Dim, "  in 60 s"}, 1})
	case sound(q.Left):
		parts = append(parts, ranked{part{style.FG, "  " + f.quotaCount(q.Left) + " left"}, 1})
	}
	if text := f.wholeAt(q); text != "" {
		parts = append(parts, ranked{part{style.Dim, ", " + text}, 2})
	}
	f.fact(s, label, parts...)
}

// quotaBinds is at which load a quota binds, and what the present one leaves of it.
func (f *frame) quotaBinds(s *section, q *analysis.Quota) {
	b := f.binds(q)
	if q.Binds == analysis.BindsUnknown && !sound(q.Limit) {
		return
	}
	if q.Binds == analysis.BindsNever && sound(q.Most) {
		b.text += ", at " + percent(bench.Some(100*q.Most.V)) + " of it"
	}
	parts := []part{b}
	if text := f.headRoom(q); text != "" && q.Binds != analysis.BindsNow {
		parts = append(parts, part{style.Dim, ", " + text})
	}
	f.strung(s, "", parts...)
}

// wholeAt is when a quota is whole again; empty where the server does not say.
func (f *frame) wholeAt(q *analysis.Quota) string {
	switch left := q.Whole.At - f.s.At; {
	case q.Again:
		return "whole again"
	case !q.Whole.OK || left <= 0:
		return ""
	default:
		return "whole in " + length(left+time.Second-1)
	}
}

// gauge is a share, 0..1, as a bar.
func (f *frame) gauge(share float64) string {
	full := min(max(int(share*quotaBar+0.5), 0), quotaBar)
	out := ""
	for i := range quotaBar {
		if i < full {
			out += f.drawn().Busy
		} else {
			out += f.drawn().Free
		}
	}
	return out
}
