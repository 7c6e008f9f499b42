package analysis

import (
	"cmp"
	"slices"

	"redline/bench"
)

// Diagnosis is why an endpoint does not do better at a level.
type Diagnosis struct {
	// Level is the level it is of, Against the nearest lesser load that it was compared with; nil where there is none.
	Level, Against *bench.Level
	// Found are the causes that hold, the weightiest first. Lacks are those that could not be judged, in the order of Cause.
	Found []Reason
	Lacks []Lack
	// Missing is what the level itself still lacks before anything but what is at once plain can be said of it; empty once it can be judged.
	Missing string
	// Broken are the promises that are known to be broken, as many as there are.
	Broken int
}

// Diagnose is the diagnosis of the present level; nil before there is one.
func Diagnose(s *bench.Snapshot) *Diagnosis {
	if s == nil || s.Run == nil || len(s.Levels) == 0 {
		return nil
	}
	return DiagnoseLevel(s, len(s.Levels)-1)
}

// DiagnoseLevel is that of level i of a snapshot, 0 ≤ i < len(s.Levels). What is known of this moment alone, quotas and the words of failures, speaks of
// the last level only. It reads the snapshot and keeps nothing of it but its levels.
func DiagnoseLevel(s *bench.Snapshot, i int) *Diagnosis {
	g := signalsOf(s, i)
	d := &Diagnosis{Level: g.l, Against: g.k, Broken: len(g.broken), Missing: cmp.Or(measured(g), started(g))}
	for c := range NumCauses {
		r := &rules[c]
		if missing := r.needs(g); missing != "" {
			d.Lacks = append(d.Lacks, Lack{c, missing})
			continue
		}
		if saw, ok := r.see(g); ok {
			g.found[c] = true
			d.Found = append(d.Found, g.reason(c, saw))
		}
	}
	slices.SortStableFunc(d.Found, heavier)
	return d
}

// heavier orders reasons, the weightiest first.
func heavier(a, b Reason) int {
	return cmp.Or(cmp.Compare(b.Grade, a.Grade), cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Cause, b.Cause))
}

// reason weighs what a rule has seen by the broken promise of which it explains most.
func (g *signals) reason(c Cause, s sight) Reason {
	out := Reason{Cause: c, Saw: s.saw}
	explains := 0.0
	for _, v := range g.broken {
		if e := g.explains(v, s); e > explains {
			explains, out.Promise, out.Explains = e, v.Threshold, e
		}
	}
	switch {
	case s.urgent > 0:
		out.Grade, out.Weight = Alarm, max(s.urgent, explains)
	case explains >= leastExplained:
		out.Grade, out.Weight = Alarm, explains
	case s.binds:
		out.Grade, out.Weight = Limits, max(s.first, s.pace, s.failed)/2
	default:
		out.Weight = max(s.first, s.pace, s.failed) / 2
	}
	return out
}

// leastExplained is the share of a broken promise from which on a cause counts as its cause.
const leastExplained = 0.1

// explains is which share of a broken promise a sight explains.
func (g *signals) explains(v bench.Verdict, s sight) float64 {
	missed := 0.0
	if n := v.Missed.All(); n > 0 && BrokenByMissed(v, &g.l.Summary).All() > 0 {
		missed = 1
	}
	first, pace, failed := 0.0, 0.0, missed
	switch v.Threshold.Metric {
	case bench.TTFT, bench.TTFA:
		first = 1 - missed
	case bench.ITL, bench.TPS, bench.TPOT:
		pace = 1 - missed
	case bench.Errors:
		failed = 1
	case bench.E2E:
		first = (1 - missed) * min(quotient(g.l.Stats[bench.TTFT].Mean.V, g.l.Stats[bench.E2E].Mean.V), 1)
		pace = 1 - missed - first
	}
	return first*s.first + pace*s.pace + failed*s.failed
}

// First is the weightiest reason; nil where nothing was found.
func (d *Diagnosis) First() *Reason {
	if d == nil || len(d.Found) == 0 {
		return nil
	}
	return &d.Found[0]
}

// Unexplained tells whether a promise is known to be broken and no cause that was found explains it: what else was found is then not why.
func (d *Diagnosis) Unexplained() bool {
	return d != nil && d.Broken > 0 && !slices.ContainsFunc(d.Found, func(r Reason) bool { return r.Grade == Alarm && r.Weight > aside })
}

// Verdict is what there is to say where no cause was found: what is missing, that a promise is broken by none that could be judged, or that nothing stands out.
func (d *Diagnosis) Verdict() string {
	const without, though = "not known without ", ", though a promise is broken"
	switch {
	case d.Missing != "" && d.Broken > 0:
		return without + d.Missing + though
	case d.Missing != "":
		return "not enough yet: " + d.Missing
	case d.Broken == 0:
		return "nothing stands out"
	}
	for _, c := range []Cause{Queueing, DecodeBound, PrefillBound} {
		for _, l := range d.Lacks {
			if l.Cause == c {
				return without + l.Missing + though
			}
		}
	}
	return "not known yet" + though
}

// Has tells whether a cause was found.
func (d *Diagnosis) Has(c Cause) bool {
	return d != nil && slices.ContainsFunc(d.Found, func(r Reason) bool { return r.Cause == c })
}
