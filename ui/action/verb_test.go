package action

import (
	"testing"

	"redline/bench"
)

func TestEveryActionIsFoundByItsName(t *testing.T) {
	for _, b := range Table {
		if b.Name == "" || b.Action == Palette {
			continue
		}
		found, argument := shipped.Search(b.Name, driving)
		if len(found) == 0 || found[0].Action != b.Action || found[0].Name != b.Name || argument != "" {
			t.Errorf("%q finds %+v", b.Name, found)
		}
	}
}

func TestTheBestFitStandsFirst(t *testing.T) {
	for _, c := range []struct{ sentence, typed, want, argument string }{
		{"a name", "undo", "undo", ""},
		{"its beginning", "perc", "percentile", ""},
		{"what it was called once", "threshold", "promise", ""},
		{"the beginning of that", "thr", "promise", ""},
		{"and with what it takes", "threshold 500ms", "promise", "500ms"},
		{"letters of it", "pctl", "percentile", ""},
		{"a part of it", "all", "stop-all", ""},
		{"two words for one with a dash", "stop all", "stop-all", "all"},
		{"a key", "z", "flip", ""},
		{"a key with a name", "f3", "curve", ""},
		{"words of its help", "emergency", "stop-all", ""},
		{"in any case", "UNDO", "undo", ""},
		{"full-width letters", "ｕｎｄｏ", "undo", ""},
		{"an argument", "load +6", "load", "+6"},
		{"an argument as it was typed", "note Größe ＋ 7", "note", "Größe ＋ 7"},
		{"another word for an action", "window 5m", "window", "5m"},
	} {
		found, argument := shipped.Search(c.typed, driving)
		if len(found) == 0 || found[0].Name != c.want || argument != c.argument {
			t.Errorf("%s: %q finds %+v with %q", c.sentence, c.typed, found, argument)
		}
	}
	if found, _ := shipped.Search("qqq", driving); len(found) != 0 {
		t.Errorf("nothing finds %+v", found)
	}
}

func TestWhatDoesNotWorkSaysWhy(t *testing.T) {
	at := func(change func(*State)) State {
		s := driving
		change(&s)
		return s
	}
	for _, c := range []struct {
		sentence string
		name     string
		s        State
		want     string
	}{
		{"the lock", "raise", at(func(s *State) { s.Locked = true }), "locked: L unlocks"},
		{"lowering is never locked", "lower", at(func(s *State) { s.Locked = true }), ""},
		{"no history", "undo", at(func(s *State) { s.CanUndo = false }), "nothing to undo"},
		{"no way forward", "redo", driving, "nothing to redo"},
		{"another view", "copy", driving, "only in Requests"},
		{"other views", "filter", driving, "only in Requests and Log"},
		{"its own view", "live", driving, "this is it"},
		{"the end", "raise", at(func(s *State) { s.Run = bench.Done }), "the run is over"},
		{"before the start", "stop-all", at(func(s *State) { s.Run = bench.Waiting }), "nothing runs yet"},
		{"one workload", "workload", driving, "there is one workload only"},
		{"nothing open", "back", driving, "nothing is open"},
		{"an open palette is left out of account", "step", at(func(s *State) { s.Mode = Commanding }), ""},
	} {
		for _, b := range Table {
			if b.Name == c.name {
				if got := shipped.Why(&b, c.s); got != c.want {
					t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
				}
			}
		}
	}
}
