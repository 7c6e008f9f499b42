package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"redline/bench"
)

// finding is what the levels say of the promises: the highest load at which all were kept and none was broken, and the lowest at which one was
// broken. Only levels that were long enough at their load count, and of their verdicts only those that rest on enough samples; a level holds
// when every one of its promises has such a verdict, and none is broken. Where one level held a load and another did not, it is not held.
type finding struct {
	held, broken *bench.Level
	// doubtful is the lowest load of a level that was long enough, and of which a verdict is missing: those of unknown. 0 for none.
	doubtful int
	unknown  []bench.Threshold
}

// longEnough is how long a level must have been measured for a verdict on its load.
const longEnough = 5 * time.Second

func findVerdict(levels []*bench.Level) finding {
	var f finding
	var held []*bench.Level
	breaks := map[int]bool{}
	for _, l := range levels {
		if !l.Reached.OK || l.Span < longEnough {
			continue
		}
		kept, broken := judged(l)
		switch {
		case broken:
			breaks[l.Load] = true
			if f.broken == nil || l.Load < f.broken.Load {
				f.broken = l
			}
		case kept:
			held = append(held, l)
		case l.Load > 0:
			f.doubt(l)
		}
	}
	for _, l := range held {
		if !breaks[l.Load] && (f.held == nil || l.Load > f.held.Load) {
			f.held = l
		}
	}
	return f
}

// doubt keeps which promises of a level are not known.
func (f *finding) doubt(l *bench.Level) {
	if f.doubtful == 0 || l.Load < f.doubtful {
		f.doubtful = l.Load
	}
	for _, v := range l.Verdicts {
		if !v.Known && !v.Threshold.Quota() && !slices.Contains(f.unknown, v.Threshold) {
			f.unknown = append(f.unknown, v.Threshold)
		}
	}
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
		text = fmt.Sprintf("held: %d", f.held.Load) + heldBack(f.held)
	case f.broken == nil && len(f.unknown) > 0:
		return "held: not known, too few answers were measured for " + thresholdList(f.unknown)
	case f.broken == nil:
		return "held: not known, no load was measured for long enough"
	case f.doubtful > 0 && f.doubtful < f.broken.Load:
		text = "held: not known, too few answers were measured for " + thresholdList(f.unknown)
	}
	if f.broken == nil {
		return text + " · broken at none"
	}
	var which []string
	for _, v := range f.broken.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			which = append(which, breach(v))
		}
	}
	text += fmt.Sprintf(" · broken at %d: %s", f.broken.Load, strings.Join(which, ", "))
	if f.held != nil && f.held.Load > f.broken.Load {
		text += fmt.Sprintf(" (levels %d and %d: the load alone does not decide)", f.held.ID, f.broken.ID)
	}
	return text
}

// heldBack says how many requests were in flight where that was much less than the load: slots waited for a server that limits, and a load that it
// never had says nothing of it.
func heldBack(l *bench.Level) string {
	if !l.InFlight.OK || l.InFlight.V > 0.8*float64(l.Load) {
		return ""
	}
	return fmt.Sprintf(" (only %s in flight on average)", short(l.InFlight.V))
}

// breach is a broken promise as a comparison: "ttft.p95 2.8 s > 2 s".
func breach(v bench.Verdict) string {
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
	value := limit
	for digits := 1; value == limit && digits <= 6; digits++ {
		value = quantity(v.Value.V, t.Metric.Unit(), digits)
	}
	return fmt.Sprintf("%s %s %s %s", name, value, sign, limit)
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
