package engine

import (
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestPausedRunWaitsForItsStart(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Paused: true}, func(t *testing.T, r *run) {
		r.wantState(bench.Waiting)
		r.after(5 * time.Second)
		r.want(4, 0)
		r.post(bench.Toggle{})
		r.wantState(bench.Running)
		r.want(4, 4)
	})
}

func TestStopDrainsThenEnds(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Stop{Why: "the operator left"}, bench.Add{N: 1}, bench.Toggle{})
		r.wantState(bench.Draining)
		r.after(whole)
		<-r.Done()
		if y := r.Snapshot().Total.Tally; y.OK != 4 || y.Sent != 4 {
			t.Fatalf("tally %+v", y)
		}
	})
}

func TestDrainHasADeadline(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), DrainTimeout: 2 * time.Second}, func(t *testing.T, r *run) {
		r.server.tokens.Store(10000)
		r.after(5 * time.Second)
		r.post(bench.Drain{})
		r.wantState(bench.Draining)
		if d := r.Snapshot().Deadline; !d.OK {
			t.Fatal("no deadline shown")
		}
		r.after(2100 * time.Millisecond)
		r.wantState(bench.Paused)
		r.want(4, 0)
		r.post(bench.Resume{})
		r.want(4, 4)
		r.post(bench.Stop{})
		r.after(2100 * time.Millisecond)
		<-r.Done()
	})
}

func TestDrainDoesNotWaitForHeldSlots(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.server.retryAfter = time.Minute
		r.server.fail.Store(int32(bench.RateLimited))
		r.after(5 * time.Second)
		if h := r.Snapshot().Held; h != 4 {
			t.Fatalf("held %d, want 4", h)
		}
		r.post(bench.Drain{})
		r.wantState(bench.Paused)
	})
}

func TestDurationAndRequestsEndTheRun(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Duration: 10 * time.Second}}, func(t *testing.T, r *run) {
		r.after(9900 * time.Millisecond)
		r.wantState(bench.Running)
		r.after(200 * time.Millisecond)
		r.wantState(bench.Draining)
		<-r.Done()
		if y := r.Snapshot().Total.Tally; y.Sent != 12 || y.OK != 12 {
			t.Fatalf("tally %+v, want 12 sent and ok", y)
		}
	})
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Requests: 10}}, func(t *testing.T, r *run) {
		<-r.Done()
		if y := r.Snapshot().Total.Tally; y.Sent != 10 || y.OK != 10 {
			t.Fatalf("tally %+v, want 10 sent and ok", y)
		}
	})
}

func TestBudgetPausesBeforeItIsExceededAndAsks(t *testing.T) {
	// A request may cost 64 in and 64 out: 1000 tokens cover seven at once.
	inBubble(t, Options{Load: bench.InFlight(10), BudgetTokens: 1000}, func(t *testing.T, r *run) {
		r.wantState(bench.Paused)
		s := r.Snapshot()
		if s.InFlight != 7 || s.Ask == nil || !s.Ask.Raises {
			t.Fatalf("in flight %d, question %+v; want 7 and one", s.InFlight, s.Ask)
		}
		r.post(bench.Answer{ID: s.Ask.ID, Yes: true})
		r.wantState(bench.Running)
		r.want(10, 10)
		r.after(time.Minute)
		s = r.Snapshot()
		r.wantState(bench.Paused)
		if used := s.Spend.In + s.Spend.Out; used > s.Spend.BudgetTokens {
			t.Fatalf("spent %d of %d", used, s.Spend.BudgetTokens)
		}
	})
}

func TestPricedBudget(t *testing.T) {
	o := Options{Load: bench.InFlight(4), Budget: 1, Run: bench.Run{Prices: bench.Prices{Input: 1000, Output: 2000}}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(time.Minute)
		s := r.Snapshot()
		if s.State != bench.Paused || !s.Spend.Cost.OK || s.Spend.Cost.V > 1 || s.Spend.Cost.V < 0.5 {
			t.Fatalf("%v, cost %v of 1", s.State, s.Spend.Cost)
		}
	})
}

// TestTimeUsesABudgetUp: GPUs cost whether they work or not, and a pause at the end of the budget goes on costing until the end of the run.
func TestTimeUsesABudgetUp(t *testing.T) {
	o := Options{Load: bench.InFlight(4), Budget: 1, Run: bench.Run{Prices: bench.Prices{GPUHour: 30, GPUs: 4}}}
	inBubble(t, o, func(t *testing.T, r *run) {
		r.after(20 * time.Second)
		if s := r.Snapshot(); s.State != bench.Running || s.Spend.Cost.V < 0.6 || s.Spend.Cost.V > 0.72 || s.Spend.PerHour.V != 120 {
			t.Fatalf("after 20 s at 120 an hour: %v, cost %v, burn %v", s.State, s.Spend.Cost, s.Spend.PerHour)
		}
		r.after(12 * time.Second)
		r.wantState(bench.Paused)
		s := r.Snapshot()
		r.after(30 * time.Second)
		if later := r.Snapshot(); later.Spend.Cost.V < s.Spend.Cost.V+0.9 {
			t.Fatalf("paused for 30 s: %v, then %v", s.Spend.Cost, later.Spend.Cost)
		}
		r.post(bench.Answer{ID: s.Ask.ID, Yes: true})
		r.wantState(bench.Running)
		r.post(bench.Stop{})
		r.after(time.Minute)
		s = r.Snapshot()
		r.wantState(bench.Done)
		r.after(time.Minute)
		if later := r.Snapshot(); later.Spend.Cost != s.Spend.Cost {
			t.Fatalf("done: %v, then %v", s.Spend.Cost, later.Spend.Cost)
		}
	})
}

func TestRefusedKeyPausesTheRun(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.server.fail.Store(int32(bench.Unauthorized))
		r.after(whole)
		r.wantState(bench.Paused)
		if why := r.Snapshot().Why; why != "as told" {
			t.Fatalf("paused because %q", why)
		}
	})
}

func TestFailuresHoldTheirSlotsAndDoNotFlood(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.server.fail.Store(int32(bench.ServerError))
		r.after(30 * time.Second)
		s := r.Snapshot()
		if s.InFlight+s.Held != 4 || s.HeldBy != bench.ServerError.String() || !s.HeldNext.OK {
			t.Fatalf("in flight %d, held %d by %v", s.InFlight, s.Held, s.HeldBy)
		}
		// Four slots, 0.25 s doubling to 5 s: about nine tries each in 30 s.
		if sent := r.server.sent.Load(); sent > 60 {
			t.Fatalf("%d requests in 30 s of failures", sent)
		}
	})
}

func TestDeadTargetIsNoLevelAndItsReturnIs(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(8 * time.Second)
		r.wantState(bench.Down)
		levels := len(r.Snapshot().Levels)
		r.server.fail.Store(int32(bench.OK))
		r.after(16 * time.Second)
		r.wantState(bench.Running)
		s := r.Snapshot()
		if got := len(s.Levels); got != levels+1 || s.Level().Cause != bench.CauseRecovery || s.Level().Load != bench.InFlight(4) {
			t.Fatalf("%d levels after the return, want %d; cause %v", got, levels+1, s.Level().Cause)
		}
		if r.count(bench.EventDown) != 1 || r.count(bench.EventUp) != 1 {
			t.Fatalf("events %v", r.kinds())
		}
	})
}

func TestJumpOfTimeInterruptsWhatSpansIt(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(6100 * time.Millisecond)
		r.server.slept.Store(int64(time.Hour))
		r.after(2 * time.Second)
		if n := r.count(bench.EventGap); n != 1 {
			t.Fatalf("events %v", r.kinds())
		}
		r.after(2 * time.Second)
		s := r.Snapshot()
		if got := s.Total.Tally.By[bench.Interrupted]; got != 4 {
			t.Fatalf("%d interrupted, want the 4 in flight", got)
		}
		if s.Level().Cause != bench.CauseGap {
			t.Fatalf("level by %v", s.Level().Cause)
		}
		r.want(4, 4)
	})
}

func TestPanicInASlotEndsTheRunAndIsTold(t *testing.T) {
	told := make(chan any, 100)
	inBubble(t, Options{Load: bench.InFlight(2), Panic: func(reason any, stack []byte) {
		if len(stack) > 0 {
			told <- reason
		}
	}}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.server.panics.Store(true)
		<-r.Done()
		if reason := <-told; reason != "the sender broke" {
			t.Fatalf("told %v", reason)
		}
		// A slot that panicked never ended its requests; they are gone all the same.
		r.server.inFlight.Store(0)
	})
}

func TestCancelledContextEndsTheRunAtOnce(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		before := r.server.clock.Now()
		r.cancel()
		<-r.Done()
		synctest.Wait()
		if took := r.server.clock.Now() - before; took > time.Second {
			t.Fatalf("took %v", took)
		}
	})
}

func TestCommandsAreTakenInOrderAndNoneIsLost(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(100)}, func(t *testing.T, r *run) {
		for range 50 {
			r.Post(bench.Add{N: -2})
			r.Post(bench.Add{N: 1})
		}
		r.post()
		// Rises may be throttled, lowering never.
		if got := r.Snapshot().Target.Slots(); got > 50 || got < 0 {
			t.Fatalf("load %d", got)
		}
		r.post(bench.Set{N: 3}, bench.Set{N: 2}, bench.Set{N: 1})
		if got := r.Snapshot().Target.Slots(); got != 1 {
			t.Fatalf("load %d, want the last one set", got)
		}
	})
}
