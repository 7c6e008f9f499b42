package report

import (
	"fmt"

	"redline/bench"
	"redline/bench/analysis"
)

// reportCurve is one curve of a saved summary: loads of one loop and workload between two notes.
type reportCurve struct {
	Mode string `json:"loop"`
	Work string `json:"workload"`
	// Since and Until are the notes on both sides.
	Since  string       `json:"since_note"`
	Until  string       `json:"until_note"`
	Levels []int        `json:"levels"`
	Knee   *reportKnee  `json:"knee"`
	Limit  *reportLimit `json:"limit"`
	Law    *reportLaw   `json:"scalability_law"`
	// Cheapest is the level that costs least for its output tokens and keeps every promise.
	Cheapest *int `json:"cheapest_level"`
}

// reportKnee is the load behind which more brings little more.
type reportKnee struct {
	Load   *float64 `json:"load"`
	Output *float64 `json:"output_tokens_per_s"`
	Rough  bool     `json:"rough"`
}

// reportLimit is up to which load the promises are kept: at Load, if that is known, between Kept and Broken.
type reportLimit struct {
	Where   string   `json:"where"`
	Load    *float64 `json:"load"`
	Kept    *float64 `json:"kept_at"`
	Broken  *float64 `json:"broken_at"`
	Promise string   `json:"promise"`
	Rough   bool     `json:"rough"`
}

// bounds are where a limit lies, as saved summaries name it.
var bounds = map[analysis.Bound]string{
	analysis.NotReached: "above", analysis.Below: "below", analysis.Between: "between", analysis.Doubtful: "doubtful", analysis.Undecided: "undecided",
}

// curvesOf are all curves of a run.
func curvesOf(s *bench.Snapshot) []analysis.Curve {
	return analysis.Curves(s.Levels, nil, s.State == bench.Done)
}

// curveLines are the knee, the limit, the predicted peak and the cheapest load of each curve of at least two loads, a line each, with what was another at a later
// visit.
func curveLines(s *bench.Snapshot) []string {
	all := curvesOf(s)
	var kinds []analysis.Kind
	for _, c := range all {
		kinds = append(kinds, c.Kind)
	}
	var out []string
	for i, name := range kindNames(s, kinds) {
		if len(all[i].Loads) < 2 {
			continue
		}
		line := name + "knee: " + kneeWords(&all[i])
		if text := limitWords(&all[i]); text != "" {
			line += " · limit: " + text + contradicted(analysis.Redline(s, all[i].Kind), all[i].Limit.Kept, all[i].Limit.Broken)
		}
		var models analysis.Models
		model := models.Of(&all[i])
		for _, text := range []string{peakWords(model), leftWords(model), cheapestWords(s, &all[i])} {
			if text != "" {
				line += " · " + text
			}
		}
		out = append(out, line)
		for _, text := range revisitWords(&all[i]) {
			out = append(out, name+text)
		}
	}
	return append(out, countWords(s)...)
}

// roughly marks what rests on levels that are not firm.
func roughly(rough bool) string {
	if rough {
		return "~"
	}
	return ""
}

func kneeWords(c *analysis.Curve) string {
	switch c.Bend {
	case analysis.Bent:
		return roughly(c.Rough) + bench.Setpoint{Mode: c.Mode, N: c.Knee.X}.String()
	case analysis.Straight:
		return "no bend yet"
	}
	return "not known, fewer than four loads were measured for long enough"
}

// limitWords are the limit as the Curve has it; empty where there is no promise that could be judged.
func limitWords(c *analysis.Curve) string {
	l := &c.Limit
	about := roughly(l.Rough)
	breaks := fmt.Sprintf(" (%s breaks at %s)", l.Threshold, l.Broken)
	switch l.Bound {
	case analysis.NotReached:
		return "above " + about + l.Kept.String()
	case analysis.Below:
		return "below " + about + l.Broken.String() + breaks
	case analysis.Doubtful:
		return "not known" + breaks
	case analysis.Undecided:
		return fmt.Sprintf("not known (%s breaks, %s keeps: the load alone does not decide)", l.Broken, l.Kept)
	case analysis.Between:
		return about + l.Load().String() + breaks
	}
	return ""
}

// reportCurvesOf are the curves of a saved summary.
func reportCurvesOf(s *bench.Snapshot) []reportCurve {
	out := []reportCurve{}
	for _, c := range curvesOf(s) {
		one := reportCurve{Mode: c.Mode.String(), Work: workName(s.Run, c.Work), Since: Printable(analysis.NoteOf(s.Levels, c.Era)), Until: Printable(analysis.NoteOf(s.Levels, c.Era+1)), Levels: []int{}}
		for _, o := range c.Loads {
			one.Levels = append(one.Levels, o.Level.ID)
		}
		var models analysis.Models
		one.Law = reportLawOf(models.Of(&c))
		if l := c.Cheapest(nil, s.Run.Prices); l != nil {
			one.Cheapest = &l.ID
		}
		if c.Bend == analysis.Bent {
			one.Knee = &reportKnee{finite(c.Knee.X), finite(c.Knee.Y), c.Rough}
		}
		if l := &c.Limit; l.Bound != analysis.Unknown {
			one.Limit = &reportLimit{Where: bounds[l.Bound], Kept: some(l.Kept.N), Broken: some(l.Broken.N), Rough: l.Rough}
			if l.Bound == analysis.Between {
				one.Limit.Load = finite(l.Load().N)
			}
			if l.Broken.N > 0 {
				one.Limit.Promise = l.Threshold.String()
			}
		}
		out = append(out, one)
	}
	return out
}
