package fleet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// A load of nothing is a load too: a follower that was driven alone before must not stay at its own.
func TestBothAtNoLoadLeavesNobodyAtWork(t *testing.T) {
	inBubble(t, 2, false, closed(8), func(r *run) {
		r.after(3 * time.Second)
		r.post(bench.Other{})
		r.after(3 * time.Second)
		r.post(bench.Set{N: 0})
		r.after(3 * time.Second)
		r.post(bench.Both{})
		r.after(3 * time.Second)
		r.want("both at 0", 0, 0)
	})
}

// Whoever was refused for the sake of the budget, all are, with one question; one yes lets all go on, once.
func TestOneBudgetIsOneQuestion(t *testing.T) {
	o := closed(4)
	o.BudgetTokens = 3000
	inBubble(t, 2, true, o, func(r *run) {
		r.servers[0].set(func(s *server) { s.gap = 170 * time.Millisecond })
		r.after(40 * time.Second)
		s := r.Snapshot()
		if s.State != bench.Paused || s.Rivals.Of[1].State != bench.Paused || s.Ask == nil {
			t.Fatalf("with the budget used up A is %s, B is %s, and the question is %v", s.State, s.Rivals.Of[1].State, s.Ask)
		}
		r.post(bench.Answer{ID: s.Ask.ID, Yes: true})
		r.after(time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if of.State != bench.Running || of.Ask != nil {
				t.Errorf("after one yes %s is %s, and asks %v", bench.Letter(i), of.State, of.Ask)
			}
		}
		if got := r.Snapshot().Spend.BudgetTokens; got > 6100 {
			t.Errorf("one yes allows %d tokens, want about as many again as 3000", got)
		}
	})
}

// A leader whose key is refused hands the lead over; what is shown and asked goes on with the other.
func TestALeaderThatIsRefusedHandsTheLeadOver(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(5 * time.Second)
		r.servers[0].set(func(s *server) { s.unknown = true })
		r.after(5 * time.Second)
		s := r.Snapshot()
		if s.Rivals.Shown != 1 || s.State != bench.Running || s.Rivals.Of[0].State != bench.Paused {
			t.Fatalf("shown %d, %s; A is %s", s.Rivals.Shown, s.State, s.Rivals.Of[0].State)
		}
		if !said(s, "A is refused by its server, B leads") {
			t.Error("the log says nothing of it")
		}
		r.post(bench.Set{N: 6})
		r.after(3 * time.Second)
		r.want("driven on", 0, 6)
	})
}

func TestATargetThatHasEndedIsNotDriven(t *testing.T) {
	o := closed(4)
	o.Run.Requests = 20
	inBubble(t, 2, false, o, func(r *run) {
		r.after(time.Second)
		r.post(bench.Both{})
		r.servers[1].set(func(s *server) { s.gap = 10 * time.Millisecond })
		r.after(4 * time.Second)
		if s := r.Snapshot(); s.Rivals.Of[1].State != bench.Done {
			t.Skipf("B is %s: nothing has ended", s.Rivals.Of[1].State)
		}
		r.post(bench.Other{})
		r.after(100 * time.Millisecond)
		if s := r.Snapshot(); s.Rivals.Shown != 0 || !said(s, "no other target can be driven") {
			t.Errorf("shown %d; the log: %v", s.Rivals.Shown, s.Events)
		}
	})
}

func said(s *bench.Snapshot, text string) bool {
	return slices.ContainsFunc(s.Events, func(e bench.Event) bool { return strings.Contains(e.Text, text) })
}
