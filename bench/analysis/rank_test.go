package analysis

import (
	"testing"
	"time"

	"redline/bench"
)

// ranked is a level at a load with an output rate, from 20 batches of 5 s that scatter by a few percent.
func ranked(n int, output float64, kept bool) *bench.Level {
	l := &bench.Level{ID: 1, Load: bench.InFlight(n), State: bench.Settled, Reached: bench.MarkAt(time.Second), ReadyAt: bench.MarkAt(5 * time.Second)}
	l.Span, l.OutputRate, l.PerMinuteOut, l.PerMinuteIn = 100*time.Second, bench.Some(output), bench.Some(60*output), bench.Some(60*output)
	l.Tally.OK, l.Counted.OK = 400, 400
	l.Stats[bench.RPM] = bench.Stat{N: 400, Readiness: bench.Ready, Mean: bench.Some(240)}
	l.Stats[bench.TPM] = bench.Stat{N: 40000, Readiness: bench.Ready, Mean: bench.Some(120 * output)}
	for i := range 20 {
		b := &bench.Bucket{Start: time.Duration(5*i) * time.Second, Span: 5 * time.Second, Active: 5 * time.Second}
		b.Out = int(output * 5 * (1 + 0.04*float64(i%5-2)))
		l.Batches = append(l.Batches, b)
	}
	t, _ := bench.ParseThreshold("ttft.p95<=2s")
	l.Verdicts = []bench.Verdict{{Threshold: t, Known: true, Broken: !kept}}
	return l
}

func TestTargetsAreRankedByCostAtKeptPromises(t *testing.T) {
	hour := func(v float64) bench.Prices { return bench.Prices{GPUHour: v, GPUs: 1} }
	token := func(v float64) bench.Prices { return bench.Prices{Input: v, Output: v} }
	for _, row := range []struct {
		what   string
		all    []Contender
		byCost bool
		order  []int
		ranks  []int
	}{
		{"the faster one without prices", []Contender{{Levels: []*bench.Level{ranked(8, 500, true)}}, {Levels: []*bench.Level{ranked(8, 900, true)}}}, false, []int{1, 0}, []int{1, 2}},
		{"the cheaper one, though it is slower", []Contender{{[]*bench.Level{ranked(8, 900, true)}, hour(4)}, {[]*bench.Level{ranked(8, 500, true)}, hour(1)}}, true, []int{1, 0}, []int{1, 2}},
		{"by the token", []Contender{{[]*bench.Level{ranked(8, 900, true)}, token(3)}, {[]*bench.Level{ranked(8, 500, true)}, token(2)}}, true, []int{1, 0}, []int{1, 2}},
		{"one that breaks a promise comes last", []Contender{{Levels: []*bench.Level{ranked(8, 900, false)}}, {Levels: []*bench.Level{ranked(8, 500, true)}}}, false, []int{1, 0}, []int{1, 0}},
		{"noise is a tie", []Contender{{Levels: []*bench.Level{ranked(8, 500, true)}}, {Levels: []*bench.Level{ranked(8, 505, true)}}, {Levels: []*bench.Level{ranked(8, 900, true)}}}, false, []int{2, 1, 0}, []int{1, 2, 2}},
		{"one without prices lets all be ranked by output", []Contender{{[]*bench.Level{ranked(8, 500, true)}, hour(1)}, {Levels: []*bench.Level{ranked(8, 900, true)}}}, false, []int{1, 0}, []int{1, 2}},
		{"the best load of each that keeps its promises", []Contender{{Levels: []*bench.Level{ranked(8, 500, true), ranked(16, 950, false)}}, {Levels: []*bench.Level{ranked(8, 600, true), ranked(16, 800, true)}}}, false, []int{1, 0}, []int{1, 2}},
		{"nothing measured", []Contender{{}, {Levels: []*bench.Level{ranked(8, 500, true)}}}, false, []int{1, 0}, []int{1, 0}},
	} {
		t.Run(row.what, func(t *testing.T) {
			places, byCost := Rank(row.all)
			if byCost != row.byCost {
				t.Errorf("by cost %t", byCost)
			}
			for i, p := range places {
				if p.Target != row.order[i] || p.Rank != row.ranks[i] {
					t.Errorf("place %d is target %d with rank %d, want %d with %d", i, p.Target, p.Rank, row.order[i], row.ranks[i])
				}
				if shared := i > 0 && p.Rank > 0 && places[i-1].Rank == p.Rank || i+1 < len(places) && p.Rank > 0 && places[i+1].Rank == p.Rank; p.Tied != shared {
					t.Errorf("place %d is tied: %t", i, p.Tied)
				}
			}
		})
	}
}

func TestLevelsOfTwoTargetsMeetAtTheSameLoad(t *testing.T) {
	at := func(n int, begin, end time.Duration) *bench.Level {
		l := ranked(n, 500, true)
		l.Begin, l.Ended = begin, bench.MarkAt(end)
		return l
	}
	a := []*bench.Level{at(8, 0, 100*time.Second), at(16, 100*time.Second, 200*time.Second), at(32, 200*time.Second, 300*time.Second), at(8, 300*time.Second, 400*time.Second)}
	b := []*bench.Level{at(8, 0, 100*time.Second), at(16, 110*time.Second, 200*time.Second), at(8, 310*time.Second, 400*time.Second), at(8, 500*time.Second, 600*time.Second)}
	got := Meetings(a, b)
	if len(got) != 2 || got[0].A != a[1] || got[0].B != b[1] || got[1].A != a[3] || got[1].B != b[2] {
		t.Errorf("%d meetings: %v", len(got), got)
	}
}
