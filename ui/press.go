package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/view"
)

// typed hears a key message. Keys that came with one read are one message of several characters: each is a key of its own.
func (m *model) typed(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste {
		// Pasted text is never a command.
		return nil
	}
	m.touch()
	var cmds []tea.Cmd
	for _, k := range split(msg) {
		if cmd := m.key(k); cmd != nil {
			cmds = append(cmds, cmd)
		}
		if m.leaves {
			break
		}
	}
	if !m.leaves {
		m.still = 0
		m.chain++
		cmds = append(cmds, m.tickIn(settleDelay))
	}
	m.draw()
	return tea.Batch(cmds...)
}

// split is one message for every character of a message.
func split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 || msg.Alt {
		return []tea.KeyMsg{msg}
	}
	out := make([]tea.KeyMsg, len(msg.Runes))
	for i, r := range msg.Runes {
		out[i] = tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
	}
	return out
}

// touch tells the engine that somebody is there.
func (m *model) touch() {
	m.lastKey, m.warned = m.now(), false
	m.engine.Post(bench.Touch{})
}

func (m *model) key(k tea.KeyMsg) tea.Cmd {
	if m.st.Entry != nil && k.Type != tea.KeyCtrlC && k.Type != tea.KeyCtrlZ {
		m.edit(k)
		return nil
	}
	s := view.ActionState(m.snap, m.st.Locked, m.st.Frozen, m.st.Mode)
	b := action.Find(k.String(), s)
	if b == nil {
		return nil
	}
	if b.Refused(s) {
		m.say("locked: " + b.Help + " would raise the load; L unlocks")
		return nil
	}
	m.st.Notice = ""
	return m.do(b.Action)
}

// load are the actions that are one command.
func (m *model) load(a action.Action) bench.Command {
	switch a {
	case action.Raise:
		return bench.Add{N: m.st.Step}
	case action.Lower:
		return bench.Add{N: -m.st.Step}
	case action.Double:
		return bench.Times{F: 2}
	case action.Halve:
		return bench.Times{F: 0.5}
	case action.Undo:
		return bench.Undo{}
	case action.Redo:
		return bench.Redo{}
	case action.Flip:
		return bench.Flip{}
	case action.Pause:
		return bench.Toggle{}
	case action.Cancel:
		return bench.Cancel{}
	case action.Drain:
		return bench.Drain{}
	}
	return nil
}

// do carries an action out.
func (m *model) do(a action.Action) tea.Cmd {
	if c := m.load(a); c != nil {
		m.engine.Post(c)
		return nil
	}
	switch a {
	case action.Yes, action.No:
		m.answer(a == action.Yes)
	case action.Quit, action.QuitLeaving:
		m.keep = a == action.QuitLeaving
		return m.quit()
	case action.QuitDrain, action.QuitKill:
		m.st.Mode = action.Live
		m.exit.end(a == action.QuitKill)
	case action.QuitStay, action.CloseHelp:
		m.st.Mode, m.keep = action.Live, false
	case action.Interrupt:
		if m.exit.interrupt() {
			return m.leave()
		}
		m.st.Entry, m.st.Mode = nil, action.Live
		m.say("stopping: what is in flight may finish; ctrl+c again leaves at once")
	case action.Suspend:
		m.startSuspend()
	case action.Redraw:
		return tea.ClearScreen
	default:
		m.view(a)
	}
	return nil
}

// view carries out the actions that change what is looked at.
func (m *model) view(a action.Action) {
	switch a {
	case action.Step:
		if m.st.Step *= 2; m.st.Step > 16 {
			m.st.Step = 1
		}
	case action.Exact:
		m.st.Entry = &view.Entry{Prompt: "load", Hint: "48  +6  x2  50%   enter applies, esc leaves"}
	case action.Note:
		m.st.Entry = &view.Entry{Prompt: "note", Hint: "enter marks this instant, esc leaves"}
	case action.Lock:
		m.st.Locked = !m.st.Locked
	case action.Pin:
		m.pin()
	case action.Scope:
		m.st.Scope = m.st.Scope.Next()
		m.say("numbers of the " + m.st.Scope.String())
	case action.Percentile:
		m.st.Percentile = (m.st.Percentile + 1) % (bench.Max + 1)
		m.say("TTFT and ITL plot " + m.st.Percentile.String())
	case action.Shorter:
		m.zoom(-1)
	case action.Longer:
		m.zoom(+1)
	case action.Freeze:
		m.st.Frozen, m.frozen = !m.st.Frozen, m.now()
		m.snap = m.engine.Snapshot()
	case action.Theme:
		m.say(m.looks.next())
		m.st.Set = m.looks.set()
	case action.Help:
		m.help()
	}
}

// help opens the help, turns its page, and closes it behind the last.
func (m *model) help() {
	if m.st.Mode != action.Helping {
		m.st.Mode, m.st.HelpPage = action.Helping, 0
		return
	}
	if m.st.HelpPage++; m.st.HelpPage >= view.HelpPages(m.st.W, m.st.H) {
		m.st.Mode, m.st.HelpPage = action.Live, 0
	}
}

// pin makes the present level the reference of Δ, or takes the pin away.
func (m *model) pin() {
	l := m.snap.Level()
	switch {
	case l == nil:
	case m.st.Reference != nil && m.st.Reference.ID == l.ID:
		m.st.Reference = nil
		m.say("Δ compares with the level before again")
	default:
		m.st.Reference = l
		m.say("Δ compares with this level from now on")
	}
}

// zoom goes to the next window of the list.
func (m *model) zoom(by int) {
	m.st.Window, m.st.Growing = m.st.EffectiveWindow(m.snap.Folded, layout.For(m.st.W, m.st.H).Chart), false
	at := len(view.Windows) - 1
	for i, w := range view.Windows[:at] {
		if m.st.Window > 0 && w >= m.st.Window {
			at = i
			break
		}
	}
	m.st.Window = view.Windows[min(max(at+by, 0), len(view.Windows)-1)]
}

// answer answers the engine's question; a yes that raises the load is a raise like any other.
func (m *model) answer(yes bool) {
	ask := m.snap.Ask
	if ask == nil {
		return
	}
	if yes && m.st.Locked && ask.To > m.snap.Target {
		m.say("locked: yes would raise the load; L unlocks")
		return
	}
	m.answered = ask.ID
	m.engine.Post(bench.Answer{ID: ask.ID, Yes: yes})
}

// quit leaves, or asks first while something runs.
func (m *model) quit() tea.Cmd {
	s := view.ActionState(m.engine.Snapshot(), false, false, action.Live)
	if m.exit.over() || !s.Loaded() {
		return m.leave()
	}
	m.st.Mode = action.Quitting
	return nil
}

// leave ends the dashboard now.
func (m *model) leave() tea.Cmd {
	m.leaves = true
	return tea.Quit
}

// suspendWait is how long a suspend waits for requests in flight: what is left then is interrupted.
const suspendWait = 5 * time.Second

func (m *model) startSuspend() {
	m.engine.Post(bench.Pause{Why: "suspended"})
	m.suspend = m.now().Add(suspendWait)
	m.say("suspending when what is in flight has finished, in 5 s at most")
}

// suspending suspends when the drain is over or has lasted too long.
func (m *model) suspending() tea.Cmd {
	if m.suspend.IsZero() {
		return nil
	}
	s := m.engine.Snapshot()
	if s.InFlight > 0 && s.State != bench.Done && m.now().Before(m.suspend) {
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
	}
	m.touch()
	m.snap = m.engine.Snapshot()
	m.say("back from suspend; still paused: space sends again")
}
