package analysis

import (
	"cmp"
	"slices"

	"redline/bench"
)

// Load is a load that was measured: the level that stands for it, and its other visits, oldest first.
type Load struct {
	Level *bench.Level
	Past  []*bench.Level
	// Drift is what drifts in Level; nil where nothing does. A level that drifts is behind neither the knee nor the law, but breaks promises like any other.
	Drift *Drift
}

// Curve is loads that can be compared, and what follows from them: they are of one mode and workload, and no note lies between them, since a note tells of
// something that has changed.
type Curve struct {
	Kind
	// Loads are the least first.
	Loads []Load
	Knee  Point
	Bend  Bend
	// Rough: some level behind the knee is not firm.
	Rough bool
	Limit Limit
	// seen are the levels behind the knee, for the law.
	seen []shown
}

// Standing are the levels that stand for the loads, the least load first.
func (c *Curve) Standing() []*bench.Level {
	out := make([]*bench.Level, 0, len(c.Loads))
	for _, o := range c.Loads {
		out = append(out, o.Level)
	}
	return out
}

// Eras are for each level how many notes have begun up to it, itself included.
func Eras(levels []*bench.Level) []int {
	out := make([]int, len(levels))
	era := 0
	for i, l := range levels {
		if noted(l) {
			era++
		}
		out[i] = era
	}
	return out
}

// noted tells whether a level began with a note: at it, or after one that was written while nothing could be measured.
func noted(l *bench.Level) bool { return l.Cause == bench.CauseNote || l.Note != "" }

// NoteOf is the note with which an era began; empty for the first, and where there is no such era.
func NoteOf(levels []*bench.Level, era int) string {
	for _, l := range levels {
		if !noted(l) {
			continue
		}
		if era--; era == 0 {
			return l.Note
		}
	}
	return ""
}

// Curves are all that can be made of the levels, in the order in which they were begun. The last level is the present one while the run goes on. Levels that
// have measured nothing, and those that stood still, are on none. Without promises levels are held to those of their own verdicts.
func Curves(levels []*bench.Level, promises []bench.Threshold, over bool) []Curve {
	verdicts := by(promises)
	if promises == nil {
		verdicts = told
	}
	at := map[Kind]int{}
	var out []Curve
	eras := Eras(levels)
	for i, l := range levels {
		if !(l.Load.N > 0 && l.Load.N <= 1e9) || !Measured(l) {
			continue
		}
		k := Kind{l.Load.Mode, l.Work, eras[i]}
		if _, ok := at[k]; !ok {
			at[k] = len(out)
			out = append(out, Curve{Kind: k})
		}
		out[at[k]].visit(l, verdicts, !over && i == len(levels)-1)
	}
	for i := range out {
		c := &out[i]
		slices.SortStableFunc(c.Loads, func(a, b Load) int { return cmp.Compare(a.Level.Load.N, b.Level.Load.N) })
		c.answer(verdicts)
	}
	return out
}

// visit takes a level in. The newest visit of a load stands for it, unless it was left before it settled. The present one stands as soon as it is known to
// break a promise: that is news which does not wait.
func (c *Curve) visit(l *bench.Level, verdicts judge, present bool) {
	i := slices.IndexFunc(c.Loads, func(o Load) bool { return o.Level.Load == l.Load })
	if i < 0 {
		c.Loads = append(c.Loads, Load{Level: l})
		return
	}
	o := &c.Loads[i]
	_, broken := Judged(verdicts(l))
	switch {
	case Decided(l), present && broken, !Decided(o.Level) && (!Touched(l) || Touched(o.Level)):
		o.Level, l = l, o.Level
	}
	o.Past = append(o.Past, l)
	slices.SortStableFunc(o.Past, func(a, b *bench.Level) int { return cmp.Compare(a.ID, b.ID) })
}

// leastPace is from how many streams on the output rate of a level that was left before it settled is a point of the curve, if a rough one.
const leastPace = bench.ReadySamples / 2

// shows tells whether the output rate of a level that has not settled can be a point of the curve: once it is ready in itself, or with half of its samples where there
// will be no more.
func shows(l *bench.Level) bool {
	pace := &l.Stats[bench.TPS]
	return !Touched(l) && l.Short == bench.InFull && (pace.Readiness == bench.Ready || l.Ended.OK && pace.N >= leastPace)
}

// answer finds the knee and the limit. A ramp leaves levels as soon as it knows what it asks of them, before they settle. For the limit
// all visits count, as in a Finding.
func (c *Curve) answer(verdicts judge) {
	var points []Point
	var all []*bench.Level
	for i := range c.Loads {
		o := &c.Loads[i]
		l := o.Level
		if d, ok := DriftOf(l); ok {
			o.Drift = &d
		}
		settled := l.State == bench.Settled
		if l.OutputRate.OK && o.Drift == nil && (settled || shows(l)) {
			points = append(points, Point{X: l.Load.N, Y: l.OutputRate.V})
			c.Rough = c.Rough || !settled
			if s, ok := shownBy(l); ok {
				c.seen = append(c.seen, s)
			}
		}
		all = append(append(all, o.Past...), l)
	}
	c.Knee, c.Bend = Knee(points)
	slices.SortStableFunc(all, func(a, b *bench.Level) int { return cmp.Compare(a.ID, b.ID) })
	c.Limit = limit(all, verdicts)
}
