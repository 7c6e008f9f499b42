package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/style"
	"redline/ui/view/viewtest"
)

// TestASilentServerDoesNotLookHealthy: at every size the head says since when no token has come, and nothing is forecast.
func TestASilentServerDoesNotLookHealthy(t *testing.T) {
	for _, size := range append([][2]int{{34, 7}, {56, 13}, {76, 22}, {110, 32}, {160, 36}}, sizes...) {
		want := "no token for 15 s"
		if size[1] < 7 {
			want = "no token 15 s"
		}
		got := drawn(viewtest.Silent, size[0], size[1], nil)
		if head, _, _ := strings.Cut(got, "\n"); !strings.Contains(head, want) || strings.Contains(got, "ready in") {
			t.Errorf("%v: want %q in the head and no forecast in\n%s", size, want, got)
		}
		flows := drawn(viewtest.Silent, size[0], size[1], func(s *bench.Snapshot, _ *State) { s.Silent = bench.Mark{} })
		if strings.Contains(flows, "no token for 1") {
			t.Errorf("%v: silent while tokens flow:\n%s", size, flows)
		}
		stopped := drawn(viewtest.Silent, size[0], size[1], func(s *bench.Snapshot, _ *State) { s.InFlight = 0 })
		if strings.Contains(stopped, "no token for 1") {
			t.Errorf("%v: silent though nothing is in flight:\n%s", size, stopped)
		}
	}
}

// TestNumbersOfASilentLevelAreDim: they are of before. Those of another scope stand.
func TestNumbersOfASilentLevelAreDim(t *testing.T) {
	for scope, pale := range map[Scope]bool{Level: true, Window: false, Run: false} {
		s, st := viewtest.Make(viewtest.Silent, 0), state("plain", 120, 36)
		st.Scope = scope
		f := NewScreen().frame(s, st)
		if got := f.figure(bench.TTFT).ink(style.FG) == style.Faint; got != pale {
			t.Errorf("scope %s: dim is %v, want %v", scope, got, pale)
		}
		if _, _, _, look := f.stateChip(); look != style.Warn {
			t.Errorf("the chip looks %v, want a warning", look)
		}
	}
}
