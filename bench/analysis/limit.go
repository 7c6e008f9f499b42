package analysis

import (
	"math"
	"slices"

	"redline/bench"
)

// Bound tells where a limit lies.
type Bound uint8

const (
	// Unknown: no level is known to keep every promise, and none to break one.
	Unknown Bound = iota
	// NotReached: every promise is kept at the greatest load that could be judged, and none is broken at any.
	NotReached
	// Below: even the least load that was tried breaks a promise.
	Below
	// Doubtful: a load breaks a promise, and of a lesser one it is not known whether it keeps them all.
	Doubtful
	// Between: one load keeps every promise, a greater one breaks one, and none above that keeps them all.
	Between
	// Undecided: a load keeps every promise, and a lesser one breaks one: the load alone does not decide.
	Undecided
)

// Limit is the greatest load that keeps every promise, as far as the levels tell.
type Limit struct {
	Bound Bound
	// Threshold is the promise that binds; the zero Threshold while none does.
	Threshold bench.Threshold
	// Missed are the requests through which alone it is broken (see BrokenByMissed).
	Missed bench.Missed
	// Kept is the greatest load at which all promises are kept, Broken the least at which one is not; each is zero where there is none.
	Kept, Broken bench.Setpoint
	// At is where the promise's limit is crossed, in the unit of the load, by a straight line between the two (Between); absent where one of them has no
	// value, and where what was measured does not cross it.
	At bench.Value
	// Rough: one of the two levels rests on fewer than a hundred requests, or has not settled.
	Rough bool
}

// Load is the greatest load that keeps every promise (Between): where the limit is crossed, rounded down to what can be set, or else Kept.
func (l *Limit) Load() bench.Setpoint {
	switch {
	case !l.At.OK:
		return l.Kept
	case l.Kept.Mode == bench.Closed:
		// Half a request more would break it.
		return bench.Setpoint{Mode: l.Kept.Mode, N: math.Floor(l.At.V + 1e-9)}
	}
	return bench.Setpoint{Mode: l.Kept.Mode, N: math.Floor(l.At.V*100+1e-9) / 100}
}

// judge gives the verdicts on a level.
type judge func(*bench.Level) []bench.Verdict

// told are the verdicts that a level has.
func told(l *bench.Level) []bench.Verdict { return l.Verdicts }

// by holds levels to promises.
func by(thresholds []bench.Threshold) judge {
	return func(l *bench.Level) []bench.Verdict {
		out := make([]bench.Verdict, 0, len(thresholds))
		for _, t := range thresholds {
			if t.Metric < bench.NumMetrics {
				out = append(out, t.Judge(&l.Summary))
			}
		}
		return out
	}
}

// Find is the limit of levels of one mode and workload; quotas are no promises. It says what the Finding of the same levels says.
func Find(levels []*bench.Level, thresholds []bench.Threshold) Limit {
	return limit(levels, by(thresholds))
}

func limit(levels []*bench.Level, verdicts judge) Limit {
	f := find(Kind{}, slices.DeleteFunc(slices.Clone(levels), func(l *bench.Level) bool { return !counts(l) }), verdicts)
	out := Limit{}
	for _, l := range []*bench.Level{f.Held, f.Broken} {
		out.Rough = out.Rough || l != nil && rough(l)
	}
	if f.Held != nil {
		out.Bound, out.Kept = NotReached, f.Held.Load
	}
	if f.Broken == nil {
		return out
	}
	out.Broken = f.Broken.Load
	switch {
	case f.Undecided():
		out.Bound = Undecided
	case f.Held != nil:
		out.Bound = Between
	case f.Doubtful > 0 && f.Doubtful < f.Broken.Load.N:
		out.Bound = Doubtful
	default:
		out.Bound = Below
	}
	out.bind(&f, verdicts, levels)
	return out
}

// bind finds the promise that breaks first on the way from the load that is held to the one that is not, by the verdicts of that. Of two
// that break at the same load the one binds that no greater load keeps, or only a lesser one.
func (l *Limit) bind(f *Finding, verdicts judge, levels []*bench.Level) {
	first, again := math.Inf(1), 0.0
	for _, v := range verdicts(f.Broken) {
		if v.Threshold.Quota() || !v.Known || !v.Broken {
			continue
		}
		missed, where, at := BrokenByMissed(v, &f.Broken.Summary), f.Broken.Load.N, bench.Value{}
		if l.Bound == Between {
			where = f.Held.Load.N
			if was := v.Threshold.Judge(&f.Held.Summary); missed.All() == 0 {
				at = cross(v.Threshold.Limit, f.Held.Load.N, f.Broken.Load.N, was.Value, v.Value)
			}
			if at.OK {
				where = at.V
			}
		}
		if upTo := keptUpTo(v.Threshold, levels, verdicts); where < first || where == first && upTo < again {
			first, again, l.Threshold, l.Missed, l.At = where, upTo, v.Threshold, missed, at
		}
	}
}

// keptUpTo is the greatest load at which a promise is known to be kept; 0 for none.
func keptUpTo(t bench.Threshold, levels []*bench.Level, verdicts judge) float64 {
	most := 0.0
	for _, l := range levels {
		for _, v := range verdicts(l) {
			if v.Threshold == t && v.Known && !v.Broken && counts(l) {
				most = max(most, l.Load.N)
			}
		}
	}
	return most
}

func rough(l *bench.Level) bool { return FirmnessOf(l) != Firm }

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
