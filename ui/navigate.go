package ui

import (
	"strconv"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// shows are the views by the actions that show them.
var shows = map[action.Action]action.View{
	action.ShowLive: action.Live, action.ShowCurve: action.Curve, action.ShowHeat: action.Heat, action.ShowRequests: action.Requests,
	action.ShowServer: action.Server, action.ShowLog: action.Log, action.ShowDiagnosis: action.Diagnosis,
}

// motions are the ways to go by the actions that go them.
var motions = map[action.Action]view.Motion{
	action.Up: view.Up, action.Down: view.Down, action.PageUp: view.PageUp, action.PageDown: view.PageDown, action.First: view.First, action.Last: view.Last,
}

// navigate carries out the actions that go about in a view, or to another one.
func (m *model) navigate(a action.Action) {
	if v, ok := shows[a]; ok {
		m.show(v)
		return
	}
	if way, ok := motions[a]; ok {
		m.screen.Move(m.shown(), &m.st, way)
		return
	}
	switch a {
	case action.Next:
		m.st.Choose(+1)
	case action.Previous:
		m.st.Choose(-1)
	case action.Earlier:
		m.turn(-1)
	case action.Later:
		m.turn(+1)
	case action.Open:
		m.open()
	case action.Back:
		if !m.screen.Back(&m.st) {
			m.show(action.Live)
		}
	case action.Logarithm:
		m.st.Log[m.st.View] = !m.st.Log[m.st.View]
	case action.Arrange:
		m.arrange()
	case action.Reverse:
		m.st.Reversed = !m.st.Reversed
	case action.Filter:
		m.st.Entry = &view.Entry{For: view.ForFilter, Prompt: "/", Text: m.st.Filter[m.st.View], Hint: m.lineHint(view.FilterForms(m.st.View), "enter applies")}
	case action.Threshold:
		m.askPromise()
	case action.Ghost:
		m.ghost()
	case action.Private:
		m.turnPrivate()
	case action.Clear:
		m.engine.Post(bench.Clear{})
	default:
		m.tool(a)
	}
}

// show goes to a view; what was open in it is closed.
func (m *model) show(v action.View) {
	for m.st.View == v && m.st.Close() {
	}
	m.st.View = v
	m.fetch()
}

// open opens what is chosen.
func (m *model) open() {
	switch m.st.View {
	case action.Live:
		if !m.st.Chosen {
			m.st.Choose(0)
		}
		m.st.Expanded = !m.st.Expanded
	case action.Curve:
		m.openLoad()
	case action.Heat:
		m.openCell()
	case action.Requests:
		m.screen.Inspect(&m.st)
	case action.Log:
		if e, ok := m.screen.ChosenEvent(m.shown(), &m.st); ok {
			m.readAt(e.At)
		}
	}
}

// openCell lists the requests of the chosen cell. Where none is chosen it chooses one.
func (m *model) openCell() {
	switch {
	case m.screen.OpenCell(m.shown(), &m.st):
		m.show(action.Requests)
	case !m.st.Cursor.OK && !m.st.Cell.OK:
		m.screen.Move(m.shown(), &m.st, view.Down)
		if m.st.Cursor.OK || m.st.Cell.OK {
			return
		}
		fallthrough
	default:
		m.say("nothing to list: left, right, up and down choose a cell with samples")
	}
}

// openLoad asks for the chosen level's load like for any other that is typed: enter again does it. Where none is chosen it chooses one.
func (m *model) openLoad() {
	l := m.screen.ChosenLevel(m.shown(), &m.st)
	switch {
	case l == nil:
		m.screen.Move(m.shown(), &m.st, view.Down)
	case m.deck != nil:
		m.deck.Seek(l.Begin)
	case m.snap.State == bench.Done:
		m.say("the run is over: no load is gone to any more")
	case l.Load.Mode != m.snap.Target.Mode:
		m.say("this level is of the other loop: " + m.st.Keys.Key(action.Loop) + " goes there")
	default:
		m.askLoad(strconv.FormatFloat(l.Load.N, 'f', -1, 64))
	}
}

// arrange goes to the next column or axis.
func (m *model) arrange() {
	if m.st.View == action.Requests {
		m.st.Sort = m.st.Sort.Next()
		return
	}
	m.st.Across = m.st.NextAcross()
	m.fetch()
}

// looksAtRequests tells whether the view shows single requests, and whether it follows one's text.
func (m *model) looksAtRequests() (some, read bool) {
	read = m.st.View == action.Live && m.st.Expanded && m.st.Metric == bench.TPS
	return read || m.st.View == action.Requests || m.st.View == action.Heat && m.st.Across != view.OverTime, read
}

// tool carries out what remains: the palette, the mouse, saving, copying.
func (m *model) tool(a action.Action) {}
