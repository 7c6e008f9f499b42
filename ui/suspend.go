package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
)

// suspendWait is how long a suspend waits for requests in flight: what is left then is interrupted.
const suspendWait = 5 * time.Second

func (m *model) startSuspend() {
	m.engine.Post(bench.Pause{Why: "suspended"})
	if m.deck != nil {
		// Nothing is in flight here, whatever was then.
		m.suspend = m.now()
		return
	}
	m.suspend = m.now().Add(suspendWait)
	m.say("suspending when what is in flight has finished, in 5 s at most")
}

// suspending suspends when the drain is over or has lasted too long.
func (m *model) suspending() tea.Cmd {
	if m.suspend.IsZero() {
		return nil
	}
	s := m.engine.Snapshot()
	if m.deck == nil && s.InFlight > 0 && s.State != bench.Done && m.now().Before(m.suspend) {
		return nil
	}
	m.suspend = time.Time{}
	if m.terminal != nil {
		m.terminal.Leave()
	}
	return tea.Suspend
}

// resumed is back from a suspend.
func (m *model) resumed() {
	if m.terminal != nil {
		m.terminal.Enter()
		m.title = ""
	}
	m.touch()
	m.snap = m.engine.Snapshot()
	if m.deck != nil {
		return
	}
	m.say("back from suspend; still paused: " + m.st.Keys.Key(action.Pause) + " sends again")
}
