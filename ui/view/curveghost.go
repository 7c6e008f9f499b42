package view

import (
	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// pastLevels are the levels of the earlier run that stand behind the curve: the newest visit of each load, in the mode and with the workload of the present level.
func (f *frame) pastLevels() []*bench.Level {
	past := f.past()
	switch {
	case past == nil || f.level == nil:
		return nil
	case f.st.Earlier.Only != nil:
		if l := f.st.Earlier.Only; l.Load.Mode == f.level.Load.Mode {
			return []*bench.Level{l}
		}
		return nil
	}
	var out []*bench.Level
	seen := map[bench.Setpoint]bool{}
	for i := len(past.Levels) - 1; i >= 0; i-- {
		l := past.Levels[i]
		if seen[l.Load] || l.Load.Mode != f.level.Load.Mode || analysis.Touched(l) || !analysis.Measured(l) || !analysis.SameWork(past.Run, l.Work, f.s.Run, f.level.Work) {
			continue
		}
		seen[l.Load] = true
		out = append(out, l)
	}
	return out
}

// pastPoints are what came of them.
func (f *frame) pastPoints(value func(*bench.Level) bench.Value) []chart.CurvePoint {
	var out []chart.CurvePoint
	for _, l := range f.loads.past {
		if v := value(l); v.OK {
			out = append(out, chart.CurvePoint{X: l.Load.N, Y: v.V, Ghost: true})
		}
	}
	return out
}

// pastSign is the sign of the earlier run's points with which run it is; false where none are on the plots.
func (f *frame) pastSign() (part, bool) {
	past := f.past()
	if past == nil {
		return part{}, false
	}
	if len(f.loads.past) == 0 {
		return part{style.Dim, "ghost " + pastName(past) + ": no such load"}, true
	}
	return part{style.Dim, f.drawn().GhostPoint + " ghost: " + pastName(past)}, true
}
