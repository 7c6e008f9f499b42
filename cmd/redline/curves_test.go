package main

import (
	"strings"
	"testing"

	"redline/bench"
)

// bending is a run whose output bends at 24, and whose greatest load breaks a promise within a level that was left.
func bending() *bench.Snapshot {
	s := story()
	s.Levels = nil
	for i, load := range []int{8, 16, 24, 32, 40} {
		l := storyLevel(i+1, load, 312, bench.Ready)
		l.OutputRate = bench.Some([]float64{400, 800, 1200, 1240, 1250}[i])
		for _, t := range promised(s.Run.Thresholds) {
			l.Verdicts = append(l.Verdicts, bench.Verdict{Threshold: t, Value: bench.Some(1), Known: true})
		}
		s.Levels = append(s.Levels, l)
	}
	last := s.Levels[4]
	last.State, last.Verdicts[0].Broken, last.Verdicts[0].Value = bench.Settles, true, bench.Some(2800)
	return s
}

// TestTheSummaryHasKneeAndLimitAsTheCurveHasThem: with the same signs of doubt, in each of its forms.
func TestTheSummaryHasKneeAndLimitAsTheCurveHasThem(t *testing.T) {
	s := bending()
	if got, want := strings.Join(curveLines(s), "\n"), "knee: ~24 · limit: ~"; !strings.HasPrefix(got, want) || !strings.Contains(got, "(ttft.p95<=2s breaks at 40)") {
		t.Errorf("%q", got)
	}
	for form, text := range map[string]string{"summary": summaryOf(t, s, 120), "Markdown": strings.ReplaceAll(markdown(s, ending{}, savedAt), "\\", "")} {
		for _, want := range []string{"knee: ~24 · limit: ~", "short: left before it settled, or not settled yet.", "held: 32 · broken at 40, short: "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", form, want, text)
			}
		}
	}
	r := reportOf(s, false, savedAt)
	if len(r.Curves) != 1 || r.Levels[4].Firmness != "short" || r.Levels[0].Firmness != "firm" {
		t.Fatalf("%+v", r.Curves)
	}
	c := r.Curves[0]
	if c.Knee == nil || *c.Knee.Load != 24 || !c.Knee.Rough || c.Limit == nil || c.Limit.Where != "between" || *c.Limit.Kept != 32 || *c.Limit.Broken != 40 || !c.Limit.Rough || c.Limit.Promise != "ttft.p95<=2s" {
		t.Errorf("%+v, %+v", c.Knee, c.Limit)
	}
	s.Levels[3].Cause, s.Levels[3].Note = bench.CauseNote, "kv cache fp8"
	if r = reportOf(s, false, savedAt); len(r.Curves) != 2 || r.Curves[0].Until != "kv cache fp8" || r.Curves[1].Since != "kv cache fp8" || r.Curves[0].Knee != nil {
		t.Errorf("%+v", r.Curves)
	}
	if got := curveLines(s); len(got) != 2 || !strings.HasPrefix(got[0], `before "kv cache fp8", knee: not known`) || !strings.HasPrefix(got[1], `since "kv cache fp8", knee: `) {
		t.Errorf("%q", got)
	}
	s.Levels = s.Levels[:1]
	if got := curveLines(s); len(got) != 0 {
		t.Errorf("one load: %q", got)
	}
}
