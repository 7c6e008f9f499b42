package ui

import (
	"cmp"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// typed hears a key message. Keys that came with one read are one message of several characters: each is a key of its own.
func (m *model) typed(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste {
		m.paste(msg)
		return nil
	}
	m.touch()
	msg, whole := m.fromKeypad(msg)
	if !whole {
		return nil
	}
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

// paste takes pasted text into the line that is open. It is never a command.
func (m *model) paste(msg tea.KeyMsg) {
	if m.st.Entry == nil {
		return
	}
	m.touch()
	text := strings.Join(strings.Fields(string(msg.Runes)), " ")
	m.write(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
	m.draw()
}

func (m *model) key(k tea.KeyMsg) tea.Cmd {
	s := m.st.Action(m.snap)
	b := m.st.Keys.Find(k.String(), s)
	again := m.repeats(k)
	m.started = m.started && again
	switch {
	case b != nil && b.Action == action.Yes && k.Type == tea.KeyEnter && (again || m.now().Sub(m.asked) < askRest):
		// It was meant for something else.
		return nil
	case b != nil && b.Action == action.Yes && m.now().Sub(m.changed) < changeRest:
		// It was meant for the question before; the one that stands there waits on.
		return nil
	case again && m.started:
		// An Enter that is still held has begun something: it opens nothing.
		return nil
	case m.st.Sheet != nil && m.answerSheet(k, again), m.st.Course != nil && m.answerCourse(k, again):
		m.started = k.Type == tea.KeyEnter
		return nil
	case m.st.Entry == nil, b != nil && passes(b.Action) && !typeable(k):
		if b == nil && m.deck != nil {
			m.lose(k.String(), s)
			return nil
		}
		return m.hear(b, s)
	case m.st.Palette != nil:
		return m.answerPalette(k)
	}
	m.write(k)
	return nil
}

// How long an Enter answers no question: after another one, since a held key begins to repeat after half a second or more, and after the question has come.
const (
	enterRest = 1500 * time.Millisecond
	askRest   = 300 * time.Millisecond
)

// changeRest is how long no yes counts after somebody else has changed the question: it was meant for the one that was read.
const changeRest = time.Second

// repeats tells whether a key is an Enter that may be one with the Enter before it, still held.
func (m *model) repeats(k tea.KeyMsg) bool {
	if k.Type != tea.KeyEnter {
		m.entered = time.Time{}
		return false
	}
	was := m.entered
	m.entered = m.now()
	return m.entered.Sub(was) < enterRest
}

// typeable tells whether a key is a character of an input line.
func typeable(k tea.KeyMsg) bool {
	return k.Type == tea.KeySpace && !k.Alt || k.Type == tea.KeyRunes && !k.Alt
}

// passes tells whether an action is heard while a line is being typed, if its key is none that is typed.
func passes(a action.Action) bool {
	return a == action.Interrupt || a == action.Suspend || a == action.Cancel
}

// write types a key into the line that is open.
func (m *model) write(k tea.KeyMsg) {
	switch {
	case m.st.Palette != nil:
		m.typeName(k)
	case m.st.Entry.For == view.ForHelp:
		m.searchHelp(k)
	default:
		m.edit(k)
	}
}

// hear carries a binding out, unless it is refused. All ways to an action lead through here: keys, the palette, the mouse.
func (m *model) hear(b *action.Binding, s action.State) tea.Cmd {
	if b == nil {
		return nil
	}
	if b.Refused(s) {
		m.say("locked: " + cmp.Or(b.Word(s), b.Name) + " may raise the load; " + m.st.Keys.Key(action.Lock) + " unlocks")
		return nil
	}
	if !(s.Locked && b.Undecided) {
		// What was refused is told once a second, while a key that is held comes more often.
		m.st.Notice = ""
	}
	if m.st.Mode == action.Helping && b.Turns() {
		m.turnHelp(b.Action)
		return nil
	}
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
	case action.Loop:
		return bench.Switch{}
	case action.Work:
		return bench.NextWork{}
	case action.Other:
		return bench.Other{}
	case action.Both:
		return bench.Both{}
	}
	return nil
}

// drive posts a command that is about the load. Under the lock the engine judges it when its turn comes: what is on screen is older than the last key.
func (m *model) drive(c bench.Command) {
	if m.st.Locked {
		c = bench.Locked{Command: c}
	}
	m.handed = m.now()
	m.engine.Post(c)
}

// do carries an action out.
func (m *model) do(a action.Action) tea.Cmd {
	if m.deck != nil && m.replay(a) {
		return nil
	}
	if c := m.load(a); c != nil {
		m.drive(c)
		m.bounded(c)
		return nil
	}
	switch a {
	case action.Yes, action.No:
		m.answer(a == action.Yes)
	case action.Quit, action.QuitLeaving:
		m.keep = a == action.QuitLeaving
		return m.quit()
	case action.QuitDrain, action.QuitKill:
		m.st.Mode = action.Driving
		m.exit.end(a == action.QuitKill)
	case action.QuitStay:
		m.st.Mode, m.keep = action.Driving, false
	case action.CloseHelp:
		m.closeHelp()
	case action.Mouse:
		return m.toggleMouse()
	case action.Interrupt:
		if m.exit.interrupt() {
			return m.leave()
		}
		m.closeFront()
		m.say("stopping: what is in flight may finish; ctrl+c again leaves at once")
	case action.Suspend:
		m.startSuspend()
	case action.Save:
		return m.save()
	case action.Copy:
		return m.copyCurl()
	case action.Redraw:
		return tea.ClearScreen
	default:
		m.view(a)
	}
	return nil
}

// quit leaves, or asks first while something runs.
func (m *model) quit() tea.Cmd {
	s := view.ActionState(m.engine.Snapshot(), false, false, action.Driving)
	if m.exit.over() || !s.Loaded() {
		return m.leave()
	}
	m.closeFront()
	m.st.Mode = action.Quitting
	return nil
}

// closeFront closes whatever is open in front of the view, as leaving it would: one thing is open at a time.
func (m *model) closeFront() {
	if m.st.Picker != nil {
		m.pick(action.DropTheme)
	}
	m.st.Sheet, m.st.Course, m.st.Palette, m.st.Entry, m.st.Mode = nil, nil, nil, nil, action.Driving
}

// leave ends the dashboard now.
func (m *model) leave() tea.Cmd {
	m.leaves = true
	return tea.Quit
}
