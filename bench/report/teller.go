package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"redline/bench"
)

// groupAge is the age at which a group of failures grows no more.
const groupAge = 5 * time.Second

// teller tells each event of a run once, however often it is shown.
//
//	event             | told
//	not folded yet    | later: others may still come before it
//	group of failures | when it grows no more, or at the end, with all that it counts
//	any other         | at once
//
// What is told never goes back in time: an event that comes after later ones is told with their instant, and with its own in words.
type teller struct {
	// latest is the instant that has been told up to.
	latest time.Duration
	// next is the number of the first event that has not been looked at.
	next int
	// open are groups that may still grow.
	open []numbered
}

// numbered is an event with its number in the run.
type numbered struct {
	number int
	bench.Event
}

// news are lines for the events that have not been told, in the order of their instants.
func (t *teller) news(s *bench.Snapshot) string {
	latest := t.latest
	var b strings.Builder
	for _, e := range t.fresh(s) {
		if words := sentence(e); words != "" {
			fmt.Fprintf(&b, "%s event %s%s\n", stamp(max(e.At, latest)), words, belated(e, latest))
		}
	}
	return b.String()
}

// fresh are the events that have not been told, in the order of their instants.
func (t *teller) fresh(s *bench.Snapshot) []bench.Event {
	over := s.State == bench.Done
	var ready []bench.Event
	for i, e := range s.Events {
		number := s.EventsGone + i
		if number < t.next {
			continue
		}
		if e.At > s.Folded && !over {
			break
		}
		t.next = number + 1
		if grows(e.Kind) {
			t.open = append(t.open, numbered{number, e})
		} else {
			ready = append(ready, e)
		}
	}
	var growing []numbered
	for _, g := range t.open {
		if i := g.number - s.EventsGone; i >= 0 && i < len(s.Events) {
			g.Event = s.Events[i]
		}
		if over || s.Folded-g.At >= max(groupAge, g.Span) {
			ready = append(ready, g.Event)
		} else {
			growing = append(growing, g)
		}
	}
	t.open = growing
	slices.SortStableFunc(ready, func(a, b bench.Event) int { return int(a.At - b.At) })
	t.latest = max(t.latest, s.Folded)
	return ready
}

// belated says when an event was that is told with a later instant than its own, since all up to the latest has been told.
func belated(e bench.Event, latest time.Duration) string {
	own := stamp(e.At)
	switch {
	case own == stamp(max(e.At, latest)):
		return ""
	case grows(e.Kind):
		return " (since " + own + ")"
	}
	return " (at " + own + ")"
}

// grows tells whether an event is a group that may still grow.
func grows(k bench.EventKind) bool { return k == bench.EventFailure || k == bench.EventUnsent }
