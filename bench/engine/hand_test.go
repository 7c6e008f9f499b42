package engine

import (
	"math/rand/v2"
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
	if s := r.Snapshot(); s.Target != bench.InFlight(load) || s.CanUndo != back || s.CanRedo != forward {
		r.t.Fatalf("load %s, %d steps back, %d forward; want %d, %d and %d", s.Target, s.CanUndo, s.CanRedo, load, back, forward)
	}
}

func TestUndoTwiceInOneBurstGoesTwoStepsBack(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
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
	inBubble(t, Options{Load: bench.InFlight(100)}, func(t *testing.T, r *run) {
		r.rested(bench.Set{N: 90})
		r.rested(bench.Set{N: 4})
		r.post(bench.Undo{})
		ask := r.Snapshot().Ask
		if ask == nil || ask.To != bench.InFlight(90) {
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
		inBubble(t, Options{Load: bench.InFlight(16)}, func(t *testing.T, r *run) {
			r.after(time.Second)
			for range 150 {
				r.post(bench.Add{N: float64(step)})
				r.after(33 * time.Millisecond)
			}
			s := r.Snapshot()
			if s.Ask == nil || s.Target.N > 32 || len(s.Levels) > 2 {
				t.Fatalf("step %d held for 5 s: load %s, question %+v, %d levels; want it asked at 32, in one level", step, s.Target, s.Ask, len(s.Levels))
			}
		})
	}
}

func TestEmergencyStopWorksWhileTheRunEnds(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), DrainTimeout: time.Hour}, func(t *testing.T, r *run) {
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
	inBubble(t, Options{Load: bench.InFlight(4), BudgetTokens: 600}, func(t *testing.T, r *run) {
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
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		for _, c := range []bench.Command{bench.Add{N: 1e300}, bench.Times{F: 1e6}, bench.Set{N: 1 << 40}} {
			r.post(c)
			if s := r.Snapshot(); s.Target != bench.InFlight(8) || s.Ask == nil || s.Ask.To != bench.InFlight(256) {
				t.Fatalf("%T: load %s, question %+v", c, s.Target, s.Ask)
			}
			r.post(bench.Answer{ID: r.Snapshot().Ask.ID})
		}
	})
}

// TestUndoFollowsItsModel walks a list of loads beside the engine's history, with answers that come at once or long after the burst was committed.
func TestUndoFollowsItsModel(t *testing.T) {
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 9))
		late := seed%2 == 0
		inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
			loads, at := []int{8}, 0
			do := func(c bench.Command) {
				r.post(c)
				if ask := r.Snapshot().Ask; ask != nil {
					if late {
						r.after(400 * time.Millisecond)
					}
					r.post(bench.Answer{ID: ask.ID, Yes: true})
				}
			}
			for range 30 {
				switch rng.IntN(5) {
				case 0, 1:
					n := rng.IntN(50)
					do(bench.Set{N: float64(n)})
					if n != loads[at] {
						loads = append(loads[:at+1], n)
						at++
					}
				case 2, 3:
					for range 1 + rng.IntN(3) {
						do(bench.Undo{})
						at = max(at-1, 0)
					}
				case 4:
					do(bench.Redo{})
					at = min(at+1, len(loads)-1)
				}
				r.after(time.Second)
				r.wantHistory(loads[at], at, len(loads)-1-at)
			}
		})
	}
}

func TestLateYesToAnUndoFindsItsPlace(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(16)}, func(t *testing.T, r *run) {
		r.rested(bench.Times{F: 0.5})
		r.rested(bench.Times{F: 0.5})
		r.post(bench.Undo{}, bench.Undo{})
		r.after(time.Second)
		if ask := r.Snapshot().Ask; ask != nil {
			r.post(bench.Answer{ID: ask.ID, Yes: true})
		}
		r.after(time.Second)
		r.wantHistory(16, 0, 2)
	})
}

func TestLoadSetBeforeTheStartCanBeUndone(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), Paused: true}, func(t *testing.T, r *run) {
		r.rested(bench.Set{N: 12})
		r.wantHistory(12, 1, 0)
		r.rested(bench.Undo{})
		r.wantHistory(8, 0, 1)
		r.post(bench.Toggle{})
		r.want(8, 8)
	})
}
