package action

import (
	"strings"
	"testing"

	"redline/bench"
)

// tables are the two of them: of a live run, and of a recording.
var tables = map[string][]Binding{"live": Table, "recording": Recording}

func TestAKeyHasOneClassOfEffect(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) { oneClass(t, table) })
	}
}

func oneClass(t *testing.T, table []Binding) {
	classes := map[string]Class{}
	for _, b := range table {
		if b.Mode != Driving && b.Mode != Helping {
			// Answers to a question are heard only while it stands on the screen.
			if b.Class != Replies {
				t.Errorf("%q answers but has class %v", b.Show, b.Class)
			}
			continue
		}
		for _, k := range b.Keys {
			if c, ok := classes[k]; ok && c != b.Class {
				t.Errorf("key %q has classes %v and %v", k, c, b.Class)
			}
			classes[k] = b.Class
		}
	}
}

func TestNoKeyIsBoundTwice(t *testing.T) {
	for name, table := range tables {
		t.Run(name, func(t *testing.T) { boundOnce(t, table) })
	}
}

func boundOnce(t *testing.T, table []Binding) {
	seen := map[Mode]map[string]bool{}
	for _, b := range table {
		if seen[b.Mode] == nil {
			seen[b.Mode] = map[string]bool{}
		}
		for _, k := range b.Keys {
			if seen[b.Mode][k] {
				t.Errorf("%q is bound twice", k)
			}
			seen[b.Mode][k] = true
			if Key(k) != k {
				t.Errorf("%q is not the name of a key", k)
			}
		}
	}
}

func TestEveryActionIsInATableOnce(t *testing.T) {
	n := map[Action]map[string]int{}
	for name, table := range tables {
		for _, b := range table {
			if n[b.Action] == nil {
				n[b.Action] = map[string]int{}
			}
			n[b.Action][name]++
			if b.Help == "" || b.Show == "" {
				t.Errorf("%s: %v has no words", name, b.Keys)
			}
		}
	}
	for a := None + 1; a < numActions; a++ {
		if live, recorded := n[a]["live"], n[a]["recording"]; live > 1 || recorded > 1 || live+recorded == 0 {
			t.Errorf("action %d is %d times in the table, and %d times in that of a recording", a, live, recorded)
		}
	}
}

func TestTheLockRefusesOnlyWhatRaises(t *testing.T) {
	s := State{Run: bench.Running, CanUndo: true, CanRedo: true, Load: bench.InFlight(40), Was: bench.InFlight(48), InFlight: 40, Locked: true}
	want := "+=>m"
	got := ""
	for i := range Table {
		if b := &Table[i]; b.Mode == Driving && b.Refused(s) {
			got += strings.Join(b.Keys, "")
		}
	}
	if got != want {
		t.Errorf("the lock refuses %q, want %q", got, want)
	}
}

// TestUnderTheLockTheFooterOffersOnlyWhatSurelyLowers: of what the history decides that is what leads to a load which is known, and less.
func TestUnderTheLockTheFooterOffersOnlyWhatSurelyLowers(t *testing.T) {
	for _, c := range []struct {
		sentence   string
		was        bench.Setpoint
		redo       bool
		undo, flip bool
	}{
		{"both lead to a lower load", bench.InFlight(32), false, true, true},
		{"both lead to a higher one", bench.InFlight(48), false, false, false},
		{"in the middle of the history only the flip is known", bench.InFlight(32), true, false, true},
		{"the other loop", bench.PerSecond(2), false, false, false},
	} {
		s := State{Run: bench.Running, CanUndo: true, CanRedo: c.redo, Load: bench.InFlight(40), Was: c.was, InFlight: 40, Locked: true}
		undo, flip := false, false
		for _, i := range shipped.Footer(s) {
			undo, flip = undo || i.Action == Undo, flip || i.Action == Flip
		}
		if undo != c.undo || flip != c.flip {
			t.Errorf("%s: undo is offered: %v, flip: %v", c.sentence, undo, flip)
		}
	}
}

func TestFooterShowsOnlyWhatWorks(t *testing.T) {
	for _, c := range []struct {
		sentence  string
		s         State
		want, not string
	}{
		{"a fresh run has nothing to undo", State{Run: bench.Running}, "+/- load", "undo"},
		{"a run with history has", State{Run: bench.Running, CanUndo: true}, "u undo", "esc"},
		{"under the lock only lowering is offered", State{Run: bench.Running, Locked: true}, "- less", "+/-"},
		{"a paused run resumes", State{Run: bench.Paused}, "spc resume", "spc pause"},
		{"a run that waits starts", State{Run: bench.Waiting}, "spc start", "stop all"},
		{"a run that is over takes no load", State{Run: bench.Done}, "q quit", "load"},
		{"a question shows its answers", State{Run: bench.Running, Mode: Asked}, "y yes n no", "load"},
		{"leaving asks", State{Run: bench.Running, Mode: Quitting}, "d drain and report k kill them esc stay", "help"},
	} {
		text := ""
		for _, i := range shipped.Footer(c.s) {
			text += i.Keys + " " + i.Word + " "
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s: footer is %q", c.sentence, text)
		}
	}
}

func TestKeyFoldsFullWidthForms(t *testing.T) {
	for in, want := range map[string]string{"＋": "+", "－": "-", "？": "?", "［": "[", "］": "]", "ｑ": "q", "４": "4", " ": "space", "ctrl+c": "ctrl+c", "é": "é"} {
		if got := Key(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for in, want := range map[string]bench.Command{"48": bench.Set{N: 48}, " 48 ": bench.Set{N: 48}, "0": bench.Set{}, "+6": bench.Add{N: 6}, "-6": bench.Add{N: -6},
		"x2": bench.Times{F: 2}, "X1.5": bench.Times{F: 1.5}, "*3": bench.Times{F: 3}, "50%": bench.Times{F: 0.5}, "＋6": bench.Add{N: 6}} {
		if got, err := Amount(in, bench.Closed); err != nil || got != want {
			t.Errorf("%q is %#v (%v), want %#v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "+", "-", "x", "%", "x0", "0%", "-5%", "xx", "4 8", "1e9", "+0", "99999999999", "NaN", "xNaN", "xInf", "++6"} {
		if got, err := Amount(in, bench.Closed); err == nil {
			t.Errorf("%q is %#v, want an error", in, got)
		}
	}
}

func FuzzAmount(f *testing.F) {
	for _, s := range []string{"48", "+6", "x2", "50%", "-", "＋６"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Amount(s, bench.Closed)
		if (c == nil) == (err == nil) {
			t.Errorf("%q: %#v, %v", s, c, err)
		}
	})
}

func TestMarkdownListsEveryKey(t *testing.T) {
	text := shipped.Markdown()
	for _, b := range Table {
		if !strings.Contains(text, b.Help) {
			t.Errorf("%q is missing", b.Help)
		}
	}
}

func TestTheKeysOfAListWorkInEveryListAndOfTimeWhereThereIsSome(t *testing.T) {
	keys := (*Map)(nil)
	for v := range NumViews {
		list, time := v != Live && v != Heat, v == Live || v == Heat || v == Server
		for i := range keys.Rows() {
			b := &keys.Rows()[i]
			works := b.Works(State{View: v})
			switch b.Action {
			case PageUp, PageDown, First, Last:
				if works != list {
					t.Errorf("%s in view %d: %v", b.Name, v, works)
				}
			case Earlier, Later:
				if works != time {
					t.Errorf("%s in view %d: %v", b.Name, v, works)
				}
			}
		}
	}
}
