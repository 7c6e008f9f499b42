package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/analysis"
)

// reasoner tells why the numbers are no better whenever that changes, and never each second.
type reasoner struct {
	watch analysis.Watch
	// told is the cause that was told last, at the level of so an ID; any tells that one was.
	told  analysis.Cause
	level int
	any   bool
	// quiet is since when another level than that one has had none to tell, or -1.
	quiet time.Duration
}

// newLevel is how long a new level must have shown no cause before the one of the level before it is said to be over.
const newLevel = 5 * time.Second

// news is a line for a cause that is named first and was not told of this level, or for an alarm that is over.
func (r *reasoner) news(s *bench.Snapshot) string {
	d := r.watch.See(s)
	first := leading(d)
	switch {
	case d == nil:
		return ""
	case first == nil:
		return r.over(s, d)
	}
	r.quiet = -1
	if r.any && r.told == first.Cause && r.level == d.Level.ID {
		return ""
	}
	r.told, r.level, r.any = first.Cause, d.Level.ID, true
	return fmt.Sprintf("%s event why at %s: %s\n", stamp(s.Folded), d.Level.Load, Printable(reasonWords(first)))
}

// over is a line for a cause that was told and holds no more. At the beginning of another level it may only not show yet.
func (r *reasoner) over(s *bench.Snapshot, d *analysis.Diagnosis) string {
	fresh := r.level != d.Level.ID
	lacks := slices.ContainsFunc(d.Lacks, func(l analysis.Lack) bool { return l.Cause == r.told })
	if !r.any || d.Missing != "" || fresh && lacks {
		r.quiet = -1
		return ""
	}
	if fresh {
		if r.quiet < 0 {
			r.quiet = s.Folded
		}
		if s.Folded-r.quiet < newLevel {
			return ""
		}
	}
	was := r.told
	r.any = false
	if was == analysis.UnderDriven {
		return ""
	}
	gap := ", "
	if d.Unexplained() {
		gap = ", and why now is "
	}
	return fmt.Sprintf("%s event why at %s: no longer %s%s%s\n", stamp(s.Folded), d.Level.Load, was, gap, d.Verdict())
}

// leading is the cause to be named first; nil where there is none, or where a promise is broken that none explains.
func leading(d *analysis.Diagnosis) *analysis.Reason {
	if d.Unexplained() {
		return nil
	}
	return d.First()
}

// field is the cause that is named first as one word, or what is absent.
func (r *reasoner) field(s *bench.Snapshot) string {
	first := leading(r.watch.See(s))
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
// are many. What else is to be known when the numbers are read follows, a line for each remark.
func whyLines(s *bench.Snapshot) []string {
	var out []string
	more := 0
	all := newestDiagnoses(s)
	for _, d := range all {
		line := whyLine(d)
		switch {
		case line == "":
		case len(out) == mostWhy:
			more++
		default:
			out = append(out, line)
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("why at %d more loads: in the report", more))
	}
	if out == nil && s.Total.Tally.Sent > 0 {
		if first := analysis.Diagnose(s).First(); first != nil && first.Cause == analysis.UnderDriven {
			out = append(out, "why not more: "+Printable(reasonWords(first))+" · try to "+first.Cause.Cure())
		}
	}
	return append(out, remarkLines(all)...)
}

// newestDiagnoses are those of each load's newest level that can be judged, or of its newest that breaks a promise where none can; the newest level first.
func newestDiagnoses(s *bench.Snapshot) []*analysis.Diagnosis {
	type place struct {
		load bench.Setpoint
		work int
	}
	seen := map[place]bool{}
	short := map[place]*analysis.Diagnosis{}
	var out []*analysis.Diagnosis
	for i := len(s.Levels) - 1; i >= 0; i-- {
		l := s.Levels[i]
		at := place{l.Load, l.Work}
		if seen[at] {
			continue
		}
		d := analysis.DiagnoseLevel(s, i)
		seen[at] = d.Missing == "" || len(d.Found) > 0
		switch {
		case seen[at]:
			out = append(out, d)
		case d.Broken > 0 && short[at] == nil:
			short[at] = d
			out = append(out, d)
		}
	}
	return slices.DeleteFunc(out, func(d *analysis.Diagnosis) bool {
		at := place{d.Level.Load, d.Level.Work}
		return short[at] == d && seen[at]
	})
}

// whyLine is why a load does no better; empty where nothing limits it and no promise is broken.
func whyLine(d *analysis.Diagnosis) string {
	first := d.First()
	switch {
	case d.Unexplained():
		return "why at " + d.Level.Load.String() + ": " + d.Verdict()
	case first == nil, first.Grade == analysis.Remark:
		return ""
	}
	line := "why at " + d.Level.Load.String() + ": " + Printable(reasonWords(first))
	if first.Grade == analysis.Limits {
		line += " (no promise is broken by it)"
	}
	for _, r := range d.Found[1:] {
		if r.Grade != analysis.Remark {
			line += " · also " + r.Cause.String()
		}
	}
	return line + " · try " + first.Cause.Cure()
}

// remarkLines are a line for each thing that is to be known when the numbers are read, as the newest level shows it, with the loads of the others. That there is room
// for more load is none of them: it says nothing of the numbers.
func remarkLines(all []*analysis.Diagnosis) []string {
	var out []string
	for c := range analysis.NumCauses {
		var newest *analysis.Reason
		var loads []string
		for _, d := range all {
			i := slices.IndexFunc(d.Found, func(r analysis.Reason) bool { return r.Cause == c && r.Grade == analysis.Remark })
			if i < 0 || c == analysis.UnderDriven {
				continue
			}
			if newest == nil {
				newest = &d.Found[i]
			}
			if load := d.Level.Load.String(); !slices.Contains(loads, load) {
				loads = append(loads, load)
			}
		}
		if newest == nil {
			continue
		}
		if len(loads) > mostWhy {
			loads = append(loads[:mostWhy], "more")
		}
		out = append(out, "remark at "+strings.Join(loads, ", ")+": "+Printable(reasonWords(newest))+" · "+newest.Cause.Cure())
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
			one.Saw = append(one.Saw, Printable(saw))
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
