package engine

import (
	"math"
	"slices"
	"testing"
	"time"

	"redline/bench"
)

func profile(t *testing.T, text string, mode bench.Mode) *bench.Profile {
	t.Helper()
	p, err := bench.ParseProfile(text, mode)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// loads are the loads of the levels so far.
func (r *run) loads() (out []string) {
	for _, l := range r.Snapshot().Levels {
		out = append(out, l.Load.String())
	}
	return out
}

func TestEachPlateauOfAProfileIsALevel(t *testing.T) {
	p := profile(t, "4:20s, 8:20s, ramp 8..16 in 16s, 16:20s, spike 32 for 5s, 2:20s", bench.Closed)
	inBubble(t, Options{Profile: p}, func(t *testing.T, r *run) {
		r.want(4, 4)
		r.after(20 * time.Second)
		r.want(8, 8)
		r.after(20*time.Second + 4*time.Second) // 4 s into the ramp of a slot every 2 s
		if s := r.Snapshot(); s.Target != bench.InFlight(10) || !s.Moving.OK {
			t.Errorf("in the ramp: %s, moving %v", s.Target, s.Moving)
		}
		r.after(13 * time.Second)
		r.want(16, 16)
		r.after(20 * time.Second)
		if s := r.Snapshot(); s.Target != bench.InFlight(32) {
			t.Errorf("in the spike: %s", s.Target)
		}
		r.after(20 * time.Second)
		r.want(2, 2)
		r.after(30 * time.Second)
		if got, want := r.loads(), []string{"4", "8", "16", "2"}; !slices.Equal(got, want) {
			t.Errorf("levels at %v, want %v", got, want)
		}
		if f := r.Snapshot().Following; f == nil || !f.Over || f.At != p.Length() {
			t.Errorf("following %+v, want it over", f)
		}
		r.wantState(bench.Running)
	})
}

func TestASnapshotShowsTheProfileAsFarAsItIs(t *testing.T) {
	inBubble(t, Options{Profile: profile(t, "4:20s, 8:20s", bench.Closed)}, func(t *testing.T, r *run) {
		for range 10 {
			r.after(330 * time.Millisecond)
			if s := r.Snapshot(); s.Following.At != s.At {
				t.Errorf("at %v the profile, which began with the run, is %v in", s.At, s.Following.At)
			}
		}
		r.post(bench.Pause{})
		was := r.Snapshot().Following.At
		if r.after(1400 * time.Millisecond); r.Snapshot().Following.At != was {
			t.Errorf("paused it goes on: %v, %v before", r.Snapshot().Following.At, was)
		}
	})
}

func TestAProfileOfTheOpenLoopRampsItsArrivals(t *testing.T) {
	o := opened(0, evenly)
	o.Profile = profile(t, "ramp 0..10 in 20s, 10:10s, ramp 10..0 in 20s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		for _, at := range []struct {
			at   time.Duration
			sent float64
		}{{10 * time.Second, 25}, {20 * time.Second, 100}, {30 * time.Second, 200}, {40 * time.Second, 275}, {50 * time.Second, 300}, {60 * time.Second, 300}} {
			r.after(at.at - r.Snapshot().At)
			if sent := float64(r.server.sent.Load()); math.Abs(sent-at.sent) > 1.5 {
				t.Errorf("after %v: %v sent, want %v", at.at, sent, at.sent)
			}
		}
		r.wantLoad(bench.PerSecond(0))
	})
}

func TestAnyManualKeyTakesOverAndTheProfileGoesOnWhereItStopped(t *testing.T) {
	for _, key := range []bench.Command{bench.Add{N: 1}, bench.Add{N: -1}, bench.Set{N: 5}, bench.Times{F: 0.5}, bench.Cancel{}} {
		inBubble(t, Options{Profile: profile(t, "4:20s, 8:20s, 12:20s", bench.Closed)}, func(t *testing.T, r *run) {
			r.after(5 * time.Second)
			r.post(key)
			f := r.Snapshot().Following
			if f == nil || !f.Held || f.At != 5*time.Second || r.Snapshot().Target == bench.InFlight(4) {
				t.Fatalf("%T: following %+v at load %s", key, f, r.Snapshot().Target)
			}
			by := r.Snapshot().Target
			r.after(time.Minute)
			r.wantLoad(by)
			r.post(bench.Follow{})
			r.wantLoad(bench.InFlight(4))
			r.after(16 * time.Second)
			r.wantLoad(bench.InFlight(8))
			if n := r.count(bench.EventProfile); n != 3 {
				t.Errorf("%T: %d events of the profile, want the beginning, the taking over and the giving back", key, n)
			}
			r.after(40 * time.Second)
			r.wantLoad(bench.InFlight(12))
			r.post(bench.Follow{})
			r.wantLoad(bench.InFlight(4))
		})
	}
}

func TestAProfileStandsStillWhileTheRunIsPaused(t *testing.T) {
	inBubble(t, Options{Profile: profile(t, "4:20s, 8:20s", bench.Closed)}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.Pause{})
		r.after(time.Hour)
		r.wantLoad(bench.InFlight(4))
		r.post(bench.Resume{})
		r.after(9 * time.Second)
		r.wantLoad(bench.InFlight(4))
		r.after(2 * time.Second)
		r.wantLoad(bench.InFlight(8))
	})
}

func TestAProfileMayChangeTheMode(t *testing.T) {
	o := opened(0, evenly)
	o.Load = bench.InFlight(3)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.Follow{Profile: profile(t, "2:20s, 4:20s", bench.Open)})
		r.wantLoad(bench.PerSecond(2))
		r.after(21 * time.Second)
		r.wantLoad(bench.PerSecond(4))
		r.post(bench.Set{N: 3})
		r.wantLoad(bench.PerSecond(3))
		r.post(bench.Undo{}, bench.Undo{})
		r.after(time.Second)
		if s := r.Snapshot(); s.Target.Mode != bench.Open || !s.Following.Held {
			t.Errorf("load %s, following %+v", s.Target, s.Following)
		}
	})
}

func TestWithoutAnOperatorTheRunEndsWithItsProfile(t *testing.T) {
	inBubble(t, Options{Unmanned: true, Profile: profile(t, "4:20s, 8:22s", bench.Closed)}, func(t *testing.T, r *run) {
		r.after(43 * time.Second)
		r.wantState(bench.Draining)
		r.after(5 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Done || s.Tail.Finished != 8 || s.Tail.Cut != 0 || s.Tail.Span > whole || s.Tail.Began.At != 42*time.Second {
			t.Errorf("state %v, tail %+v", s.State, s.Tail)
		}
	})
}

func TestAProfileBeyondTheBoundsIsNotBegun(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(3), Run: bench.Run{Max: 10}}, func(t *testing.T, r *run) {
		r.post(bench.Follow{Profile: profile(t, "ramp 1..11 in 1m", bench.Closed)})
		r.want(3, 3)
		if r.Snapshot().Following != nil || r.count(bench.EventWarn) != 1 {
			t.Errorf("following %+v, events %v", r.Snapshot().Following, r.kinds())
		}
		r.post(bench.Follow{Profile: profile(t, "ramp 1..10 in 1m", bench.Closed)})
		r.want(1, 3)
	})
}
