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

// Keys that come in one read act one after the other, each upon what the one before has come to.
func TestKeysOfOneReadFollowOneAnother(t *testing.T) {
	for _, row := range []struct {
		sentence string
		keys     []bench.Command
		shown    int
		flights  []int
	}{
		{"twice to the other is back", []bench.Command{bench.Other{}, bench.Other{}}, 0, []int{4, 0}},
		{"the emergency stop holds at the other too", []bench.Command{bench.Cancel{}, bench.Other{}}, 1, []int{0, 0}},
		{"a load of nothing goes along", []bench.Command{bench.Set{N: 0}, bench.Other{}}, 1, []int{0, 0}},
		{"and so does another one", []bench.Command{bench.Set{N: 9}, bench.Other{}}, 1, []int{0, 9}},
		{"a pause is one for the other", []bench.Command{bench.Toggle{}, bench.Other{}}, 1, []int{0, 0}},
		{"what comes behind waits its turn", []bench.Command{bench.Other{}, bench.Set{N: 6}}, 1, []int{0, 6}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			inBubble(t, 2, false, closed(4), func(r *run) {
				r.after(3 * time.Second)
				for _, c := range row.keys {
					r.Post(c)
				}
				r.after(10 * time.Second)
				if s := r.Snapshot(); s.Rivals.Shown != row.shown {
					t.Errorf("shown is %d, want %d", s.Rivals.Shown, row.shown)
				}
				r.want(row.sentence, row.flights...)
			})
		})
	}
}

// To forget raises nothing: under the lock too it is for all.
func TestUnderTheLockAllForget(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(10 * time.Second)
		r.post(bench.Clear{})
		r.post(bench.Locked{Command: bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true}})
		r.after(3 * time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if !of.Cleared.OK {
				t.Errorf("%s has forgotten nothing", bench.Letter(i))
			}
		}
	})
}

// What has the load judges by its leader's levels: to look at the other one is no reason to end it.
func TestNobodyElseLeadsWhileSomethingSetsTheLoad(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(3 * time.Second)
		p, err := bench.NewProfile("4:1m", bench.Closed, []bench.Stage{{From: 4, To: 4, Span: time.Minute}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		r.post(bench.Follow{Profile: p})
		r.post(bench.Other{})
		r.after(time.Second)
		s := r.Snapshot()
		if s.Rivals.Shown != 0 || s.Following == nil || s.Following.Held || !said(s, "A leads until") {
			t.Fatalf("shown %d, following %+v", s.Rivals.Shown, s.Following)
		}
		r.post(bench.Set{N: 5})
		r.post(bench.Other{})
		r.after(time.Second)
		if s := r.Snapshot(); s.Rivals.Shown != 1 {
			t.Errorf("shown %d once the hand has taken over, want B", s.Rivals.Shown)
		}
	})
}

// The time of the run is one: it goes on while a target rests.
func TestTheDurationIsThatOfAllTargets(t *testing.T) {
	o := closed(4)
	o.Run.Duration = 60 * time.Second
	inBubble(t, 2, false, o, func(r *run) {
		r.after(30 * time.Second)
		r.post(bench.Other{})
		r.after(29 * time.Second)
		r.want("before its end", 0, 4)
		r.after(5 * time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if of.State != bench.Done {
				t.Errorf("%s is %s after the duration", bench.Letter(i), of.State)
			}
		}
	})
}
