package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

func init() {
	pageScenes = append(pageScenes,
		pageScene{name: "log", scene: viewtest.Breach, view: action.Log},
		pageScene{name: "log-chosen", scene: viewtest.Limited, view: action.Log, set: manyEvents, act: func(v *Screen, s *bench.Snapshot, st *State) {
			for range 12 {
				v.Move(s, st, Up)
			}
		}},
		pageScene{name: "log-filter", scene: viewtest.Running, view: action.Log, set: func(s *bench.Snapshot, st *State) {
			manyEvents(s, st)
			st.Filter[action.Log] = "SLO ttft"
		}},
		pageScene{name: "log-nothing", scene: viewtest.Running, view: action.Log, set: func(s *bench.Snapshot, st *State) { st.Filter[action.Log] = "zebra" }},
	)
}

// manyEvents are more than any screen shows, some of them with many words.
func manyEvents(s *bench.Snapshot, _ *State) {
	words := "429 Too Many Requests: Rate limit reached for requests per min (RPM): Limit 60, Used 59, Requested 1. Please try again in 724 ms. " +
		"Visit the account page of your provider to learn more about limits, and how they are raised."
	var events []bench.Event
	for i := range 90 {
		at := time.Duration(i) * 2 * time.Second
		switch i % 5 {
		case 0:
			events = append(events, bench.Event{At: at, Kind: bench.EventFailure, Outcome: bench.RateLimited, N: i + 1, Text: words, Level: 1})
		case 1:
			events = append(events, bench.Event{At: at, Kind: bench.EventBroken, Text: "ttft.p95<=500ms (612 ms)", Level: 1})
		case 2:
			events = append(events, bench.Event{At: at, Kind: bench.EventNote, Text: fmt.Sprintf("max_num_seqs %d", i), Level: 1})
		case 3:
			events = append(events, bench.Event{At: at, Kind: bench.EventKept, Text: "ttft.p95<=500ms (442 ms)", Level: 1})
		default:
			events = append(events, bench.Event{At: at, Kind: bench.EventReach, Level: 1})
		}
	}
	s.Events, s.EventsGone = append(events, s.Events...), 1204
}

func logState(w, h int) (*bench.Snapshot, *State) {
	s, st := viewtest.Make(viewtest.Running, 0), state("plain", w, h)
	manyEvents(s, st)
	st.View = action.Log
	return s, st
}

func TestTheLogFollowsUntilItIsScrolled(t *testing.T) {
	s, st := logState(120, 36)
	v := NewScreen()
	text := func() string { return strings.Join(v.Rows(s, st), "\n") }
	note := func(at time.Duration, text string) {
		s.Events = append(s.Events, bench.Event{At: at, Kind: bench.EventNote, Text: text})
	}
	note(s.At, "the newest")
	if got := text(); !strings.Contains(got, "the newest") || !strings.Contains(got, "1 204 older gone") || !strings.Contains(got, "following") {
		t.Errorf("not followed:\n%s", got)
	}
	for range 3 {
		v.Move(s, st, Up)
	}
	chosen, ok := v.ChosenEvent(s, st)
	note(s.At, "after it")
	if e, again := v.ChosenEvent(s, st); !ok || !again || e.At != chosen.At || e.Kind != chosen.Kind {
		t.Errorf("the chosen event was %v at %v, now it is %v at %v", chosen.Kind, chosen.At, e.Kind, e.At)
	}
	if got := text(); strings.Contains(got, "following") {
		t.Error("still followed")
	}
	v.Move(s, st, First)
	if e, _ := v.ChosenEvent(s, st); e.At != s.Events[0].At {
		t.Errorf("home goes to %v", e.At)
	}
	was := st.Row[action.Log]
	v.Move(s, st, PageDown)
	if by := st.Row[action.Log] - was; by < 15 || by > 36 {
		t.Errorf("a page is %d events", by)
	}
	v.Move(s, st, Last)
	note(s.At, "the very last")
	if got := text(); !strings.Contains(got, "the very last") || st.Row[action.Log] != 0 {
		t.Errorf("end does not follow:\n%s", got)
	}
}

// TestAChosenEventKeepsItsPlaceAmongThoseToldLater: an event that is not folded yet gets another number when others are told before it.
func TestAChosenEventKeepsItsPlaceAmongThoseToldLater(t *testing.T) {
	s, st := logState(120, 36)
	v := NewScreen()
	s.Events = append(s.Events, bench.Event{At: s.At, Kind: bench.EventNote, Text: "young"}, bench.Event{At: s.At + 1, Kind: bench.EventNote, Text: "younger"})
	v.Rows(s, st)
	v.Move(s, st, Up)
	n := len(s.Events)
	s.Events = append(s.Events[:n-2:n-2], bench.Event{At: s.At - time.Second, Kind: bench.EventBroken, Text: "x"}, s.Events[n-2], s.Events[n-1])
	if e, _ := v.ChosenEvent(s, st); e.Text != "young" {
		t.Errorf("chosen %q", e.Text)
	}
}

func TestTheLogShowsWhatHasAllWords(t *testing.T) {
	s, st := logState(120, 36)
	for filter, want := range map[string]bool{"slo": true, "SLO over": true, "429 limit": true, "note 47": true, "note 429": false, "zebra": false} {
		st.Filter[action.Log], st.Row[action.Log] = filter, 0
		v := NewScreen()
		rows := v.Rows(s, st)
		e, ok := v.ChosenEvent(s, st)
		if ok != want {
			t.Errorf("%q finds %v %q: %v, want %v", filter, e.Kind, e.Text, ok, want)
		}
		if got := strings.Contains(strings.Join(rows, "\n"), "no event has all"); got == want {
			t.Errorf("%q: says that there is none: %v", filter, got)
		}
	}
}

func TestTheChosenEventStandsInFull(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}} {
		s, st := logState(size[0], size[1])
		v := NewScreen()
		v.Rows(s, st)
		v.Move(s, st, First)
		got := strings.Join(strings.Fields(strings.Join(v.Rows(s, st), " ")), " ")
		if !strings.Contains(got, "and how they are raised.") {
			t.Errorf("%v: its last words are missing in\n%s", size, strings.Join(v.Rows(s, st), "\n"))
		}
	}
}

func TestALogRowCanBeClicked(t *testing.T) {
	s, st := logState(120, 36)
	v := NewScreen()
	rows := v.Rows(s, st)
	for y := range rows {
		if h := v.Hit(5, y); h.Spot == OnRow {
			st.ChooseHit(h)
			e, ok := v.ChosenEvent(s, st)
			if i := h.Index - 1 - s.EventsGone; !ok || s.Events[i].At != e.At {
				t.Fatalf("row %d is %v, chosen %v", y, s.Events[i].At, e.At)
			}
			return
		}
	}
	t.Error("no row can be clicked")
}

// TestPrivateHidesTheWordsOfOthers: the server's and the network's, which may name a host.
func TestPrivateHidesTheWordsOfOthers(t *testing.T) {
	for _, v := range []action.View{action.Live, action.Log, action.Server, action.Diagnosis} {
		s := viewtest.Make(viewtest.Running, 0)
		words := "dial tcp: lookup secret-host"
		s.LastError = words
		s.Failures = []bench.Ended{{Outcome: bench.Refused, Message: words}}
		s.Events = append(s.Events, bench.Event{At: s.At, Kind: bench.EventFailure, Outcome: bench.Refused, N: 1, Text: words},
			bench.Event{At: s.At, Kind: bench.EventPause, Text: "it said " + words})
		st := state("plain", 120, 36)
		st.View = v
		if got := strings.Join(NewScreen().Rows(s, st), "\n"); v != action.Diagnosis && !strings.Contains(got, "secret-host") {
			t.Errorf("%s does not show them to everybody else", v)
		}
		st.Private = true
		if got := strings.Join(NewScreen().Rows(s, st), "\n"); strings.Contains(got, "secret-host") {
			t.Errorf("%s shows them:\n%s", v, got)
		}
	}
}
