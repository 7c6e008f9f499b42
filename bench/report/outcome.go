package report

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// Came is what a run came to, the better before the worse.
type Came uint8

const (
	// Held: every promise was judged, at one level or more, and broken at none; or there is none, and requests ended well.
	Held Came = iota
	// Unjudged: some promise was judged at no level, and none was broken.
	Unjudged
	// Broken: a promise was broken at a level, or the target was down for a while.
	Broken
	// Saturated: the client did not keep up, so that the numbers may be its own.
	Saturated
	// Nothing: no request ended well.
	Nothing
)

// String is the word for it.
func (c Came) String() string {
	return [...]string{"held", "not judged", "broken", "client saturated", "nothing succeeded", "", "", ""}[c&7]
}

// Judge is what a run came to, and why, a sentence for each reason. Of several targets all have to hold, so that the worst counts.
//
// A level counts for a promise once its load was reached and the promise's number is ready, which takes 20 samples from then on: one that was left before that says nothing
// for it, nor against it. Promises that the run began with count, too, where they were changed while it ran. Of a ramp its outcome counts instead of its levels, unless the target was down, and of a cruise all promises but the one at whose edge it keeps the load.
func Judge(s *bench.Snapshot) (Came, []string) {
	s = Begun(s)
	if s.Rivals == nil {
		return judge(s)
	}
	var worst Came
	var because []string
	for i, of := range s.Rivals.Of {
		came, why := judge(of)
		if came < worst {
			continue
		}
		if came > worst {
			worst, because = came, nil
		}
		for _, text := range why {
			because = append(because, targetWords(s.Rivals, i)+": "+text)
		}
	}
	return worst, because
}

// judge is what became of one target.
func judge(s *bench.Snapshot) (Came, []string) {
	t := s.Total.Tally
	if t.OK+s.Forgotten.OK == 0 {
		return Nothing, []string{nothingWords(s)}
	}
	if r := s.Ramping; r != nil && r.Ramp != nil {
		came, because := rampCame(r)
		if text := outageWords(s); text != "" {
			// It says nothing of the loads, and breaks the run all the same.
			came, because = max(came, Broken), append([]string{text}, because...)
		}
		return came, because
	}
	if why := saturated(s); len(why) > 0 {
		return Saturated, why
	}
	var broken, unjudged []string
	if text := outageWords(s); text != "" {
		broken = append(broken, text)
	}
	hold := func(p bench.Threshold, was string) {
		if c := s.Cruising; c != nil && c.Cruise != nil && p.Same(c.Cruise.Threshold) {
			return
		}
		known, at := heldAt(s, p)
		switch {
		case len(at) > 0:
			broken = append(broken, brokenWords(p, at)+was)
		case !known:
			unjudged = append(unjudged, p.String()+was+" was judged at no level: "+unknownWords(s, p))
		}
	}
	for _, p := range promised(s.Run.Thresholds) {
		hold(p, "")
	}
	for _, p := range promised(s.Promised) {
		if !slices.Contains(s.Run.Thresholds, p) {
			// Who changes a promise does not keep it.
			hold(p, " (promised at the start)")
		}
	}
	switch {
	case len(broken) > 0:
		return Broken, broken
	case len(unjudged) > 0:
		return Unjudged, unjudged
	}
	return Held, nil
}

// nothingWords are why nothing succeeded.
func nothingWords(s *bench.Snapshot) string {
	t := s.Total.Tally
	if t.Sent == 0 {
		return noneSent(s)
	}
	var classes []string
	for o := bench.OK + 1; o < bench.NumOutcomes; o++ {
		if n := t.By[o]; n > 0 {
			classes = append(classes, fmt.Sprintf("%s ×%d", o, n))
		}
	}
	text := fmt.Sprintf("none of %d requests ended well", t.Sent)
	if len(classes) > 0 {
		text += ": " + strings.Join(classes, ", ")
	}
	return text
}

// rampCame is the outcome of a search for the redline.
func rampCame(r *bench.Ramping) (Came, []string) {
	switch {
	case r.Found != nil && r.Phase == bench.RampFound && r.Found.AtLeast():
		return Saturated, []string{fmt.Sprintf("the redline is at least %s: the client could ask for no more", r.Found.Load)}
	case r.Phase == bench.RampFound || r.Phase == bench.RampOpen:
		return Held, nil
	case r.Phase == bench.RampNone:
		return Broken, []string{"no load keeps every promise"}
	}
	return Unjudged, []string{"the redline was not found: the search has not come to its end"}
}

// heldAt tells whether a promise is known at any level, and at which levels it is known to be broken.
func heldAt(s *bench.Snapshot, p bench.Threshold) (known bool, broken []*bench.Level) {
	for _, l := range s.Levels {
		if v, ok := verdictOf(l, p); ok {
			if known = true; v.Broken {
				broken = append(broken, l)
			}
		}
	}
	return known, broken
}

// verdictOf is what a level says of a promise, in force or not; ok is false where it says nothing.
func verdictOf(l *bench.Level, p bench.Threshold) (bench.Verdict, bool) {
	if !l.Reached.OK || l.Load.N <= 0 {
		return bench.Verdict{}, false
	}
	if i := slices.IndexFunc(l.Verdicts, func(v bench.Verdict) bool { return v.Threshold == p }); i >= 0 {
		return l.Verdicts[i], l.Verdicts[i].Known
	}
	v := p.Judge(&l.Summary)
	return v, v.Known
}

// brokenWords are where and by how much a promise was broken: at the first of the levels.
func brokenWords(p bench.Threshold, at []*bench.Level) string {
	l := at[0]
	v, _ := verdictOf(l, p)
	text := fmt.Sprintf("%s at %s (level %d)", breach(v, l), l.Load, l.ID)
	if n := len(at) - 1; n == 1 {
		text += fmt.Sprintf(" and at %s (level %d)", at[1].Load, at[1].ID)
	} else if n > 1 {
		text += fmt.Sprintf(" and at %d levels more", n)
	}
	return text
}

// unknownWords are why a promise could not be judged.
func unknownWords(s *bench.Snapshot, p bench.Threshold) string {
	most := 0
	for _, l := range s.Levels {
		switch {
		case !l.Reached.OK:
		case p.Metric == bench.Errors:
			most = max(most, l.Counted.Owed())
		default:
			most = max(most, l.Stats[p.Metric].N)
		}
	}
	switch {
	case bursting(&s.Total) && (p.Metric == bench.ITL || p.Metric == bench.TPOT || p.Metric == bench.TPS):
		return burstWords
	case most == 0:
		return fmt.Sprintf("it takes %d samples from when the load is reached, and there are none", bench.ReadySamples)
	case most < bench.ReadySamples:
		return fmt.Sprintf("it takes %d samples from when the load is reached, and there are at most %d", bench.ReadySamples, most)
	}
	return fmt.Sprintf("of its samples, at most %d in a level, too many are from before the load had settled", most)
}

// outageWords are how often and for how long the target was down; empty where it was not. What failed then is in no level.
func outageWords(s *bench.Snapshot) string {
	text := ""
	switch n := s.Outages.N; {
	case n == 0:
		return ""
	case n == 1:
		text = "the target was down"
	default:
		text = fmt.Sprintf("the target was down %d times", n)
	}
	until := s.At
	if s.Tail.Began.OK {
		until = s.Tail.Began.At
	}
	if lasted := s.Outages.Time(until); lasted > 0 {
		text += ", for " + span(lasted)
	}
	return text
}

// Share of a level in which the client may be saturated, and seconds of it, before what was measured there is not taken for the target's. They are those from which on
// the diagnosis of a level names the client.
const (
	strainedShare   = 0.05
	strainedSeconds = 2
)

// saturated are the levels of which the client itself may be what was measured.
func saturated(s *bench.Snapshot) []string {
	var out []string
	for _, l := range s.Levels {
		n := l.Strained[1]
		if !l.Reached.OK || n < strainedSeconds || float64(n) < strainedShare*l.Span.Seconds() || !analysis.Measured(l) {
			continue
		}
		text := fmt.Sprintf("the client was saturated in %d of %s at %s (level %d)", n, span(l.Span), l.Load, l.ID)
		if why := s.Lapses[1].Why; why != "" {
			text += ": " + Printable(why)
		}
		out = append(out, text)
	}
	return out
}
