package action

import (
	"strings"
	"testing"

	"redline/bench"
)

var driving = State{Run: bench.Running, Load: bench.InFlight(8), CanUndo: true}

func TestKeysAreBoundByTheNamesOfActions(t *testing.T) {
	m, faults := Bind([]Choice{{"raise", []string{"+", "kp+", "ctrl+up"}}, {"pause", []string{"F9"}}, {"lock", nil}, {"stop-all", []string{"f12"}}, {"clear", []string{"C"}},
		{"theme", []string{"ctrl+t"}}, {"palette", []string{";"}}})
	if len(faults) > 0 {
		t.Fatalf("%+v", faults)
	}
	for key, want := range map[string]Action{"+": Raise, "ctrl+up": Raise, "=": None, "f9": Pause, "space": None, "L": None, "0": None, "f12": Cancel, "C": Clear, "-": Lower, ";": Palette,
		"＋": Raise, "ctrl+c": Interrupt} {
		got := None
		if b := m.Find(key, driving); b != nil {
			got = b.Action
		}
		if got != want {
			t.Errorf("%q is action %d, want %d", key, got, want)
		}
	}
	if b := m.Find("ctrl+t", State{Mode: Picking}); b == nil || b.Action != ThemeDown {
		t.Error("the key that opens the list of themes does not walk through it")
	}
	for a, want := range map[Action]string{Raise: "+ ctrl+up", Pause: "F9", Lock: ";lock", Clear: "C", ThemeDown: "down j tab ctrl+t", Lower: "- _"} {
		if got := m.Show(a); got != want {
			t.Errorf("%d is shown as %q, want %q", a, got, want)
		}
	}
	foot := ""
	for _, i := range m.Footer(driving) {
		foot += i.Keys + " " + i.Word + "  "
	}
	if !strings.HasPrefix(foot, "+/- load") || !strings.Contains(foot, "F9 pause") || strings.Contains(foot, "spc") {
		t.Errorf("the footer is %q", foot)
	}
	if b := shipped.Find("space", driving); b == nil || b.Action != Pause {
		t.Error("to bind keys has changed the table")
	}
}

func TestKeysThatCanNotBeBoundAreNamed(t *testing.T) {
	for _, c := range []struct {
		sentence string
		choices  []Choice
		key      string
		want     string
	}{
		{"no such action", []Choice{{"rise", []string{"+"}}}, "", "want the name of an action, as the palette shows it: raise, lower"},
		{"an answer has no name", []Choice{{"", []string{"+"}}}, "", "want the name of an action"},
		{"no such key", []Choice{{"raise", []string{"hyper+q"}}}, "hyper+q", "want the name of a key: a character"},
		{"no key at all", []Choice{{"raise", []string{""}}}, "", "want the name of a key"},
		{"a key that terminals can not tell from another", []Choice{{"note", []string{"ctrl+i"}}}, "ctrl+i", "terminals send it as tab"},
		{"a key of another action", []Choice{{"raise", []string{"u"}}}, "u", "other keys for undo: this one is a key of both"},
		{"a key of two, told at the later one", []Choice{{"raise", []string{"K"}}, {"halve", []string{"K"}}}, "K", "other keys for raise"},
		{"ctrl+c", []Choice{{"quit", []string{"q", "ctrl+c"}}}, "ctrl+c", "stops a run, whatever else is bound"},
		{"the keys of ctrl+c itself", []Choice{{"interrupt", []string{"f1"}}}, "", "want ctrl+c left as it is"},
		{"no way to leave", []Choice{{"quit", nil}}, "", "a way to leave"},
		{"no emergency stop", []Choice{{"stop-all", nil}}, "", "a way to stop everything"},
		{"a key that answers questions must not drive", []Choice{{"raise", []string{"y"}}, {"log-scale", nil}}, "y", "answers questions"},
		{"nor Enter, whatever else it did", []Choice{{"pause", []string{"enter"}}, {"open", []string{"e"}}}, "enter", "answers questions"},
		{"nor the way out of help", []Choice{{"pin", []string{"esc"}}, {"back", nil}}, "esc", "while help is open this one is to close help"},
		{"a wheel sends arrows", []Choice{{"raise", []string{"up"}}, {"up", []string{"k"}}}, "up", "wheel of the mouse"},
		{"quit pressed twice must not kill", []Choice{{"quit", []string{"k"}}, {"up", []string{"up"}}}, "k", "answers \"quit?\" (kill them)"},
		{"nor drain", []Choice{{"quit-leaving-frame", []string{"d"}}}, "d", "answers \"quit?\" (drain and report)"},
		{"what asks must not say yes", []Choice{{"clear", []string{"enter"}}, {"open", []string{"e"}}}, "enter", "answers questions"},
		{"nor what marks", []Choice{{"pin", []string{"y"}}, {"log-scale", nil}}, "y", "answers questions"},
		{"the palette pressed twice must not run what stands on top", []Choice{{"palette", []string{"enter"}}, {"open", []string{"e"}}}, "enter", "runs what is chosen in the palette"},
		{"the emergency stop is heard in the list of themes", []Choice{{"stop-all", []string{"j"}}, {"down", []string{"down"}}}, "j", "would not stop everything"},
		{"and in the palette", []Choice{{"stop-all", []string{"tab"}}, {"next", nil}}, "tab", "would not stop everything"},
		{"a mistyped letter is taken back without stopping all", []Choice{{"stop-all", []string{"backspace"}}}, "backspace", "edits a line"},
		{"or suspending", []Choice{{"suspend", []string{"ctrl+u"}}, {"page-up", nil}}, "ctrl+u", "edits a line"},
		{"what walks through themes must not drive", []Choice{{"raise", []string{"j"}}, {"down", []string{"down"}}}, "j", "heard as raise"},
		{"nor leave", []Choice{{"quit", []string{"shift+tab"}}, {"previous", nil}}, "shift+tab", "heard as quit"},
		{"nor what begins a profile anew", []Choice{{"double", []string{"R"}}}, "R", "heard as double"},
		{"a run that waits must have a beginning", []Choice{{"pause", nil}, {"palette", nil}}, "", "begins a run that waits"},
		{"there is a way back to Live", []Choice{{"back", nil}, {"live", nil}, {"palette", nil}}, "", "leads back to Live"},
		{"and down", []Choice{{"lower", nil}, {"halve", nil}, {"load", nil}, {"palette", nil}}, "", "lowers the load"},
		{"twice the same action", []Choice{{"raise", []string{"+"}}, {"raise", []string{"K"}}}, "", "given twice"},
	} {
		m, faults := Bind(c.choices)
		if m != nil || len(faults) == 0 {
			t.Errorf("%s: bound", c.sentence)
			continue
		}
		if f := faults[0]; f.Key != c.key || !strings.Contains(f.Want, c.want) {
			t.Errorf("%s: %+v, want %q of key %q", c.sentence, faults, c.want, c.key)
		}
	}
}

// TestKeysThatDoNoHarmAreBound: what is refused must not go further than its reason.
func TestKeysThatDoNoHarmAreBound(t *testing.T) {
	for _, choices := range [][]Choice{
		{{"palette", nil}},
		{{"pause", nil}, {"back", nil}, {"live", nil}},
		{{"back", nil}, {"palette", nil}},
		{{"quit", []string{"q", "f10"}}},
		{{"quit", []string{"Q"}}, {"quit-leaving-frame", []string{"q"}}},
		{{"palette", []string{"esc"}}, {"back", nil}},
		{{"stop-all", []string{"alt+x"}}},
		{{"stop-all", []string{"0", "f12", "insert"}}},
		{{"clear", []string{"n"}}, {"note", []string{"N"}}},
		{{"theme", []string{"enter"}}, {"open", []string{"e"}}},
	} {
		if _, faults := Bind(choices); len(faults) > 0 {
			t.Errorf("%+v: %+v", choices, faults)
		}
	}
	// The table's own keys pass its own rules.
	if _, faults := Bind(shipped.Choices()); len(faults) > 0 {
		t.Errorf("%+v", faults)
	}
}

func TestAnActionIsKnownByItsAlias(t *testing.T) {
	m, faults := Bind([]Choice{{"threshold", []string{"f9"}}})
	if len(faults) > 0 {
		t.Fatalf("its former name: %v", faults)
	}
	if b := m.Row(Threshold); b.Name != "promise" || b.Show != "F9" {
		t.Errorf("it is called %q and shows %q, want promise and F9", b.Name, b.Show)
	}
	for _, c := range [][]Choice{{{"threshold", []string{"u"}}}, {{"promise", []string{"u"}}}} {
		if _, faults := Bind(c); len(faults) != 1 || faults[0].Name != c[0].Name {
			t.Errorf("what is wrong with the keys of %s is told of %v", c[0].Name, faults)
		}
	}
	if _, faults := Bind([]Choice{{"threshold", []string{"f9"}}, {"promise", []string{"f10"}}}); len(faults) != 1 || faults[0].Want != "want its keys once; they are given twice" {
		t.Errorf("by both names: %v", faults)
	}
	if Known("threshold") != "promise" || Known("raise") != "raise" || Known("") != "" || Known("launch") != "" {
		t.Error("a name is taken for another")
	}
}

func TestKeysCanBeSwapped(t *testing.T) {
	m, faults := Bind([]Choice{{"up", []string{"down", "j"}}, {"down", []string{"up", "k"}}})
	if len(faults) > 0 || m.Find("k", driving).Action != Down {
		t.Errorf("%+v", faults)
	}
}

func TestEveryKeyOfTheTableHasAName(t *testing.T) {
	for _, b := range Table {
		for _, k := range b.Keys {
			if got, err := ParseKey(k); err != nil || got != k {
				t.Errorf("%s: %q is read as %q (%v)", b.Name, k, got, err)
			}
		}
	}
	for in, want := range map[string]string{"Space": "space", "PgDn": "pgdown", "F12": "f12", "shift+a": "A", "Ctrl+R": "ctrl+r", "alt+X": "alt+X", "kp+": "+", "kp7": "7", "＋": "+", "é": "é", "Escape": "esc"} {
		if got, err := ParseKey(in); err != nil || got != want {
			t.Errorf("%q is read as %q (%v), want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", " ", "f0", "f21", "f01", "ctrl+", "ctrl+é", "shift+1", "up down", "ab", "alt+", "\x1b", "ctrl+m", "meta+x"} {
		if got, err := ParseKey(in); err == nil {
			t.Errorf("%q is read as %q", in, got)
		}
	}
}

func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"+", "space", "ctrl+r", "alt+O", "f12", "kp+", "＋"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := ParseKey(s)
		if (k == "") == (err == nil) {
			t.Fatalf("%q: %q, %v", s, k, err)
		}
		if again, err2 := ParseKey(k); err == nil && (err2 != nil || again != k) {
			t.Errorf("%q is read as %q, and that as %q (%v)", s, k, again, err2)
		}
		// Whatever is bound, the table holds together.
		if m, faults := Bind([]Choice{{"note", []string{s}}}); (m == nil) == (len(faults) == 0) {
			t.Errorf("%q: %v, %+v", s, m, faults)
		}
	})
}
