package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func TestTheCurveMarksTheRedline(t *testing.T) {
	curve := func(w, h int, change func(*bench.Snapshot)) string {
		return drawn(viewtest.Found, w, h, func(s *bench.Snapshot, st *State) {
			st.View = action.Curve
			r := *s.Ramping
			found := *r.Found
			r.Found, s.Ramping = &found, &r
			if change != nil {
				change(s)
			}
		})
	}
	for _, size := range sizes {
		text := curve(size[0], size[1], nil)
		if size[1] >= 15 && !strings.Contains(text, "▲ redline") {
			t.Errorf("%d×%d: no redline in\n%s", size[0], size[1], text)
		}
	}
	if text := curve(120, 36, nil); !strings.Contains(text, "▲ redline 40 confirmed, bound by") || strings.Count(text, "▲") < 4 {
		t.Errorf("no mark on both plots, in the legend and in the table:\n%s", text)
	}
	for _, c := range []struct {
		because, want string
		change        func(*bench.Snapshot)
	}{
		{"a cap decided", "▲ redline ~40 confirmed", func(s *bench.Snapshot) { s.Ramping.Found.Rough = true }},
		{"the server limited requests", "confirmed, stopped by 429 at 48", func(s *bench.Snapshot) { s.Ramping.Found.Why = "429" }},
		{"a note has been written since", "", func(s *bench.Snapshot) {
			s.Events = append(s.Events, bench.Event{At: s.Ramping.Ended.At + time.Second, Kind: bench.EventNote, Text: "other flags"})
		}},
		{"every promise was kept", "", func(s *bench.Snapshot) { s.Ramping.Phase = bench.RampOpen }},
		{"it was of the other loop", "", func(s *bench.Snapshot) { s.Ramping.Found.Load.Mode = bench.Open }},
		{"a level at the redline broke", "▲ redline 64 confirmed, but level at 48 broke", func(s *bench.Snapshot) { s.Ramping.Found.Load.N = 64 }},
	} {
		text := curve(120, 36, c.change)
		if c.want == "" && strings.Contains(text, "▲ redline") || !strings.Contains(text, c.want) {
			t.Errorf("%s, want %q:\n%s", c.because, c.want, text)
		}
	}
}
