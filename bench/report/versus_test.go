package report

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report/reporttest"
)

// party is a run as it is compared, or one level of it.
func party(letter string, picked int) *Party {
	s := reporttest.Story()
	p := &Party{Word: letter + ".run", Letter: letter, Began: savedAt, Complete: true, Whole: s, Snap: s, Levels: s.Levels}
	if picked > 0 {
		p.Picked, p.Levels = true, s.Levels[picked-1:picked]
	}
	return p
}

// TestAPartHasTheNotesThatWereInForce: what was written at a level before it, or between the two, is in what differs.
func TestAPartHasTheNotesThatWereInForce(t *testing.T) {
	a, b := party("A", 1), party("B", 3)
	b.Snap.Levels[1].Note, b.Snap.Levels[1].Cause = "batch 4", bench.CauseNote
	a.Snap = b.Snap
	for _, d := range Against(a, b).differs {
		if d.What == "notes" {
			if d.A != absent || !strings.Contains(d.B, "batch 4") {
				t.Errorf("%+v", d)
			}
			return
		}
	}
	t.Error("nothing is said of the note")
}

func TestARunAgainstItselfIsSaid(t *testing.T) {
	said := func(a, b *Party) bool {
		return strings.Contains(CompareText([]*Versus{Against(a, b)}, 0, false), "! A and B are the same run")
	}
	other := party("B", 0)
	other.Began = savedAt.Add(time.Hour)
	if !said(party("A", 0), party("B", 0)) || said(party("A", 0), other) || said(party("A", 1), party("B", 2)) {
		t.Error("it is said of others, or not of the same")
	}
}

// TestAGateNeedsWhatIsPromised: nothing is worse where nobody could see it.
func TestAGateNeedsWhatIsPromised(t *testing.T) {
	promise := threshold(t, "ttft.p95<=2s")
	row := func(q analysis.Quantity, c analysis.Contrast) analysis.Row {
		return analysis.Row{Quantity: q, Difference: analysis.Difference{From: bench.Some(1), To: bench.Some(1), Contrast: c}}
	}
	errors, ttft := analysis.Quantity{Metric: bench.Errors, At: bench.Mean}, analysis.Quantity{Metric: bench.TTFT, At: bench.P95}
	for _, c := range []struct {
		sentence string
		rows     []analysis.Row
		promised bool
		told     bool
	}{
		{"all told", []analysis.Row{row(errors, analysis.Alike), row(ttft, analysis.Alike)}, true, true},
		{"errors are not", []analysis.Row{row(errors, analysis.Untold), row(ttft, analysis.Alike)}, false, false},
		{"a promise is not", []analysis.Row{row(errors, analysis.Alike), row(ttft, analysis.Untold)}, true, false},
		{"what nobody promises is not", []analysis.Row{row(errors, analysis.Alike), row(ttft, analysis.Untold)}, false, true},
	} {
		l := &bench.Level{ID: 1, Load: bench.InFlight(4)}
		if c.promised {
			l.Verdicts = []bench.Verdict{{Threshold: promise}}
		}
		f := &Versus{Comparison: analysis.Comparison{Bouts: []analysis.Bout{{A: l, B: l, Rows: c.rows}}, Told: 1}}
		if worse, told := f.AnyWorse(); worse || told != c.told {
			t.Errorf("%s: worse %v, told %v: %q", c.sentence, worse, told, f.Untold())
		}
	}
}
