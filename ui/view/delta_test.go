package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestDeltaNeedsALevelToCompareWith(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {200, 60}} {
		got := drawn(viewtest.Running, size[0], size[1], func(s *bench.Snapshot, _ *State) { s.Levels = s.Levels[len(s.Levels)-1:] })
		if strings.Contains(got, "Δ") {
			t.Errorf("%v: Δ with nothing to compare with:\n%s", size, got)
		}
	}
}

func TestDeltaOfFewSamplesIsRough(t *testing.T) {
	s, st := viewtest.Make(viewtest.Running, 0), state("plain", 120, 36)
	s.Level().Stats[bench.TTFT].Readiness = bench.Few
	f := NewScreen().frame(s, st)
	if text, _ := f.delta(bench.TTFT); !strings.HasPrefix(text, "~−") {
		t.Errorf("Δ of few samples is %q", text)
	}
	if text, _ := f.delta(bench.ITL); strings.HasPrefix(text, "~") {
		t.Errorf("Δ of enough samples is %q", text)
	}
}

// TestTheWorstOfASpeedIsItsLowest: of tokens per second the greatest is the best.
func TestTheWorstOfASpeedIsItsLowest(t *testing.T) {
	got := drawn(viewtest.Running, 200, 60, nil)
	if !strings.Contains(got, "slowest 1% ") || strings.Count(got, ", worst ") != 2 {
		t.Errorf("want one slowest and two worst:\n%s", got)
	}
}

// TestOnlyReadyNumbersStandIn: a level that was never measured lends no number.
func TestOnlyReadyNumbersStandIn(t *testing.T) {
	s, st := viewtest.Make(viewtest.Running, 0), state("plain", 120, 36)
	s.Level().Stats[bench.TTFT] = bench.Stat{N: 2, Need: 18}
	f := NewScreen().frame(s, st)
	if g := f.figure(bench.TTFT); !g.grey || g.from.Load.N != 48 {
		t.Errorf("the level before does not stand in: %+v", g)
	}
	s.LevelBefore().Stats[bench.TTFT].Readiness = bench.Few
	if g := f.figure(bench.TTFT); g.grey {
		t.Errorf("a number of few samples stands in: %+v", g)
	}
}
