package remote

import (
	"slices"
	"time"

	"redline/bench"
)

// idle is why a command would change nothing; empty where it does something, or only makes sure of what is so already, as a pause does.
func idle(c bench.Command, s *bench.Snapshot) string {
	switch c := c.(type) {
	case bench.Undo:
		if s.CanUndo == 0 {
			return "no load came before this one"
		}
	case bench.Redo:
		if s.CanRedo == 0 {
			return "no load was taken back"
		}
	case bench.Flip:
		if s.Was == s.Target {
			return "no other load came before this one"
		}
	case bench.NextWork:
		if s.Run != nil && len(s.Run.Works) < 2 {
			return "there is one workload"
		}
	case bench.Other, bench.Both:
		if s.Rivals == nil {
			return "there is one target"
		}
	case bench.Follow:
		switch f := s.Following; {
		case c.Profile != nil:
		case f == nil:
			return "there is no profile to go on with"
		case !f.Held && !f.Over:
			return "the profile has the load already"
		}
	case bench.Seek:
		if c.Ramp == nil && (s.Ramping == nil || s.Ramping.Phase.Over()) {
			return "no ramp is under way"
		}
	case bench.Steer:
		if c.Cruise == nil && (s.Cruising == nil || s.Cruising.Ended.OK) {
			return "no cruise is under way"
		}
	case bench.Promise:
		if c.Drop && s.Run != nil && !slices.ContainsFunc(s.Run.Thresholds, c.Threshold.Same) {
			return "no such promise is in force"
		}
	}
	return ""
}

// warned is what the run says against the command that came from here last, and that it did not do; empty where it says nothing.
func warned(after *bench.Snapshot, text string) string {
	said := ""
	for _, e := range slices.Backward(after.Events) {
		switch {
		case e.Kind == bench.EventWarn && !e.Locked:
			said = e.Text
		case e.Kind == bench.EventRemote && e.Text == text:
			return said
		default:
			// What the run did behind the command speaks for it.
			said = ""
		}
	}
	return ""
}

const (
	// marksAtOnce is how many commands that begin a level may come at once, marksRest how long each of them takes of that.
	marksAtOnce = 10
	marksRest   = time.Second
)

// marks tells whether a command begins a level each time, however often it comes. Those about the load are held back by the run itself.
func marks(c bench.Command) bool {
	switch c.(type) {
	case bench.Note, bench.NextWork, bench.Resume, bench.Other, bench.Both, bench.Promise:
		return true
	}
	return false
}
