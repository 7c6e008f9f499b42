package view

import (
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// demand is what requests ask of quotas by load, made once a second.
type demand struct {
	fold          fold
	over, reserve bool
	made          bool
	analysis.Demand
}

// limits are the quotas with what they mean for the load, the one that binds first before the others.
func (f *frame) limits() []analysis.Quota {
	d := &f.Screen.demand
	is := demand{fold: foldOf(f.s), over: f.s.State == bench.Done, reserve: f.s.Run.QuotaReserve > 0, made: true}
	if d.fold != is.fold || d.over != is.over || d.reserve != is.reserve || !d.made {
		is.Demand = analysis.DemandOf(f.s.Levels, is.over, is.reserve)
		*d = is
	}
	return analysis.Quotas(f.s, &d.Demand)
}

// bindingWords are where the quota that binds first does, in words beside a lane.
type bindingWords struct {
	ranked
	of *analysis.Quota
	// short has fewer cells.
	short string
}

// binding says where the quota that binds first does, and how much that matters; false on the lane of another.
func (f *frame) binding(m bench.Metric) (bindingWords, bool) {
	all := f.limits()
	if len(all) == 0 || (all[0].Kind == bench.QuotaRequests) != (m == bench.RPM) {
		return bindingWords{}, false
	}
	q := &all[0]
	out := bindingWords{ranked: ranked{f.binds(q), 1}, of: q}
	switch {
	case q.Binds == analysis.BindsUnknown, q.Binds == analysis.BindsInTime && q.Lasts == 0:
		return bindingWords{}, false
	case q.Binds == analysis.BindsNever:
		out.rank, out.text = 7, "server full first"
	case q.Binds == analysis.BindsPast:
		out.rank = 7
	}
	out.short = strings.Replace(out.text, " at ", " ", 1)
	return out, true
}

// binds says where a quota binds.
func (f *frame) binds(q *analysis.Quota) part {
	switch q.Binds {
	case analysis.BindsNow:
		return part{style.Warn, "binds now"}
	case analysis.BindsAt:
		look := style.Dim
		if f.level != nil && q.At.V <= f.level.Load.N {
			look = style.Warn
		}
		return part{look, "binds at " + f.loadAbout(q)}
	case analysis.BindsPast:
		return part{style.Dim, "binds past " + f.loadAbout(q)}
	case analysis.BindsNever:
		return part{style.Dim, "not reached: the server saturates first"}
	case analysis.BindsInTime:
		switch {
		case q.Lasts > 0 && q.Lasts < time.Hour:
			return part{style.Warn, "used up in " + length(q.Lasts)}
		case q.Lasts > 0:
			return part{style.Dim, "used up in " + length(q.Lasts)}
		}
		return part{style.Dim, "not used up before it is whole again"}
	}
	return part{style.Dim, "not known yet where it binds"}
}

// loadAbout is about where a quota binds: "c≈52", "≈5.2/s"; "~" stands before what is rough.
func (f *frame) loadAbout(q *analysis.Quota) string {
	sign := "≈"
	if q.Rough {
		sign = "~"
	}
	switch {
	case !(q.At.V < 1e6):
		return "c>1M"
	case f.level != nil && f.level.Load.Mode == bench.Open:
		return sign + perSecond(q.At.V) + "/s"
	}
	return "c" + sign + strconv.Itoa(int(math.Round(q.At.V)))
}

// headRoom is what the present load leaves of a quota of a minute or less.
func (f *frame) headRoom(q *analysis.Quota) string {
	if !q.Now.OK || !q.Limit.OK || q.Per > time.Minute || !sound(q.Now) {
		return ""
	}
	if q.Now.V > q.Limit.V {
		return chart.Num(q.Now) + " now: more than it is"
	}
	return chart.Num(q.Now) + " now, head room " + percent(bench.Some(100*(1-q.Now.V/q.Limit.V)))
}
