package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func TestThePictureEndsWhereARestBegan(t *testing.T) {
	for _, row := range []struct {
		name  string
		state bench.RunState
		set   func(*bench.Snapshot)
		// idle seconds of a minute's rest are shown.
		idle time.Duration
	}{
		{"a pause with nothing in flight", bench.Paused, nil, 0},
		{"the end of a run", bench.Done, nil, 0},
		{"a pause in which a request still runs", bench.Paused, func(s *bench.Snapshot) { s.InFlight = 1 }, time.Minute},
		{"a target that is down, and tried again and again", bench.Down, nil, time.Minute},
		{"a run that goes on, with the gap in it", bench.Running, nil, time.Minute},
		{"a drain in the pause, until its end", bench.Paused, func(s *bench.Snapshot) { amid(s, 20).InFlight = 0.5 }, 21 * time.Second},
		{"a request that failed in it", bench.Paused, func(s *bench.Snapshot) { amid(s, 10).Ended[bench.TimeoutFirst] = 1 }, 11 * time.Second},
		{"a part of a second in which it was sending", bench.Paused, func(s *bench.Snapshot) { amid(s, 0).Active = 300 * time.Millisecond }, time.Second},
	} {
		s := viewtest.Make(viewtest.Running, 0)
		want := s.Folded + row.idle
		viewtest.Rest(s, row.state, 60)
		if row.set != nil {
			row.set(s)
		}
		v, st := NewScreen(), state("plain", 120, 36)
		v.Rows(s, st)
		if got := Edge(s); got != want || v.edgeOf(s) != want {
			t.Errorf("%s: the edge is %v, and %v on screen, want %v", row.name, got, v.edgeOf(s), want)
		}
		if end := v.drawn.start(v.drawn.count); end-want >= v.drawn.width || want-end >= v.drawn.width || resting(s) && end < want {
			t.Errorf("%s: the lanes end at %v, want %v, in columns of %v", row.name, end, want, v.drawn.width)
		}
	}
	s := &bench.Snapshot{Folded: time.Minute, Buckets: []*bench.Bucket{{Span: time.Minute}}}
	if got := Edge(s); got != 0 {
		t.Errorf("before the start the edge is %v, want 0", got)
	}
}

// amid is a bucket of a rest that a test may change: so many seconds into the last minute.
func amid(s *bench.Snapshot, second int) *bench.Bucket { return s.Buckets[len(s.Buckets)-60+second] }

func TestARestStandsStill(t *testing.T) {
	for view := range action.NumViews {
		for _, size := range sizes {
			for _, set := range []func(*State){func(*State) {}, func(st *State) { st.Scope = Window }, func(st *State) { st.Window = 0 }, func(st *State) { st.Growing = true },
				func(st *State) { st.Cursor = bench.MarkAt(4 * time.Minute) }} {
				st := state("plain", size[0], size[1])
				st.View, st.Log, st.Window = view, Logarithmic, 5*time.Minute
				set(st)
				v := NewScreen()
				at := func(more int) []string { return slices.Clone(v.Rows(viewtest.Make(viewtest.Rested, more), st)) }
				was, is := at(0), at(7)
				for y := 1; y < len(was) && y < len(is); y++ {
					if was[y] != is[y] {
						t.Errorf("%v at %d×%d, row %d: %q has become %q", view, size[0], size[1], y, was[y], is[y])
					}
				}
			}
		}
	}
}

func TestTheAxisSaysWhatItEndsWith(t *testing.T) {
	for scene, want := range map[viewtest.Scene]string{viewtest.Running: "now┘", viewtest.Paused: "now┘", viewtest.Rested: "paused┘", viewtest.Done: "end┘", viewtest.Down: "now┘"} {
		s, st := dressed(scene, "plain", 120, 36)
		if all := strings.Join(NewScreen().Rows(s, st), "\n"); !strings.Contains(all, want) {
			t.Errorf("%s: no axis ends with %q", scene, want)
		}
	}
}
