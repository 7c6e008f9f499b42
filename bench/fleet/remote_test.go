package fleet

import (
	"slices"
	"testing"
	"time"

	"redline/bench"
)

func TestARemoteCommandGoesWhereAKeyWould(t *testing.T) {
	inBubble(t, 2, false, closed(4), func(r *run) {
		r.after(3 * time.Second)
		remote := func(text string, c bench.Command) {
			t.Helper()
			taken := make(chan struct{})
			r.Post(bench.Remote{Text: text, Command: c, Taken: taken})
			<-taken
			if !slices.ContainsFunc(r.Snapshot().Events, func(e bench.Event) bool { return e.Kind == bench.EventRemote && e.Text == text }) && text != "other" {
				t.Errorf("%s is not said", text)
			}
		}
		remote("load 6", bench.Set{N: 6})
		r.after(time.Second)
		r.want("a load", 6, 0)
		remote("other", bench.Other{})
		if s := r.Snapshot(); s.Rivals.Shown != 1 {
			t.Errorf("other: target %s is shown", bench.Letter(s.Rivals.Shown))
		}
		r.after(3 * time.Second)
		r.want("the other", 0, 6)
		remote("both", bench.Both{})
		r.after(time.Second)
		r.want("both", 6, 6)
		remote("note", bench.Note{Text: "x"})
		r.after(time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if !slices.ContainsFunc(of.Events, func(e bench.Event) bool { return e.Kind == bench.EventNote }) {
				t.Errorf("target %s has no note", bench.Letter(i))
			}
		}
		remote("cancel", bench.Cancel{})
		r.after(time.Second)
		r.want("the emergency stop", 0, 0)
	})
}

// TestWhatIsAgreedToIsTheLeadersQuestion, and what is forgotten is forgotten everywhere, once.
func TestWhatIsAgreedToIsTheLeadersQuestion(t *testing.T) {
	inBubble(t, 2, true, closed(4), func(r *run) {
		r.after(3 * time.Second)
		r.post(bench.Remote{Text: "load 60", Command: bench.Agreed{Command: bench.Set{N: 60}}})
		r.after(time.Second)
		r.want("a rise that asks", 60, 60)
		r.post(bench.Remote{Text: "clear", Command: bench.Agreed{Command: bench.Clear{}}})
		r.after(3 * time.Second)
		for i, of := range r.Snapshot().Rivals.Of {
			if n := len(of.Levels); n != 1 || !of.Cleared.OK {
				t.Errorf("target %s has %d levels, cleared %v", bench.Letter(i), n, of.Cleared)
			}
		}
		r.post(bench.Remote{Text: "other", Command: bench.Agreed{Command: bench.Other{}}})
		if s := r.Snapshot(); s.Ask != nil || s.Rivals.Shown != 1 {
			t.Errorf("what asks nothing: question %+v, target %s", s.Ask, bench.Letter(s.Rivals.Shown))
		}
	})
}
