package ui

import (
	"errors"
	"os"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/ui/term"
	"redline/ui/view/viewtest"
)

func TestSavingHoldsNothingUpAndTellsWhere(t *testing.T) {
	m := opened(showing(viewtest.Running))
	var got Frame
	var fails error
	m.o.Save = func(f Frame) (string, error) { got = f; return "./redline-1 .txt", fails }
	shown := m.frame
	_, cmd := m.Update(message("S"))
	_ = cmd
	save := m.save()
	if save != nil || !strings.Contains(m.st.Notice, "still saving") {
		t.Errorf("a second save begins beside the first: %q", m.st.Notice)
	}
	m.saving, m.st.Notice = false, ""
	msg := m.save()()
	if got.ANSI != shown+"\n" || strings.Contains(got.Text, "\x1b") || !strings.Contains(got.Text, "RUNNING") || got.Snapshot != m.snap {
		t.Errorf("what is saved is not what was shown:\n%q", got.Text)
	}
	m.Update(msg)
	if !strings.Contains(m.frame, "saved ./redline-1 .txt") {
		t.Errorf("nobody is told where:\n%s", m.frame)
	}
	fails = errors.New("open /x/y.txt: permission denied")
	m.Update(m.save()())
	if !strings.Contains(m.frame, "not saved: open /x/y.txt: permission denied") {
		t.Errorf("nobody is told why not:\n%s", m.frame)
	}
	m.o.Save = func(Frame) (string, error) { panic("oh") }
	m.Update(m.save()())
	if !strings.Contains(m.st.Notice, "internal error: oh") || m.crash != "" {
		t.Errorf("a panic while saving: %q, %q", m.st.Notice, m.crash)
	}
	m.o.Save = nil
	if press(m, "S"); !strings.Contains(m.st.Notice, "nothing can be saved") {
		t.Errorf("%q", m.st.Notice)
	}
}

func TestSavingPicturesTheScreenAsItIsAtTheKey(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		has, lacks string
	}{
		{"private and save in one read", "PS", "PRIVATE", "gpu-7"},
		{"no more private and save in one read", "PPS", "gpu-7", "PRIVATE"},
		{"another view and save in one read", "6S", "following the newest", "LOAD"},
		{"private, in a view of requests", "4PS", "PRIVATE", "gpu-7"},
	} {
		for _, behind := range []bool{false, true} {
			m := opened(showing(viewtest.Running))
			var got Frame
			m.o.Save = func(f Frame) (string, error) { got = f; return "x", nil }
			if behind {
				m.terminal = full(t)
			}
			_, cmd := m.Update(message(c.keys))
			if behind && !m.stale {
				t.Fatal("the terminal takes all")
			}
			// The first of the two commands; the other one is the next tick.
			cmd().(tea.BatchMsg)[0]()
			if !strings.Contains(got.Text, c.has) || strings.Contains(got.Text, c.lacks) || strings.Contains(got.ANSI, c.lacks) || got.Private != strings.Contains(c.has, "PRIVATE") {
				t.Errorf("%s, terminal behind: %v: saved in private: %v,\n%s", c.name, behind, got.Private, got.Text)
			}
		}
	}
}

func TestAFrameThatWaitsForItsTerminalIsDrawnAnewInPrivate(t *testing.T) {
	f := showing(viewtest.Running)
	m := opened(f)
	m.terminal = full(t)
	if press(m, "P"); strings.Contains(m.View(), "gpu-7") {
		t.Errorf("what is hidden may be written once more:\n%s", m.View())
	}
	was := m.View()
	if press(m, "6"); m.View() != was {
		t.Error("a terminal that is behind is drawn for")
	}
	close(f.done)
	if press(m, "Q"); !m.leaves || m.View() == was {
		t.Error("the frame that is left behind is an old one")
	}
}

// full is a terminal that takes no more.
func full(t *testing.T) *term.Screen {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := term.NewScreen(w, false)
	for !s.Busy() {
		if _, err := s.Write(make([]byte, 1<<16)); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return s
}
