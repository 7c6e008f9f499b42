package viewtest

import (
	"testing"
	"time"

	"redline/bench"
)

// TestAJournalAgreesWithItsScene: counts are the scene's, the order is that of a journal, and the marks of each request follow one another.
func TestAJournalAgreesWithItsScene(t *testing.T) {
	for _, scene := range Scenes {
		s := Make(scene, 0)
		j := Journal(s)
		if j.Flying != max(s.InFlight, 0) || len(j.Flights) != min(j.Flying, bench.JournalFlights) {
			t.Errorf("%s: %d in flight and %d listed, want %d", scene, j.Flying, len(j.Flights), s.InFlight)
		}
		ended := 0
		for _, b := range s.Buckets {
			for _, n := range b.Ended {
				ended += n
			}
		}
		if len(j.Ended)+j.Gone != ended {
			t.Errorf("%s: %d kept and %d gone of %d", scene, len(j.Ended), j.Gone, ended)
		}
		seen := map[uint64]bool{}
		last := time.Duration(-1)
		for _, f := range j.Flights {
			if seen[f.ID] || f.Started < last || f.Started > s.At || f.Decodes() && (f.Tokens < 1 || f.LastToken.At > s.At) {
				t.Fatalf("%s: flight %+v", scene, f)
			}
			seen[f.ID], last = true, f.Started
		}
		last = 0
		for _, e := range j.Ended {
			m := &e.Marks
			if m.Ended.At < last || m.Ended.At > s.At {
				t.Fatalf("%s: request %d (%s) ended at %v, after one at %v, at %v", scene, e.ID, e.Outcome, m.Ended.At, last, s.At)
			}
			last = m.Ended.At
			before := m.Started
			for _, next := range []bench.Mark{m.Connected, m.Written, m.Headers, m.FirstChunk, m.FirstToken, m.LastToken, m.Ended} {
				if next.OK {
					if next.At < before.At {
						t.Fatalf("%s: request %d (%s) goes back in time: %+v", scene, e.ID, e.Outcome, m)
					}
					before = next
				}
			}
			if seen[e.ID] || e.Outcome == bench.OK && (!m.LastToken.OK || e.Counts.Output < 1 || e.Reply == "") {
				t.Fatalf("%s: request %+v", scene, e)
			}
			seen[e.ID] = true
			sum := time.Duration(0)
			for gap := range e.Gaps.All() {
				sum += gap
			}
			if span, ok := m.LastToken.Since(m.FirstToken); ok && (sum > span || span-sum > time.Millisecond) {
				t.Fatalf("%s: request %d (%s): its gaps sum up to %v of %v", scene, e.ID, e.Outcome, sum, span)
			}
		}
	}
}
