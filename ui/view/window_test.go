package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/view/viewtest"
)

// TestOneWindowIsToldOfEverywhere: the head, the axis, the scope, Heat and the histograms speak of the same stretch, whatever was asked for.
func TestOneWindowIsToldOfEverywhere(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {160, 40}, {120, 36}, {80, 24}, {60, 15}} {
		for _, window := range append([]time.Duration{time.Hour, 47 * time.Second}, Windows...) {
			what := fmt.Sprintf("%v, window %v", size, window)
			s, st := dressed(viewtest.Running, "plain", size[0], size[1])
			st.Window, st.Scope = window, Window
			v := NewScreen()
			live := v.Rows(s, st)
			f := v.frame(s, st)
			from, to := f.span.start(0), f.span.start(f.span.count)
			word := chart.Span(to - from)
			axis := "└-" + word
			if window == 0 {
				word = "all"
			}
			if f.Density >= layout.Full && !strings.Contains(live[0], "window "+word+" ") {
				t.Errorf("%s: the head does not say %q: %s", what, word, live[0])
			}
			// A mark may stand where the axis begins.
			if all := strings.Join(live, "\n"); strings.Contains(all, "└-") && !strings.Contains(all, axis) || f.Density == layout.Small && !strings.Contains(all, "┘ "+word+", ") && !strings.Contains(all, "┘ "+word+" window") {
				t.Errorf("%s: the axis does not begin at %q:\n%s", what, axis, all)
			}
			var ttft uint64
			failed := 0
			for _, b := range s.Buckets {
				if b.Start >= from && b.End() <= min(to, s.Folded) {
					ttft += b.TTFT.N
					failed += b.Facts.Tally().Failed
				}
			}
			if got := f.scope.Stats[bench.TTFT].N; got != int(ttft) || f.scope.Tally.Failed != failed {
				t.Errorf("%s: the scope has %d first tokens and %d failed, the lanes show %d and %d", what, got, f.scope.Tally.Failed, ttft, failed)
			}
			if f.Density == layout.Wide {
				if got := v.side.histogram[0].N; got != ttft {
					t.Errorf("%s: the histogram is of %d, the lanes show %d", what, got, ttft)
				}
			}
			st.View, st.Metric = action.Heat, bench.TTFT
			heat := strings.Join(v.Rows(s, st), "\n")
			if v.heat.all.N != ttft {
				t.Errorf("%s: Heat is of %d, the lanes show %d", what, v.heat.all.N, ttft)
			}
			if f.Density >= layout.Compact && !strings.Contains(heat, "window "+word) {
				t.Errorf("%s: Heat does not say window %s:\n%s", what, word, heat)
			}
		}
	}
}

// TestWithoutLanesTheWindowIsTheOneThatWasAskedFor: where nothing is plotted the scope still has numbers.
func TestWithoutLanesTheWindowIsTheOneThatWasAskedFor(t *testing.T) {
	s, st := dressed(viewtest.Running, "plain", 40, 8)
	st.Window, st.Scope = time.Minute, Window
	want := bench.Window(starting(s.Buckets, s.Folded-time.Minute, s.Folded))
	if got := NewScreen().frame(s, st).scope; got.Tally.OK != want.Tally.OK || want.Tally.OK == 0 {
		t.Errorf("%d requests, want %d", got.Tally.OK, want.Tally.OK)
	}
}
