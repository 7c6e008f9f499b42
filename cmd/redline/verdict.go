package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// finding is what the levels of one kind of load say of the promises: the highest load at which all were kept and none was broken, and the lowest at
// which one was broken. Only levels that were long enough at their load count, and of their verdicts only those that rest on enough samples; a level
// holds when every one of its promises has such a verdict, and none is broken. Where one level held a load and another did not, it is not held.
type finding struct {
	kind
	held, broken *bench.Level
	// doubtful is the lowest load of a level that was long enough, and of which a verdict is missing: those of unknown. 0 for none.
	doubtful float64
	unknown  []bench.Threshold
}

// kind is what two loads must have in common to be compared: sixteen in flight are neither more nor less than sixteen a second, and short prompts no
// lighter load of long ones.
type kind struct {
	mode bench.Mode
	work int
}

// longEnough is how long a level must have been measured for a verdict on its load.
const longEnough = 5 * time.Second

// findVerdicts are the findings of each kind of load that was measured, in the order in which they came; one that knows nothing where none was.
func findVerdicts(levels []*bench.Level) []finding {
	var kinds []kind
	of := map[kind][]*bench.Level{}
	for _, l := range levels {
		k := kind{l.Load.Mode, l.Work}
		if !l.Reached.OK || l.Span < longEnough || l.Load.N <= 0 {
			continue
		}
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], l)
	}
	if kinds == nil {
		return []finding{{}}
	}
	var out []finding
	for _, k := range kinds {
		out = append(out, findVerdict(k, of[k]))
	}
	return out
}

// findVerdict is the finding of levels of one kind that were long enough.
func findVerdict(k kind, levels []*bench.Level) finding {
	f := finding{kind: k}
	var held []*bench.Level
	breaks := map[float64]bool{}
	for _, l := range levels {
		kept, broken := judged(l)
		switch {
		case broken:
			breaks[l.Load.N] = true
			if f.broken == nil || l.Load.N < f.broken.Load.N {
				f.broken = l
			}
		case kept:
			held = append(held, l)
		default:
			f.doubt(l)
		}
	}
	for _, l := range held {
		if !breaks[l.Load.N] && (f.held == nil || l.Load.N > f.held.Load.N) {
			f.held = l
		}
	}
	return f
}

// doubt keeps which promises of a level are not known.
func (f *finding) doubt(l *bench.Level) {
	if f.doubtful == 0 || l.Load.N < f.doubtful {
		f.doubtful = l.Load.N
	}
	for _, v := range l.Verdicts {
		if !v.Known && !v.Threshold.Quota() && !slices.Contains(f.unknown, v.Threshold) {
			f.unknown = append(f.unknown, v.Threshold)
		}
	}
}

// verdictLines are the findings, one a line; where there are several, each says of which workload and kind of loop it is.
func verdictLines(s *bench.Snapshot) []string {
	found := findVerdicts(s.Levels)
	modes, works := map[bench.Mode]bool{}, map[int]bool{}
	for _, f := range found {
		modes[f.mode], works[f.work] = true, true
	}
	var out []string
	for _, f := range found {
		text := f.String()
		if len(modes) > 1 {
			text = f.mode.String() + " loop, " + text
		}
		if name := workName(s.Run, f.work); len(works) > 1 && name != "" {
			text = name + ", " + text
		}
		out = append(out, text)
	}
	return out
}

// workName is the name of a workload of a run, printable; empty where there is none.
func workName(r *bench.Run, work int) string {
	if work < 0 || work >= len(r.Works) {
		return ""
	}
	return printable(r.Works[work].Name)
}

// judged tells whether a level is known to have kept all of its promises, and whether it is known to have broken one.
func judged(l *bench.Level) (kept, broken bool) {
	promises, known := 0, 0
	for _, v := range l.Verdicts {
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

// String is the finding in one line.
func (f finding) String() string {
	text := "held: none"
	switch {
	case f.held != nil:
		text = "held: " + f.held.Load.String() + heldBack(f.held)
	case f.broken == nil && len(f.unknown) > 0:
		return "held: not known, too few answers were measured for " + thresholdList(f.unknown)
	case f.broken == nil:
		return "held: not known, no load was measured for long enough"
	case f.doubtful > 0 && f.doubtful < f.broken.Load.N:
		text = "held: not known, too few answers were measured for " + thresholdList(f.unknown)
	}
	if f.broken == nil {
		return text + " · broken at none"
	}
	var which []string
	for _, v := range f.broken.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			which = append(which, breach(v, f.broken))
		}
	}
	text += fmt.Sprintf(" · broken at %s: %s", f.broken.Load, strings.Join(which, ", "))
	if f.held != nil && f.held.Load.N > f.broken.Load.N {
		text += fmt.Sprintf(" (levels %d and %d: the load alone does not decide)", f.held.ID, f.broken.ID)
	}
	return text
}

// heldBack says how much of a load the server had where that was much less: slots waited for a server that limits, or arrivals found no room, and a load
// that it never had says nothing of it.
func heldBack(l *bench.Level) string {
	if l.Load.Mode == bench.Open {
		if t := l.Tally; t.Unsent > 0 {
			return fmt.Sprintf(" (%d of %d arrivals were not sent)", t.Unsent, t.Sent+t.Unsent)
		}
		return ""
	}
	if !l.InFlight.OK || l.InFlight.V > 0.8*l.Load.N {
		return ""
	}
	return fmt.Sprintf(" (only %s in flight on average)", short(l.InFlight.V))
}

// breach is a broken promise as a comparison: "ttft.p95 2.8 s > 2 s"; where what failed or was never sent is what breaks it, whatever the limit, that is
// told in place of a value. What was measured of the others stands behind it.
func breach(v bench.Verdict, l *bench.Level) string {
	t := v.Threshold
	name := strings.ToLower(t.Metric.String())
	if t.At != bench.Mean {
		name += "." + t.At.String()
	}
	sign := ">"
	if t.Floor {
		sign = "<"
	}
	limit := quantity(t.Limit, t.Metric.Unit(), -1)
	value := func(of bench.Value) string {
		text := limit
		for digits := 1; text == limit && digits <= 6; digits++ {
			text = quantity(of.V, t.Metric.Unit(), digits)
		}
		return text
	}
	behind, stat := "", &l.Stats[t.Metric]
	switch measured := stat.At(t.At); {
	case t.Metric == bench.Errors && v.Missed.Unsent > 0:
		// The column's share is of those that were sent.
		name = "errors and unsent"
		if alone := l.Tally.ErrorShare(); alone.OK {
			behind = fmt.Sprintf(" (errors alone %s)", share(alone))
		}
	case v.Missed.All() > 0 && t.Metric != bench.Errors && measured.OK && stat.Readiness != bench.Absent && (v.Beyond || measured != v.Value):
		behind = fmt.Sprintf(" (%s of those that were answered; %v)", value(measured), v.Missed)
	case v.Beyond:
		behind = fmt.Sprintf(" (%v)", v.Missed)
	}
	if v.Beyond {
		return fmt.Sprintf("%s %s %s%s", name, sign, limit, behind)
	}
	return fmt.Sprintf("%s %s %s %s%s", name, value(v.Value), sign, limit, behind)
}

// quantity is a number with its unit, milliseconds from 1000 on as seconds; digits after the point, as many as needed where below 0.
func quantity(v float64, unit string, digits int) string {
	switch {
	case unit == "ms" && v >= 1000:
		v, unit = v/1000, " s"
	case unit == "%":
	default:
		unit = " " + unit
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + unit
}
