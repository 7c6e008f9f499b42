package pilot

import (
	"math"
	"slices"

	"redline/bench"
)

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
