package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/report/reporttest"
)

// bending is a run whose output bends at 24, and whose greatest load breaks a promise within a level that was left.
func bending() *bench.Snapshot {
	s := reporttest.Story()
	s.Levels = nil
	for i, load := range []int{8, 16, 24, 32, 40} {
		l := reporttest.Level(i+1, load, 312, bench.Ready)
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
	for form, text := range map[string]string{"summary": summaryOf(t, s, 120), "Markdown": strings.ReplaceAll(markdown(s, Options{Saved: savedAt}), "\\", "")} {
		for _, want := range []string{"knee: ~24 · limit: ~", "short: left before it settled, or not settled yet.", "held: 32 · broken at 40, short: "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", form, want, text)
			}
		}
	}
	r := reportOf(s, Options{Saved: savedAt})
	if len(r.Curves) != 1 || r.Levels[4].Firmness != "short" || r.Levels[0].Firmness != "firm" {
		t.Fatalf("%+v", r.Curves)
	}
	c := r.Curves[0]
	if c.Knee == nil || *c.Knee.Load != 24 || !c.Knee.Rough || c.Limit == nil || c.Limit.Where != "between" || *c.Limit.Kept != 32 || *c.Limit.Broken != 40 || !c.Limit.Rough || c.Limit.Promise != "ttft.p95<=2s" {
		t.Errorf("%+v, %+v", c.Knee, c.Limit)
	}
	s.Levels[3].Cause, s.Levels[3].Note = bench.CauseNote, "kv cache fp8"
	if r = reportOf(s, Options{Saved: savedAt}); len(r.Curves) != 2 || r.Curves[0].Until != "kv cache fp8" || r.Curves[1].Since != "kv cache fp8" || r.Curves[0].Knee != nil {
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

// lawful is a run along the scalability law, on GPUs that have a price; its last load was left by the server, and one was visited twice.
func lawful() *bench.Snapshot {
	s := reporttest.Story()
	s.Run.Prices = bench.Prices{GPUHour: 2.5, GPUs: 4}
	s.Levels = nil
	for i, load := range []int{1, 2, 4, 8, 16, 32, 48, 16, 64} {
		n := float64(load)
		// √(0.97 ÷ 0.00031) = 55.9.
		x := 70 * n / (1 + 0.03*(n-1) + 0.00031*n*(n-1))
		if load == 64 {
			x /= 2
		}
		l := reporttest.Level(i+1, load, 312, bench.Ready)
		l.Load.N = n
		l.OutputRate, l.InFlight, l.PerMinuteOut, l.PerMinuteIn = bench.Some(x), bench.Some(n), bench.Some(60*x), bench.Some(60*x)
		l.Stats[bench.RPM].Mean, l.Stats[bench.RPM].Readiness, l.Stats[bench.TPM].Readiness = bench.Some(60*x/200), bench.Ready, bench.Ready
		for _, t := range promised(s.Run.Thresholds) {
			l.Verdicts = append(l.Verdicts, bench.Verdict{Threshold: t, Value: bench.Some(1), Known: true, Broken: load == 64})
		}
		for k := range 20 {
			b := &bench.Bucket{Start: time.Duration(100*i+k) * time.Second, Span: time.Second, Active: time.Second}
			b.Out = int(x * (1 + 0.02*float64(k%3-1)) * (1 - 0.2*float64(i/7)))
			l.Batches = append(l.Batches, b)
		}
		s.Levels = append(s.Levels, l)
	}
	s.Levels[7].OutputRate.V *= 0.8
	return s
}

// TestTheSummaryHasWhatTheLawAndThePricesSay, in each of its forms.
func TestTheSummaryHasWhatTheLawAndThePricesSay(t *testing.T) {
	s := lawful()
	s.Levels[7].OutputRate.V /= 0.8
	for _, b := range s.Levels[7].Batches {
		b.Out = b.Out * 5 / 4
	}
	// 10 an hour for 60 × 60 × 1081 output tokens: 2.57.
	for form, text := range map[string]string{"summary": strings.Join(strings.Fields(summaryOf(t, s, 120)), " "), "Markdown": strings.ReplaceAll(markdown(s, Options{Saved: savedAt}), "\\", "")} {
		for _, want := range []string{"peak: 56 in flight by fit (", "contention 3%, coherency 0.031%", "left its curve at 64: output 541 tok/s, 1082 were to be expected", "cheapest: 48, 2.57 a million output tokens, with every promise kept",
			"revisit: no difference seen at 1 of"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in\n%s", form, want, text)
			}
		}
	}
	r := reportOf(s, Options{Saved: savedAt})
	law := r.Curves[0].Law
	if law.Carried != "peak" || law.Peak == nil || *law.Peak.Low > 56 || *law.Peak.High < 55 || law.LeftAt == nil || *law.LeftAt != 64 {
		t.Errorf("%+v", law)
	}
	if c := r.Curves[0].Cheapest; c == nil || *c != 7 {
		t.Errorf("the cheapest level is %v", c)
	}
	if c := r.Levels[6].Cost; c == nil || *c.PerHour != 10 || math.Abs(*c.PerMillion-2.57) > 0.005 {
		t.Errorf("level 7 costs %+v", c)
	}
	s.Run.Prices = bench.Prices{}
	if r := reportOf(s, Options{Saved: savedAt}); r.Levels[6].Cost != nil || r.Curves[0].Cheapest != nil {
		t.Error("without prices something costs")
	}
}

func TestTheSummaryTellsOfVisitsThatDiffer(t *testing.T) {
	if got := strings.Join(curveLines(lawful()), "\n"); !strings.Contains(got, "revisit: 16 at level 8 against level 5, output -20% (worse)") {
		t.Errorf("%q", got)
	}
}
