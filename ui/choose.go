package ui

import (
	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
	"slices"
)

// view carries out the actions that change what is looked at.
func (m *model) view(a action.Action) {
	switch a {
	case action.Step:
		m.nextStep()
	case action.Exact:
		m.askLoad("")
	case action.Note:
		m.st.Entry = &view.Entry{For: view.ForNote, Prompt: "note", Hint: m.lineHint("", "enter marks this instant")}
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
		m.freeze()
	case action.Theme:
		m.openPicker()
	case action.ThemeUp, action.ThemeDown, action.KeepTheme, action.DropTheme:
		m.pick(a)
	case action.Palette:
		m.openPalette()
	case action.Help:
		m.help()
	case action.Ramp:
		m.openSheet()
	case action.Cruise:
		m.openCourse()
	default:
		m.navigate(a)
	}
}

// askLoad opens the input line for a load, with some text in it.
func (m *model) askLoad(text string) {
	m.st.Entry = &view.Entry{For: view.ForLoad, Prompt: "load", Text: text, Hint: m.lineHint(action.Amounts(m.snap.Target.Mode), "enter applies")}
}

// pin makes the present level the reference of Δ, or takes the pin away.
func (m *model) pin() {
	l := m.shown().Level()
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

// forget drops the pinned level and the ghost that are of before the measurements were cleared.
func (m *model) forget() {
	if m.st.Reference == nil && m.st.Ghost == nil {
		return
	}
	for _, e := range slices.Backward(m.snap.Events) {
		if e.Kind != bench.EventClear {
			continue
		}
		if l := m.st.Reference; l != nil && l.Begin < e.At {
			m.st.Reference = nil
		}
		if l := m.st.Ghost; l != nil && l.Begin < e.At {
			m.st.Ghost = nil
		}
		return
	}
}

// zoom goes to the next window of the list.
func (m *model) zoom(by int) {
	m.st.Window, m.st.Growing = m.st.EffectiveWindow(view.Edge(m.shown()), m.st.Plan().Chart*m.st.Graph.PerCell(m.st.Set)), false
	at := len(view.Windows) - 1
	for i, w := range view.Windows[:at] {
		if m.st.Window > 0 && w >= m.st.Window {
			at = i
			break
		}
	}
	m.st.Window = view.Windows[min(max(at+by, 0), len(view.Windows)-1)]
}

// answer answers the engine's question.
func (m *model) answer(yes bool) {
	ask := m.snap.Ask
	if ask == nil {
		return
	}
	m.answered = ask.ID
	m.drive(bench.Answer{ID: ask.ID, Yes: yes})
}
