package ui

import (
	"fmt"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/term"
)

// copied is what came of copying.
type copied struct {
	what string
	err  error
}

// copyCurl puts the chosen request as a command of curl into the terminal's clipboard, off the loop: a terminal that takes nothing must not hold the screen.
func (m *model) copyCurl() tea.Cmd {
	r := m.screen.ChosenRequest(&m.st)
	switch {
	case m.st.Private:
		m.say("private: a request is not copied; P ends that")
		return nil
	case m.o.Curl == nil:
		m.say("nothing to copy: no server is asked here")
		return nil
	case r == nil:
		m.say("no request is chosen: down chooses one")
		return nil
	case m.terminal == nil:
		m.say("there is no terminal whose clipboard could be filled")
		return nil
	case m.copying:
		m.say("the terminal has not taken what was copied before")
		return nil
	}
	curl := m.o.Curl(r)
	text := curl.Text
	if len(text) > term.ClipboardBytes {
		m.say(fmt.Sprintf("too long for a terminal's clipboard: %s bytes, of %s at most; S saves the screen", chart.Count(int64(len(text))), chart.Count(term.ClipboardBytes)))
		return nil
	}
	mux := term.Look(m.o.Env, runtime.GOOS, true).Mux
	sequence, what := term.Clipboard(text, mux), copiedWords(curl, mux)
	screen := m.terminal
	m.copying = true
	return func() tea.Msg { return copied{what, screen.Pass(sequence)} }
}

// passed says what came of copying.
func (m *model) passed(c copied) {
	m.copying = false
	if c.err != nil {
		m.say("not copied: " + c.err.Error())
		return
	}
	m.say(c.what)
}

// copiedWords say how much was copied, which variables of the shell it needs, and in what it differs from what was sent.
func copiedWords(c bench.Curl, mux term.Multiplexer) string {
	var b strings.Builder
	b.WriteString("copied as curl, " + inBytes(len(c.Text)))
	for i, name := range c.Variables {
		b.WriteString([]string{", ", "; needs "}[max(1-i, 0)] + "$" + name)
	}
	if c.Differs != "" {
		b.WriteString("; not the body that was sent: " + c.Differs)
	}
	if mux == term.Tmux {
		b.WriteString("; tmux needs set-clipboard on")
	}
	return b.String()
}

// inBytes is a number of bytes in few digits: "812 B", "1.2 KB".
func inBytes(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	if n < 100_000 {
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	}
	return fmt.Sprintf("%d KB", n/1000)
}
