package view

import (
	"math"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func planOf(t *testing.T, text string, mode bench.Mode) *bench.Profile {
	t.Helper()
	p, err := bench.ParseProfile(text, mode)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWhatIsToComeStandsRightOfNow: the LOAD lane alone shows it, in a fifth of the plot, and the axis says so.
func TestWhatIsToComeStandsRightOfNow(t *testing.T) {
	for _, scene := range []viewtest.Scene{viewtest.Profiled, viewtest.Handheld} {
		s, st := dressed(scene, "plain", 120, 36)
		f := NewScreen().frame(s, st)
		f.measure()
		if f.ahead != f.Chart/5 {
			t.Fatalf("%s: %d of %d columns are ahead", scene, f.ahead, f.Chart)
		}
		lane := f.cause()
		if len(lane.Columns) != f.Chart {
			t.Errorf("%s: %d columns on %d cells", scene, len(lane.Columns), f.Chart)
		}
		tops := f.tops()
		for cell, c := range lane.Columns[len(lane.Columns)-f.ahead:] {
			n, _, _ := s.Following.Profile.At(f.aheadAt(s.Following, cell))
			if !c.Ahead || !c.OK || math.Abs(c.V*tops[bench.Closed]-n) > 1e-9 {
				t.Errorf("%s: cell %d is %+v, want %v", scene, cell, c, n)
			}
		}
		for i := range bench.Lanes {
			if l := f.lane(i); l.Width != f.Chart-f.ahead {
				t.Errorf("%s: lane %d has %d cells", scene, i, l.Width)
			}
		}
	}
}

func TestWithoutAProfileOrRoomNothingIsAhead(t *testing.T) {
	over := func(s *bench.Snapshot) { s.Following.Over = true }
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		w, h     int
		change   func(*bench.Snapshot)
	}{
		{"no profile", viewtest.Running, 120, 36, func(*bench.Snapshot) {}},
		{"one that is over", viewtest.Profiled, 120, 36, over},
		{"a run that is over", viewtest.Profiled, 120, 36, func(s *bench.Snapshot) { s.State = bench.Done }},
		{"a plot of less than 24 columns", viewtest.Profiled, 57, 15, func(*bench.Snapshot) {}},
	} {
		s, st := dressed(c.scene, "plain", c.w, c.h)
		c.change(s)
		if f := NewScreen().frame(s, st); f.ahead != 0 {
			t.Errorf("%s: %d columns are ahead", c.sentence, f.ahead)
		}
	}
}

// TestAHeldProfileStandsStill: however much time passes, what is ahead is the same.
func TestAHeldProfileStandsStill(t *testing.T) {
	s, st := dressed(viewtest.Handheld, "plain", 120, 36)
	f := NewScreen().frame(s, st)
	before := f.aheadAt(s.Following, 3)
	later := *s
	later.At += 700 * time.Millisecond
	if after := NewScreen().frame(&later, st).aheadAt(later.Following, 3); after != before {
		t.Errorf("%v was %v", after, before)
	}
}

func TestTheLoadRowTellsOfTheProfile(t *testing.T) {
	ramp := func(s *bench.Snapshot, _ *State) { s.Following.At += 25 * time.Second }
	last := func(s *bench.Snapshot, _ *State) { s.Following.At += 70 * time.Second }
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		w, h     int
		change   func(*bench.Snapshot, *State)
		want     string
	}{
		{"the stage, until when, and what then", viewtest.Profiled, 120, 36, nil, "profile 3 of 5, 16 until 03:30, then to 48"},
		{"in a ramp, both its ends", viewtest.Profiled, 200, 60, ramp, "profile 4 of 5, 16 → 48 until 03:35"},
		{"the last one ends", viewtest.Profiled, 120, 36, last, "profile 5 of 5, 48 until 03:50, then ends"},
		{"less where there is less room", viewtest.Profiled, 80, 24, nil, "profile 3 of 5, 16 until 03:30"},
		{"and in a list", viewtest.Profiled, 40, 8, nil, "16 until 03:30"},
		{"who has the load", viewtest.Handheld, 120, 36, nil, "profile held by hand, r hands back"},
		{"in few words too", viewtest.Handheld, 60, 15, nil, "profile held"},
	} {
		if got := drawn(c.scene, c.w, c.h, c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

func TestTheSheetTellsWhatAProfileTakesAtMost(t *testing.T) {
	sheet := func(text string, mode bench.Mode) func(*bench.Snapshot, *State) {
		return func(s *bench.Snapshot, st *State) {
			st.Mode, st.Entry, st.Sheet = action.Planning, &Entry{Prompt: "profile", Text: text}, &Sheet{Plan: planOf(t, text, mode), Typed: true}
		}
	}
	arriving := func(a bench.Arrivals) func(*bench.Snapshot, *State) {
		return func(s *bench.Snapshot, st *State) {
			sheet("10:1m", bench.Open)(s, st)
			s.Run.Arrivals, s.Run.Works[0].Rate = a, 2
		}
	}
	ahead := func(text string, at time.Duration) func(*bench.Snapshot, *State) {
		return func(s *bench.Snapshot, st *State) {
			st.Mode, st.Entry, st.Sheet = action.Planning, &Entry{Prompt: "profile"}, &Sheet{}
			s.Following = &bench.Following{Profile: planOf(t, text, bench.Closed), At: at}
		}
	}
	for _, c := range []struct {
		sentence string
		scene    viewtest.Scene
		change   func(*bench.Snapshot, *State)
		want     string
	}{
		{"in the open loop its arrivals, with answers as long as they may be", viewtest.Open, sheet("10:1m", bench.Open), "at most 674 requests · up to 520k tokens · up to $0.66 · 1 min"},
		{"even arrivals are as many as are planned", viewtest.Open, arriving(bench.Arrivals{Shape: bench.Constant}), "at most 600 requests"},
		{"a count has no decimals", viewtest.Open, func(s *bench.Snapshot, st *State) {
			arriving(bench.Arrivals{Shape: bench.Constant})(s, st)
			st.Sheet.Plan = planOf(t, "1:20s", bench.Open)
		}, "at most 20 requests"},
		{"arrivals in bursts scatter", viewtest.Open, arriving(bench.Arrivals{Shape: bench.Gamma, Burstiness: 0.25}), "at most 747 requests"},
		{"a trace may be denser where it is played", viewtest.Open, arriving(bench.Arrivals{Shape: bench.Recorded}), "about 600 requests · up to ~463k tokens"},
		{"a workload without times of its own has independent users", viewtest.Open, func(s *bench.Snapshot, st *State) {
			arriving(bench.Arrivals{Shape: bench.Recorded})(s, st)
			s.Run.Works[0].Rate = 0
		}, "at most 674 requests"},
		{"before any answer only what is left counts", viewtest.Ready, func(s *bench.Snapshot, st *State) {
			ahead("64:1m, 16:1m", 70*time.Second)(s, st)
			s.State = bench.Running
		}, "how many more requests: known once answers have come"},
		{"nor is the bound held against what is over", viewtest.Running, ahead("128:1m, 16:1m", 70*time.Second), " · 50 s\n"},
		{"a rate that ramps", viewtest.Open, sheet("ramp 0..10 in 1m", bench.Open), "at most 352 requests"},
		{"in the closed loop what there is time for", viewtest.Running, sheet("16:1m", bench.Closed), "about 2"},
		{"before any answer that is not known", viewtest.Ready, sheet("16:1m", bench.Closed), "how many requests: known once answers have come"},
		{"a bound that it does not keep", viewtest.Running, sheet("128:1m", bench.Closed), "over the bound of 64"},
		{"what is left of the one in force", viewtest.Sheet, nil, "still about "},
		{"how to type one where there is none", viewtest.Running, func(_ *bench.Snapshot, st *State) {
			st.Mode, st.Entry, st.Sheet = action.Planning, &Entry{Prompt: "profile"}, &Sheet{}
		}, "neither a ramp nor a profile yet: type for example 4..64 x2, or ramp 1..64 in 2m, 64:1m"},
	} {
		if got := drawn(c.scene, 120, 36, c.change); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in\n%s", c.sentence, c.want, got)
		}
	}
}

func TestAPlanIsReckonedAtThePaceOfTheNearestLevel(t *testing.T) {
	level := func(load float64, ended int, e2e, residence float64) *bench.Level {
		l := &bench.Level{Load: bench.InFlight(int(load))}
		l.Stats[bench.E2E] = bench.Stat{N: ended, Mean: bench.Some(1000 * e2e)}
		l.Residence = bench.Some(residence)
		return l
	}
	for _, c := range []struct {
		sentence string
		levels   []*bench.Level
		want     float64
	}{
		{"at four a request takes 2 s, at sixteen 8 s", []*bench.Level{level(4, 50, 2, 2), level(16, 50, 8, 8)}, 4*60/2 + 16*60/8},
		{"the latest of two at the same load", []*bench.Level{level(4, 50, 2, 2), level(16, 50, 8, 8), level(4, 50, 3, 3)}, 4*60/3 + 16*60/8},
		{"failures that end sooner count", []*bench.Level{level(8, 50, 4, 2)}, 20 * 60 / 2},
		{"of a young level the truth lies between what has ended and all time in flight", []*bench.Level{level(8, 6, 3, 12)}, 20 * 60 / 6},
		{"while it ramps no level lasts, and the run tells", []*bench.Level{{Load: bench.InFlight(9), Cause: bench.CauseProfile}}, 20 * 60 / 6},
		{"a level in which hardly anything has ended says nothing", []*bench.Level{level(4, 2, 2, 2), level(16, 50, 8, 8)}, 20 * 60 / 8},
	} {
		s := viewtest.Make(viewtest.Running, 0)
		s.Levels = c.levels
		s.Total.Stats[bench.E2E], s.Total.Residence = bench.Stat{N: 50, Mean: bench.Some(4000)}, bench.Some(9)
		f := &frame{s: s, live: s}
		got := f.take(planOf(t, "4:1m, 16:1m", bench.Closed), 0)
		if !got.known || got.requests != c.want {
			t.Errorf("%s: about %v requests, want %v", c.sentence, got.requests, c.want)
		}
	}
}

func TestWhatBecomesOfAProfileHasGlyphs(t *testing.T) {
	for n, want := range map[int]string{bench.ProfileBegins: "› profile", bench.ProfileHeld: "◆ profile", bench.ProfileGoesOn: "› profile", bench.ProfileOver: "✓ profile"} {
		got := drawn(viewtest.Running, 120, 36, func(s *bench.Snapshot, _ *State) {
			s.Events = append(s.Events, bench.Event{At: s.At, Kind: bench.EventProfile, N: n, Text: "profile 4:1m has news"})
		})
		if !strings.Contains(got, want) {
			t.Errorf("%d: %q is not in\n%s", n, want, got)
		}
	}
}

func TestVolumeIsWhatIsLeft(t *testing.T) {
	p := planOf(t, "4:10s, ramp 0..8 in 10s, 2:5s", bench.Closed)
	for at, want := range map[time.Duration]float64{0: 90, 5 * time.Second: 70, 10 * time.Second: 50, 15 * time.Second: 40, 20 * time.Second: 10, 25 * time.Second: 0, time.Hour: 0} {
		if got := volume(p, at, even); math.Abs(got-want) > 1e-9 {
			t.Errorf("from %v on: %v, want %v", at, got, want)
		}
	}
	if got := volume(p, 0, even); got != p.Volume() {
		t.Errorf("all of it is %v, and %v", got, p.Volume())
	}
}

// TestALongProfileShowsTheStageInForce: of many stages those about the present one are told, and how many more there are.
func TestALongProfileShowsTheStageInForce(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {40, 8}} {
		got := drawn(viewtest.Sheet, size[0], size[1], func(s *bench.Snapshot, st *State) {
			s.Following.Profile = planOf(t, strings.Repeat("4:10s, ", 99)+"8:10s", bench.Closed)
			s.Following.At = 505 * time.Second
			st.Sheet.Plan = s.Following.Profile
		})
		if !strings.Contains(got, "›  51") || !strings.Contains(got, "more stages, until 16:40") {
			t.Errorf("%v:\n%s", size, got)
		}
	}
}
