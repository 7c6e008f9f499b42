package pilot

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"redline/bench"
)

const (
	// rampCap and rampRequests are a ramp's caps where it names none.
	rampCap      = time.Minute
	rampRequests = 400
)

// How wrong the verdicts of a ramp may be. A load that is taken to break what it keeps ends the rise for good; one that is taken to keep what it breaks is
// found out at the next.
var (
	risingRisk     = risk{broken: 0.05, kept: 0.15}
	halvingRisk    = risk{broken: 0.10, kept: 0.10}
	confirmingRisk = risk{broken: 0.10, kept: 0.05}
)

// Ramp is the pilot that looks for the redline:
//
//	phase      | the trial's load                                   | next
//	rising     | is kept                                            | rising, at the next load; confirming at the greatest
//	rising     | broke                                              | halving
//	halving    | is kept, or broke                                  | halving between the greatest kept and the least broken; confirming when they are
//	           |                                                    | neighbours; none when the least load broke
//	confirming | is kept                                            | found; open where nothing broke; halving where the least broken is no neighbour
//	confirming | broke                                              | confirming one step down, then two, four ...; none below the least
//	confirming | could not be judged, since the client was busy     | found, unconfirmed, where that load was kept before
//	halving,   | in the open loop                                   | confirming the rate that all trials together say, where that is lower; found once
//	confirming |                                                    | that is borne out
//	any        | the load is taken, or the promises change; the     | left
//	           | client is busy, and no lower load is known to be kept |
type Ramp struct {
	ramp     bench.Ramp
	promises []bench.Threshold
	prices   bench.Prices

	phase        bench.RampPhase
	why          string
	began, ended bench.Mark
	load         bench.Setpoint
	trial        *trial
	// tried are the trials that are decided; kept is the greatest load that holds, broke the least above it that does not.
	tried       []tried
	trials      []bench.Trial
	kept, broke *tried
	found       *bench.Redline

	// down is by how many steps the ramp went down when a load was not borne out.
	down int
	// again is how often a rate that was borne out was lowered for the sake of all trials.
	again int
	// unsure: what was found could not be confirmed, since the client was busy.
	unsure bool

	requests, tokens, in, out, cached int
	events                            []bench.Event
	last                              bench.Trial
}

// tried is a trial that is decided.
type tried struct {
	bench.Trial
	verdicts []verdict
	// rate is how many requests ended a second; 0 where that is not known.
	rate float64
}

// NewRamp is a ramp that judges loads by the promises that can be judged: quotas are none. The error says what of the ramp cannot be.
func NewRamp(r bench.Ramp, promises []bench.Threshold, prices bench.Prices) (*Ramp, error) {
	if r.Cap <= 0 {
		r.Cap = rampCap
	}
	if r.CapRequests <= 0 {
		r.CapRequests = rampRequests
	}
	judged := judgeable(promises)
	least := bench.Setpoint{Mode: r.Mode, N: r.From}.Round().N
	var err error
	switch {
	case len(judged) == 0:
		err = errors.New("there is no promise to break: name one, as in ttft.p95<=2s")
	case !(least > 0):
		err = fmt.Errorf("first load %g: above 0", r.From)
	case !(r.Most >= least):
		err = fmt.Errorf("first load %g: at most %g", r.From, r.Most)
	case r.Rise == bench.RiseTimes && !(r.By > 1):
		err = fmt.Errorf("factor %g: above 1", r.By)
	case r.Rise == bench.RiseAdd && !(r.By > 0):
		err = fmt.Errorf("step %g: above 0", r.By)
	case r.Rise == bench.RiseList && (len(r.Loads) == 0 || !slices.IsSorted(r.Loads)):
		err = errors.New("list of loads: at least one, rising")
	}
	if err != nil {
		return nil, err
	}
	return &Ramp{ramp: r, promises: judged, prices: prices}, nil
}

// judgeable are the promises among thresholds.
func judgeable(all []bench.Threshold) []bench.Threshold {
	return slices.DeleteFunc(slices.Clone(all), bench.Threshold.Quota)
}

// Begin begins at the ramp's first load, in a level of its own.
func (r *Ramp) Begin(now time.Duration, load bench.Setpoint) Order {
	r.began, r.load = bench.MarkAt(now), load
	r.tell(now, load, fmt.Sprintf("looks for the redline from %s, up to %s", r.at(r.ramp.From), r.at(r.ramp.Most)))
	r.try(now, r.ramp.From)
	return r.order(now, true)
}

// End gives the ramp up.
func (r *Ramp) End(now time.Duration, why string) Order {
	if !r.phase.Over() {
		r.over(now, bench.RampLeft, why)
	}
	return r.order(now, false)
}

// at is a load of the ramp's.
func (r *Ramp) at(n float64) bench.Setpoint { return bench.Setpoint{Mode: r.ramp.Mode, N: n}.Round() }

// try begins a trial.
func (r *Ramp) try(now time.Duration, n float64) {
	to := r.at(n)
	t := &trial{
		load: to, near: r.nearness(to), promises: r.promises, begin: bench.MarkAt(now), cap: r.ramp.Cap, capRequests: r.ramp.CapRequests, pastLimits: r.ramp.PastLimits,
		lowered: r.trial != nil && to.N <= r.load.N, confirms: r.phase == bench.RampConfirming, rises: r.phase == bench.RampRising,
		risk: [...]risk{bench.RampRising: risingRisk, bench.RampHalving: halvingRisk, bench.RampConfirming: confirmingRisk}[r.phase],
	}
	if before := r.trial; before != nil && before.load == to && before.rested.OK {
		t.steady, t.stay, t.stays = true, before.stay, before.stays
	}
	r.trial, r.load = t, to
	r.last = bench.Trial{Load: to, Begin: now}
}

// Second takes a second in. While the run does not send it stands still: what comes after is another level, in which the trial begins anew.
func (r *Ramp) Second(s *Second) Order {
	for _, b := range s.Batches {
		r.requests += b.Facts.Sent
		r.tokens += b.Facts.Tokens()
		r.in += b.Facts.In + b.Facts.InFix
		r.out += b.Facts.Out + b.Facts.OutFix
		r.cached += b.Facts.Cached
	}
	if r.phase.Over() {
		return r.order(s.Now, false)
	}
	if run := s.Snapshot.Run; run != nil && s.after(r.began.At) && !slices.Equal(judgeable(run.Thresholds), r.promises) {
		r.over(s.Now, bench.RampLeft, "the promises have changed")
		return r.order(s.Now, false)
	}
	from, strained := r.trial.from, r.trial.strained
	r.trial.take(s)
	if !s.Sending() {
		return r.order(s.Now, false)
	}
	before := r.trial
	if before.strained != strained && before.strained.OK {
		r.tell(s.Now, before.load, fmt.Sprintf("%s: %s: waits until it keeps up, and tries once more", before.load, busy))
	}
	level := levelOf(s.Snapshot, r.trial.level)
	var verdicts []verdict
	if r.last, verdicts = r.trial.judge(level); r.last.Holds != bench.NotYet {
		r.decided(s, verdicts)
	}
	o := r.order(s.Now, r.trial != before)
	if before.from != from && !o.Level {
		o.Settled = before.from
	}
	return o
}

// decided goes on after a trial.
func (r *Ramp) decided(s *Second, verdicts []verdict) {
	t := tried{Trial: r.last, verdicts: verdicts, rate: r.trial.rate()}
	t.End = bench.MarkAt(s.Now)
	r.tried, r.trials = append(r.tried, t), append(r.trials, t.Trial)
	if r.phase == bench.RampConfirming && t.Holds == bench.Broke && byClient(&t) && r.kept != nil && r.kept.Load == t.Load {
		// Lower loads would find the client as busy: what was kept before stays, unconfirmed.
		r.unsure = true
		r.finish(s)
		return
	}
	r.learn(&t)
	if byClient(&t) && r.kept == nil {
		// Lower loads would find the client as busy, and say nothing of the server.
		r.over(s.Now, bench.RampLeft, "the client is busy")
		return
	}
	switch r.phase {
	case bench.RampRising:
		if t.Holds == bench.Kept {
			r.rise(s)
			return
		}
		r.phase = bench.RampHalving
		r.tell(s.Now, t.Load, r.broken(&t)+": goes back")
		r.halve(s)
	case bench.RampHalving:
		r.halve(s)
	case bench.RampConfirming:
		r.confirmed(s, &t)
	}
}

// learn keeps what a load is known to do.
func (r *Ramp) learn(t *tried) {
	if t.Holds == bench.Kept {
		if r.kept == nil || t.Load.N >= r.kept.Load.N {
			r.kept = t
		}
		return
	}
	if r.broke == nil || t.Load.N <= r.broke.Load.N {
		r.broke = t
	}
	if r.kept != nil && r.kept.Load.N >= t.Load.N {
		r.kept = nil // what it rested on has not been borne out
	}
}

// confirmed goes on after a trial that was to confirm a load. Each time that it does not, the next goes down by twice as many steps; one that is borne out then need
// not be the greatest, and the way between is halved again.
func (r *Ramp) confirmed(s *Second, t *tried) {
	if t.Holds != bench.Kept {
		r.down = max(2*r.down, 1)
		r.tell(s.Now, t.Load, r.broken(t)+" when held longer: goes down")
		n := r.below(t.Load.N, r.down)
		if r.ramp.Mode == bench.Open && n > 0 {
			n = r.safe(r.below(t.Load.N, 1)) // not so far down as the steps alone would go
		}
		r.confirm(s, n)
		return
	}
	if r.ramp.Mode == bench.Open && r.broke != nil {
		if n := r.safe(t.Load.N); r.again < mostAgain && n < t.Load.N*(1-rateGrain) {
			r.again++
			r.together(s, t.Load, n)
			r.confirm(s, n)
			return
		}
		r.kept = t // it may lie below one that was kept by chance
		r.finish(s)
		return
	}
	if _, more := r.middleIfBroke(); more {
		r.phase, r.down = bench.RampHalving, 0
		r.halve(s)
		return
	}
	r.finish(s)
}

// middleIfBroke is the middle, where anything broke.
func (r *Ramp) middleIfBroke() (float64, bool) {
	if r.broke == nil {
		return 0, false
	}
	return r.middle()
}

// confirm tries a load once more, or another for good; 0 is none.
func (r *Ramp) confirm(s *Second, n float64) {
	if n <= 0 {
		r.over(s.Now, bench.RampNone, "")
		return
	}
	r.phase = bench.RampConfirming
	r.try(s.Now, n)
}

// over ends the ramp.
func (r *Ramp) over(now time.Duration, phase bench.RampPhase, why string) {
	r.phase, r.why, r.ended = phase, why, bench.MarkAt(now)
	r.tell(now, r.load, r.ending())
}

// order is what the ramp wants and shows; fresh tells that a trial has just begun.
func (r *Ramp) order(now time.Duration, fresh bool) Order {
	over := r.phase.Over()
	o := Order{Load: r.load, Level: fresh && !over, Over: over, Events: r.events, Ramping: r.show(now)}
	r.events = nil
	return o
}

func (r *Ramp) show(now time.Duration) *bench.Ramping {
	ramp := r.ramp
	out := &bench.Ramping{
		Ramp: &ramp, Phase: r.phase, Why: r.why, Began: r.began.At, Ended: r.ended,
		Trials: r.trials[:len(r.trials):len(r.trials)], Found: r.found, Requests: r.requests, Tokens: r.tokens,
	}
	if !r.phase.Over() {
		out.Now = r.last
	}
	if r.prices.Set() {
		if r.ended.OK {
			now = r.ended.At
		}
		out.Cost = bench.Some(r.prices.Tokens(float64(r.in), float64(r.cached), float64(r.out)) + r.prices.Over(now-r.began.At))
	}
	return out
}
