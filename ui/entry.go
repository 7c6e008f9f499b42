package ui

import (
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// longestEntry bounds the input line.
const longestEntry = 200

// lineHint is what is said behind an input line: some examples, what Enter does, and that the emergency stop is a character there, if it is.
func (m *model) lineHint(examples, enter string) string {
	hint := enter + ", esc leaves"
	if m.deck != nil {
		// Nothing runs that would have to be stopped.
	} else if k := m.st.Keys.Key(action.Cancel); utf8.RuneCountInString(k) == 1 || k == "space" {
		hint = enter + "; esc, then " + k + " stops all"
	}
	if examples != "" {
		hint = examples + "   " + hint
	}
	return hint
}

// edit hears keys while the input line is open.
func (m *model) edit(k tea.KeyMsg) {
	e := *m.st.Entry
	e.Problem = ""
	switch k.Type {
	case tea.KeyEsc:
		m.st.Entry = nil
		return
	case tea.KeyEnter:
		m.apply(&e)
		return
	case tea.KeyBackspace, tea.KeyDelete:
		_, size := utf8.DecodeLastRuneInString(e.Text)
		e.Text = e.Text[:len(e.Text)-size]
	case tea.KeyCtrlU:
		e.Text = ""
	case tea.KeySpace:
		e.Text += " "
	case tea.KeyRunes:
		if k.Alt {
			return
		}
		for _, r := range k.Runes {
			if unicode.IsPrint(r) && len(e.Text) < longestEntry {
				e.Text += string(r)
			}
		}
	}
	m.st.Entry = &e
}

// apply carries the input line out, or names what is wrong with it and leaves it open.
func (m *model) apply(e *view.Entry) {
	switch e.For {
	case view.ForNote:
		switch {
		case e.Text == "":
		case m.deck != nil:
			m.deck.note(e.Text)
		default:
			m.engine.Post(bench.Note{Text: e.Text})
		}
		m.st.Entry = nil
		return
	case view.ForFilter:
		if err := view.FilterProblem(m.st.View, e.Text); err != nil {
			e.Problem, m.st.Entry = err.Error(), e
			return
		}
		m.st.Filter[m.st.View] = e.Text
		m.st.Entry = nil
		return
	case view.ForPromise:
		m.promise(e)
		return
	}
	m.setLoad(e)
}

// setLoad puts the typed load in force.
func (m *model) setLoad(e *view.Entry) {
	if e.Text == "" {
		m.st.Entry = nil
		return
	}
	c, err := action.Amount(e.Text, m.snap.Target.Mode)
	switch {
	case err != nil:
		e.Problem = err.Error()
	case m.st.Locked && action.Rises(c, m.snap.Target):
		e.Problem = "locked: this would raise the load; esc, then " + m.st.Keys.Key(action.Lock) + " unlocks"
	default:
		m.drive(c)
		m.bounded(c)
		m.st.Entry = nil
		return
	}
	m.st.Entry = e
}
