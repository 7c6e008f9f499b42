package engine

import (
	"math"
	"sync/atomic"
	"testing"
	"time"

	"redline/bench"
)

func TestAProfileChosenInAPauseBeginsWithItsOwnLoad(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(64)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Pause{})
		r.after(10 * time.Second)
		r.server.peak.Store(0)
		before := len(r.Snapshot().Levels)
		r.post(bench.Follow{Profile: profile(t, "2:20s, 4:20s", bench.Closed)})
		r.post(bench.Resume{})
		r.after(5 * time.Second)
		if n := r.server.peak.Load(); n > 2 {
			t.Errorf("%d in flight at once after the resume, the profile begins with 2", n)
		}
		s := r.Snapshot()
		for _, l := range s.Levels[before:] {
			t.Logf("level %d at %s, cause %v, begin %v, ended %v, sent %d", l.ID, l.Load, l.Cause, l.Begin, l.Ended, l.Tally.Sent)
		}
	})
}

func TestAProfileOfTheOpenLoopChosenInAPause(t *testing.T) {
	o := opened(0, evenly)
	o.Load = bench.InFlight(64)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Pause{})
		r.after(10 * time.Second)
		before := r.server.sent.Load()
		r.post(bench.Follow{Profile: profile(t, "1:20s", bench.Open)})
		r.post(bench.Resume{})
		r.after(500 * time.Millisecond)
		if n := r.server.sent.Load() - before; n > 1 {
			t.Errorf("%d sent in the first half second, the profile begins with 1/s", n)
		}
	})
}

func TestSettingTheLoadThatARampHasJustNowTakesOver(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Profile: profile(t, "ramp 4..40 in 36s, 40:10s", bench.Closed)}, func(t *testing.T, r *run) {
		r.after(20 * time.Second)
		at := r.Snapshot().Target
		r.post(bench.Set{N: at.N}) // "stay here"
		r.after(10 * time.Second)
		if s := r.Snapshot(); s.Target != at || !s.Following.Held {
			t.Errorf("set to %s by hand, ten seconds later the load is %s, held %v", at, s.Target, s.Following.Held)
		}
	})
}

func TestTheBucketsOfAProfilesFirstStageHaveItsLoad(t *testing.T) {
	o := opened(0, evenly)
	o.Load = bench.InFlight(8)
	o.Profile = profile(t, "5:60s, 6:60s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(30 * time.Second)
		s := r.Snapshot()
		if got := s.Buckets[20].Target; got != bench.PerSecond(5) {
			t.Errorf("the bucket of second 20 has the target %s (%v), the load is %s", got, got.Mode, s.Target)
		}
		if !s.Total.Offered.OK {
			t.Errorf("nothing offered in the whole run: %v; the level says %v", s.Total.Offered, s.Level().Offered)
		}
	})
}

// late is a workload that stops the arrivals' goroutine once, as a stopped process would.
type lateWork struct {
	*prompts
	stop atomic.Int64
}

func (l *lateWork) Next(now time.Duration) (bench.Prompt, bool) {
	if d := l.stop.Swap(0); d > 0 {
		time.Sleep(time.Duration(d))
	}
	return l.prompts.Next(now)
}

func TestARampGoesOnAfterAGapOfTime(t *testing.T) {
	o := opened(0, evenly)
	o.Profile = profile(t, "ramp 0..100 in 100s, 100:20s", bench.Open)
	inBubble(t, o, func(t *testing.T, r *run) {
		l := &lateWork{prompts: r.works[0]}
		r.Engine.works[0] = l
		r.post(bench.Note{Text: "so that the stage has it"})
		r.after(10 * time.Second)
		l.stop.Store(int64(3 * time.Second))
		r.after(70 * time.Second)
		before := r.server.sent.Load()
		r.after(10 * time.Second) // 80 s..90 s of the ramp: 80/s to 90/s
		n := float64(r.server.sent.Load() - before)
		if math.Abs(n-850) > 60 {
			t.Errorf("%v sent between 80 s and 90 s of the ramp, want 850; the load is shown as %s", n, r.Snapshot().Target)
		}
	})
}
