package engine

import (
	"sync"
	"testing"
	"time"

	"redline/bench"
)

func TestReturnedTargetWarmsUpAndDowntimeIsInNoStatistic(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(30 * time.Second)
		before := r.Snapshot()
		r.server.fail.Store(int32(bench.Refused))
		r.after(60 * time.Second)
		r.wantState(bench.Down)
		// It comes back cold: first tokens take 20 s, and the level must see none of that.
		r.server.ttft.Store(int64(20 * time.Second))
		r.server.fail.Store(int32(bench.OK))
		r.after(25 * time.Second)
		r.wantState(bench.Warming)
		r.server.ttft.Store(int64(200 * time.Millisecond))
		r.after(60 * time.Second)
		r.wantState(bench.Running)

		s := r.Snapshot()
		if len(s.Levels) != 2 || s.Level().Cause != bench.CauseRecovery || s.Level().Load != bench.InFlight(4) {
			t.Fatalf("%d levels, the last %+v; want a second one at 4, by recovery", len(s.Levels), s.Level())
		}
		for _, scope := range []struct {
			name string
			sum  bench.Summary
		}{{"level", s.Level().Summary}, {"run", s.Total}, {"level before", s.Levels[0].Summary}} {
			if worst := scope.sum.Stats[bench.TTFT].Max; !worst.OK || worst.V > 210 {
				t.Errorf("%s: slowest first token %.0f ms, want 200: the warm-up is in it", scope.name, worst.V)
			}
		}
		down := s.Total.Tally.Failed
		if apart := s.Total.Tally.Apart; apart.Failed < down-5*4 || apart.OK < 1 {
			t.Errorf("%d failed, apart %+v; want all but those by which the outage was noticed", down, apart)
		}
		if y := s.Total.Tally; y.Judged() != y.OK+y.Failed-y.Apart.OK-y.Apart.Failed || y.ErrorShare().V >= 100*float64(y.Failed)/float64(y.OK+y.Failed) {
			t.Errorf("errors %.1f %% of %d: the outage is in the share", y.ErrorShare().V, y.Judged())
		}
		if rate, was := s.Total.Stats[bench.RPM].Mean.V, before.Total.Stats[bench.RPM].Mean.V; rate < 0.8*was {
			t.Errorf("RPM %.1f in the run, %.1f before the outage: the downtime is in it", rate, was)
		}
	})
}

func TestTargetThatFailsWhileItWarmsUpIsDownAgain(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(10 * time.Second)
		r.server.ttft.Store(int64(3 * time.Second))
		r.server.tokens.Store(1000)
		r.server.fail.Store(int32(bench.OK))
		r.after(9 * time.Second)
		r.wantState(bench.Warming)
		r.post(bench.Cancel{})
		r.server.fail.Store(int32(bench.Refused))
		r.post(bench.Set{N: 4})
		r.after(20 * time.Second)
		r.wantState(bench.Down)
		r.post(bench.Pause{})
		r.wantState(bench.Paused)
		r.server.fail.Store(int32(bench.OK))
		r.post(bench.Resume{})
		r.after(10 * time.Second)
		r.wantState(bench.Running)
	})
}

func TestPauseOn429(t *testing.T) {
	for _, pause := range []bool{true, false} {
		inBubble(t, Options{Load: bench.InFlight(4), PauseOn429: pause}, func(t *testing.T, r *run) {
			r.after(5 * time.Second)
			r.server.retryAfter = 2 * time.Second
			r.server.fail.Store(int32(bench.RateLimited))
			r.after(5 * time.Second)
			if want := map[bool]bench.RunState{true: bench.Paused, false: bench.Running}[pause]; r.Snapshot().State != want {
				t.Fatalf("pause on 429 %v: %v", pause, r.Snapshot().State)
			}
			if s := r.Snapshot(); pause && (s.Why != "429: as told" || r.count(bench.EventPause) != 1) {
				t.Errorf("paused %d times, why %q", r.count(bench.EventPause), s.Why)
			}
		})
	}
}

func TestQuotaReserveHoldsSlots(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{QuotaReserve: 0.3}}, func(t *testing.T, r *run) {
		r.server.tokens.Store(2)
		// 60 requests a window of a minute.
		left, window, lowest := 60, 0, 60
		var mu sync.Mutex
		quota := func(at time.Duration) []bench.Quota {
			mu.Lock()
			defer mu.Unlock()
			if n := int(at / time.Minute); n != window {
				left, window = 60, n
			}
			left--
			lowest = min(lowest, left)
			return []bench.Quota{{Name: "requests", Per: time.Minute, Limit: bench.Some(60), Remaining: bench.Some(float64(left)), At: at,
				Reset: bench.MarkAt(time.Minute - at%time.Minute)}}
		}
		r.server.quota.Store(&quota)
		r.after(20 * time.Second)
		s := r.Snapshot()
		if s.Held < 7 || s.HeldBy != bench.HeldByQuota || s.Target != bench.InFlight(8) {
			t.Errorf("%d of %s slots held by %q; want all but one that tries, for the reserve", s.Held, s.Target, s.HeldBy)
		}
		if len(s.Quotas) != 1 || s.Quotas[0].Remaining.V > 20 {
			t.Errorf("quotas %+v", s.Quotas)
		}
		if n := r.count(bench.EventWarn); n != 1 {
			t.Errorf("%d warnings, want one", n)
		}
		r.after(5 * time.Minute)
		if l := r.Snapshot().Level(); l.State == bench.Settled {
			t.Errorf("level %d is %v though most of its load was held", l.ID, l.State)
		}
		mu.Lock()
		defer mu.Unlock()
		if lowest < 15 {
			t.Errorf("%d of 60 left at the lowest, want 18 but for a send or two", lowest)
		}
		if sent := r.server.sent.Load(); sent < 5*40 || sent > 6*46 {
			t.Errorf("%d sent in 5⅓ windows of 60, want about 42 in each", sent)
		}
	})
}
