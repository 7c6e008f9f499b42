package ui

import (
	"strings"
	"testing"

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
	if m.st.Sheet != nil || m.st.Entry != nil || m.st.Mode != action.Live {
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
