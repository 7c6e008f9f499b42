package pilot

import (
	"cmp"
	"math"
	"slices"

	"redline/bench"
)

// Between the shares keptAt and brokeAt of what a promise allows nobody cares which way it is decided: 3 % and 8 % of the requests for a p95.
const (
	keptAt  = 0.6
	brokeAt = 1.6
)

// exceedances are requests in the order of their starts, held against one promise: "p95 ≤ T" is kept where at most 5 % of them exceed T.
type exceedances struct {
	n, over int
	// worth is how many independent requests they say as much as: neighbours shared a batch and a queue.
	worth float64
}

// outcome is one request held against a promise: its value, absent where it never came, and whether it exceeds the limit.
type outcome struct {
	value bench.Value
	over  bool
}

// count counts requests in the order of their starts.
func count(all []outcome, floor bool) exceedances {
	x := exceedances{n: len(all)}
	for i := range all {
		if all[i].over {
			x.over++
		}
	}
	x.worth = float64(x.n) / likeness(scores(all, floor))
	return x
}

// scores are the requests by their ranks from the best to the worst, as −½ to ½, equal ones in the middle of theirs. What never came is worst. Ranks are spared by
// the long tails that values have.
func scores(all []outcome, floor bool) []float64 {
	bad := make([]float64, len(all))
	order := make([]int, len(all))
	for i, o := range all {
		order[i] = i
		switch bad[i] = o.value.V; {
		case !o.value.OK:
			bad[i] = math.Inf(1)
		case floor:
			bad[i] = -o.value.V
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(bad[a], bad[b]) })
	out := make([]float64, len(all))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && bad[order[to]] == bad[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = (float64(from+to)/2)/float64(len(order)) - 0.5
		}
		from = to
	}
	return out
}

const (
	// mostLike bounds what likeness may say: a few requests tell little of it.
	mostLike = 8
	// unlike is the correlation from which on neighbours further apart are taken to be independent.
	unlike = 0.1
	// farthest bounds the distance that is looked at, and so what a second of judging costs.
	farthest = 256
)

// likeness is how many requests say as much as one that is independent of the others, at least 1: one and twice the sum of the correlations at growing
// distance. Those of exceedances cannot be seen where there are few or none, those of the values can; of two normal ones with correlation ρ the exceedances of a 95th
// percentile have about 1−1.22√(1−ρ) (within 0.03 from 0.5 to 0.95).
func likeness(scores []float64) float64 {
	n := len(scores)
	square := 0.0
	for _, v := range scores {
		square += v * v
	}
	if n < 8 || square == 0 {
		return 1
	}
	sum := 1.0
	for lag := 1; lag <= min(n/4, farthest) && sum < mostLike; lag++ {
		product := 0.0
		for i := lag; i < n; i++ {
			product += scores[i] * scores[i-lag]
		}
		rho := product / square
		if rho < unlike {
			break
		}
		sum += 2 * max(1-1.22*math.Sqrt(1-min(rho, 1)), 0)
	}
	return min(sum, mostLike)
}

// between is the interval in which the true share lies with 95 % (Wilson's, on what they are worth); absent before any.
func (x exceedances) between() (low, high bench.Value) {
	if x.n == 0 {
		return low, high
	}
	l, h := wilson(float64(x.over)/float64(x.n), x.worth, 1.96)
	return bench.Some(l), bench.Some(h)
}

// wilson is Wilson's interval of a share p that was seen among n, z standard errors to each side.
func wilson(p, n, z float64) (low, high float64) {
	if !(n > 0) {
		return 0, 1
	}
	z2 := z * z / n
	middle := (p + z2/2) / (1 + z2)
	half := z / (1 + z2) * math.Sqrt(p*(1-p)/n+z2/(4*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// allowed is the share of requests, 0..1, that may break a promise which is kept: 0.05 for a p95 and for a floor under a p5, 0 for a maximum.
func allowed(t bench.Threshold) float64 {
	if t.Floor {
		return t.At.Q()
	}
	// 1−0.95 is not 0.05 to the last bit.
	return math.Round((1-t.At.Q())*1e9) / 1e9
}

// neverBroken is how many requests without a single exceedance keep a promise on the maximum.
const neverBroken = 60

// risk is how often, 0..1, a sequential test may call a promise broken that is kept, and kept that is broken.
type risk struct{ broken, kept float64 }

// decide is Wald's sequential test between keptAt and brokeAt of the share that is allowed. need is about how many more requests it takes if they go on like
// that; 0 where it is decided, or where they go towards neither.
func (x exceedances) decide(allow float64, r risk) (holds bench.Holds, need int) {
	if x.n == 0 {
		return bench.NotYet, 0
	}
	if allow <= 0 {
		switch {
		case x.over > 0:
			return bench.Broke, 0
		case x.n >= neverBroken:
			return bench.Kept, 0
		}
		return bench.NotYet, neverBroken - x.n
	}
	low, high := keptAt*allow, brokeAt*allow
	ratio := x.worth / float64(x.n)
	share := float64(x.over) / float64(x.n)
	each := share*math.Log(high/low) + (1-share)*math.Log((1-high)/(1-low))
	broken, kept := math.Log((1-r.kept)/r.broken), math.Log(r.kept/(1-r.broken))
	evidence := each * x.worth
	switch {
	case evidence >= broken:
		return bench.Broke, 0
	case evidence <= kept && share <= allow:
		// Between the two the test may end a little beyond what is allowed: whoever counts would not call that kept.
		return bench.Kept, 0
	}
	if each *= ratio; math.Abs(each) < 1e-9 {
		return bench.NotYet, 0
	}
	left := (broken - evidence) / each
	if each < 0 {
		left = (kept - evidence) / each
	}
	return bench.NotYet, int(math.Ceil(min(max(left, 1), 1e6)))
}

// What a drift is at least: so many standard errors, and that part of the mean.
const (
	driftErrors = 2
	driftPart   = 0.05
)

// drifts tells whether the values of the later half of requests are worse than those of the earlier: a queue that grows, a cache that fills. worth is how many
// independent ones all are.
func drifts(all []outcome, floor bool, worth float64) bool {
	half := len(all) / 2
	before, spread, n := meanOf(all[:half])
	after, wider, m := meanOf(all[half:])
	if n < bench.FewSamples || m < bench.FewSamples {
		return false
	}
	change := after - before
	if floor {
		change = -change
	}
	each := worth / float64(len(all))
	return change > driftPart*math.Abs(before) && change > driftErrors*math.Sqrt(spread/(each*float64(n))+wider/(each*float64(m)))
}

// meanOf is the mean of the values that there are, their variance and their number.
func meanOf(all []outcome) (mean, variance float64, n int) {
	var sum, squares float64
	for _, o := range all {
		if o.value.OK {
			sum, squares, n = sum+o.value.V, squares+o.value.V*o.value.V, n+1
		}
	}
	if n == 0 {
		return 0, 0, 0
	}
	mean = sum / float64(n)
	return mean, max(squares/float64(n)-mean*mean, 0), n
}
