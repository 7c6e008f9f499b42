package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// oneInFront tells what is wrong with what is open in front of the view; empty where there is one thing at most, and the mode is its.
func oneInFront(m *model) string {
	st := &m.st
	foot := m.frame[strings.LastIndex(m.frame, "\n")+1:]
	switch {
	case (st.Sheet != nil) != (st.Mode == action.Planning), (st.Palette != nil) != (st.Mode == action.Commanding), (st.Picker != nil) != (st.Mode == action.Picking):
		return "what is open and who hears the keys are two things"
	case (st.Mode == action.Planning || st.Mode == action.Commanding) != (st.Entry != nil && (st.Sheet != nil || st.Palette != nil)):
		return "the line and what it is of are two things"
	case st.Entry != nil && (st.Mode == action.Asked || st.Mode == action.Quitting || st.Mode == action.Picking):
		return "an input line is open behind something else"
	case st.Mode == action.Quitting && !strings.Contains(foot, "quit?"):
		return "the question is not seen: " + foot
	case st.Mode == action.Asked && !strings.Contains(foot, "?"):
		return "the engine's question is not seen: " + foot
	}
	return ""
}

// TestOneThingAtATimeIsOpenInFrontOfTheView, whatever two or three keys are pressed, and esc leads back from all of it.
func TestOneThingAtATimeIsOpenInFrontOfTheView(t *testing.T) {
	if raced {
		t.Skip("it draws for long, in one goroutine")
	}
	openers := []string{"T", ":", "r", "c", "n", "t", "?", "q", "Q", "ctrl+z", "ctrl+c", "x", "/", "up", "enter"}
	for _, scene := range []viewtest.Scene{viewtest.Running, viewtest.Ask} {
		for _, a := range openers {
			for _, b := range openers {
				thirds := []string{"Q", "up"}
				if scene == viewtest.Ask {
					thirds = []string{""}
				}
				for _, c := range thirds {
					m := opened(showing(scene))
					for _, k := range []string{a, b, c} {
						if k == "" || m.leaves {
							continue
						}
						if press(m, k); m.crash != "" {
							t.Fatalf("%s %s %s: %s", a, b, c, m.crash)
						}
						if wrong := oneInFront(m); wrong != "" {
							t.Fatalf("%s: %s %s %s (at %s): %s", scene, a, b, c, k, wrong)
						}
					}
					if m.exit.leaving() || m.leaves {
						continue
					}
					press(m, "esc", "esc", "esc", "esc", "esc")
					if m.st.Mode != action.Driving || m.st.Entry != nil {
						t.Errorf("%s: %s %s %s, then esc: mode %v, line %+v", scene, a, b, c, m.st.Mode, m.st.Entry)
					}
				}
			}
		}
	}
}

// TestLeavingFromTheListOfThemesPutsTheThemeBack: it was only tried on.
func TestLeavingFromTheListOfThemesPutsTheThemeBack(t *testing.T) {
	m := opened(showing(viewtest.Running))
	was := m.looks.theme.Name
	if press(m, "T"); m.looks.theme.Name == was {
		t.Fatal("no other theme is tried on")
	}
	if press(m, "Q"); m.st.Picker != nil || m.looks.theme.Name != was || m.st.Mode != action.Quitting {
		t.Errorf("theme %s (was %s), mode %v", m.looks.theme.Name, was, m.st.Mode)
	}
}

// asks is a run that asks a question from now on.
func asks(s *bench.Snapshot, raises bool) *bench.Snapshot {
	next := *s
	next.Ask = &bench.Ask{ID: 3, Text: "raise the load from 40 to 60?", To: bench.InFlight(60), Load: true, Raises: raises}
	return &next
}

// TestAQuestionWaitsForTheInputLine: what is typed into it, Enter above all, must not answer what nobody has read.
func TestAQuestionWaitsForTheInputLine(t *testing.T) {
	for _, keys := range [][]string{{"?", "/", "l", "o"}, {"c", "4"}, {"n", "x"}, {":", "x"}, {"T"}, {"r"}, {"4", "/", "x"}} {
		s := viewtest.Make(viewtest.Running, 0)
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, keys...)
		s = asks(s, true)
		m.Update(tick{m.chain})
		if m.st.Mode == action.Asked {
			t.Errorf("%q: the question came in front of what is open", keys)
		}
		if m.st.Entry != nil && m.st.Sheet == nil && !strings.Contains(m.View(), "a question waits") {
			t.Errorf("%q: nothing tells that a question waits:\n%s", keys, m.View())
		}
		press(m, "enter", "enter", "enter")
		for _, c := range f.commands() {
			if _, ok := c.(bench.Answer); ok {
				t.Errorf("%q, then enter: %#v", keys, c)
			}
		}
		press(m, "esc")
		if m.st.Mode == action.Driving && m.answered != 3 {
			t.Errorf("%q: the question never comes", keys)
		}
	}
	// A line that is opened while the question stands hides it until it is closed.
	s := asks(viewtest.Make(viewtest.Running, 0), true)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "c", "8", "enter", "enter")
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Set{N: 8}) || m.st.Mode != action.Asked {
		t.Errorf("posted %#v, mode %v", got, m.st.Mode)
	}
}

// TestAYesIsToTheQuestionThatWasRead: where somebody elsewhere changes it under the hand, a yes waits until that can have been read.
func TestAYesIsToTheQuestionThatWasRead(t *testing.T) {
	for _, c := range []struct {
		sentence string
		first    []string
		wait     time.Duration
		answers  bool
	}{
		{"at once", nil, 0, false},
		{"before it can have been read", nil, 700 * time.Millisecond, false},
		{"once it has been read", nil, 1100 * time.Millisecond, true},
		{"the hand itself has changed it", []string{"+"}, 0, true},
	} {
		s := asks(viewtest.Make(viewtest.Running, 0), true)
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		now := time.Now()
		m.now = func() time.Time { return now }
		m.Update(tick{m.chain})
		now = now.Add(5 * time.Second)
		press(m, c.first...)
		other := *s
		ask := *s.Ask
		ask.ID, ask.To = 4, bench.InFlight(250)
		other.Ask = &ask
		s = &other
		m.Update(tick{m.chain})
		now = now.Add(c.wait)
		press(m, "y")
		answered := slices.ContainsFunc(f.commands(), func(c bench.Command) bool { return c == bench.Command(bench.Answer{ID: 4, Yes: true}) })
		if answered != c.answers || !answered && m.st.Mode != action.Asked {
			t.Errorf("%s: answered %v, posted %#v\n%s", c.sentence, answered, f.commands(), m.View())
		}
	}
}

// TestTheEmergencyStopIsHeardInALineUnlessItIsTyped, and the line says which it is.
func TestTheEmergencyStopIsHeardInALineUnlessItIsTyped(t *testing.T) {
	for _, c := range []struct {
		key   string
		msg   tea.KeyMsg
		heard bool
		hint  string
	}{
		{"0", message("0"), false, "; esc, then 0 stops all"},
		{"alt+x", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true}, true, ", esc leaves"},
		{"f12", tea.KeyMsg{Type: tea.KeyF12}, true, ", esc leaves"},
	} {
		for _, open := range []string{"n", "c", ":", "r", "T"} {
			keys, faults := action.Bind([]action.Choice{{Name: "stop-all", Keys: []string{c.key}}})
			if len(faults) > 0 {
				t.Fatalf("%+v", faults)
			}
			f := showing(viewtest.Running)
			m := opened(f)
			m.st.Keys = keys
			if press(m, open); m.st.Entry != nil && (open == "n" || open == "c") && !strings.Contains(m.View(), c.hint) {
				t.Errorf("%s in the line of %s: the hint is %q", c.key, open, m.st.Entry.Hint)
			}
			m.Update(c.msg)
			got := f.commands()
			if heard := len(got) == 1 && got[0] == bench.Command(bench.Cancel{}); heard != (c.heard || open == "T") {
				t.Errorf("%s while %s is open posts %#v", c.key, open, got)
			}
		}
	}
}

// TestAHeldEnterAnswersNoQuestion: it applied the load that is asked about.
func TestAHeldEnterAnswersNoQuestion(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "c", "6", "0", "enter")
	f.commands()
	s = asks(s, true)
	wait(m, 40*time.Millisecond)
	m.Update(tick{m.chain})
	if m.st.Mode != action.Asked {
		t.Fatal("not asked")
	}
	// Terminals repeat a held key after 250 ms to a second, then thirty times a second.
	wait(m, 900*time.Millisecond)
	press(m, "enter")
	for range 200 {
		wait(m, 33*time.Millisecond)
		press(m, "enter")
	}
	if got := f.commands(); len(got) > 0 {
		t.Errorf("a held enter posts %#v", got)
	}
	wait(m, enterRest)
	press(m, "enter")
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Answer{ID: 3, Yes: true}) {
		t.Errorf("an enter that was let go posts %#v", got)
	}
}

// TestAQuestionThatHasJustComeTakesNoEnter: that was on its way to the view.
func TestAQuestionThatHasJustComeTakesNoEnter(t *testing.T) {
	for after, want := range map[time.Duration]int{50 * time.Millisecond: 0, time.Second: 1} {
		f := showing(viewtest.Ask)
		m := opened(f)
		wait(m, after)
		m.Update(tea.KeyMsg{Type: tea.KeyEnter})
		if got := f.commands(); len(got) != want {
			t.Errorf("after %v: %#v", after, got)
		}
	}
}
