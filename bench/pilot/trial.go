package pilot

import (
	"math"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

const (
	// leastSettle and mostSettle bound that; the latter is also how long the first ends are waited for.
	leastSettle = 2 * time.Second
	mostSettle  = 2 * time.Minute
	// refill is how long after a load was lowered the server may still limit requests: its quota was used up by the load before.
	refill = 65 * time.Second
	// blunt is a share of requests beyond their limit, and bluntly how many standard errors below what was seen: a load so far beyond the redline is left at once, settled or not.
	blunt   = 0.5
	bluntly = 2
	// leastBlunt is how many requests that takes, at least.
	leastBlunt = 20
	// A load at which the worst of so many requests is within that part of the limit is passed by: it is not what the redline rests on, and low loads
	// yield few requests. In the closed loop each slot has to have had one.
	clear = 10
	far   = 0.6
	// A backlog goes down as long as fewer are in flight, by drainPart, than so many mean times in flight before, or leastDrained seconds.
	drained      = 1
	leastDrained = 8
	drainPart    = 0.05
	// generations is how many times the requests in flight a cap in requests is at least.
	generations = 3
	// leastCap is how many mean times in flight a cap is at least: before, next to none have ended that began since.
	leastCap = 2
	// strained is how many seconds the client may be busy in a trial before that is what was measured, if they are one in strainedPart at least. The first time
	// it may be a burst of something else on its machine: after so many seconds of calm, waited for up to mostStrained, the trial begins to count anew.
	strained     = 3
	strainedPart = 4
	calm         = 5
	mostStrained = 30 * time.Second
	// mostMute is for how many seconds a lowered load waits for ends of which none comes.
	mostMute = 300
)

// noAnswer is what stops a load at which nothing has ended, well or not.
const noAnswer = "no answer"

// busy is what a trial says of a client that could not keep up.
const busy = "client busy"

// pace is how a trial of a loop goes, in mean times in flight.
type pace struct {
	// settle is how long after its load came into force a trial begins to count: what began together at the change has mostly parted by then, and what was queued
	// before is served.
	settle float64
	// span is how long what a verdict rests on must have begun over, confirmed that of one that confirms.
	span, confirmed float64
}

// paces are those of the loops. In the open one the number in flight is free: it swings about its mean, and back ever more slowly the nearer the rate is to what the
// server can do.
var paces = [...]pace{bench.Closed: {3, 3, 5}, bench.Open: {3, 8, 16}}

// trial is one load being tried, in one level:
//
//	state    | input                                                | next
//	reaches  | the load is in force (EventReach of its level)       | settles
//	settles  | so many mean times in flight have passed since; at   | counts
//	         | once where it has been in force for as long before   |
//	settles  | the same, and no request was near a limit            | decided: kept, a little later
//	settles, | most requests are far beyond their limit; the server | decided: broke
//	counts   | limits requests                                      |
//	settles, | the client is busy, for the first time               | strained
//	counts   | the client is busy once more                         | decided: broke
//	strained | the client has kept up for a while                   | counts, from nothing
//	strained | it has not for too long                              | decided: broke
//	counts   | the sequential test of every promise has ended       | decided
//	counts   | the cap, in time or requests                         | decided by what was seen, roughly
//	any      | another level begins (a note, a pause that ended)    | reaches, in that one, from nothing
//
// As it begins to count, so does its level: what is shown of the level is then what the trial judges.
type trial struct {
	load     bench.Setpoint
	promises []bench.Threshold
	confirms bool
	rises    bool
	risk     risk
	// lowered: the load was higher before, so that what a quota's limit does at first is that load's doing.
	lowered bool
	// steady: the load was in force before, and had settled.
	steady bool
	cap    time.Duration
	// near is how many times as long as else a trial of the open loop that confirms holds its load (see nearness).
	near        float64
	capRequests int
	pastLimits  bool

	level          int
	begin, reached bench.Mark
	requests       *requests
	// rested is when it had settled, from the first whole second that counts; absent before.
	rested, from bench.Mark
	// stay and stays are the time in flight of requests that ended since the load was in force, and their number, those of a trial of the same load just before
	// included; ended is that of this one's alone.
	stay         time.Duration
	stays, ended int
	// crowd is how many requests are in flight, crowds those of each second since the load was in force.
	crowd  int
	crowds []int
	// mute is for how many seconds nothing has ended while what is too much in flight was waited for.
	mute int
	// busy counts seconds in which the client was, of those watched; limited is when the server last limited a request.
	busy, watched int
	// late counts those in which it was by too little to touch a promise, lag is the worst of them.
	late    int
	lag     bench.Value
	limited bench.Mark
	// strained is when the client was busy for too long for the first time, quiet how many seconds it has kept up since.
	strained bench.Mark
	quiet    int
}

// take takes in a second, in the level that is in force.
func (t *trial) take(s *Second) {
	if t.requests == nil || t.level != s.Level {
		// Before anything is measured the level in force is none, and a trial's is as well.
		if !t.steady || t.level != 0 {
			t.steady, t.stay, t.stays = false, 0, 0
		}
		t.level, t.reached, t.rested, t.from = s.Level, bench.Mark{}, bench.Mark{}, bench.Mark{}
		t.requests = newRequests(t.level, t.promises)
		t.crowds, t.ended, t.mute, t.busy, t.watched, t.limited, t.strained = nil, 0, 0, 0, 0, bench.Mark{}, bench.Mark{}
		t.late, t.lag = 0, bench.Value{}
	}
	for _, b := range s.Batches {
		t.batch(b)
	}
	if t.tooBusy() && !t.strained.OK {
		t.strained, t.from, t.quiet = bench.MarkAt(t.requests.folded), bench.Mark{}, 0
	}
	if t.reached.OK && !t.from.OK {
		t.settle()
	}
}

// tooBusy tells whether it is the client that was measured.
func (t *trial) tooBusy() bool { return t.busy >= strained && t.oftenBusy() }

// oftenBusy tells whether the client was busy for a good part of the time.
func (t *trial) oftenBusy() bool { return t.busy > 0 && strainedPart*t.busy >= t.watched }

func (t *trial) batch(b *bench.Batch) {
	for _, e := range b.Events {
		if e.Kind == bench.EventReach && e.Level == t.level && e.N == 0 {
			t.reached, t.rested, t.from = bench.MarkAt(e.At), bench.Mark{}, bench.Mark{}
		}
	}
	t.requests.take(b)
	if !t.reached.OK {
		if t.mute++; len(b.Ended) > 0 || b.Active == 0 {
			t.mute = 0
		}
		return
	}
	if b.Span > 0 {
		t.crowd = int(b.Facts.InFlight / b.Span.Seconds())
		t.crowds = append(t.crowds, t.crowd)
	}
	if b.Start >= t.reached.At {
		t.quiet++
		t.watched++
		switch h := &b.Health; {
		case h.Strain < bench.Busy:
		case untouched(h, t.promises):
			t.late++
			if lag := lateness(h); !t.lag.OK || lag.V > t.lag.V {
				t.lag = lag
			}
		default:
			t.busy, t.quiet = t.busy+1, 0
		}
	}
	for i := range b.Ended {
		e := &b.Ended[i]
		if e.Outcome == bench.RateLimited && e.Level == t.level {
			t.limited = bench.MarkAt(e.Marks.Ended.At)
		}
		if d, ok := e.E2E(); ok && e.Outcome == bench.OK && e.Marks.Ended.At >= t.reached.At {
			t.stay += d
			t.stays++
			t.ended++
		}
	}
}

// settle looks whether what the change of the load has stirred up is over.
func (t *trial) settle() {
	since := t.reached.At
	if t.limited.OK && t.lowered && !t.pastLimits {
		since = max(since, t.limited.At) // what the load above has left of the quota is gone by then
	}
	wait := mostSettle
	switch {
	case t.steady:
		wait = 0
	case t.stays >= bench.FewSamples:
		wait = min(max(t.times(t.pace().settle), leastSettle), mostSettle)
	}
	now := t.requests.folded
	if now < since+wait || t.strained.OK && t.quiet < calm || now < since+mostSettle && t.drains() {
		return
	}
	if !t.rested.OK {
		t.rested = bench.MarkAt(now)
	}
	if !t.strained.OK && now < t.rested.At+max(t.times(leastCap), time.Second) && t.mayPass() {
		return
	}
	t.from = bench.MarkAt((now + time.Second - 1) / time.Second * time.Second)
	if t.strained.OK {
		t.busy, t.watched, t.late, t.lag = 0, 0, 0, bench.Value{}
	}
}

// drains tells whether what the load above has left in flight still goes down. Requests wait behind it, though those that come now would not make it.
func (t *trial) drains() bool {
	long := max(int(drained*t.times(1).Seconds()), leastDrained)
	if t.load.Mode == bench.Closed || !t.lowered || t.steady {
		return false
	}
	if len(t.crowds) < 2*long {
		return true
	}
	before, after := 0, 0
	for i, n := range t.crowds[len(t.crowds)-2*long:] {
		if i < long {
			before += n
		} else {
			after += n
		}
	}
	return float64(after) < (1-drainPart)*float64(before)
}

// mayPass tells whether all requests since the load was in force were so far within every promise that nothing more need be known of it.
func (t *trial) mayPass() bool {
	if t.oftenBusy() {
		return false
	}
	for i, p := range t.promises {
		if p.Metric == bench.Errors {
			continue
		}
		if !single(p) || t.confirms || t.load.Mode == bench.Open && !t.rises {
			return false
		}
		all := t.requests.judged(t.second(), i)
		if count(all, p.Floor).over > 0 || strain(p, worst(all, p.Floor)) > far {
			return false
		}
	}
	return true
}

// verdict is what a trial says of one promise.
type verdict struct {
	exceedances
	promise bench.Threshold
	holds   bench.Holds
	need    int
	// value is the promise's percentile, worst the worst value of all; absent where it never came.
	value, worst bench.Value
	// passed: it is so far within that few requests were enough.
	passed bool
	// drifts tells that it got worse while it was looked at.
	drifts bool
}

// tell makes the verdict the one that a trial shows. Of what no single request has there is no share.
func (v *verdict) tell(t *bench.Trial) {
	t.Binding, t.Value = v.promise, v.value
	t.N, t.Over, t.Worth = v.n, v.over, v.worth
	t.Low, t.High = v.between()
}

// strain is how near a promise is to being broken: 1 at its limit.
func (v *verdict) strain() float64 { return strain(v.promise, v.value) }

func strain(t bench.Threshold, v bench.Value) float64 {
	if !v.OK || v.V <= 0 {
		return math.Inf(1) // it lies among what never came
	}
	if t.Floor {
		return t.Limit / v.V
	}
	return v.V / t.Limit
}

// between is the interval of the share of requests that break the promise; absent where no single one does, as with the gaps between tokens.
func (v *verdict) between() (low, high bench.Value) {
	if !single(v.promise) && v.promise.Metric != bench.Errors {
		return low, high
	}
	return v.exceedances.between()
}

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
	if t.tooShort() {
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

func (t *trial) pace() pace { return paces[t.load.Mode&1] }

// times is so many times the mean time in flight; 0 where that is not known.
func (t *trial) times(n float64) time.Duration {
	if t.stays == 0 {
		return 0
	}
	return time.Duration(n * float64(t.stay) / float64(t.stays))
}

func (t *trial) second() int {
	if t.from.OK {
		return int(t.from.At / time.Second)
	}
	return int((t.reached.At + time.Second - 1) / time.Second)
}

// verdicts hold every promise against the requests that count.
func (t *trial) verdicts(level *bench.Level) []verdict {
	if !t.reached.OK {
		return nil
	}
	from := t.second()
	out := make([]verdict, 0, len(t.promises))
	for i, p := range t.promises {
		v := verdict{promise: p}
		switch {
		case single(p):
			all := t.requests.judged(from, i)
			v.exceedances, v.value, v.worst = count(all, p.Floor), quantile(all, p), worst(all, p.Floor)
			v.drifts = drifts(all, p.Floor, v.worth)
			v.holds, v.need = t.decide(&v, level)
		case p.Metric == bench.Errors:
			t.errors(&v, from)
		default:
			t.byLevel(&v, level)
		}
		out = append(out, v)
	}
	return out
}

// decide is the test of a promise that a single request keeps. Before the trial has settled only a gross excess says anything.
func (t *trial) decide(v *verdict, level *bench.Level) (bench.Holds, int) {
	allow := allowed(v.promise)
	if low, _ := wilson(float64(v.over)/float64(max(v.n, 1)), v.worth, bluntly); v.n >= leastBlunt && low > max(blunt, brokeAt*allow) && (t.rested.OK || !t.lowered || t.load.Mode == bench.Closed) {
		return bench.Broke, 0
	}
	if v.passed = t.passesBy(v, level); v.passed {
		return bench.Kept, 0
	}
	if !t.from.OK {
		return bench.NotYet, 0
	}
	holds, need := v.exceedances.decide(allow, t.risk)
	if holds != bench.NotYet && !t.ranLong() || holds == bench.Kept && v.drifts {
		return bench.NotYet, 0
	}
	return holds, need
}

// passesBy tells whether a load is so far within the promise that it need not be known how far. In the open loop, where the number in flight comes only slowly to
// what a rate makes of it, only a rise passes by. The level is given a little time to settle: the curve is made of those that have.
func (t *trial) passesBy(v *verdict, level *bench.Level) bool {
	if !t.rested.OK || t.confirms || t.oftenBusy() || v.over > 0 || strain(v.promise, v.worst) > far {
		return false
	}
	since := t.rested
	if t.from.OK {
		since = t.from
	}
	long := t.requests.folded >= since.At+t.times(leastCap)
	if t.load.Mode == bench.Open {
		return t.rises && v.n >= clear && long
	}
	return v.n >= max(clear, int(t.load.N)) && (long || level == nil || level.ID != t.level || level.State == bench.Settled)
}

// ranLong tells whether what counts began over so long that more than one state of the batch and the queue is in it. All that began at about the same time were served
// together: they are alike in a way that no comparison of neighbours shows.
func (t *trial) ranLong() bool {
	if t.confirms {
		return t.requests.folded >= t.from.At+t.times(t.near*t.pace().confirmed)
	}
	return t.requests.folded >= t.from.At+t.times(t.pace().span)
}

// roughly decides by what was seen, as the level does where it can: the two are to say the same. Where nothing at all was seen, nothing was kept.
func (t *trial) roughly(v *verdict, level *bench.Level) bench.Holds {
	of := t.byItsLevel(v.promise, level)
	switch {
	case of != nil && of.Known && of.Broken:
		return bench.Broke
	case of != nil && of.Known && level.State == bench.Settled && single(v.promise):
		return bench.Kept
	case v.promise.Metric == bench.Errors, v.n == 0 && !single(v.promise):
		// A few failures that prove nothing, or a promise on which the level never could be judged: the others decide.
		return bench.Kept
	case !single(v.promise):
		if v.strain() > 1 {
			return bench.Broke
		}
		return bench.Kept
	case v.n == 0, float64(v.over) > allowed(v.promise)*float64(v.n):
		return bench.Broke
	}
	return bench.Kept
}

// errors holds the share of failures against its limit. It takes hundreds of requests to show that less than one in a hundred fails, and nobody waits for
// that while none does: the promise is kept unless failures say otherwise.
func (t *trial) errors(v *verdict, from int) {
	missed, all := t.requests.failures(from)
	v.n, v.over, v.worth = all, missed, float64(all)
	if all == 0 {
		return
	}
	limit, share := v.promise.Limit/100, float64(missed)/float64(all)
	v.value = bench.Some(100 * share)
	low, _ := wilson(share, v.worth, 1.64)
	switch {
	case low > limit && all >= bench.FewSamples:
		v.holds = bench.Broke
	case t.rested.OK && share <= limit && all >= bench.ReadySamples:
		v.holds = bench.Kept
	}
}

// byLevel is for promises on what no single request has, the gaps between tokens: the level's own verdict, once it has settled.
func (t *trial) byLevel(v *verdict, level *bench.Level) {
	of := t.byItsLevel(v.promise, level)
	if of == nil {
		return
	}
	if v.value = of.Value; level.Stats[v.promise.Metric].N > 0 {
		_, v.n = t.requests.failures(t.second())
	}
	if !of.Known || level.State != bench.Settled {
		return
	}
	if v.holds = bench.Kept; of.Broken {
		v.holds = bench.Broke
	}
}

// byItsLevel is what the trial's level says of a promise; nil as long as it does not count what the trial does.
func (t *trial) byItsLevel(p bench.Threshold, level *bench.Level) *bench.Verdict {
	if level == nil || level.ID != t.level || !t.from.OK || level.Reached != t.from {
		return nil
	}
	i := slices.IndexFunc(level.Verdicts, func(o bench.Verdict) bool { return o.Threshold == p })
	if i < 0 {
		return nil
	}
	return &level.Verdicts[i]
}

// binding is the promise that broke, or was nearest to it.
func binding(verdicts []verdict, holds bench.Holds) *verdict {
	var out *verdict
	for i := range verdicts {
		v := &verdicts[i]
		if holds == bench.Broke && v.holds != bench.Broke || v.n == 0 && holds != bench.Broke {
			continue
		}
		if out == nil || v.strain() > out.strain() {
			out = v
		}
	}
	if out == nil && len(verdicts) > 0 {
		return &verdicts[0]
	}
	return out
}

// quantile is a promise's percentile of requests, those without a value being worse than every one; absent where it lies among these.
func quantile(all []outcome, t bench.Threshold) bench.Value {
	values := make([]float64, 0, len(all))
	for _, o := range all {
		if o.value.OK {
			values = append(values, o.value.V)
		}
	}
	slices.Sort(values)
	at := max(int(math.Ceil(t.At.Q()*float64(len(all))-1e-9))-1, 0)
	if t.Floor {
		at -= len(all) - len(values)
	}
	if at < 0 || at >= len(values) {
		return bench.Value{}
	}
	return bench.Some(values[at])
}

// worst is the worst value of all; absent where one never came.
func worst(all []outcome, floor bool) (out bench.Value) {
	for _, o := range all {
		if !o.value.OK {
			return bench.Value{}
		}
		if !out.OK || floor == (o.value.V < out.V) {
			out = o.value
		}
	}
	return out
}
