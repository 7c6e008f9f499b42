package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// BenchmarkFrame draws one frame after every new second, as a running dashboard does.
func BenchmarkFrame(b *testing.B) {
	all := make([]*bench.Snapshot, 8)
	for i := range all {
		all[i] = viewtest.Make(viewtest.Running, i)
		// One run, as the caches see it.
		all[i].Run = all[0].Run
	}
	screen, st := NewScreen(), state("ansi", 120, 36)
	var out string
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		out = strings.Join(screen.Rows(all[i%len(all)], st), "\n")
	}
	b.ReportMetric(float64(len(out)), "frame-bytes")
}

// BenchmarkFrameOf is the same for the scenes that draw most besides.
func BenchmarkFrameOf(b *testing.B) {
	for _, scene := range []viewtest.Scene{viewtest.Open, viewtest.Profiled, viewtest.Sheet, viewtest.Works} {
		b.Run(string(scene), func(b *testing.B) {
			all := make([]*bench.Snapshot, 8)
			for i := range all {
				all[i] = viewtest.Make(scene, i)
				all[i].Run = all[0].Run
			}
			_, st := dressed(scene, "ansi", 120, 36)
			screen := NewScreen()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				screen.Rows(all[i%len(all)], st)
			}
		})
	}
}

// BenchmarkFrameOfARace is BenchmarkFrame with an earlier run behind the lanes.
func BenchmarkFrameOfARace(b *testing.B) {
	for _, aligned := range []Alignment{ByLoad, ByTime} {
		b.Run(aligned.String(), func(b *testing.B) {
			all := make([]*bench.Snapshot, 8)
			for i := range all {
				all[i] = viewtest.Make(viewtest.Running, i)
				all[i].Run = all[0].Run
			}
			screen, st := NewScreen(), state("ansi", 120, 36)
			st.Earlier, st.Aligned = earlier(viewtest.Running), aligned
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				screen.Rows(all[i%len(all)], st)
			}
		})
	}
}

// BenchmarkFirstFrame measures all columns anew, as a change of window does.
func BenchmarkFirstFrame(b *testing.B) {
	s, st := viewtest.Make(viewtest.Running, 0), state("ansi", 120, 36)
	b.ReportAllocs()
	for b.Loop() {
		NewScreen().Rows(s, st)
	}
}

func TestAFrameAllocatesLittle(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Open, viewtest.Unsent, viewtest.Profiled, viewtest.Sheet, viewtest.Works} {
		s, st := dressed(scene, "ansi", 120, 36)
		screen := NewScreen()
		screen.Rows(s, st)
		if n := testing.AllocsPerRun(20, func() { strings.Join(screen.Rows(s, st), "\n") }); n > 1000 {
			t.Errorf("%s: %v allocations a frame, want 1000 at most", scene, n)
		}
	}
}

// BenchmarkCurve draws the Curve after every new second, and again within it.
func BenchmarkCurve(b *testing.B) {
	for name, fresh := range map[string]bool{"fresh": true, "kept": false} {
		b.Run(name, func(b *testing.B) {
			all := make([]*bench.Snapshot, 8)
			for i := range all {
				all[i] = viewtest.Make(viewtest.Knee, i)
				all[i].Run = all[0].Run
			}
			screen, st := NewScreen(), state("ansi", 120, 36)
			st.View, st.Log = action.Curve, Logarithmic
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if !fresh {
					i = 0
				}
				screen.Rows(all[i%len(all)], st)
			}
		})
	}
}

// BenchmarkFrameOpened is a frame with a lane in full, and of TPS with a stream of the greatest length that is kept, as it arrives.
func BenchmarkFrameOpened(b *testing.B) {
	for _, m := range bench.Lanes {
		b.Run(m.String(), func(b *testing.B) {
			s, st := viewtest.Make(viewtest.Running, 0), state("ansi", 120, 36)
			opened(m)(s, st)
			st.Journal.Reading.Text = strings.Repeat("words that go on ", bench.ReadingBytes/17)
			screen := NewScreen()
			b.ReportAllocs()
			for b.Loop() {
				screen.Rows(s, st)
			}
		})
	}
}
