package engine

import (
	"slices"
	"testing"
	"time"

	"redline/bench"
)

// TestARemoteCommandIsSaidAndShowsWhenItIsTaken: whoever waits for it sees at once what came of it.
func TestARemoteCommandIsSaidAndShowsWhenItIsTaken(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.server.tokens.Store(100000)
		r.after(3 * time.Second)
		for _, c := range []struct {
			what    string
			command bench.Command
			shows   func(*bench.Snapshot) bool
		}{
			{"load 6", bench.Set{N: 6}, func(s *bench.Snapshot) bool { return s.Target == bench.InFlight(6) }},
			{"load 60", bench.Set{N: 60}, func(s *bench.Snapshot) bool { return s.Ask != nil && s.Target == bench.InFlight(6) }},
			{"load 7, locked", bench.Locked{Command: bench.Set{N: 7}}, func(s *bench.Snapshot) bool {
				return s.Target == bench.InFlight(6) && slices.ContainsFunc(s.Events, func(e bench.Event) bool { return e.Locked })
			}},
			{"note", bench.Note{Text: "max_num_seqs 256"}, func(s *bench.Snapshot) bool {
				return slices.ContainsFunc(s.Events, func(e bench.Event) bool { return e.Kind == bench.EventNote && e.Text == "max_num_seqs 256" })
			}},
			{"pause", bench.Pause{}, func(s *bench.Snapshot) bool { return s.State == bench.Paused }},
			{"nothing", nil, func(*bench.Snapshot) bool { return true }},
		} {
			taken := make(chan struct{})
			r.Post(bench.Remote{Text: c.what, Command: c.command, Taken: taken})
			<-taken
			s := r.Snapshot()
			said := slices.IndexFunc(s.Events, func(e bench.Event) bool { return e.Kind == bench.EventRemote && e.Text == c.what })
			if said < 0 || !c.shows(s) {
				t.Errorf("%s: said at %d, load %s, %s, question %+v", c.what, said, s.Target, s.State, s.Ask)
			}
		}
	})
}

// TestAYesIsToTheQuestionThatWasRead: one that has changed meanwhile, by whosever hand, is another question, though it is told in one event.
func TestAYesIsToTheQuestionThatWasRead(t *testing.T) {
	for _, c := range []struct {
		sentence string
		changes  bench.Command
		load     float64
	}{
		{"another load is asked for", bench.Set{N: 250}, 4},
		{"the hand goes on", bench.Add{N: 8}, 4},
		{"a factor", bench.Times{F: 40}, 4},
		{"another question", bench.Switch{}, 4},
		{"the same once more is the same question", bench.Set{N: 60}, 60},
	} {
		inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
			r.post(bench.Set{N: 60})
			read := r.Snapshot().Ask
			r.post(c.changes)
			r.post(bench.Answer{ID: read.ID, Yes: true})
			if s := r.Snapshot(); s.Target != bench.InFlight(int(c.load)) || (s.Ask == nil) != (c.load == 60) {
				t.Errorf("%s: load %s, question %+v", c.sentence, s.Target, s.Ask)
			}
		})
	}
}

// TestWhatIsAgreedToIsTheCommandsOwnQuestion, whatever else is open or asked.
func TestWhatIsAgreedToIsTheCommandsOwnQuestion(t *testing.T) {
	for _, c := range []struct {
		sentence string
		before   bench.Command
		command  bench.Command
		load     bench.Setpoint
		open     bool
	}{
		{"a rise that asks", nil, bench.Agreed{Command: bench.Set{N: 60}}, bench.InFlight(60), false},
		{"one that does not", nil, bench.Agreed{Command: bench.Set{N: 6}}, bench.InFlight(6), false},
		{"in place of the rise that another hand asks for", bench.Set{N: 250}, bench.Agreed{Command: bench.Set{N: 60}}, bench.InFlight(60), false},
		{"a note leaves the question alone", bench.Set{N: 250}, bench.Agreed{Command: bench.Note{Text: "x"}}, bench.InFlight(4), true},
		{"to forget what was measured withdraws it", bench.Set{N: 250}, bench.Agreed{Command: bench.Clear{}}, bench.InFlight(4), false},
		{"under the lock no rise is agreed to", nil, bench.Locked{Command: bench.Agreed{Command: bench.Set{N: 60}}}, bench.InFlight(4), false},
		{"nor the other loop", nil, bench.Locked{Command: bench.Agreed{Command: bench.Switch{}}}, bench.InFlight(4), false},
	} {
		inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
			if c.before != nil {
				r.post(c.before)
			}
			r.post(bench.Remote{Text: "x", Command: c.command})
			if s := r.Snapshot(); s.Target != c.load || (s.Ask != nil) != c.open {
				t.Errorf("%s: load %s, question %+v", c.sentence, s.Target, s.Ask)
			}
		})
	}
	inBubble(t, Options{Load: bench.InFlight(4), BudgetTokens: 300}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.Agreed{Command: bench.Set{N: 200}})
		if s := r.Snapshot(); s.State != bench.Paused || s.Ask == nil || s.Target != bench.InFlight(4) {
			t.Errorf("the budget's question is answered: load %s, %s, %+v", s.Target, s.State, s.Ask)
		}
	})
}
