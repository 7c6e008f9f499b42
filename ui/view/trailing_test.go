package view

import (
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// sparse is a run with two first tokens a second, every tenth of them slow; a second level begins at 30 s.
func sparse() *bench.Snapshot {
	s := *viewtest.Make(viewtest.Running, 0)
	s.Buckets, s.Levels, s.Folded = nil, []*bench.Level{{Load: bench.InFlight(4)}, {Load: bench.InFlight(8), Was: bench.InFlight(4), Begin: 30 * time.Second}}, time.Minute
	for i := range 60 {
		b := &bench.Bucket{Start: time.Duration(i) * time.Second, Span: time.Second, Active: time.Second, Target: bench.InFlight(4)}
		h := bench.NewHistogram()
		h.Add(100, 1)
		if h.Add(100, 1); i%5 == 4 {
			h.Reset()
			h.Add(100, 1)
			h.Add(900, 1)
		}
		b.TTFT = h.Sketch()
		s.Buckets = append(s.Buckets, b)
	}
	return &s
}

func TestAColumnOfFewSamplesLooksBackWithinItsLevel(t *testing.T) {
	s := sparse()
	sp := over(time.Minute, s.Folded, 60)
	var c series
	got := c.values(s, bench.TTFT, bench.P95, sp, nil)
	for i, v := range got {
		level := i % 30
		switch {
		case !v.ok:
			t.Errorf("column %d is absent", i)
		case level < 9 && !(v.few && v.greatest):
			t.Errorf("column %d of its level has %d samples and is not told apart: %+v", level, 2*level+2, v)
		case level >= 9 && (v.few || v.greatest):
			t.Errorf("column %d of its level has enough samples: %+v", level, v)
		case level >= 9 && v.v < 890:
			t.Errorf("p95 with a tenth at 900 ms is %v in column %d", v.v, i)
		case level < 4 && v.v > 110:
			t.Errorf("column %d looks back over its level's begin: %v", i, v.v)
		}
	}
	for i, v := range c.values(s, bench.TTFT, bench.P50, sp, nil) {
		if v.greatest || v.v > 110 {
			t.Errorf("the median of column %d is %+v", i, v)
		}
	}
}

func TestABrokenPromiseIsSeenWhateverIsPlotted(t *testing.T) {
	for _, p := range []bench.Percentile{bench.P50, bench.P95, bench.P99, bench.Max} {
		s, st := sparse(), state("plain", 120, 36)
		st.Window, st.Percentile = time.Minute, p
		f := NewScreen().frame(s, st)
		f.measure()
		columns := f.lane(0).Columns
		if last := columns[len(columns)-1]; !last.Breached || last.Whole != (p == bench.P50) {
			t.Errorf("p95 is over 500 ms and %v is plotted: %+v", p, last)
		}
	}
}

func TestALaneTellsWhatItPlots(t *testing.T) {
	s, st := sparse(), state("plain", 120, 36)
	f := NewScreen().frame(s, st)
	f.measure()
	if p := f.plotted(bench.TTFT); p != bench.P95 {
		t.Errorf("with enough samples it says %v", p)
	}
	s.Folded = 33 * time.Second
	s.Buckets = s.Buckets[:33]
	f = NewScreen().frame(s, st)
	f.measure()
	if p := f.plotted(bench.TTFT); p != bench.Max {
		t.Errorf("with six samples it says %v", p)
	}
}
