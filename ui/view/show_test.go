package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/themes"
	"redline/ui/action"
	"redline/ui/style"
	"redline/ui/view/viewtest"
)

// looks are the ways in which golden frames are drawn. Most are without colour: what a frame says must not hang on it.
var looks = map[string]*style.Set{
	"plain": style.New(themes.ANSI(), style.None, style.Unicode),
	"mono":  style.New(themes.Mono(), style.Attrs, style.Unicode),
	"ascii": style.New(themes.ANSI(), style.None, style.ASCII),
	"ansi":  style.New(themes.ANSI(), style.ANSI256, style.Unicode),
}

var sizes = [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {40, 8}, {34, 3}, {20, 1}}

func state(look string, w, h int) *State {
	return &State{Set: looks[look], W: w, H: h, Window: 2 * time.Minute, Percentile: bench.P95, Step: 4, BytesPerSecond: -1}
}

// dressed is the state that goes with a scene.
func dressed(scene viewtest.Scene, look string, w, h int) (*bench.Snapshot, *State) {
	s, st := viewtest.Make(scene, 0), state(look, w, h)
	if s.Ask != nil {
		st.Mode = action.Asked
	}
	if s.Target.Mode == bench.Open {
		st.Step = 0.5
	}
	if scene == viewtest.Sheet {
		st.Mode, st.Sheet, st.Entry = action.Planning, &Sheet{Plan: s.Following.Profile}, &Entry{Prompt: "profile"}
	}
	switch scene {
	case viewtest.Offered, viewtest.Tried:
		st.Mode, st.Sheet, st.Entry = action.Planning, &Sheet{Ramp: bench.UsualRamp(s.Target, 64)}, &Entry{Prompt: "ramp"}
	case viewtest.Course:
		st.Mode, st.Entry = action.Steering, &Entry{Prompt: "cruise"}
		st.Course = &Course{Promises: s.Run.Thresholds[:3], Cruise: bench.UsualCruise(s.Run.Thresholds[0], s.Target.Mode, 64)}
	}
	return s, st
}

// TestShow prints every scene: go test -run Show -v ./ui/view
func TestShow(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("for the eye only: needs -v")
	}
	for _, scene := range viewtest.Scenes {
		for _, size := range sizes {
			s, st := dressed(scene, "plain", size[0], size[1])
			fmt.Printf("== %s %d×%d\n%s\n", scene, size[0], size[1], strings.Join(NewScreen().Rows(s, st), "\n"))
		}
	}
}
