package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"redline/ui/action"
	"redline/ui/view"
)

// help opens the help, turns its page, and closes it behind the last.
func (m *model) help() {
	if m.st.Mode != action.Helping {
		m.st.Mode, m.st.HelpPage, m.st.HelpWords = action.Helping, 0, ""
		return
	}
	if m.st.HelpPage++; m.st.HelpPage >= view.HelpPages(m.snap, &m.st) {
		m.st.Mode, m.st.HelpPage, m.st.HelpWords = action.Driving, 0, ""
	}
}

// closeHelp shows all of the help again, or closes it.
func (m *model) closeHelp() {
	if m.st.HelpWords != "" {
		m.st.HelpWords, m.st.HelpPage = "", 0
		return
	}
	m.st.Mode = action.Driving
}

// turnHelp goes about in the help.
func (m *model) turnHelp(a action.Action) {
	last := view.HelpPages(m.snap, &m.st) - 1
	switch a {
	case action.Filter:
		m.st.Entry = &view.Entry{For: view.ForHelp, Prompt: m.st.Keys.Key(action.Filter), Text: m.st.HelpWords, Hint: "words that help shall have; esc shows all"}
	case action.Up, action.PageUp, action.Earlier:
		m.st.HelpPage = max(m.st.HelpPage-1, 0)
	case action.Down, action.PageDown, action.Later:
		m.st.HelpPage = min(m.st.HelpPage+1, last)
	case action.First:
		m.st.HelpPage = 0
	case action.Last:
		m.st.HelpPage = last
	}
}

// searchHelp types into the line of words: help narrows with each of them.
func (m *model) searchHelp(k tea.KeyMsg) {
	switch k.Type {
	case tea.KeyEsc:
		m.st.Entry, m.st.HelpWords = nil, ""
	case tea.KeyEnter:
		m.st.Entry = nil
	default:
		m.edit(k)
		m.st.HelpWords = m.st.Entry.Text
	}
	m.st.HelpPage = 0
}
