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

func TestALaneIsChosenOpenedAndLeft(t *testing.T) {
	m := opened(showing(viewtest.Running))
	if m.st.Chosen {
		t.Fatal("a lane is chosen before anybody chose one")
	}
	press(m, "j", "j")
	if !m.st.Chosen || m.st.Metric != bench.ITL || !strings.Contains(m.frame, "›") {
		t.Errorf("after two steps down: %v, %v", m.st.Chosen, m.st.Metric)
	}
	press(m, "e")
	if !m.st.Expanded || !strings.Contains(m.frame, "p99÷p50") {
		t.Error("e does not open the chosen lane")
	}
	press(m, "h", "esc")
	if !m.st.Expanded || m.st.Cursor.OK {
		t.Error("esc does not leave the time cursor first")
	}
	press(m, "esc")
	if m.st.Expanded || !m.st.Chosen {
		t.Error("esc does not close the lane")
	}
	if press(m, "esc"); m.st.Chosen {
		t.Error("esc does not let go of the lane")
	}
}

func TestTheLoadKeysWorkInAnOpenLane(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	press(m, "e", "h", "+")
	if got := f.commands(); len(got) != 1 || got[0] != bench.Command(bench.Add{N: 4}) {
		t.Errorf("+ posts %v", got)
	}
}

func TestWithoutLanesTheTimeCursorSaysSo(t *testing.T) {
	m := opened(showing(viewtest.Running))
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 8})
	if press(m, "h"); m.st.Cursor.OK || !strings.Contains(m.st.Notice, "needs lanes") {
		t.Errorf("cursor %+v, notice %q", m.st.Cursor, m.st.Notice)
	}
}

func TestAnEventIsReadInAWindowThatHoldsIt(t *testing.T) {
	m := opened(showing(viewtest.Running))
	m.st.View = action.Log
	m.readAt(5 * time.Second)
	m.draw()
	if m.st.View != action.Live || m.st.Window != 5*time.Minute || !strings.Contains(m.frame, "at 00:0") {
		t.Errorf("view %v, window %v:\n%s", m.st.View, m.st.Window, m.frame)
	}
}

func TestTheGhostGoesRoundAndSaysWhenItIsGone(t *testing.T) {
	m := opened(showing(viewtest.Running))
	if press(m, "G"); m.st.Ghost == nil || !strings.Contains(m.frame, "ghost: 48") {
		t.Errorf("ghost %v", m.st.Ghost)
	}
	for range len(m.snap.Levels) - 1 {
		press(m, "G")
	}
	if m.st.Ghost != nil || m.st.Notice != "no ghost" {
		t.Errorf("ghost %v, notice %q", m.st.Ghost, m.st.Notice)
	}
}

// TestTextFlowsOnlyWhileItRunsAndIsNear: ten looks a second while a stream is read, but not over a network, nor when the operator said how many.
func TestTextFlowsOnlyWhileItRunsAndIsNear(t *testing.T) {
	for _, c := range []struct {
		name string
		o    Options
		want int
	}{
		{"at home", Options{Env: env}, flowing},
		{"over a network", Options{Env: env, Remote: true}, 2},
		{"as the environment says", Options{Env: func(k string) string { return map[string]string{"SSH_TTY": "/dev/pts/1"}[k] }}, 2},
		{"as was asked", Options{Env: env, FPS: 3}, 3},
	} {
		if o, _, _ := c.o.filled(); o.flow != c.want {
			t.Errorf("%s: %d looks a second, want %d", c.name, o.flow, c.want)
		}
	}
	m := opened(showing(viewtest.Running))
	if m.reads() {
		t.Error("text is read in Live")
	}
	m.st.Metric, m.st.Chosen = bench.TPS, true
	press(m, "e")
	m.fetch()
	m.draw()
	if !m.reads() {
		t.Error("no text is read in an open TPS lane")
	}
	m.st.Journal = &bench.Journal{Reading: bench.Reading{ID: 1, Over: true}}
	if m.reads() {
		t.Error("a stream that is over flows")
	}
}

func TestWhatWasClearedIsComparedWithNoMore(t *testing.T) {
	s := viewtest.Make(viewtest.Running, 0)
	f := newFake(func() *bench.Snapshot { return s })
	m := opened(f)
	press(m, "ctrl+r", "G")
	if m.st.Reference == nil || m.st.Ghost == nil {
		t.Fatal("nothing is pinned")
	}
	c := *s
	l := *s.Level()
	l.ID, l.Begin = l.ID+1, s.At+time.Second
	c.Levels, c.Events = []*bench.Level{&l}, append(slices.Clone(s.Events), bench.Event{Kind: bench.EventClear, At: s.At})
	s = &c
	if m.Update(tick{m.chain}); m.st.Reference != nil || m.st.Ghost != nil || strings.Contains(m.frame, "ghost") {
		t.Errorf("reference %v, ghost %v:\n%s", m.st.Reference, m.st.Ghost, m.frame)
	}
	press(m, "ctrl+r")
	if m.Update(tick{m.chain}); m.st.Reference == nil {
		t.Error("a level of after it cannot be pinned")
	}
}

// TestANoticeOfARunThatIsOverGoes: it came without a key, when the ticks had ended.
func TestANoticeOfARunThatIsOverGoes(t *testing.T) {
	for name, come := range map[string]tea.Msg{
		"a click":       tea.MouseMsg{Y: 35, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress},
		"what is saved": saved{"x", nil},
	} {
		o, _, tty := Options{Engine: showing(viewtest.Done), Env: env, Mouse: true}.filled()
		m := newModel(o, tty, &exit{engine: o.Engine})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		if _, cmd := m.Update(tick{m.chain}); cmd != nil {
			t.Fatal("the ticks of a run that is over go on")
		}
		if click, ok := come.(tea.MouseMsg); ok {
			for click.X = 0; m.screen.Hit(click.X, click.Y).Action != action.Quit; click.X++ {
			}
			come = click
		}
		_, cmd := m.Update(come)
		if m.st.Notice == "" || cmd == nil {
			t.Fatalf("%s: notice %q, ticks %v", name, m.st.Notice, cmd != nil)
		}
		wait(m, time.Minute)
		if _, cmd = m.Update(tick{m.chain}); m.st.Notice != "" || cmd != nil {
			t.Errorf("%s: a minute later the notice is %q, and the ticks go on: %v", name, m.st.Notice, cmd != nil)
		}
	}
}
