package pilot

import (
	"math"

	"redline/bench"
)

// In the open loop no single hold of a few minutes tells the redline: near it the backlog swings for as long, and the greatest of several loads that were each kept by
// chance is too great. All trials together tell more. The share of requests that break a promise is taken to rise with the load as a logistic curve of its logarithm;
// of all such curves, by how well they go with every trial, the load is taken at which aim of the allowed share is broken.
//
// That is no cure. Over the models a redline of the open loop lies where at most 7 % break a p95, and at least 3 % one step of 3 % above, in about nine of ten runs
// where the promise is on a whole answer, or on a wait for its first token of a second or more; in about four of ten where it is on the speed of a stream or a short
// wait. Then it is mostly too great, by one or two steps: long ramps of the same rate differ as much among themselves.
const (
	// aim is the part of the allowed share that the redline is taken at.
	aim = 0.8
	// swings is what a request of the open loop is worth of what its likeness to its neighbours says: they do not show how slowly the backlog swings.
	swings = 0.3
	// fitFrom and fitTo are how far around the greatest load that is kept the curve is looked for, fitGrain in what steps.
	fitFrom, fitTo, fitGrain = 0.6, 1.25, 0.005
	// cautious is the part of what is known that lies below the load taken.
	cautious = 0.35
)

// mostAgain bounds how often a rate that was borne out is lowered because all trials together say less.
const mostAgain = 2

// steepness are the slopes that a curve may have, in logits for each e-fold of the load: long answers make flat ones, waiting for a place steep ones.
var steepness = [...]float64{6, 9, 14, 21, 32, 48, 96, 192}

// fitted is the load that all trials together say keeps a promise, around one that was kept; 0 where they say nothing of it.
func (r *Ramp) fitted(at float64, promise int) float64 {
	allow := allowed(r.promises[promise])
	if !single(r.promises[promise]) || allow <= 0 {
		return 0
	}
	base := math.Log(aim * allow / (1 - aim*allow))
	var loads, logs []float64
	best := math.Inf(-1)
	for load := fitFrom * at; load <= fitTo*at; load *= 1 + fitGrain {
		for _, slope := range steepness {
			sum := 0.0
			for i := range r.tried {
				t := &r.tried[i]
				if promise >= len(t.verdicts) || t.verdicts[promise].n == 0 || t.Why != "" {
					continue
				}
				v := &t.verdicts[promise]
				seen := float64(v.over) / float64(v.n)
				share := 1 / (1 + math.Exp(-base-slope*math.Log(t.Load.N/load)))
				share = min(max(share, 1e-4), 1-1e-4)
				sum += swings * v.worth * (seen*math.Log(share) + (1-seen)*math.Log(1-share))
			}
			loads, logs, best = append(loads, load), append(logs, sum), max(best, sum)
		}
	}
	all := 0.0
	for i := range logs {
		logs[i] = math.Exp(logs[i] - best)
		all += logs[i]
	}
	below := 0.0
	for i := range logs {
		if below += logs[i]; below >= cautious*all {
			return loads[i]
		}
	}
	return 0
}

// safe is the load to confirm in place of one that was kept: in the open loop not more than all trials together say, nor nearer to the rate at which answers come when
// there are more requests than can be served than the hold can tell.
func (r *Ramp) safe(n float64) float64 {
	if r.ramp.Mode != bench.Open || r.broke == nil {
		return n
	}
	to := n
	for i := range r.promises {
		if load := r.fitted(n, i); load > 0 {
			to = min(to, load)
		}
	}
	if served := r.served(); served > 0 {
		// A queue at a part ρ of what can be served forgets its past after about 4/(1-ρ)² arrivals, and a few such times must have been seen.
		held := 4 * r.ramp.Cap.Seconds() * n
		to = min(to, max(served*(1-4/math.Sqrt(held)), n*0.9))
	}
	return r.at(to).N
}

// served is the greatest rate at which answers came while a promise was broken; 0 where none was.
func (r *Ramp) served() (rate float64) {
	for i := range r.tried {
		if t := &r.tried[i]; t.Holds == bench.Broke && t.Why == "" {
			rate = max(rate, t.rate)
		}
	}
	return rate
}
