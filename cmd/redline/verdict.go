package main

import (
	"fmt"
	"strconv"
	"strings"

	"redline/bench"
)

// finding is what the levels say of the promises: the highest load at which all were kept, and the lowest at which one was broken. Only
// verdicts that rest on enough samples count.
type finding struct {
	held, broken *bench.Level
}

func findVerdict(levels []*bench.Level) finding {
	var f finding
	for _, l := range levels {
		promises, kept, broken := 0, 0, false
		for _, v := range l.Verdicts {
			if v.Threshold.Quota() {
				continue
			}
			promises++
			if v.Known && v.Broken {
				broken = true
			} else if v.Known {
				kept++
			}
		}
		switch {
		case broken && (f.broken == nil || l.Load < f.broken.Load):
			f.broken = l
		case !broken && promises > 0 && kept == promises && (f.held == nil || l.Load > f.held.Load):
			f.held = l
		}
	}
	return f
}

// String is the finding in one line.
func (f finding) String() string {
	if f.held == nil && f.broken == nil {
		return "held: not known, no level gave enough samples for every promise"
	}
	text := "held: none"
	if f.held != nil {
		text = fmt.Sprintf("held: %d", f.held.Load)
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
	if f.held != nil && f.held.Load >= f.broken.Load {
		text += fmt.Sprintf(" (levels %d and %d: the load alone does not decide)", f.held.ID, f.broken.ID)
	}
	return text
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
