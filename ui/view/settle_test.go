package view

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/view/viewtest"
)

func TestACompactLaneSaysWhatBreaksAPromiseThatItsNumberKeeps(t *testing.T) {
	for p95, want := range map[float64]string{80: "76 unsent", 900: "from schedule"} {
		got := drawn(viewtest.Unsent, 80, 24, func(s *bench.Snapshot, st *State) {
			s.Level().Stats[bench.TTFT].P95 = bench.Some(p95)
			s.Levels = s.Levels[len(s.Levels)-1:]
		})
		lane := got[strings.Index(got, " TTFT"):strings.Index(got, " ITL")]
		if !strings.Contains(lane, want) {
			t.Errorf("p95 %v: %q is not in\n%s", p95, want, lane)
		}
	}
}

// TestWordsForWhatIsPastAndWhatIsToCome: "ready in" is for the future alone, and nothing is promised while nothing is sent.
func TestWordsForWhatIsPastAndWhatIsToCome(t *testing.T) {
	zero := func(s *bench.Snapshot, _ *State) {
		s.Target, s.Level().Load, s.Level().State = bench.Setpoint{}, bench.Setpoint{}, bench.Settles
	}
	far := func(s *bench.Snapshot, _ *State) {
		for m := range s.Level().Stats {
			s.Level().Stats[m].Wait = 43 * time.Second
		}
	}
	for _, c := range []struct {
		sentence  string
		scene     viewtest.Scene
		change    func(*bench.Snapshot, *State)
		want, not string
	}{
		{"a settled level says how long it took", viewtest.Running, nil, "settled in 9 s", "ready in"},
		{"and since when it is ready", viewtest.Running, nil, "at 40 22 s, ready 13 s ago, n 160", "ready in"},
		{"a young one what it waits for", viewtest.Settling, nil, "ready in ~14 s", "settled"},
		{"far forecasts are rounded", viewtest.Settling, far, "ready in ~45 s", "~43"},
		{"a paused run promises nothing", viewtest.Paused, nil, "at 40 22 s, n 160", "ready"},
		{"nor does one without a load", viewtest.Settling, zero, "at 0 ", "ready in"},
		{"a dead target is not ready", viewtest.Down, nil, "at 40 22 s, n 160", "ready"},
		{"and has no rate now", viewtest.Down, nil, "│ –        ≈480", "≈474"},
		{"a moving load has one aim", viewtest.Moving, nil, "at 52 3 s, moving to 52", "reaching"},
		{"a ramp has an aim too, and what it passes is none", viewtest.Ramp, nil, "on the way to 48, 14 s to go", "at 32"},
		{"nor is the load that it has just now one it moves to", viewtest.Ramp, nil, "in use 32   on the way to 48", "moving to"},
		{"a ramp that the hand took the load from has none", viewtest.Ramp, func(s *bench.Snapshot, _ *State) { s.Following.Held = true }, "moving to 32", "on the way"},
		{"where it begins no load stands in the plot", viewtest.Ramp, nil, "┊██████", "┊32"},
		{"also when its level is behind", viewtest.Moving, func(s *bench.Snapshot, _ *State) {
			s.Moving, s.Level().State, s.Level().Load = bench.Mark{}, bench.Reaching, bench.InFlight(26)
		}, "moving to 52", "reaching 26"},
	} {
		got := drawn(c.scene, 120, 36, c.change)
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", c.sentence, c.want, c.not, got)
		}
	}
}

// TestAFrozenViewShowsTheLoadAsItIs: lanes, numbers and log stand still, the load does not.
func TestAFrozenViewShowsTheLoadAsItIs(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {40, 8}} {
		s, st := viewtest.Make(viewtest.Running, 0), state("plain", size[0], size[1])
		before := NewScreen().Rows(s, st)
		live := *viewtest.Make(viewtest.Paused, 5)
		live.Target, live.InFlight = bench.InFlight(23), 5
		st.Frozen, st.FrozenFor, st.Live = true, 8*time.Second, &live
		after := NewScreen().Rows(s, st)
		head := strings.Join(after[:2], "\n")
		if !strings.Contains(head, "PAUSED") || !strings.Contains(head, "FROZEN 8 s") || size[0] > 40 && !strings.Contains(head, "load live") {
			t.Errorf("%v: the header is not of now:\n%s", size, head)
		}
		changed := 0
		for i := range before {
			if before[i] != after[i] {
				changed++
			}
		}
		if all := strings.Join(after, "\n"); changed > 5 || size[0] < 120 && !strings.Contains(all, "CONC 23") {
			t.Errorf("%v: %d rows changed:\n%s", size, changed, all)
		}
	}
}

func TestForecastsAreRoundAndNeverNothing(t *testing.T) {
	for d, want := range map[time.Duration]string{
		40 * time.Millisecond: "~1 s", time.Second: "~1 s", 14 * time.Second: "~14 s", 22 * time.Second: "~20 s", 23 * time.Second: "~25 s", 3 * time.Minute: "~3 min",
	} {
		if got := forecast(d); got != want {
			t.Errorf("%v is forecast as %q, want %q", d, got, want)
		}
	}
}
