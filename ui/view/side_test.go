package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// TestTheHistogramNamesItsScope: beside the numbers of a level stands the distribution of the same requests.
func TestTheHistogramNamesItsScope(t *testing.T) {
	sampled := func(n int) func(*bench.Snapshot, *State) {
		return func(s *bench.Snapshot, _ *State) {
			for i := range n {
				s.Level().Sample = append(s.Level().Sample, bench.Sample{TTFT: float32(300 + i)})
			}
		}
	}
	for _, c := range []struct {
		change func(*bench.Snapshot, *State)
		want   string
	}{
		{nil, "since reached"},
		{sampled(160), "TTFT ms, n 160, level "},
		{sampled(39), "TTFT ms, n 39, of the level's 160"},
		{func(_ *bench.Snapshot, st *State) { st.Scope = Run }, ", run"},
		{func(_ *bench.Snapshot, st *State) { st.Scope = Window }, ", window"},
		{nil, "level: n 160 · max "},
	} {
		got := drawn(viewtest.Running, 200, 60, c.change)
		if !strings.Contains(strings.ReplaceAll(got, "\n", " "), c.want) {
			t.Errorf("%q is not in\n%s", c.want, got)
		}
	}
}
