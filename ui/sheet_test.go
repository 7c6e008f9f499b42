package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// typing opens the profile sheet and types a text into it.
func typing(m *model, text string) {
	press(m, "r")
	for _, r := range text {
		press(m, string(r))
	}
}

func TestATypedProfileIsDrawnAndThenFollowed(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	typing(m, "ramp 8..64 in 2m, 64:1m")
	if got := m.View(); !strings.Contains(got, "8 → 64") || !strings.Contains(got, "2 stages, 3 min") || !strings.Contains(got, "about ") {
		t.Errorf("the sheet does not tell of what is typed:\n%s", got)
	}
	press(m, "enter")
	got := f.commands()
	if len(got) != 1 {
		t.Fatalf("posted %#v", got)
	}
	if c, ok := got[0].(bench.Follow); !ok || c.Profile == nil || c.Profile.Text != "ramp 8..64 in 2m, 64:1m" || c.Profile.Most() != 64 {
		t.Errorf("posted %#v", got[0])
	}
	if m.st.Sheet != nil || m.st.Entry != nil || m.st.Mode != action.Driving {
		t.Error("the sheet stays open")
	}
}

func TestAProfileThatCannotBeReadIsNamedUnderTheLine(t *testing.T) {
	f := showing(viewtest.Open)
	m := opened(f)
	typing(m, "ramp 1..x in 2m")
	press(m, "enter")
	if got := m.View(); len(f.commands()) != 0 || !strings.Contains(got, `load "x": want requests a second or a minute`) {
		t.Errorf("the sheet does not say what is wrong:\n%s", got)
	}
	press(m, "backspace")
	if m.st.Entry.Problem != "" {
		t.Error("the problem stays while it is being mended")
	}
}

func TestTypedRatesAreTakenInTheClosedLoop(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	typing(m, "2/s:5s, 1/s:5s")
	if got := m.View(); !strings.Contains(got, "2 stages, 10 s") || !strings.Contains(got, " 2/s ") {
		t.Errorf("the rates are not drawn:\n%s", got)
	}
	press(m, "enter")
	got := f.commands()
	if len(got) != 1 {
		t.Fatalf("posted %#v; the sheet says %q", got, m.View())
	}
	if c, ok := got[0].(bench.Follow); !ok || c.Profile == nil || c.Profile.Mode != bench.Open || c.Profile.Most() != 2 {
		t.Errorf("posted %#v", got[0])
	}
}

// TestAProfileThatCannotBeginStaysInTheSheet: whole, at every size, and without the text that stands above it.
func TestAProfileThatCannotBeginStaysInTheSheet(t *testing.T) {
	for _, c := range []struct {
		sentence, text, want string
	}{
		{"more in flight than may be", "4:5s, 65:5s", "want at most 64, it comes to 65 (--max bounds it)"},
		{"a rate beyond its bound", "2/s:5s, ramp ..30/s in 5s", "want at most 20/s, it comes to 30/s (--max-rate bounds it)"},
		{"numbers that may be either", "2/s:5s, 8:5s", `part 2, "8:5s": 8: want a unit, as in 8/s, for other loads of the profile are rates`},
		{"a repeat of nothing", "repeat 3", "nothing to repeat, want stages before it, as in 1:20s, 4:20s, repeat 3"},
		{"a load that is none", "ramp 1..x/s in 5s", `part 1, "ramp 1..x/s in 5s": load "x/s": want requests a second or a minute, 0/s to 1000000/s, as in 2.5, 2.5/s or 150/m`},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}} {
			f := showing(viewtest.Running)
			m := opened(f)
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			typing(m, c.text)
			press(m, "enter")
			frame := m.View()
			if got := strings.Join(strings.Fields(frame), " "); !strings.Contains(got, c.want) || m.st.Sheet == nil || len(f.commands()) != 0 {
				t.Errorf("%s at %v: %q is not in\n%s", c.sentence, size, c.want, frame)
			}
			if !strings.Contains(frame, "profile "+c.text) {
				t.Errorf("%s at %v: the line is gone:\n%s", c.sentence, size, frame)
			}
		}
	}
}

func TestAPartThatIsBeingTypedLeavesThePicture(t *testing.T) {
	m := opened(showing(viewtest.Running))
	typing(m, "4:1m, 8:1m, ramp 8")
	if got := m.View(); !strings.Contains(got, "2 stages, 2 min") {
		t.Errorf("the picture is gone:\n%s", got)
	}
}

func TestAProfileBeginsAgainByALetterOnlyWhileNothingIsTyped(t *testing.T) {
	f := showing(viewtest.Handheld)
	m := opened(f)
	press(m, "r", "4", "R")
	if m.st.Entry.Text != "4R" || len(f.commands()) != 0 {
		t.Errorf("R within a text is a key: %q", m.st.Entry.Text)
	}
	press(m, "esc", "r", "R")
	got := f.commands()
	if len(got) != 1 {
		t.Fatalf("posted %#v", got)
	}
	if c, ok := got[0].(bench.Follow); !ok || c.Profile != m.plan {
		t.Errorf("posted %#v, want the profile itself", got[0])
	}
}

func TestTheLockHoldsAProfileBackInWords(t *testing.T) {
	m := opened(showing(viewtest.Handheld))
	press(m, "L", "r", "enter")
	if !strings.Contains(m.View(), "locked: this may raise the load; esc, then L unlocks") {
		t.Errorf("no word of the lock:\n%s", m.View())
	}
}

func TestAQuestionWaitsForTheSheet(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "r")
	next := *s
	next.Ask = &bench.Ask{ID: 9, Text: "raise?", To: bench.InFlight(64), Load: true}
	s = &next
	m.look()
	if m.st.Mode != action.Planning {
		t.Error("a question closed the sheet")
	}
	press(m, "esc")
	m.look()
	if m.st.Mode != action.Asked || !strings.Contains(m.View(), "raise?") {
		t.Error("the question is not asked when the sheet is gone")
	}
}

func TestEachModeKeepsItsStep(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	s = viewtest.Make(viewtest.Open, 0)
	m.look()
	if press(m, "s"); m.st.Step != 2 || !strings.Contains(m.View(), "±2/s") {
		t.Errorf("the open loop's step is %v:\n%s", m.st.Step, m.View())
	}
	s = viewtest.Make(viewtest.Running, 0)
	if m.look(); m.st.Step != 4 {
		t.Errorf("the closed loop's step is %v, want 4 as before", m.st.Step)
	}
}

func TestTheFirstStepOfARateIsAQuarterAtMost(t *testing.T) {
	for rate, want := range map[float64]float64{0: 0.1, 0.3: 0.1, 1: 0.2, 2.5: 0.5, 10: 2, 100: 20, 1000: 50} {
		if got := firstStep(rate); got != want {
			t.Errorf("at %v/s the step is %v, want %v", rate, got, want)
		}
	}
}
