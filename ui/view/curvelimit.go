package view

import (
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// undecided is what to say where a higher load keeps what a lower one broke.
const undecided = "the load alone does not decide"

// through says which requests break a promise that what was measured keeps: " by failures"; empty where there are none.
func through(m bench.Missed) string {
	switch {
	case m.Failed > 0 && m.Unsent > 0:
		return " by failed, unsent"
	case m.Failed > 0:
		return " by failures"
	case m.Unsent > 0:
		return " by unsent"
	}
	return ""
}

// limitWords are the load up to which every promise is kept, and which one binds; before that what a ramp found, where that is another.
func (f *frame) limitWords() (string, []part) {
	load, words := f.levelLimit()
	if r := f.loads.redline; r != nil {
		words = append([]part{{style.Warn, "the ramp: " + named(r.Load)}, {style.Dim, "; "}}, words...)
	}
	return load, words
}

// levelLimit is the limit by the levels alone.
func (f *frame) levelLimit() (string, []part) {
	l := f.loads.limit
	promise := l.Threshold.Metric.String() + " " + l.Threshold.At.String()
	if l.Threshold.Metric == bench.Errors {
		promise = "errors"
	}
	is := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(inWords(l.Threshold), "≤"), "≥"), " ")
	switch l.Bound {
	case analysis.NotReached:
		if load, words := f.brokenInPassing(); words != nil {
			return load, words
		}
		out := []part{{style.Dim, "no promise broken"}}
		if next, ok := f.worthTrying(); ok && f.loads.bend == analysis.Bent {
			out = append(out, part{style.Dim, ": try "}, part{style.Strong, named(next)})
		}
		return ">" + about(l.Rough) + named(l.Kept), out
	case analysis.Below:
		return "<" + about(l.Rough) + named(l.Broken), f.breaksWords(promise)
	case analysis.Doubtful:
		return chart.Absent, f.breaksWords(promise)
	case analysis.Undecided:
		return chart.Absent, []part{{style.Bad, named(l.Broken) + " breaks"}, {style.Dim, ", "}, {style.Good, named(l.Kept) + " keeps"}, {style.Dim, ": " + undecided}}
	case analysis.Between:
		if l.At.OK && !f.brokenHere() {
			return about(l.Rough) + named(l.Load()), []part{{style.Dim, promise + " = " + is}}
		}
		return about(l.Rough) + named(l.Load()), f.breaksWords(promise)
	}
	if load, words := f.brokenInPassing(); words != nil {
		return load, words
	}
	for _, t := range f.s.Run.Thresholds {
		if !t.Quota() {
			return chart.Absent, []part{{style.Dim, "not all promises are known yet"}}
		}
	}
	return chart.Absent, []part{{style.Dim, "no promise is set"}}
}

// brokenHere tells whether the load that breaks the binding promise is the present one, and has not settled.
func (f *frame) brokenHere() bool {
	return slices.ContainsFunc(f.loads.all, func(o standing) bool { return o.settles() && o.load() == f.loads.limit.Broken })
}

// breaksWords are at which load a promise breaks, and how certain that is.
func (f *frame) breaksWords(promise string) []part {
	at := named(f.loads.limit.Broken)
	if f.brokenHere() {
		return []part{{style.Bad, "broken at " + at}, {style.Dim, ", still settling"}, {style.Dim, ": " + promise}}
	}
	out := []part{{style.Bad, promise}, {style.Dim, " breaks at " + at}}
	if text := through(f.loads.limit.Missed); text != "" {
		// What breaks it matters more than where, which the table says.
		out = []part{{style.Bad, promise}, {style.Dim, " breaks" + text}, {style.Dim, " at " + at}}
	}
	return out
}

// brokenInPassing is what to say where promises broke, but only at levels that were touched, or of which one has only just begun; nothing where none did.
func (f *frame) brokenInPassing() (string, []part) {
	kept := chart.Absent
	if f.loads.limit.Kept.N > 0 {
		kept = "~" + named(f.loads.limit.Kept)
	}
	for _, o := range slices.Backward(f.loads.all) {
		if o.earlier || !o.breached() {
			continue
		}
		at := named(o.load())
		if o.settles() {
			return kept, []part{{style.Bad, "broken at " + at}, {style.Dim, ", still settling"}}
		}
		return kept, []part{{style.Warn, "broken in passing"}, {style.Dim, " at " + at}}
	}
	return "", nil
}
