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
