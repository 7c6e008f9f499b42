package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/ui/action"
	"redline/ui/view"
)

// How the mouse is heard: two clicks within doubleClick are one that opens; a turn of the wheel comes as many messages, of which one each wheelGap moves a
// window on; and a storm of them is drawn once each drawGap.
const (
	doubleClick = 400 * time.Millisecond
	wheelGap    = 120 * time.Millisecond
	drawGap     = 40 * time.Millisecond
)

// pointer is what the mouse did last.
type pointer struct {
	clicked, wheeled, drawn time.Time
	hit                     view.Hit
	// waiting tells that a frame is to be drawn when the gap is over.
	waiting bool
}

// redrawn is the end of the gap after which what the mouse did is drawn.
type redrawn struct{}

// toggleMouse hears the mouse, or no more.
func (m *model) toggleMouse() tea.Cmd {
	m.st.Mouse = !m.st.Mouse
	if !m.st.Mouse {
		m.say("mouse off: the terminal's own selection works again")
		return tea.DisableMouse
	}
	m.say("mouse on: a click chooses, two open, the wheel goes about; none moves the load")
	return tea.EnableMouseCellMotion
}

// pointed hears a message of the mouse. Bare motion and releases mean nothing, and cost nothing.
func (m *model) pointed(msg tea.MouseMsg) tea.Cmd {
	if !m.st.Mouse || msg.Action != tea.MouseActionPress {
		return nil
	}
	var cmd tea.Cmd
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.touch()
		m.wheel(-1)
	case tea.MouseButtonWheelDown:
		m.touch()
		m.wheel(+1)
	case tea.MouseButtonLeft:
		m.touch()
		cmd = m.click(m.screen.Hit(msg.X, msg.Y))
	default:
		return nil
	}
	m.still = 0
	return tea.Batch(cmd, m.drawSoon())
}

// drawSoon draws now, or when the gap since the last frame of the mouse is over.
func (m *model) drawSoon() tea.Cmd {
	now := m.now()
	since := now.Sub(m.pointer.drawn)
	switch {
	case since >= drawGap:
		m.pointer.drawn = now
		m.draw()
	case !m.pointer.waiting:
		m.pointer.waiting = true
		return tea.Tick(drawGap-since, func(time.Time) tea.Msg { return redrawn{} })
	}
	return nil
}

// drawWaiting draws what the mouse did within the gap.
func (m *model) drawWaiting() {
	m.pointer.waiting, m.pointer.drawn = false, m.now()
	m.draw()
}

// wheel goes up or down in what is open, or makes the window shorter or longer. It never touches the load.
func (m *model) wheel(by int) {
	way := map[int]action.Action{-1: action.Up, +1: action.Down}[by]
	switch {
	case m.st.Mode == action.Helping:
		if m.rested() {
			m.turnHelp(way)
		}
	case m.st.Picker != nil:
		m.tryOn(by)
	case m.st.Palette != nil:
		m.goPalette(by)
	case m.st.Mode != action.Driving && m.st.Mode != action.Asked || m.st.Entry != nil:
	case m.st.View == action.Live || m.st.View == action.Heat || m.st.View == action.Server:
		if m.rested() {
			m.zoom(by)
		}
	default:
		m.screen.Move(m.shown(), &m.st, motions[way])
	}
}

// rested tells whether the wheel has rested since it moved something on, and takes note that it does now.
func (m *model) rested() bool {
	now := m.now()
	if now.Sub(m.pointer.wheeled) < wheelGap {
		return false
	}
	m.pointer.wheeled = now
	return true
}

// click chooses what was hit; a second one on the same opens it. Keys of the footer are pressed, if all they do is to look or to measure.
func (m *model) click(h view.Hit) tea.Cmd {
	now := m.now()
	again := h == m.pointer.hit && h.Spot != view.Nothing && now.Sub(m.pointer.clicked) < doubleClick
	m.pointer.hit, m.pointer.clicked = h, now
	if again {
		// A third click begins anew.
		m.pointer.hit = view.Hit{}
	}
	switch {
	case h.Spot == view.Nothing:
	case h.Spot == view.OnAction:
		return m.pressed(h.Action)
	case h.Spot == view.OnScrubber:
		if m.deck != nil && m.st.Entry == nil {
			m.deck.Seek(h.At)
		}
	case h.Spot == view.OnChoice && m.st.Picker != nil:
		m.tryRow(h.Index)
		if again {
			m.pick(action.KeepTheme)
		}
	case h.Spot == view.OnChoice && m.st.Palette != nil:
		p := *m.st.Palette
		p.Row = min(h.Index, max(len(p.Found)-1, 0))
		m.st.Palette = &p
	case m.st.Mode != action.Driving && m.st.Mode != action.Asked || m.st.Entry != nil:
	case m.st.ChooseHit(h):
		if b, s := m.st.Keys.Row(action.Open), m.st.Action(m.snap); again && b.Works(s) {
			return m.hear(b, s)
		}
	}
	return nil
}

// pressed does what a key of the footer does, if it neither drives the load nor leaves nor answers.
func (m *model) pressed(a action.Action) tea.Cmd {
	b, s := m.st.Keys.Row(a), m.st.Action(m.snap)
	switch {
	case b == nil || !b.Works(s) || m.st.Entry != nil:
		return nil
	case b.Class == action.Looks || b.Class == action.Measures:
		return m.hear(b, s)
	}
	m.say("the mouse only looks: press " + m.st.Keys.Key(a) + " for this")
	return nil
}
