package pilot

import (
	"slices"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// judge is the trial as it is at an instant.
func (t *trial) judge(level *bench.Level) (bench.Trial, []verdict) {
	out := bench.Trial{Load: t.load, Level: t.level, Begin: t.begin.At}
	verdicts := t.verdicts(level)
	if len(verdicts) == 0 {
		if t.mute >= mostMute {
			out.Holds, out.Rough, out.Why = bench.Broke, true, noAnswer
			out.Binding = t.promises[0]
		}
		return out, nil
	}
	holds, rough := bench.Kept, false
	for i := range verdicts {
		v := &verdicts[i]
		if v.holds == bench.NotYet && t.capped(v) {
			v.holds, rough = t.roughly(v, level), true
		}
		if v.holds == bench.Kept && t.denied(v.promise, level) {
			// Whoever looks at the level sees a broken promise: more requests say which it is, or the level does.
			if v.holds = bench.NotYet; t.capped(v) {
				v.holds, rough = bench.Broke, true
			}
		}
		switch {
		case v.holds == bench.Broke:
			holds = bench.Broke
		case v.holds == bench.NotYet && holds == bench.Kept:
			holds = bench.NotYet
		}
	}
	mute := holds == bench.Kept && !slices.ContainsFunc(verdicts, func(v verdict) bool { return v.n > 0 })
	if mute {
		holds, rough = bench.Broke, true
	}
	if b := binding(verdicts, holds); b != nil {
		b.tell(&out)
		if holds == bench.NotYet {
			out.Need = b.need
		}
	}
	if t.strained.OK && !t.from.OK {
		holds = bench.NotYet // what was seen is the client's doing
	}
	if t.late >= strained && strainedPart*t.late >= t.watched {
		out.Lag = t.lag
	}
	if t.tooShort() || bool(t.vanished) {
		holds = bench.NotYet
	}
	if out.Why = t.stopped(); out.Why != "" {
		holds, rough = bench.Broke, false
	} else if mute && holds == bench.Broke {
		out.Why = noAnswer
	}
	out.Brief = holds == bench.Kept && slices.ContainsFunc(verdicts, func(v verdict) bool { return v.passed })
	out.Holds, out.Rough = holds, rough && holds != bench.NotYet
	return out, verdicts
}

// tooShort tells whether the level has not been measured for as long as it takes to be a point of the curve.
func (t *trial) tooShort() bool {
	since := t.reached
	if t.from.OK {
		since = t.from
	}
	return t.requests.folded < since.At+analysis.LongEnough
}

// denied tells whether the trial's level, as far as it has been measured, says that a promise is broken.
func (t *trial) denied(p bench.Threshold, level *bench.Level) bool {
	if level == nil || level.ID != t.level || !level.Reached.OK || t.from.OK && level.Reached != t.from {
		return false
	}
	return slices.ContainsFunc(level.Verdicts, func(v bench.Verdict) bool { return v.Threshold == p && v.Known && v.Broken })
}

// stopped is what makes a load one that cannot be held, other than a promise; empty without.
func (t *trial) stopped() string {
	settled := t.from.OK && (!t.limited.OK || t.limited.At >= t.from.At)
	switch {
	case t.limited.OK && !t.pastLimits && (settled || !t.lowered || t.requests.folded >= t.reached.At+refill):
		return "429"
	case t.strained.OK && t.from.OK && t.tooBusy():
		return busy + " twice"
	case t.strained.OK && !t.from.OK && t.requests.folded >= t.strained.At+mostStrained:
		return busy
	}
	return ""
}

// capped tells whether the trial has had its time, or so many requests of a promise. In a crowd they are as alike as those of one moment: it has at least
// a few generations of them.
func (t *trial) capped(v *verdict) bool {
	if !t.from.OK {
		return false
	}
	most, requests := t.cap, max(t.capRequests, generations*t.crowd)
	if t.confirms {
		most, requests = time.Duration(2*t.near*float64(most)), int(2*t.near*float64(requests))
	}
	return t.requests.folded >= t.from.At+max(most, t.times(leastCap)) || v.n >= requests && t.ranLong()
}
