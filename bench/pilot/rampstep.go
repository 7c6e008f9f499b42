package pilot

import (
	"math"

	"redline/bench"
)

const (
	// overload is by how much a step may be expected to exceed a limit: somebody else may be on that server. A step that would is shortened to one that is expected
	// to exceed it by overshoot.
	overload  = 4
	overshoot = 2
	// rateGrain is how near two rates are neighbours, slotGrain two loads of the closed loop where that is more than one request: no trial tells them apart.
	rateGrain = 0.03
	slotGrain = 0.02
	// lowestPart is the part of its first rate below which a ramp does not look for one that is kept.
	lowestPart = 1.0 / 64
	// flat is the part of the load's growth from which on the rate of answers no longer grows with it.
	flat = 0.25
)

// rise goes on to the next load.
func (r *Ramp) rise(s *Second) {
	for {
		n, more := r.next()
		if !more {
			r.confirm(s, r.kept.Load.N)
			return
		}
		if r.reuse(s, n) {
			if r.broke != nil {
				r.phase = bench.RampHalving
				r.halve(s)
				return
			}
			continue
		}
		r.try(s.Now, n)
		return
	}
}

// next is the load after the greatest that is kept; false where there is none.
func (r *Ramp) next() (float64, bool) {
	at := r.kept.Load.N
	to := math.Inf(1)
	switch r.ramp.Rise {
	case bench.RiseTimes:
		to = r.shorten(at, at*r.ramp.By)
	case bench.RiseAdd:
		to = r.shorten(at, at+r.ramp.By)
	case bench.RiseList:
		for _, n := range r.ramp.Loads {
			if n = r.at(n).N; n > at {
				to = min(to, n)
			}
		}
		if math.IsInf(to, 1) {
			return 0, false
		}
	}
	if r.ramp.Mode == bench.Closed {
		to = max(math.Round(to), at+1)
	}
	if to = r.at(min(to, r.ramp.Most)).N; to <= at {
		return 0, false
	}
	return to, true
}

// shorten is a load on the way to the next one, where that would exceed a limit by far. What is known is the curve so far: how each metric has grown with the
// load, and whether answers come no faster any more, so that what is added only waits.
func (r *Ramp) shorten(at, to float64) float64 {
	here, before := r.lastKept()
	if here == nil || before == nil {
		return to
	}
	for i := range here.verdicts {
		v, w := &here.verdicts[i], &before.verdicts[i]
		if !v.value.OK || !w.value.OK || !single(v.promise) {
			continue
		}
		now, was := v.strain(), w.strain()
		grows := math.Log(now/was) / math.Log(here.Load.N/before.Load.N)
		if grows > 0 && now*math.Pow(to/at, grows) > overload {
			to = at * math.Pow(max(overshoot/now, 1), 1/grows)
		}
		saturated := here.rate > 0 && here.rate/before.rate-1 < flat*(here.Load.N/before.Load.N-1)
		if _, waits := late(v.promise); waits && saturated && r.ramp.Mode == bench.Closed {
			each := 1000 / here.rate / v.promise.Limit
			if now+(to-at)*each > overload {
				to = at + max(overshoot-now, 0)/each
			}
		}
	}
	return to
}

// lastKept are the two greatest loads that are kept and were tried in full.
func (r *Ramp) lastKept() (here, before *tried) {
	for i := range r.tried {
		if t := &r.tried[i]; t.Holds == bench.Kept && len(t.verdicts) == len(r.promises) {
			if here == nil || t.Load.N > here.Load.N {
				here, before = t, here
			} else if t.Load.N < here.Load.N && (before == nil || t.Load.N > before.Load.N) {
				before = t
			}
		}
	}
	return here, before
}

// halve goes to the middle between the greatest load that is kept and the least that is not, or down where none is kept yet.
func (r *Ramp) halve(s *Second) {
	for {
		n, more := r.middle()
		switch {
		case !more && r.kept == nil:
			r.over(s.Now, bench.RampNone, "")
			return
		case !more:
			at, n := r.kept.Load, r.safe(r.kept.Load.N)
			if n < at.N {
				r.together(s, at, n)
			}
			r.confirm(s, n)
			return
		case r.reuse(s, n):
			continue
		}
		r.try(s.Now, n)
		return
	}
}

// middle is the load to try next; false where the two are neighbours, or there is none below.
func (r *Ramp) middle() (float64, bool) {
	high := r.broke.Load.N
	if r.kept == nil {
		if r.ramp.Mode == bench.Closed {
			return math.Floor(high / 2), high >= 2
		}
		return r.at(high / 2).N, high/2 >= r.ramp.From*lowestPart
	}
	low := r.kept.Load.N
	mid := (low + high) / 2
	if r.ramp.Mode == bench.Closed {
		mid = math.Floor(mid)
	}
	return r.at(mid).N, high-low > 1.000001*r.step(low)
}

// step is the least difference that a ramp looks for at a load.
func (r *Ramp) step(n float64) float64 {
	if r.ramp.Mode == bench.Closed {
		return max(1, math.Floor(n*slotGrain))
	}
	return n * rateGrain
}

// below is so many steps down from a load; 0 where there is none.
func (r *Ramp) below(n float64, steps int) float64 {
	low := r.ramp.From * lowestPart
	if r.ramp.Mode == bench.Closed {
		low = 1
	}
	if n <= low*(1+rateGrain) {
		return 0
	}
	return r.at(max(n-float64(steps)*r.step(n), n/2, low)).N
}

// rate is how many requests a second ended well since the trial's load was in force.
func (t *trial) rate() float64 {
	if span := t.requests.folded - t.reached.At; t.reached.OK && span > 0 {
		return float64(t.ended) / span.Seconds()
	}
	return 0
}

// mostNear bounds how much longer a load is held for being near to what the server can do.
const mostNear = 2

// nearness is how many times as long as else a rate is held to confirm it: the backlog swings the more slowly the nearer it is to the rate at which answers came
// when there were more requests than could be served. 1 in the closed loop, and where that is not known.
func (r *Ramp) nearness(at bench.Setpoint) float64 {
	served := r.served()
	if at.Mode == bench.Closed || served == 0 {
		return 1
	}
	return min(max(0.5/max(1-at.N/served, 0.01), 1), mostNear)
}
