package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// typedAtOnce sends characters as one read.
func typedAtOnce(m *model, text string) {
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
}

// TestUnderTheLockTheEngineHasTheLastWord: keys that come in one read are judged by a snapshot that is older than all but the first of them.
func TestUnderTheLockTheEngineHasTheLastWord(t *testing.T) {
	for _, keys := range []string{"uu", "zz", "  ", "x ", "-u", "-z"} {
		s := viewtest.Make(viewtest.Running, 0)
		s.Target, s.Was, s.CanUndo = bench.InFlight(40), bench.InFlight(20), 3
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, "L")
		f.commands()
		typedAtOnce(m, keys)
		got := f.commands()
		for _, c := range got {
			if _, ok := c.(bench.Locked); !ok {
				t.Errorf("%q under the lock posts a bare %#v", keys, c)
			}
		}
		if len(got) != 2 {
			t.Errorf("%q posts %#v", keys, got)
		}
	}
}

// TestUnderTheLockNothingSendsAgain, in any state, nor does the footer offer it.
func TestUnderTheLockNothingSendsAgain(t *testing.T) {
	for state, stops := range map[bench.RunState]bool{bench.Waiting: false, bench.Running: true, bench.Draining: false, bench.Paused: false, bench.Down: true, bench.Warming: true} {
		s := viewtest.Make(viewtest.Running, 0)
		s.State = state
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, "L")
		f.commands()
		foot := m.View()[strings.LastIndex(m.View(), "\n"):]
		if strings.Contains(foot, "start") || strings.Contains(foot, "resume") {
			t.Errorf("%v: the footer is %q", state, foot)
		}
		press(m, " ")
		if got := len(f.commands()) > 0; got != stops {
			t.Errorf("%v: space posts is %v, want %v (%s)", state, got, stops, m.st.Notice)
		}
	}
}

// TestUnderTheLockNoQuestionIsAnsweredWithARise: neither the one about the budget nor the one about the loop, which ask for no load.
func TestUnderTheLockNoQuestionIsAnsweredWithARise(t *testing.T) {
	for _, ask := range []bench.Ask{
		{ID: 9, Text: "the budget is used up: allow as much again?", Raises: true},
		{ID: 9, Text: "open the loop?", To: bench.PerSecond(2), Raises: true},
		{ID: 9, Text: "raise the load?", To: bench.InFlight(64), Load: true, Raises: true},
		{ID: 9, Text: "forget all that was measured so far?"},
	} {
		s := viewtest.Make(viewtest.Running, 0)
		s.Ask = &ask
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, "L", "y")
		got, want := fmt.Sprint(f.commands()), "[]"
		if !ask.Raises {
			want = fmt.Sprint([]bench.Command{bench.Locked{Command: bench.Answer{ID: 9, Yes: true}}})
		}
		if got != want || ask.Raises && !strings.Contains(m.st.Notice, "L unlocks") {
			t.Errorf("%s y posts %s, want %s; notice %q", ask.Text, got, want, m.st.Notice)
		}
		m = opened(f)
		press(m, "L")
		if foot := m.View()[strings.LastIndex(m.View(), "\n"):]; strings.Contains(foot, "y yes") == ask.Raises {
			t.Errorf("%s: the footer is %q", ask.Text, foot)
		}
		press(m, "n")
		if len(f.commands()) != 1 {
			t.Errorf("%s: no is not heard", ask.Text)
		}
	}
}

// TestUnderTheLockTheHistoryIsGoneThroughByTheEngine: where in it a load stands is no matter of the screen, which says what is refused.
func TestUnderTheLockTheHistoryIsGoneThroughByTheEngine(t *testing.T) {
	for key, want := range map[string]bench.Command{"u": bench.Undo{}, "U": bench.Redo{}, "z": bench.Flip{}} {
		s := viewtest.Make(viewtest.Running, 0)
		s.Target, s.Was, s.CanUndo, s.CanRedo = bench.InFlight(4), bench.InFlight(8), 1, 1
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, "L")
		f.commands()
		press(m, key)
		if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Locked{Command: want}) {
			t.Errorf("%q posts %#v", key, got)
		}
		after := *s
		after.Events = append(slices.Clone(s.Events), bench.Event{At: s.At, Kind: bench.EventWarn, Locked: true, Text: "locked: a rise to 8 is refused"})
		s = &after
		m.look()
		if want := "locked: a rise to 8 is refused; L unlocks"; m.st.Notice != want {
			t.Errorf("%q: the notice is %q, want %q", key, m.st.Notice, want)
		}
		m.st.Notice = ""
		m.look()
		if m.st.Notice != "" {
			t.Errorf("%q: it is told twice: %q", key, m.st.Notice)
		}
	}
}

// TestAQuotaIsTypedUnderTheLock: the engine judges whether it would let more be sent.
func TestAQuotaIsTypedUnderTheLock(t *testing.T) {
	for _, line := range []string{"threshold rpm none", "threshold rpm<=100000"} {
		s := viewtest.Make(viewtest.Running, 0)
		run := *s.Run
		quota, err := bench.ParseThreshold("rpm<=600")
		if err != nil {
			t.Fatal(err)
		}
		run.Thresholds = []bench.Threshold{quota}
		s.Run = &run
		f := newFake(func() *bench.Snapshot { return s })
		m := opened(f)
		press(m, "L")
		f.commands()
		command(m, line)
		got := f.commands()
		if len(got) != 1 {
			t.Fatalf("%q posts %#v (%s)", line, got, m.st.Notice)
		}
		if c, ok := got[0].(bench.Locked); !ok {
			t.Errorf("%q posts a bare %#v", line, c)
		}
	}
}
