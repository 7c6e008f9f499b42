package ui

import (
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// turn moves the time cursor by a column.
func (m *model) turn(by int) {
	switch {
	case m.screen.Turn(&m.st, by):
	case m.st.View == action.Heat:
		m.say("there is no cell to choose yet")
	default:
		m.say("the time cursor needs lanes: a larger terminal has them")
	}
}

// readAt shows Live with the time cursor at an instant of the run, in a window that holds it.
func (m *model) readAt(at time.Duration) {
	m.show(action.Live)
	if w := m.st.Reach(view.Edge(m.shown()), at); w != m.st.Window {
		m.st.Window, m.st.Growing = w, false
	}
	m.st.Expanded, m.st.Cursor = false, bench.MarkAt(max(at, 0))
}

// reads tells whether a stream's text is on screen that still runs.
func (m *model) reads() bool {
	_, read := m.looksAtRequests()
	return read && !m.st.Frozen && m.st.Journal != nil && !m.st.Journal.Reading.Over
}
