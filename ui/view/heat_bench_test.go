package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// heats are the states in which Heat is timed.
var heats = []struct {
	name   string
	metric bench.Metric
	across Across
}{{"time", bench.TTFT, OverTime}, {"tokens", bench.ITL, OverTime}, {"prompt", bench.TTFT, OverPrompt}, {"position", bench.ITL, OverPosition}}

// BenchmarkHeat draws one frame after every new second, as a running dashboard does; same is one in which nothing came.
func BenchmarkHeat(b *testing.B) {
	all := make([]*bench.Snapshot, 8)
	for i := range all {
		all[i] = viewtest.Make(viewtest.Running, i)
		all[i].Run = all[0].Run
	}
	journal := viewtest.Journal(all[0])
	for _, same := range []bool{true, false} {
		for _, c := range heats {
			b.Run(c.name+map[bool]string{true: "/same", false: "/second"}[same], func(b *testing.B) {
				st := state("ansi", 120, 36)
				st.View, st.Log, st.Metric, st.Across = action.Heat, Logarithmic, c.metric, c.across
				screen := NewScreen()
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s := all[0]
					j := *journal
					if !same {
						s = all[i%len(all)]
						// Each second ten requests came and ten went.
						j.Ended = j.Ended[10*(i%40) : len(j.Ended)-400+10*(i%40)]
						j.Gone += i % 40 * 10
					}
					st.Journal = &j
					strings.Join(screen.Rows(s, st), "\n")
				}
			})
		}
	}
}

func TestAFrameOfHeatAllocatesLittle(t *testing.T) {
	for _, c := range heats {
		s, st := dressed(viewtest.Running, "ansi", 120, 36)
		st.View, st.Log, st.Metric, st.Across, st.Journal = action.Heat, Logarithmic, c.metric, c.across, viewtest.Journal(s)
		st.Cursor, st.Cell = bench.MarkAt(s.Folded-20*time.Second), Cell{Column: 20, OK: true}
		screen := NewScreen()
		screen.Rows(s, st)
		if n := testing.AllocsPerRun(20, func() { strings.Join(screen.Rows(s, st), "\n") }); n > 1000 {
			t.Errorf("%s: %v allocations a frame, want 1000 at most", c.name, n)
		}
	}
}
