package ui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// place is where a text stands on the screen.
func place(t *testing.T, m *model, text string) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(m.View(), "\n") {
		if at := strings.Index(row, text); at >= 0 {
			return len([]rune(row[:at])), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, m.View())
	return 0, 0
}

func point(m *model, b tea.MouseButton, x, y int) {
	m.Update(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
}

func click(t *testing.T, m *model, text string) {
	t.Helper()
	x, y := place(t, m, text)
	point(m, tea.MouseButtonLeft, x, y)
}

func TestTheMouseIsHeardOnlyWhenAsked(t *testing.T) {
	m := opened(showing(viewtest.Running))
	click(t, m, " ITL ")
	if m.st.Chosen {
		t.Fatal("a click chooses though the mouse is off")
	}
	press(m, "M")
	if !m.st.Mouse {
		t.Fatal("M does not switch it on")
	}
	click(t, m, " ITL ")
	if !m.st.Chosen || m.st.Metric != bench.ITL {
		t.Errorf("a click on a lane chooses %v, %v", m.st.Chosen, m.st.Metric)
	}
}

func TestTwoClicksOpen(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	m.st.Mouse = true
	x, y := place(t, m, " RPM ")
	point(m, tea.MouseButtonLeft, x, y)
	point(m, tea.MouseButtonLeft, x, y)
	if !m.st.Expanded || m.st.Metric != bench.RPM {
		t.Error("two clicks on a lane do not open it")
	}
	m.st.Expanded = false
	m.draw()
	wait(m, doubleClick)
	x, y = place(t, m, " TPM ")
	point(m, tea.MouseButtonLeft, x, y)
	wait(m, doubleClick)
	point(m, tea.MouseButtonLeft, x, y)
	if m.st.Expanded {
		t.Error("two slow clicks open")
	}
}

// TestNeitherWheelNorClickTouchesTheLoad: wherever they fall, in every view and with anything open.
func TestNeitherWheelNorClickTouchesTheLoad(t *testing.T) {
	for v := range action.NumViews {
		for _, open := range []string{"", ":", "T", "?", "q", "c", "r"} {
			f := showing(viewtest.Ask)
			m := opened(f)
			m.st.Mouse, m.st.View = true, v
			if open != "" {
				press(m, open)
			}
			m.draw()
			for y := range m.st.H {
				for x := 0; x < m.st.W; x += 3 {
					for _, b := range []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown, tea.MouseButtonRight, tea.MouseButtonMiddle} {
						point(m, b, x, y)
					}
				}
			}
			if got := f.commands(); len(got) > 0 || m.leaves {
				t.Errorf("in %s with %q open the mouse posts %#v", v, open, got)
			}
		}
	}
}

func TestTheWheelGoesAbout(t *testing.T) {
	m := opened(showing(viewtest.Running))
	m.st.Mouse = true
	was := m.st.Window
	for range 20 {
		point(m, tea.MouseButtonWheelUp, 10, 10)
	}
	if m.st.Window == 0 || m.st.Window > was || m.st.Window < was/5 {
		t.Errorf("twenty messages of one turn go from %s to %s", was, m.st.Window)
	}
	wait(m, time.Second)
	before := m.st.Window
	point(m, tea.MouseButtonWheelDown, 10, 10)
	if m.st.Window <= before {
		t.Errorf("the other way goes from %s to %s", before, m.st.Window)
	}
	press(m, ":")
	point(m, tea.MouseButtonWheelDown, 10, 30)
	if m.st.Palette.Row != 1 {
		t.Error("the wheel does not go about in the palette")
	}
}

func TestKeysOfTheFooterAreClicked(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	m.st.Mouse = true
	click(t, m, "freeze")
	if !m.st.Frozen {
		t.Error("freeze is not pressed")
	}
	press(m, "f")
	click(t, m, "pause")
	if got := f.commands(); len(got) > 0 || !strings.Contains(m.st.Notice, "the mouse only looks: press space") {
		t.Errorf("pause posts %#v, says %q", got, m.st.Notice)
	}
}

func TestAStormOfTheMouseIsDrawnSeldom(t *testing.T) {
	m := opened(showing(viewtest.Running))
	m.st.Mouse, m.st.View = true, action.Log
	m.draw()
	now := m.now()
	m.now = func() time.Time { return now }
	frames := 0
	for i := range 2000 {
		m.frame = ""
		if i%2 == 0 {
			m.Update(tea.MouseMsg{X: i % 100, Y: i % 30, Button: tea.MouseButtonLeft, Action: tea.MouseActionMotion})
		} else {
			point(m, tea.MouseButtonWheelDown, 10, 10)
		}
		if m.frame != "" {
			frames++
		}
		now = now.Add(time.Millisecond)
	}
	if frames < 1 || frames > 2000/int(drawGap/time.Millisecond)+1 {
		t.Errorf("%d frames in two seconds", frames)
	}
	m.frame = ""
	if m.Update(redrawn{}); m.frame == "" {
		t.Error("what was held back is never drawn")
	}
}

func TestTheMouseIsGivenBackAfterASuspend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := opened(showing(viewtest.Running))
		m.st.Mouse = true
		_, cmd := m.Update(tea.ResumeMsg{})
		batch, ok := cmd().(tea.BatchMsg)
		if !ok {
			t.Fatal("no commands")
		}
		found := false
		for _, c := range batch {
			if c != nil {
				found = c() == tea.EnableMouseCellMotion() || found
			}
		}
		if !found {
			t.Error("the terminal is not asked for the mouse again")
		}
	})
}
