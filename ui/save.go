package ui

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"redline/bench"
)

// Frame is what there is to save: the screen as it stood when that was asked for, and the run that it shows.
type Frame struct {
	// Text is the frame without any control sequence, ANSI as the terminal got it, both with a line break behind each row.
	Text, ANSI string
	// Snapshot is what is shown, and Private tells that it has been through a veil.
	Snapshot *bench.Snapshot
	Private  bool
}

// saved is what came of saving.
type saved struct {
	where string
	err   error
}

// savedFor is how long the screen tells where things were saved.
const savedFor = 10 * time.Second

// save hands the frame over to be written, off the loop: a slow disk must not hold the screen.
func (m *model) save() tea.Cmd {
	switch {
	case m.o.Save == nil:
		m.say("nothing can be saved here")
		return nil
	case m.saving:
		m.say("still saving what was asked for before")
		return nil
	}
	m.saving = true
	f := m.pictured()
	keep := m.o.Save
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = saved{err: fmt.Errorf("internal error: %v", r)}
			}
		}()
		where, err := keep(f)
		return saved{where, err}
	}
}

// pictured is the frame as it is at this key, and not as it was drawn last: one read may bring the key that hides things and the one that saves, and a
// terminal that is behind has not been drawn for since.
func (m *model) pictured() Frame {
	frame := m.picture()
	f := Frame{Snapshot: m.shown(), Private: m.st.Private}
	var text strings.Builder
	for _, row := range strings.Split(frame, "\n") {
		text.WriteString(strings.TrimRight(ansi.Strip(row), " ") + "\n")
	}
	f.Text, f.ANSI = text.String(), frame+"\n"
	return f
}

// told says what came of saving.
func (m *model) told(s saved) {
	m.saving = false
	if s.err != nil {
		m.say("not saved: " + s.err.Error())
	} else {
		m.say("saved " + s.where)
	}
	m.notice = m.now().Add(savedFor)
}
