package selftest

import (
	"testing"
	"time"

	"redline/bench"
	"redline/bench/health"
)

// tally are a hundred lags of the same length.
func tally(lag time.Duration) health.Tally {
	var l health.Lags
	for range 100 {
		l.Add(lag)
	}
	return l.Take()
}

func TestVerdictsAreJudgedWhereTheTruthIsClear(t *testing.T) {
	for _, row := range []struct {
		sentence string
		lag      time.Duration
		said     bench.Strain
		want     Agreement
	}{
		{"in time and said so", time.Millisecond, bench.Unstrained, Agreement{1, 1, 0, 0}},
		{"late and said so", 20 * time.Millisecond, bench.Busy, Agreement{1, 1, 0, 0}},
		{"far too late", time.Second, bench.Saturated, Agreement{1, 1, 0, 0}},
		{"late and missed", 20 * time.Millisecond, bench.Unstrained, Agreement{1, 0, 1, 0}},
		{"cried for nothing", time.Millisecond, bench.Busy, Agreement{1, 0, 0, 1}},
		{"near the limit", 9 * time.Millisecond, bench.Busy, Agreement{}},
		{"near the limit from above", 11 * time.Millisecond, bench.Unstrained, Agreement{}},
	} {
		var a Agreement
		a.add(&Window{Truth: tally(row.lag), Health: bench.Health{Strain: row.said}, asked: true})
		a.add(&Window{Truth: tally(row.lag), Health: bench.Health{Strain: row.said}}) // nobody was asked
		a.add(&Window{Health: bench.Health{Strain: row.said}, asked: true})           // nothing came
		if a != row.want {
			t.Errorf("%s: %+v, want %+v", row.sentence, a, row.want)
		}
	}
}
