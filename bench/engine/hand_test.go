package engine

import (
	"testing"
	"time"

	"redline/bench"
)

// rested lets a burst come to its end.
func (r *run) rested(commands ...bench.Command) {
	r.post(commands...)
	r.after(400 * time.Millisecond)
}

func (r *run) wantHistory(load, back, forward int) {
	r.t.Helper()
	if s := r.Snapshot(); s.Target != load || s.CanUndo != back || s.CanRedo != forward {
		r.t.Fatalf("load %d, %d steps back, %d forward; want %d, %d and %d", s.Target, s.CanUndo, s.CanRedo, load, back, forward)
	}
}

func TestUndoTwiceInOneBurstGoesTwoStepsBack(t *testing.T) {
	inBubble(t, Options{Concurrency: 4}, func(t *testing.T, r *run) {
		r.rested(bench.Set{N: 8})
		r.rested(bench.Set{N: 16})
		r.rested(bench.Undo{}, bench.Undo{})
		r.wantHistory(4, 0, 2)
		r.rested(bench.Redo{})
		r.wantHistory(8, 1, 1)
		r.rested(bench.Redo{})
		r.wantHistory(16, 2, 0)
		r.rested(bench.Add{N: -2}, bench.Undo{}, bench.Undo{})
		r.wantHistory(8, 1, 1)
	})
}

func TestUndoThatIsRefusedLeavesTheHistoryAlone(t *testing.T) {
	inBubble(t, Options{Concurrency: 100}, func(t *testing.T, r *run) {
		r.rested(bench.Set{N: 90})
		r.rested(bench.Set{N: 4})
		r.post(bench.Undo{})
		ask := r.Snapshot().Ask
		if ask == nil || ask.To != 90 {
			t.Fatalf("question %+v, want one for 90", ask)
		}
		r.rested(bench.Answer{ID: ask.ID})
		r.wantHistory(4, 2, 0)
		r.post(bench.Undo{})
		r.rested(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.wantHistory(90, 1, 1)
	})
}

func TestHeldKeyIsOneBurstWhateverItsStep(t *testing.T) {
	for _, step := range []int{1, 2, 4, 8, 16} {
		inBubble(t, Options{Concurrency: 16}, func(t *testing.T, r *run) {
			r.after(time.Second)
			for range 150 {
				r.post(bench.Add{N: step})
				r.after(33 * time.Millisecond)
			}
			s := r.Snapshot()
			if s.Ask == nil || s.Target > 32 || len(s.Levels) > 2 {
				t.Fatalf("step %d held for 5 s: load %d, question %+v, %d levels; want it asked at 32, in one level", step, s.Target, s.Ask, len(s.Levels))
			}
		})
	}
}

func TestEmergencyStopWorksWhileTheRunEnds(t *testing.T) {
	inBubble(t, Options{Concurrency: 8, DrainTimeout: time.Hour}, func(t *testing.T, r *run) {
		r.server.tokens.Store(100000)
		r.after(5 * time.Second)
		r.post(bench.Stop{})
		r.wantState(bench.Draining)
		r.post(bench.Cancel{})
		<-r.Done()
		if y := r.Snapshot().Total.Tally; y.Cancelled != 8 {
			t.Fatalf("tally %+v", y)
		}
	})
}

func TestQuestionAboutTheBudgetStands(t *testing.T) {
	inBubble(t, Options{Concurrency: 4, BudgetTokens: 600}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.wantState(bench.Paused)
		before := r.Snapshot().Ask
		r.post(bench.Times{F: 2}, bench.Set{N: 200}, bench.Add{N: -1})
		if s := r.Snapshot(); before == nil || s.Ask == nil || s.Ask.ID != before.ID {
			t.Fatalf("the question was %+v and is %+v", before, s.Ask)
		}
	})
}

func TestAbsurdRisesAreAskedWithinMax(t *testing.T) {
	inBubble(t, Options{Concurrency: 8}, func(t *testing.T, r *run) {
		for _, c := range []bench.Command{bench.Add{N: int(^uint(0) >> 1)}, bench.Times{F: 1e6}, bench.Set{N: 1 << 40}} {
			r.post(c)
			if s := r.Snapshot(); s.Target != 8 || s.Ask == nil || s.Ask.To != 256 {
				t.Fatalf("%T: load %d, question %+v", c, s.Target, s.Ask)
			}
			r.post(bench.Answer{ID: r.Snapshot().Ask.ID})
		}
	})
}
