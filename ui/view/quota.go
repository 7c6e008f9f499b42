package view

import (
	"math"
	"strconv"

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

// quota is the use of the trailing 60 s, and how far it is to the limit.
func (f *frame) quota(r *style.Row, m bench.Metric) {
	t, ok := f.threshold(m)
	used := f.used(m)
	if !ok {
		r.Put(style.Dim, f.spent(m)+", no quota set")
		return
	}
	look := style.Dim
	share := f.use(m) / t.Limit
	if share >= 0.9 {
		look = style.Warn
	}
	r.Put(look, "60 s use "+used+" of "+chart.Tick(t.Limit))
	if text := f.binding(m); text != "" {
		r.Put(look, ", "+text)
	}
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

// useShare is a quota's use in percent.
func (f *frame) useShare(m bench.Metric) (string, style.Token) {
	t, ok := f.threshold(m)
	if !ok {
		return "", style.Dim
	}
	share := f.use(m) / t.Limit
	look := style.Dim
	if share >= 0.9 {
		look = style.Warn
	}
	return percent(bench.Some(100 * share)), look
}
