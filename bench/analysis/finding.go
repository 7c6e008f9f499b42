package analysis

import (
	"slices"
	"time"

	"redline/bench"
)

// LongEnough is how long a level must have been measured for a verdict on its load.
const LongEnough = 5 * time.Second

// Kind is what two loads must have in common to be compared: sixteen in flight are neither more nor less than sixteen a second, and short prompts no
// lighter load of long ones; and a note tells of something that has changed.
type Kind struct {
	Mode bench.Mode
	Work int
	// Era is how many notes came before.
	Era int
}

// Finding is what the levels of one kind of load say of the promises: the highest load at which all were kept and none was broken, and the lowest at
// which one was broken. Only levels that were long enough at their load count, and of their verdicts only those that rest on enough samples; a level
// holds when every one of its promises has such a verdict, and none is broken. Where one level held a load and another did not, it is not held.
type Finding struct {
	Kind
	// Held and Broken are levels at those loads; nil where there is none.
	Held, Broken *bench.Level
	// Doubtful is the lowest load of a level that was long enough, and of which a verdict is missing: those of Unknown. 0 for none.
	Doubtful float64
	Unknown  []bench.Threshold
}

// Findings are those of each kind of load that was measured, in the order in which they came; one that knows nothing where none was. Levels are held to
// the promises of their own verdicts.
func Findings(levels []*bench.Level) []Finding {
	var kinds []Kind
	of := map[Kind][]*bench.Level{}
	eras := Eras(levels)
	for i, l := range levels {
		k := Kind{l.Load.Mode, l.Work, eras[i]}
		if !counts(l) {
			continue
		}
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], l)
	}
	if kinds == nil {
		return []Finding{{}}
	}
	var out []Finding
	for _, k := range kinds {
		out = append(out, find(k, of[k], told))
	}
	return out
}

// counts tells whether a level was long enough at its load.
func counts(l *bench.Level) bool {
	return l.Reached.OK && l.Span >= LongEnough && l.Load.N > 0 && l.Load.N <= 1e9
}

// find is the finding of levels of one kind that were long enough.
func find(k Kind, levels []*bench.Level, verdicts judge) Finding {
	f := Finding{Kind: k}
	var held []*bench.Level
	breaks := map[float64]bool{}
	for _, l := range levels {
		all := verdicts(l)
		kept, broken := Judged(all)
		switch {
		case broken:
			breaks[l.Load.N] = true
			if f.Broken == nil || l.Load.N < f.Broken.Load.N {
				f.Broken = l
			}
		case kept:
			held = append(held, l)
		default:
			f.doubt(l, all)
		}
	}
	for _, l := range held {
		if !breaks[l.Load.N] && (f.Held == nil || l.Load.N > f.Held.Load.N) {
			f.Held = l
		}
	}
	return f
}

// doubt keeps which promises of a level are not known.
func (f *Finding) doubt(l *bench.Level, verdicts []bench.Verdict) {
	if f.Doubtful == 0 || l.Load.N < f.Doubtful {
		f.Doubtful = l.Load.N
	}
	for _, v := range verdicts {
		if !v.Known && !v.Threshold.Quota() && !slices.Contains(f.Unknown, v.Threshold) {
			f.Unknown = append(f.Unknown, v.Threshold)
		}
	}
}

// Undecided tells whether a higher load held than one that did not: then something else than the load decides, too.
func (f *Finding) Undecided() bool {
	return f.Held != nil && f.Broken != nil && f.Held.Load.N > f.Broken.Load.N
}

// Judged tells whether all promises of a level are known to be kept, and whether one is known to be broken.
func Judged(verdicts []bench.Verdict) (kept, broken bool) {
	promises, known := 0, 0
	for _, v := range verdicts {
		if v.Threshold.Quota() {
			continue
		}
		promises++
		if v.Known {
			known++
			broken = broken || v.Broken
		}
	}
	return promises > 0 && known == promises && !broken, broken
}

// BrokenByMissed are the requests that failed or were never sent, where a promise is broken through them alone: what was measured keeps it. They are none
// for a promise that is kept, and for one that what was measured breaks too.
func BrokenByMissed(v bench.Verdict, s *bench.Summary) bench.Missed {
	measured := s.Stats[v.Threshold.Metric].At(v.Threshold.At)
	missed := v.Missed
	if v.Threshold.Metric == bench.Errors {
		// Failures are what this one is about.
		measured, missed.Failed = s.Tally.ErrorShare(), 0
	}
	if !v.Broken || !measured.OK || v.Threshold.Broken(measured.V) {
		return bench.Missed{}
	}
	return missed
}
