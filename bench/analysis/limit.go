package analysis

import (
	"cmp"
	"math"
	"slices"

	"redline/bench"
)

// Bound tells where a limit lies.
type Bound uint8

const (
	// Unknown: no promise could be held against any level.
	Unknown Bound = iota
	// NotReached: every promise is kept at every load that was tried.
	NotReached
	// Below: a load breaks a promise, and none below that could be judged keeps it: as a rule there is none.
	Below
	// Between: one load keeps the promise, a greater one breaks it.
	Between
)

// Limit is the greatest load that keeps every promise, as far as the levels tell.
type Limit struct {
	Bound Bound
	// Threshold is the promise that binds; the zero Threshold while none does.
	Threshold bench.Threshold
	// Kept is the greatest load below Broken at which it is kept, Broken the least at which it is not. With NotReached Kept is the greatest load that was
	// tried, with Below there is no Kept.
	Kept, Broken bench.Setpoint
	// At is where the promise's limit is crossed, in the unit of the load, by a straight line between the two; absent where one of them has no value.
	At bench.Value
	// Rough: one of the two levels rests on fewer than a hundred requests, or has not settled.
	Rough bool
}

// fewRequests is from how many requests on a level is firm.
const fewRequests = 100

// Find is the limit of levels of one mode and workload, with one level for each load; quotas are no promises. The promise that binds is the one that breaks
// first.
func Find(levels []*bench.Level, thresholds []bench.Threshold) Limit {
	byLoad := slices.SortedStableFunc(slices.Values(levels), func(a, b *bench.Level) int { return cmp.Compare(a.Load.N, b.Load.N) })
	var out Limit
	for _, t := range thresholds {
		if t.Quota() {
			continue
		}
		if l := find(t, byLoad); l.Bound != Unknown && (out.Bound == Unknown || l.before(out)) {
			out = l
		}
	}
	return out
}

// find is the limit of one promise.
func find(t bench.Threshold, byLoad []*bench.Level) Limit {
	out := Limit{}
	var kept *bench.Level
	var was bench.Verdict
	for _, l := range byLoad {
		v := t.Judge(&l.Summary)
		switch {
		case !v.Known:
			continue
		case !v.Broken:
			kept, was = l, v
			out = Limit{Bound: NotReached, Kept: l.Load, Rough: rough(l)}
			continue
		case kept == nil:
			return Limit{Bound: Below, Threshold: t, Broken: l.Load, Rough: rough(l)}
		}
		return Limit{Bound: Between, Threshold: t, Kept: kept.Load, Broken: l.Load, At: cross(t.Limit, kept.Load.N, l.Load.N, was.Value, v.Value), Rough: rough(kept) || rough(l)}
	}
	return out
}

func rough(l *bench.Level) bool {
	return l.State != bench.Settled || l.Stats[bench.TTFT].N < fewRequests
}

// before tells whether a limit is met at a lesser load than another one. A promise that is kept throughout says less than any that is not; of two
// such promises the one that could be held to fewer loads tells how far both are kept.
func (l Limit) before(o Limit) bool {
	a, b := l.where(), o.where()
	if a != b {
		return a < b
	}
	if l.Bound == NotReached && o.Bound == NotReached {
		return l.Kept.N < o.Kept.N
	}
	return l.Bound == Below && o.Bound != Below
}

// where is the load at which the limit lies, for comparing.
func (l Limit) where() float64 {
	switch {
	case l.Bound == NotReached:
		return math.MaxFloat64
	case l.Bound == Below:
		return l.Broken.N
	case l.At.OK:
		return l.At.V
	}
	return l.Kept.N
}

// cross is where a straight line between two values meets a limit that lies between them.
func cross(limit, from, to float64, a, b bench.Value) bench.Value {
	if !a.OK || !b.OK || a.V == b.V {
		return bench.Value{}
	}
	share := (limit - a.V) / (b.V - a.V)
	if !(share >= 0 && share <= 1) {
		return bench.Value{}
	}
	return bench.Some(from + share*(to-from))
}
