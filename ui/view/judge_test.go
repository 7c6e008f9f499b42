package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// marks takes the verdicts' signs out of the rows of a level's numbers: those of events have other signs in the same place.
func marks(rows []string) (broken, kept []string) {
	for _, row := range rows {
		if len(row) > 3 && row[3] == ':' || strings.Contains(row, " ✓ client") || strings.Contains(row, "✗ slo") {
			continue
		}
		if strings.Contains(row, "✗") {
			broken = append(broken, row)
		}
		if strings.Contains(row, "✓") && !strings.Contains(row, "was p") {
			kept = append(kept, row)
		}
	}
	return broken, kept
}

// TestNothingIsJudgedOnScreenBeforeItIsKnown: where the promises are counted as not known, no lane, no list and no panel says that one is kept or broken.
func TestNothingIsJudgedOnScreenBeforeItIsKnown(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {40, 8}, {34, 3}} {
		for _, expanded := range []bool{false, true} {
			s, st := dressed(viewtest.Settling, "plain", size[0], size[1])
			for _, limit := range s.Run.Thresholds {
				if v := limit.Judge(&s.Level().Summary); v.Known && !limit.Quota() {
					t.Fatalf("%v is known", limit)
				}
			}
			// The errors of another scope are as many, and the log speaks of other levels.
			s.Events = nil
			st.Expanded = expanded
			st.Metric = bench.TTFT
			broken, kept := marks(NewScreen().Rows(s, st))
			if len(broken)+len(kept) > 0 {
				t.Errorf("%v, expanded %v:\n%s", size, expanded, strings.Join(append(broken, kept...), "\n"))
			}
		}
	}
}

// TestALevelBeforeIsJudgedAsItself: what was not known of it when it was left is not kept, and rests on few samples.
func TestALevelBeforeIsJudgedAsItself(t *testing.T) {
	for _, c := range []struct {
		what      string
		readiness bench.Readiness
		limit     float64
		want      string
	}{
		{"few samples, which would keep it", bench.Few, 1e6, "was p95 ~"},
		{"few samples, which would break it", bench.Few, 1, "was p95 ~"},
		{"enough, which keep it", bench.Ready, 1e6, "was p95 ✓ "},
		{"enough, which break it", bench.Ready, 1, "was p95 ✗ "},
	} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, st *State) {
			st.View = action.Live
			s.Run.Thresholds = []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: c.limit}}
			s.LevelBefore().Stats[bench.TTFT].Readiness = c.readiness
		})
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q in\n%s", c.what, c.want, got)
		}
	}
}
