package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// finding is what the levels of one kind of load say of the promises, in words.
type finding struct{ analysis.Finding }

// verdictLines are the findings, one a line; where there are several, each says of which workload and kind of loop it is.
func verdictLines(s *bench.Snapshot) []string {
	found := analysis.Findings(s.Levels)
	var kinds []analysis.Kind
	for _, f := range found {
		kinds = append(kinds, f.Kind)
	}
	var out []string
	for i, name := range kindNames(s, kinds) {
		out = append(out, name+finding{found[i]}.String()+briefWords(s, &found[i], kinds)+rampWords(s, &found[i]))
	}
	return out
}

// briefWords are the lightest load that broke a promise, though it was not held for long enough to be one of the finding's: it is in the table, and in what the run comes to.
// Empty where the finding knows of a break at no greater load. The last of the findings' kinds tells of kinds that have none, too: no load of those was held for long.
func briefWords(s *bench.Snapshot, f *analysis.Finding, kinds []analysis.Kind) string {
	var least *bench.Level
	eras := analysis.Eras(s.Levels)
	// A finding that knows of no level is of no kind.
	anything := f.Held != nil || f.Broken != nil || f.Doubtful > 0
	for i, l := range s.Levels {
		_, broken := analysis.Judged(l.Verdicts)
		kind := analysis.Kind{Mode: l.Load.Mode, Work: l.Work, Era: eras[i]}
		switch {
		case !broken || !l.Reached.OK || l.Load.N <= 0 || l.Span >= analysis.LongEnough:
		case anything && f.Kind != kind && (slices.Contains(kinds, kind) || f.Kind != kinds[len(kinds)-1]):
		case f.Kind == kind && f.Broken != nil && f.Broken.Load.Mode == l.Load.Mode && f.Broken.Load.N <= l.Load.N:
		case least == nil || l.Load.N < least.Load.N:
			least = l
		}
	}
	if least == nil {
		return heldBriefly(s, anything)
	}
	return fmt.Sprintf(" · but level %d, at %s for only %s, broke %s", least.ID, least.Load, span(least.Span), strings.Join(breaches(least), ", "))
}

// heldBriefly are the heaviest load that kept every promise, where no load was held for long enough to say so.
func heldBriefly(s *bench.Snapshot, anything bool) string {
	var most *bench.Level
	for _, l := range s.Levels {
		if kept, _ := analysis.Judged(l.Verdicts); kept && l.Reached.OK && l.Load.N > 0 && l.Tally.OK > 0 && (most == nil || l.Load.N > most.Load.N) {
			most = l
		}
	}
	if anything || most == nil {
		return ""
	}
	return fmt.Sprintf(" · level %d, at %s for only %s, kept every promise", most.ID, most.Load, span(most.Span))
}

// breaches are the promises that a level broke, as comparisons.
func breaches(l *bench.Level) []string {
	var out []string
	for _, v := range l.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			out = append(out, breach(v, l))
		}
	}
	return out
}

// rampWords are what the ramp found, where that contradicts the levels; empty where it does not.
func rampWords(s *bench.Snapshot, f *analysis.Finding) string {
	var kept, broken bench.Setpoint
	if f.Held != nil {
		kept = f.Held.Load
	}
	if f.Broken != nil {
		broken = f.Broken.Load
	}
	return contradicted(analysis.Redline(s, f.Kind), kept, broken)
}

// contradicted is the redline of a ramp behind loads of levels that contradict it.
func contradicted(r *bench.Redline, kept, broken bench.Setpoint) string {
	if !analysis.Against(r, kept, broken) {
		return ""
	}
	return fmt.Sprintf(" · by the ramp's trials: %s", r.Load)
}

// kindNames say for each of several kinds of load what it has apart from the others: of which workload and loop it is, and on which side of a note; with a comma
// behind, and empty where all are alike.
func kindNames(s *bench.Snapshot, kinds []analysis.Kind) []string {
	modes, works, eras := map[bench.Mode]bool{}, map[int]bool{}, map[int]bool{}
	newest := 0
	for _, k := range kinds {
		modes[k.Mode], works[k.Work], eras[k.Era] = true, true, true
		newest = max(newest, k.Era)
	}
	var out []string
	for _, k := range kinds {
		text := ""
		if name := workName(s.Run, k.Work); len(works) > 1 && name != "" {
			text += name + ", "
		}
		if len(modes) > 1 {
			text += k.Mode.String() + " loop, "
		}
		switch {
		case len(eras) < 2:
		case k.Era < newest:
			text += fmt.Sprintf("before %q, ", Printable(analysis.NoteOf(s.Levels, k.Era+1)))
		default:
			text += fmt.Sprintf("since %q, ", Printable(analysis.NoteOf(s.Levels, k.Era)))
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
	return Printable(r.Works[work].Name)
}

// String is the finding in one line.
func (f finding) String() string {
	text := "held: none"
	switch {
	case f.Held != nil:
		text = "held: " + f.Held.Load.String() + heldBack(f.Held)
		if word := analysis.FirmnessOf(f.Held).String(); word != "" {
			text = "held: ~" + f.Held.Load.String() + ", " + word + heldBack(f.Held)
		}
	case f.Broken == nil && len(f.Unknown) > 0:
		return "held: not known, too few answers were measured for " + ThresholdList(f.Unknown)
	case f.Broken == nil:
		return "held: not known, no load was measured for long enough"
	case f.Doubtful > 0 && f.Doubtful < f.Broken.Load.N:
		text = "held: not known, too few answers were measured for " + ThresholdList(f.Unknown)
	}
	if f.Broken == nil {
		return text + " · broken at none"
	}
	at := f.Broken.Load.String()
	if word := analysis.FirmnessOf(f.Broken).String(); word != "" {
		at += ", " + word
	}
	text += fmt.Sprintf(" · broken at %s: %s", at, strings.Join(breaches(f.Broken), ", "))
	if f.Undecided() {
		text += fmt.Sprintf(" (levels %d and %d: the load alone does not decide)", f.Held.ID, f.Broken.ID)
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
		if alone := l.Counted.ErrorShare(); alone.OK {
			behind = fmt.Sprintf(" (errors alone %s)", share(alone))
		}
	case v.Missed.All() > 0 && t.Metric != bench.Errors && known(measured) != nil && stat.Readiness != bench.Absent && (v.Beyond || measured != v.Value):
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
