package report

import (
	"fmt"
	"strconv"

	"redline/bench"
	"redline/bench/analysis"
)

// peakWords are where the output rate peaks by the scalability law, or what it nears; empty where too few loads were measured to say anything.
func peakWords(m *analysis.Model) string {
	text := ""
	switch m.Carried {
	case analysis.Scattered:
		return "peak: not carried by the data"
	case analysis.Loose:
		return "peak: none in sight"
	case analysis.ToPeak:
		text = fmt.Sprintf("peak: %.0f in flight by fit (%.0f to %.0f), output %s tok/s", m.Peak.V, m.Peak.Low, m.Peak.High, short(m.Top.V))
	case analysis.ToCeiling:
		text = fmt.Sprintf("peak: none, output nears %s tok/s by fit (%s to %s)", short(m.Top.V), short(m.Top.Low), short(m.Top.High))
	default:
		return ""
	}
	share := func(b analysis.Bounded) string { return strconv.FormatFloat(100*b.V, 'g', 2, 64) + "%" }
	return text + fmt.Sprintf(", contention %s, coherency %s", share(m.Contended), share(m.Coherent))
}

// leftWords are where the server left the curve that it had followed; empty where it did not.
func leftWords(m *analysis.Model) string {
	if m.Left == nil {
		return ""
	}
	return fmt.Sprintf("left its curve at %s: output %s tok/s, %s were to be expected", m.Left.Level.Load, short(m.Left.Output), short(m.Left.Predicted))
}

// driftWords are what drifts within a level.
func driftWords(d analysis.Drift) string {
	return "drifts: " + driftName(d) + inPercent(d.Share())
}

func driftName(d analysis.Drift) string {
	if d.Output {
		return "output "
	}
	return d.Metric.String() + " "
}

// inPercent is a change in percent.
func inPercent(share float64) string { return fmt.Sprintf("%+.0f%%", 100*share) }

// revisitWords are a line for each load of a curve that is another at its latest visit, by more than noise, and one for all that are not.
func revisitWords(c *analysis.Curve) []string {
	var out []string
	alike := 0
	for _, r := range c.Revisits(&analysis.Comparisons{}) {
		changed := ""
		for _, d := range []struct {
			name string
			of   analysis.Difference
		}{{"output", r.Output}, {"TTFT p50", r.TTFT}, {"ITL p50", r.ITL}} {
			if by := d.of.Share(d.of.By); d.of.Seen() && by.OK {
				changed += fmt.Sprintf(", %s %s (%s)", d.name, inPercent(by.V), d.of.Contrast)
			}
		}
		switch {
		case changed != "":
			out = append(out, fmt.Sprintf("revisit: %s at level %d against level %d%s", r.Now.Load, r.Now.ID, r.Was.ID, changed))
		case r.Output.Contrast != analysis.Untold || r.TTFT.Contrast != analysis.Untold || r.ITL.Contrast != analysis.Untold:
			alike++
		}
	}
	if alike > 0 {
		out = append(out, fmt.Sprintf("revisit: no difference seen at %d of the loads that were visited again", alike))
	}
	return out
}

// countWords tell of the levels whose requests do not add up, since it is redline then that counts wrongly.
func countWords(s *bench.Snapshot) []string {
	var out []string
	for _, l := range s.Levels {
		if c, ok := analysis.Counted(l); ok && c.Off() {
			out = append(out, fmt.Sprintf("! the counts of level %d do not add up: %.0f slot-seconds were seen in flight, the requests that ended make %.0f", l.ID, c.InFlight, c.Stay))
		}
	}
	return out
}

// reportLaw is the scalability law of a saved curve.
type reportLaw struct {
	Carried string   `json:"carried"`
	Loads   int      `json:"loads"`
	R2      *float64 `json:"r2"`
	// Peak is in requests in flight; Output is that at the peak, or the ceiling that is approached.
	Peak       *reportBounded `json:"peak_in_flight"`
	Output     *reportBounded `json:"output_tokens_per_s"`
	Contention *reportBounded `json:"contention"`
	Coherency  *reportBounded `json:"coherency"`
	// LeftAt is the load at which the server left the curve, in the unit of its loop, with the output rate there and the one that was to be expected.
	LeftAt       *float64 `json:"left_at"`
	LeftOutput   *float64 `json:"left_output_tokens_per_s"`
	LeftExpected *float64 `json:"left_expected_output_tokens_per_s"`
}

type reportBounded struct {
	V    *float64 `json:"value"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

func boundedOf(b analysis.Bounded) *reportBounded {
	return &reportBounded{finite(b.V), finite(b.Low), finite(b.High)}
}

// carriedWords are whether the data carry a law, as saved summaries say it.
var carriedWords = map[analysis.Carried]string{
	analysis.FewLoads: "too few loads", analysis.Near: "loads too near", analysis.Scattered: "not carried", analysis.Loose: "too loose", analysis.ToPeak: "peak", analysis.ToCeiling: "ceiling",
}

// reportLawOf is the law of a curve as it is saved.
func reportLawOf(m *analysis.Model) *reportLaw {
	out := &reportLaw{Carried: carriedWords[m.Carried], Loads: m.Loads}
	if !m.Shown() {
		return out
	}
	out.R2, out.Output, out.Contention, out.Coherency = finite(m.R2), boundedOf(m.Top), boundedOf(m.Contended), boundedOf(m.Coherent)
	if m.Carried == analysis.ToPeak {
		out.Peak = boundedOf(m.Peak)
	}
	if d := m.Left; d != nil {
		out.LeftAt, out.LeftOutput, out.LeftExpected = finite(d.Level.Load.N), finite(d.Output), finite(d.Predicted)
	}
	return out
}
