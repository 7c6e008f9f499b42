package main

import (
	"fmt"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// reasoner tells why the numbers are no better whenever that changes, and never each second.
type reasoner struct {
	watch analysis.Watch
	// told is the cause that was told last, at the level of so an ID; none tells that nothing was.
	told  analysis.Cause
	level int
	any   bool
}

// news is a line for a cause that is named first and was not told of this level, or for an alarm that is over.
func (r *reasoner) news(s *bench.Snapshot) string {
	d := r.watch.See(s)
	first := d.First()
	switch {
	case d == nil, first == nil && (!r.any || d.Missing != ""):
		return ""
	case first == nil:
		was := r.told
		r.any = false
		if was == analysis.UnderDriven {
			return ""
		}
		return fmt.Sprintf("%s event why at %s: no longer %s, nothing stands out\n", stamp(s.Folded), d.Level.Load, was)
	case r.any && r.told == first.Cause && r.level == d.Level.ID:
		return ""
	}
	r.told, r.level, r.any = first.Cause, d.Level.ID, true
	return fmt.Sprintf("%s event why at %s: %s\n", stamp(s.Folded), d.Level.Load, printable(reasonWords(first)))
}

// field is the cause that is named first as one word, or what is absent.
func (r *reasoner) field(s *bench.Snapshot) string {
	first := r.watch.See(s).First()
	if first == nil {
		return absent
	}
	return strings.ToLower(strings.ReplaceAll(first.Cause.String(), " ", "-"))
}

// reasonWords are a cause with what was seen of it.
func reasonWords(r *analysis.Reason) string {
	return r.Cause.String() + ": " + strings.Join(r.Saw, "; ")
}

// mostWhy is how many loads the summary explains.
const mostWhy = 6

// whyLines explain, a line each, the loads at which something limits the server or breaks a promise: of each load its newest level, the last levels where there
// are many.
func whyLines(s *bench.Snapshot) []string {
	type place struct {
		load bench.Setpoint
		work int
	}
	seen := map[place]bool{}
	var out []string
	more := 0
	for i := len(s.Levels) - 1; i >= 0; i-- {
		l := s.Levels[i]
		at := place{l.Load, l.Work}
		if seen[at] {
			continue
		}
		d := analysis.DiagnoseLevel(s, i)
		first := d.First()
		if d.Missing == "" {
			seen[at] = true
		}
		if first == nil || first.Grade == analysis.Remark {
			continue
		}
		seen[at] = true
		if len(out) == mostWhy {
			more++
			continue
		}
		line := "why at " + l.Load.String() + ": " + printable(reasonWords(first))
		if first.Grade == analysis.Limits {
			line += " (no promise is broken by it)"
		}
		for _, r := range d.Found[1:] {
			if r.Grade != analysis.Remark {
				line += " · also " + r.Cause.String()
			}
		}
		out = append(out, line+" · try "+first.Cause.Cure())
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("why at %d more loads: in the report", more))
	}
	if out == nil && s.Total.Tally.Sent > 0 {
		if first := analysis.Diagnose(s).First(); first != nil && first.Cause == analysis.UnderDriven {
			out = append(out, "why not more: "+printable(reasonWords(first))+" · try to "+first.Cause.Cure())
		}
	}
	return out
}

// reportDiagnosis is why a level's numbers are no better, in a saved summary.
type reportDiagnosis struct {
	Against   *float64       `json:"against_load"`
	NotEnough string         `json:"not_enough_yet"`
	Found     []reportReason `json:"found"`
	NotJudged []reportLack   `json:"not_judged"`
}

type reportReason struct {
	Cause   string   `json:"cause"`
	Grade   string   `json:"grade"`
	Weight  *float64 `json:"weight"`
	Promise string   `json:"explains_promise"`
	Saw     []string `json:"saw"`
	Refuted string   `json:"refuted_by"`
	Cure    string   `json:"try"`
}

type reportLack struct {
	Cause string `json:"cause"`
	Needs string `json:"needs"`
}

func diagnosisOf(s *bench.Snapshot, i int) *reportDiagnosis {
	d := analysis.DiagnoseLevel(s, i)
	out := &reportDiagnosis{NotEnough: d.Missing, Found: []reportReason{}, NotJudged: []reportLack{}}
	if d.Against != nil {
		out.Against = finite(d.Against.Load.N)
	}
	for _, r := range d.Found {
		one := reportReason{Cause: r.Cause.String(), Grade: r.Grade.String(), Weight: finite(r.Weight), Refuted: r.Cause.Refuted(), Cure: r.Cause.Cure(), Saw: []string{}}
		if r.Explains > 0 {
			one.Promise = r.Promise.String()
		}
		for _, saw := range r.Saw {
			one.Saw = append(one.Saw, printable(saw))
		}
		out.Found = append(out.Found, one)
	}
	for _, l := range d.Lacks {
		out.NotJudged = append(out.NotJudged, reportLack{l.Cause.String(), l.Missing})
	}
	return out
}

// markWhy are the reasons as GitHub shows them.
func markWhy(b *strings.Builder, s *bench.Snapshot) {
	lines := whyLines(s)
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n## Why\n")
	for _, line := range lines {
		b.WriteString("\n- " + plainMark(line))
	}
	b.WriteString("\n")
}
