package ui

import (
	"errors"
	"strings"
	"testing"

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
	m.saving = false
	m.frame = shown
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
