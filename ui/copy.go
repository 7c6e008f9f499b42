package ui

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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
	text := m.o.Curl(r)
	if len(text) > term.ClipboardBytes {
		m.say(fmt.Sprintf("too long for a terminal's clipboard: %s bytes, of %s at most; S saves the screen", chart.Count(int64(len(text))), chart.Count(term.ClipboardBytes)))
		return nil
	}
	mux := term.Look(m.o.Env, runtime.GOOS, true).Mux
	sequence, what := term.Clipboard(text, mux), copiedWords(text, mux)
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

// keyVariable is a variable of the shell that stands for a key.
var keyVariable = regexp.MustCompile(`\$\{?([A-Z][A-Z0-9_]*(?:KEY|TOKEN|AUTHORIZATION))\b`)

// copiedWords say how much was copied and where its key comes from.
func copiedWords(text string, mux term.Multiplexer) string {
	var b strings.Builder
	b.WriteString("copied as curl, " + inBytes(len(text)))
	if key := keyVariable.FindStringSubmatch(text); key != nil {
		b.WriteString("; the key is $" + key[1])
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
