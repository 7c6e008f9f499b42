package analysis

import "redline/bench"

// Meeting is what two targets did under the same load: a level of each.
type Meeting struct{ A, B *bench.Level }

// Meetings are the loads under which both targets were measured, in the order of A's levels, the newest visit of each load alone. Of several levels of B
// the one counts that has most of its time in common with A's, since servers drift; where none has any, the newest.
func Meetings(a, b []*bench.Level) []Meeting {
	var out []Meeting
	for i, l := range a {
		if !Measured(l) || !l.Reached.OK || visitedAgain(a[i+1:], l) {
			continue
		}
		if with := companion(l, b); with != nil {
			out = append(out, Meeting{l, with})
		}
	}
	return out
}

// visitedAgain tells whether a later level is of the same load, and measured too.
func visitedAgain(later []*bench.Level, l *bench.Level) bool {
	for _, o := range later {
		if same(l, o) && Measured(o) && o.Reached.OK {
			return true
		}
	}
	return false
}

func same(a, b *bench.Level) bool { return a.Load == b.Load && a.Work == b.Work }

// companion is the level of another target that goes with one.
func companion(l *bench.Level, of []*bench.Level) *bench.Level {
	var best *bench.Level
	most := -1.0
	for _, o := range of {
		if !same(l, o) || !Measured(o) || !o.Reached.OK {
			continue
		}
		if common := shared(l, o); common >= most {
			best, most = o, common
		}
	}
	return best
}

// shared is for how many seconds two levels ran at once; 0 where they did not.
func shared(a, b *bench.Level) float64 {
	end := func(l *bench.Level) float64 {
		if l.Ended.OK {
			return l.Ended.At.Seconds()
		}
		return 1e12
	}
	return max(min(end(a), end(b))-max(a.Begin, b.Begin).Seconds(), 0)
}

// Contest is one number of two targets with its difference, B's against A's.
type Contest struct {
	Metric bench.Metric
	At     bench.Percentile
	// Output tells that it is the output rate, in tokens a second of all streams, and no Metric.
	Output bool
	Difference
}

// contested are the numbers that two targets are compared by, the most important first.
var contested = []Contest{
	{Metric: bench.TTFT, At: bench.P95}, {Metric: bench.ITL, At: bench.P95}, {Metric: bench.TPS, At: bench.P5}, {Metric: bench.RPM, At: bench.Mean},
	{Metric: bench.TPM, At: bench.Mean}, {Metric: bench.E2E, At: bench.P95}, {Output: true, At: bench.Mean}, {Metric: bench.Errors, At: bench.Mean},
	{Metric: bench.TTFT, At: bench.P50}, {Metric: bench.ITL, At: bench.P50}, {Metric: bench.TPS, At: bench.P50},
}

// Contests compares a meeting by every number that there is, B's against A's, the most important first. It costs about a millisecond for each.
func (m Meeting) Contests() []Contest {
	a, b := ScopeOf(m.A), ScopeOf(m.B)
	out := make([]Contest, 0, len(contested))
	for _, c := range contested {
		if c.Output {
			c.Difference = CompareOutput(a, b)
		} else {
			c.Difference = Compare(a, b, c.Metric, c.At)
		}
		out = append(out, c)
	}
	return out
}
