package view

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/pilot/plant"
	"redline/bench/record"
	"redline/bench/sim/model"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// taped is a planted run in a file, and its snapshots as they were shown.
func taped(t *testing.T, seconds int) (*record.File, []*bench.Snapshot) {
	t.Helper()
	p, err := plant.New(plant.Options{Model: model.Preset(0).Params(), Seed: 7, Load: bench.InFlight(8), Folds: true, Thresholds: []bench.Threshold{{Metric: bench.TTFT, At: bench.P95, Limit: 150}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run")
	run := *p.Snapshot().Run
	run.Model, run.Host, run.Target = "planted", "gpu-7:8000", "http://gpu-7:8000/v1"
	r, err := record.Create(path, record.Header{Schema: record.Schema, Began: recordedOn, Tracks: []record.TrackHeader{{Run: &run}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var shown []*bench.Snapshot
	for i := range seconds {
		switch i {
		case seconds / 3:
			p.Set(bench.InFlight(24), bench.CauseLoad)
		case 2 * seconds / 3:
			p.Set(bench.InFlight(12), bench.CauseLoad)
			p.Fail(0.2)
		}
		b := p.Second()
		s := p.Snapshot()
		r.Track(0).Seconds([]*bench.Batch{b}, s)
		one := *s
		one.Run = &run
		shown = append(shown, &one)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, shown
}

var recordedOn = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// recordedAt is how a recording of some length is shown, with a landmark of each kind.
func recordedAt(at, length time.Duration) *bench.Playback {
	p := &bench.Playback{At: at, Length: length, Speed: 10, Playing: true, Began: recordedOn}
	for i, k := range []bench.EventKind{bench.EventCommit, bench.EventNote, bench.EventFailure, bench.EventBroken, bench.EventDown, bench.EventAnnotation, bench.EventMode} {
		p.Landmarks = append(p.Landmarks, bench.Event{At: length * time.Duration(i+1) / 9, Kind: k, From: bench.InFlight(8), To: bench.InFlight(16)})
	}
	return p
}

// TestAReplayDrawsTheFramesOfTheRun: at every second, in every view and size, the frame of what the file gives is the frame that was drawn live. What a
// recording has beside that is the beginning of its first row, the scrubber, and other keys.
func TestAReplayDrawsTheFramesOfTheRun(t *testing.T) {
	f, shown := taped(t, 75)
	player := f.Player()
	defer player.Close()
	live, replayed := NewScreen(), NewScreen()
	for i, want := range shown {
		if more, err := player.Step(); err != nil || !more {
			t.Fatalf("second %d: %v, more %v", i, err, more)
		}
		got := player.Snapshot()
		size := sizes[i%len(sizes)]
		for v := range action.NumViews {
			st := state("ansi", size[0], size[1])
			st.View, st.Log = v, Logarithmic
			a := slices.Clone(live.Rows(want, st))
			b := slices.Clone(replayed.Rows(got, st))
			if !slices.Equal(a, b) {
				t.Fatalf("%v of second %d at %v differs:\n%s", v, i, size, difference(strings.Join(a, "\n"), strings.Join(b, "\n")))
			}
		}
	}
}

// TestTheScrubberIsARowOfItsOwn: all other rows but the first and the keys are those of the run on a screen that is one row lower.
func TestTheScrubberIsARowOfItsOwn(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	for _, size := range sizes {
		for v := range action.NumViews {
			low := state("plain", size[0], size[1])
			low.View, low.Log = v, Logarithmic
			want := slices.Clone(NewScreen().Rows(s, low))
			st := state("plain", size[0], size[1]+1)
			st.View, st.Log, st.Keys = v, Logarithmic, (*action.Map)(nil).Recording()
			st.Replay = recordedAt(s.At, 2*s.At)
			got := NewScreen().Rows(s, st)
			if size[1] < scrubbed || len(got) != len(want)+1 {
				if size[1] >= scrubbed {
					t.Errorf("%v at %v: %d rows, want %d", v, size, len(got), len(want)+1)
				}
				continue
			}
			if !strings.Contains(got[0], "REPLAY") {
				t.Errorf("%v at %v: the first row is %q", v, size, got[0])
			}
			if bar := got[len(got)-2]; !strings.Contains(bar, "┃") || !strings.Contains(bar, "✎") || !strings.Contains(bar, "━") {
				t.Errorf("%v at %v: the scrubber is %q", v, size, bar)
			}
			for y := 3; y < len(want)-1; y++ {
				// Where the load is drawn there is no step, and an empty log explains itself only to who drives.
				if got[y] != want[y] && !strings.Contains(want[y], "step") && !strings.Contains(want[y], "choose a cell") {
					t.Errorf("%v at %v: row %d is %q, want %q", v, size, y, got[y], want[y])
				}
			}
			if foot := got[len(got)-1]; strings.Contains(foot, "load") || strings.Contains(foot, "stop") || !strings.Contains(foot, "spc pause") && size[0] > 40 {
				t.Errorf("%v at %v: the footer is %q", v, size, foot)
			}
		}
	}
}

// TestNoRowOfARecordingIsTooWide, whatever the run, the recording and the screen.
func TestNoRowOfARecordingIsTooWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	names := []string{"ansi", "ascii", "mono", "plain"}
	for seed := range 200 {
		s := viewtest.Random(uint64(seed))
		screen := NewScreen()
		for range 6 {
			w, h := 1+rng.IntN(300), 1+rng.IntN(100)
			st := state(names[rng.IntN(len(names))], w, h)
			st.View, st.Keys = action.View(rng.IntN(int(action.NumViews))), (*action.Map)(nil).Recording()
			st.Mode = []action.Mode{action.Driving, action.Helping}[rng.IntN(2)]
			st.Replay = recordedAt(time.Duration(rng.Uint64()>>rng.IntN(60)), time.Duration(rng.Uint64()>>(1+rng.IntN(60))))
			st.Replay.Speed, st.Replay.Playing, st.Replay.Growing, st.Replay.Cut = bench.Tempos[rng.IntN(3)], rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				st.Replay.Damage = "接続 \x1b[31m at byte 12: \x07 lost"
			}
			for i := range st.Replay.Landmarks {
				st.Replay.Landmarks[i].At = time.Duration(rng.Uint64() >> rng.IntN(64))
				s.Events = append(s.Events, bench.Event{At: st.Replay.Landmarks[i].At, Kind: bench.EventAnnotation, Text: "数字\x1b[2J"})
			}
			check(t, screen.Rows(s, st), w, h, "recording")
		}
	}
}

// TestGoingAboutOwesNothingToWhatWasShown: a screen that has shown other seconds of a recording draws one as a new screen does.
func TestGoingAboutOwesNothingToWhatWasShown(t *testing.T) {
	f, shown := taped(t, 130)
	rng := rand.New(rand.NewPCG(9, 9))
	player, used := f.Player(), NewScreen()
	defer player.Close()
	was := 0
	for range 80 {
		i := rng.IntN(len(shown))
		if i >= was && i <= was+int(leap/time.Second) {
			continue
		}
		was = i
		if err := player.Seek(time.Duration(i+1) * time.Second); err != nil {
			t.Fatal(err)
		}
		st := state("plain", 120, 37)
		st.View, st.Log = action.View(rng.IntN(int(action.NumViews))), Logarithmic
		st.Window = Windows[rng.IntN(len(Windows))]
		st.Replay = recordedAt(shown[i].At, f.Length)
		a := slices.Clone(used.Rows(player.Snapshot(), st))
		b := slices.Clone(NewScreen().Rows(shown[i], st))
		if !slices.Equal(a, b) {
			t.Fatalf("%v at second %d:\n%s", st.View, i+1, difference(strings.Join(b, "\n"), strings.Join(a, "\n")))
		}
	}
}

func TestAnAddedNoteIsNoNoteOfTheRun(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	one := *s
	one.Events = append(slices.Clone(s.Events), bench.Event{At: s.At - 9*time.Second, Kind: bench.EventAnnotation, Text: "the cache was cold"})
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}} {
		st := state("plain", size[0], size[1])
		frame := strings.Join(NewScreen().Rows(&one, st), "\n")
		if strings.Count(frame, "✎") != 2 || !strings.Contains(frame, "✎ ") || !strings.Contains(frame, "“the cache was cold”") {
			t.Errorf("%v: want it on the time axis and in the log:\n%s", size, frame)
		}
		st.View = action.Log
		if frame := strings.Join(NewScreen().Rows(&one, st), "\n"); size[0] > 60 && !strings.Contains(frame, "✎ added") && !strings.Contains(frame, "✎  added") {
			t.Errorf("%v: it is not in the Log:\n%s", size, frame)
		}
	}
}

func TestAClickOnTheScrubberIsAnInstant(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	st := state("plain", 120, 36)
	st.Replay = recordedAt(time.Minute, 10*time.Minute)
	screen := NewScreen()
	rows := screen.Rows(s, st)
	y := len(rows) - 2
	for x, want := range map[int]time.Duration{1: 0, 118: 10 * time.Minute} {
		if h := screen.Hit(x, y); h.Spot != OnScrubber || h.At != want {
			t.Errorf("cell %d is %+v, want %s", x, h, want)
		}
	}
	if h := screen.Hit(60, y); h.At < 4*time.Minute+50*time.Second || h.At > 5*time.Minute+10*time.Second {
		t.Errorf("the middle is %s", h.At)
	}
	if h := screen.Hit(4, y+1); h.Spot != OnAction {
		t.Errorf("below it stand the keys, not %+v", h)
	}
}

// TestWhatHasNotComeYetIsNotComparedWith: a level that was pinned, or made a ghost, further on in a recording is none where one has gone back before it.
func TestWhatHasNotComeYetIsNotComparedWith(t *testing.T) {
	f, _ := taped(t, 75)
	player := f.Player()
	defer player.Close()
	at := func(second int) *bench.Snapshot {
		if err := player.Seek(time.Duration(second) * time.Second); err != nil {
			t.Fatal(err)
		}
		return player.Snapshot()
	}
	late := at(74)
	of := func(load float64) *bench.Level {
		for _, l := range late.Levels {
			if l.Load.N == load {
				return l
			}
		}
		t.Fatalf("no level at %g", load)
		return nil
	}
	for _, c := range []struct {
		second int
		load   float64
		want   bool
	}{{74, 24, true}, {20, 24, false}, {60, 24, true}, {30, 12, false}, {30, 24, false}} {
		s := at(c.second)
		st := state("plain", 120, 36)
		st.Replay = recordedAt(s.At, 75*time.Second)
		st.Reference, st.Ghost = of(c.load), of(c.load)
		rows := strings.Join(NewScreen().Rows(s, st), "\n")
		if got := strings.Contains(rows, "Δ ◆"); got != c.want {
			t.Errorf("second %d: Δ with what was at %g: %v, want %v\n%s", c.second, c.load, got, c.want, rows)
		}
		if got := strings.Contains(rows, "ghost: "); got != c.want {
			t.Errorf("second %d: the ghost of %g: %v, want %v", c.second, c.load, got, c.want)
		}
	}
}
