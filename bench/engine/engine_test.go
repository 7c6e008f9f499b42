package engine

import (
	"testing"
	"time"

	"redline/bench"
)

const (
	open   = bench.EventOpen
	commit = bench.EventCommit
	reach  = bench.EventReach
	whole  = 4 * time.Second
)

func TestRunStartsAtItsConcurrency(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.want(8, 8)
		r.wantState(bench.Running)
		r.wantKinds(bench.EventStart, open, commit, reach)
		r.after(10 * time.Second)
		r.want(8, 8)
		if s := r.Snapshot(); s.Total.Tally.OK != 16 {
			t.Errorf("after 10 s of answers of 4 s at 8: %d ok, want 16", s.Total.Tally.OK)
		}
	})
}

func TestEachPressMovesTheLoadAndTheBurstIsOneLevel(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		for i := 1; i <= 4; i++ {
			r.post(bench.Add{N: 2})
			r.want(8+2*i, 8+2*i)
			if s := r.Snapshot(); !s.Moving.OK || s.Was != bench.InFlight(8) {
				t.Fatalf("moving %v, was %s while the hand moves", s.Moving, s.Was)
			}
			r.after(100 * time.Millisecond)
		}
		r.after(time.Second)
		s := r.Snapshot()
		if s.Moving.OK || s.Was != bench.InFlight(8) || s.CanUndo != 1 {
			t.Fatalf("after the rest: moving %v, was %s, %d steps back", s.Moving, s.Was, s.CanUndo)
		}
		if n := r.count(commit); n != 2 {
			t.Fatalf("%d commits, want the start's and the burst's", n)
		}
		r.after(time.Second)
		if n := len(r.Snapshot().Levels); n != 2 {
			t.Fatalf("%d levels, want 2", n)
		}
	})
}

func TestHeldKeyRaisesBySixteenASecondAndIsOneCommit(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(64)}, func(t *testing.T, r *run) {
		r.after(2 * time.Second)
		for range 30 {
			r.post(bench.Add{N: 1})
			r.after(time.Second / 30)
		}
		if got := r.Snapshot().Target.Slots(); got < 64+16 || got > 64+32 {
			t.Fatalf("30 presses in a second raised 64 to %d", got)
		}
		r.after(time.Second)
		if n := r.count(commit); n != 2 {
			t.Fatalf("%d commits, want 2", n)
		}
	})
}

func TestLoweringLetsRunningRequestsFinish(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(12)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Set{N: 4})
		r.want(4, 12)
		if d := r.Snapshot().Gauges.Draining; d != 8 {
			t.Fatalf("draining %d, want 8", d)
		}
		r.after(whole)
		r.want(4, 4)
		if y := r.Snapshot().Total.Tally; y.Cancelled+y.Failed != 0 {
			t.Fatalf("lowering cut %d", y.Cancelled+y.Failed)
		}
		if n := r.count(reach); n != 2 {
			t.Fatalf("reached %d times, want 2", n)
		}
	})
}

func TestBurstBeyondTheGuardAsks(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Set{N: 40})
		r.want(8, 8)
		ask := r.Snapshot().Ask
		if ask == nil || ask.To != bench.InFlight(40) {
			t.Fatalf("no question for 40: %+v", ask)
		}
		r.post(bench.Answer{ID: ask.ID + 1, Yes: true})
		r.want(8, 8)
		r.post(bench.Answer{ID: ask.ID, Yes: true})
		r.want(40, 40)
		r.after(time.Second)

		r.post(bench.Times{F: 2})
		r.want(40, 40)
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID})
		r.want(40, 40)
		r.post(bench.Times{F: 2}, bench.Add{N: -1})
		r.want(39, 40)
		if r.Snapshot().Ask != nil {
			t.Fatal("the question outlived the lowering")
		}
		r.post(bench.Times{F: 0.5})
		if r.Snapshot().Ask != nil || r.Snapshot().Target != bench.InFlight(20) {
			t.Fatal("halving was asked")
		}
	})
}

func TestQuestionFollowsTheHand(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.post(bench.Set{N: 17}, bench.Add{N: 1}, bench.Add{N: 2})
		if ask := r.Snapshot().Ask; ask == nil || ask.To != bench.InFlight(20) {
			t.Fatalf("the question is %+v, want one for 20", ask)
		}
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.want(20, 20)
		if n := r.count(bench.EventAsk); n != 1 {
			t.Fatalf("%d questions, want 1", n)
		}
	})
}

func TestLoadStaysWithinZeroAndMax(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{Max: 10}}, func(t *testing.T, r *run) {
		r.post(bench.Add{N: 5})
		r.want(10, 10)
		r.post(bench.Set{N: 1000})
		r.want(10, 10)
		r.post(bench.Add{N: -50})
		r.want(0, 10)
		r.post(bench.Times{F: 0}, bench.Times{F: -1})
		r.want(0, 10)
	})
}

func TestUndoGoesBackThroughCommittedLoads(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		rested := func(c bench.Command, want int) {
			t.Helper()
			r.post(c)
			r.after(300 * time.Millisecond)
			if got := r.Snapshot().Target.Slots(); got != want {
				t.Fatalf("%T: load %d, want %d", c, got, want)
			}
		}
		rested(bench.Set{N: 12}, 12)
		rested(bench.Set{N: 20}, 20)
		rested(bench.Undo{}, 12)
		rested(bench.Undo{}, 8)
		rested(bench.Undo{}, 8)
		rested(bench.Redo{}, 12)
		rested(bench.Flip{}, 8)
		rested(bench.Flip{}, 12)
		// A burst that has not rested is taken back whole.
		r.post(bench.Add{N: 1}, bench.Add{N: 1}, bench.Add{N: 1}, bench.Undo{})
		if got := r.Snapshot().Target.Slots(); got != 12 {
			t.Fatalf("undo in a burst: load %d, want 12", got)
		}
	})
}

func TestCancelCutsWhatIsInFlightAndTheSessionLives(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Cancel{})
		r.want(0, 0)
		r.wantState(bench.Running)
		r.after(2 * time.Second)
		if y := r.Snapshot().Total.Tally; y.Cancelled != 8 {
			t.Fatalf("%d cancelled, want 8", y.Cancelled)
		}
		r.post(bench.Undo{})
		r.want(8, 8)
	})
}

func TestPauseDrainsAndResumeBeginsALevel(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Toggle{})
		r.wantState(bench.Paused)
		r.want(4, 4)
		r.after(whole)
		r.want(4, 0)
		r.post(bench.Set{N: 6})
		r.after(time.Second)
		r.want(6, 0)
		r.post(bench.Toggle{})
		r.wantState(bench.Running)
		r.want(6, 6)
		r.after(1500 * time.Millisecond)
		s := r.Snapshot()
		if n := len(s.Levels); n != 2 || s.Level().Cause != bench.CauseResume || s.Level().Load != bench.InFlight(6) {
			t.Fatalf("%d levels, the last by %v at %s", n, s.Level().Cause, s.Level().Load)
		}
	})
}

func TestNoteBeginsALevelAtTheSameLoad(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(time.Second)
		r.post(bench.Note{Text: "max_num_seqs 128"})
		r.after(1500 * time.Millisecond)
		l := r.Snapshot().Level()
		if l.Cause != bench.CauseNote || l.Load != bench.InFlight(4) || l.Note != "max_num_seqs 128" || !l.Reached.OK {
			t.Fatalf("level %+v", l)
		}
	})
}
