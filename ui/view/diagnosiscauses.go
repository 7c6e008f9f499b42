package view

import (
	"math"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/style"
)

// causes are why the numbers of the present level are no better: each cause with what was seen, what would refute it, and where to look for a cure.
func (f *frame) causes() section {
	s := section{title: "why"}
	d := f.diagnosis()
	if d == nil {
		f.say(&s, "none", style.Dim, "nothing has been measured yet")
		return s
	}
	s.title += ", at " + named(d.Level.Load)
	if d.Against != nil {
		s.title += " against " + named(d.Against.Load)
	}
	for i := range d.Found {
		f.reason(&s, &d.Found[i])
	}
	if d.Missing != "" || len(d.Found) == 0 || d.Unexplained() {
		f.say(&s, "verdict", style.FG, d.Verdict())
	}
	return s
}

// reason adds a cause with its evidence.
func (f *frame) reason(s *section, r *analysis.Reason) {
	look := gradeLook(r.Grade)
	name := []part{{look, f.gradeMark(r.Grade) + " " + r.Cause.String()}}
	if text := weighed(r); text != "" {
		name = append(name, part{style.Dim, ", " + text})
	}
	s.lines = append(s.lines, name)
	f.say(s, "  saw", style.FG, strings.Join(r.Saw, "; "))
	f.say(s, "  refuted by", style.Dim, r.Cause.Refuted())
	f.say(s, "  try", style.FG, r.Cause.Cure())
}

// gradeMark is the sign of a grade.
func (f *frame) gradeMark(g analysis.Grade) string {
	switch g {
	case analysis.Alarm:
		return f.g.Fail
	case analysis.Limits:
		return f.g.Warn
	}
	return f.g.Event
}

// weighed is how much a cause matters, in words.
func weighed(r *analysis.Reason) string {
	switch {
	case r.Explains > 0:
		return "explains " + percent(bench.Some(math.Round(100*min(r.Explains, 1)))) + " of " + subject(r.Promise)
	case r.Grade == analysis.Alarm && r.Weight >= 1:
		return "to be settled before all else"
	case r.Grade == analysis.Limits:
		return "limits, though no promise is broken by it"
	}
	return ""
}

// unseen are the causes that were looked for and not seen, and those that could not be looked for, by what is missing.
func (f *frame) unseen() section {
	s := section{title: "other causes"}
	d := f.diagnosis()
	if d == nil {
		return s
	}
	var not []string
	for c := range analysis.NumCauses {
		lacks := slices.ContainsFunc(d.Lacks, func(l analysis.Lack) bool { return l.Cause == c })
		if c != analysis.UnderDriven && !d.Has(c) && !lacks {
			not = append(not, c.String())
		}
	}
	f.say(&s, "not seen", style.FG, strings.Join(not, ", "))
	var told []string
	for _, l := range d.Lacks {
		if slices.Contains(told, l.Missing) {
			continue
		}
		told = append(told, l.Missing)
		var same []string
		for _, o := range d.Lacks {
			if o.Missing == l.Missing {
				same = append(same, o.Cause.String())
			}
		}
		f.say(&s, "not judged", style.Dim, strings.Join(same, ", ")+": not without "+l.Missing)
	}
	return s
}

// lookOn says where to look for what this page does not tell.
func (f *frame) lookOn() section {
	s := section{title: "look on"}
	f.say(&s, "load", style.Dim, "what came of each: "+f.st.Keys.Key(action.ShowCurve)+" Curve")
	f.say(&s, "when", style.Dim, "and for which prompts: "+f.st.Keys.Key(action.ShowHeat)+" Heat")
	f.say(&s, "requests", style.Dim, "slow or failed ones: "+f.st.Keys.Key(action.ShowRequests)+" Requests")
	f.say(&s, "server", style.Dim, "quotas, caches, its own words: "+f.st.Keys.Key(action.ShowServer)+" Server")
	return s
}
