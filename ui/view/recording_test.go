package view

import (
	"strings"
	"testing"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func TestEveryScreenSaysThatTheRunIsNotKept(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {40, 8}, {30, 3}, {30, 1}} {
		for v := action.Live; v <= action.Server; v++ {
			for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Down, viewtest.Done, viewtest.Busy} {
				text := drawn(scene, size[0], size[1], func(_ *bench.Snapshot, st *State) {
					st.View = v
					st.Recording = Recording{On: true, Wrong: "disk full"}
				})
				if !strings.Contains(text, "REC ✗") {
					t.Errorf("%v at %v in view %v:\n%s", scene, size, v, text)
				}
				if size[0] >= 60 && !strings.Contains(text, "REC ✗ disk full") {
					t.Errorf("%v at %v in view %v says not why:\n%s", scene, size, v, text)
				}
			}
		}
	}
}

func TestTheHeadTellsHowTheRunIsKept(t *testing.T) {
	for _, row := range []struct {
		sentence  string
		scene     viewtest.Scene
		recording Recording
		want, not string
	}{
		{"it is not meant to be", viewtest.Running, Recording{}, "DONE", "REC"},
		{"it is", viewtest.Running, Recording{On: true}, " REC", "✗"},
		{"near its bound", viewtest.Running, Recording{On: true, Short: "gaps left out"}, "REC gaps left out", "✗"},
		{"it is saved", viewtest.Done, Recording{On: true, Saved: "2026-11-30T18-51-21Z-m"}, "saved 2026-11-30T18-51-21Z-m", "REC"},
		{"its end is missing", viewtest.Done, Recording{On: true, Saved: "2026-11-30T18-51-21Z-m", Wrong: "slow disk"}, "REC ✗ slow disk", "saved 2026-11-30T18-51-21Z-m"},
		{"it is over, and not saved yet", viewtest.Done, Recording{On: true}, " REC", "saved 2026"},
	} {
		text := drawn(row.scene, 120, 36, func(_ *bench.Snapshot, st *State) { st.Recording = row.recording })
		head, _, _ := strings.Cut(text, "\n")
		if row.want != "DONE" && !strings.Contains(head, row.want) || strings.Contains(head, row.not) {
			t.Errorf("%s: %q; want %q in it and not %q", row.sentence, head, row.want, row.not)
		}
	}
}

// TestASmallScreenSaysWhyTheRunIsNotKept, and that it is kept where there is room for that beside the clock.
func TestASmallScreenSaysWhyTheRunIsNotKept(t *testing.T) {
	for _, c := range []struct{ wrong, want string }{{"disk full", "REC ✗ disk full"}, {"read-only", "REC ✗ read-only"}, {"", "00:04:12 REC"}} {
		for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Busy} {
			if c.wrong == "" && scene == viewtest.Busy {
				continue
			}
			text := drawn(scene, 40, 8, func(_ *bench.Snapshot, st *State) { st.Recording = Recording{On: true, Wrong: c.wrong} })
			if !strings.Contains(text, c.want) {
				t.Errorf("%v: want %q in\n%s", scene, c.want, text)
			}
		}
	}
}
