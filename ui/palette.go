package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"redline/ui/action"
	"redline/ui/view"
)

// openPalette opens the command palette with an empty line.
func (m *model) openPalette() {
	m.st.Entry = &view.Entry{For: view.ForCommand, Prompt: ":", Hint: "a name, a key or a word; " + m.st.Keys.Key(action.RunCommand) + " does it, esc leaves"}
	m.st.Palette, m.st.Mode = &view.Palette{}, action.Commanding
	m.search()
}

func (m *model) closePalette() {
	if m.st.Palette != nil {
		m.st.Palette, m.st.Entry, m.st.Mode = nil, nil, action.Driving
	}
}

// search finds what fits the palette's line in the state of now; the chosen row stays with its action.
func (m *model) search() {
	p := m.st.Palette
	if p == nil || m.st.Entry == nil {
		return
	}
	chosen := ""
	if p.Row < len(p.Found) {
		chosen = p.Found[p.Row].Name
	}
	next := &view.Palette{}
	next.Found, next.Argument = m.st.Keys.Search(m.st.Entry.Text, m.driving())
	for i, v := range next.Found {
		if v.Name == chosen {
			next.Row = i
		}
	}
	m.st.Palette = next
}

// driving is the state of the dashboard behind what is open in front of it.
func (m *model) driving() action.State {
	s := m.st.Action(m.snap)
	s.Mode, s.Typed = action.Driving, false
	return s
}

// answerPalette hears a key while the palette is open: what does not answer it is typed.
func (m *model) answerPalette(k tea.KeyMsg) tea.Cmd {
	b := m.st.Keys.Find(k.String(), m.st.Action(m.snap))
	if b == nil || b.Mode != action.Commanding {
		m.typeName(k)
		return nil
	}
	switch b.Action {
	case action.ClosePalette:
		m.closePalette()
		return nil
	case action.CommandUp, action.CommandDown:
		by := +1
		if b.Action == action.CommandUp {
			by = -1
		}
		m.goPalette(by)
	case action.RunCommand:
		return m.runCommand()
	}
	return nil
}

// goPalette goes up or down in the palette.
func (m *model) goPalette(by int) {
	p := *m.st.Palette
	if n := len(p.Found); n > 0 {
		p.Row = (p.Row + by + n) % n
	}
	m.st.Palette = &p
}

// typeName types into the palette: another text is another search, with its best on top.
func (m *model) typeName(k tea.KeyMsg) {
	was := m.st.Entry.Text
	m.edit(k)
	if m.st.Entry != nil && m.st.Entry.Text != was {
		m.st.Palette = &view.Palette{}
		m.search()
	}
}

// runCommand does what is chosen in the palette; what can not be done keeps it open and says why.
func (m *model) runCommand() tea.Cmd {
	p, e := m.st.Palette, *m.st.Entry
	problem := "no action has this name; backspace goes back, esc leaves"
	if p.Row < len(p.Found) {
		v := p.Found[p.Row]
		m.closePalette()
		var cmd tea.Cmd
		if cmd, problem = m.carry(v, p.Argument); problem == "" {
			return cmd
		}
		problem = v.Name + ": " + problem
	}
	e.Problem = problem
	m.st.Palette, m.st.Entry, m.st.Mode = p, &e, action.Commanding
	return nil
}

// carry carries a verb out, with what was typed behind its name; problem says why it did not.
func (m *model) carry(v action.Verb, argument string) (cmd tea.Cmd, problem string) {
	switch {
	case argument != "" && v.Takes != "":
		return m.carryWith(v, argument)
	case v.Must:
		return nil, "want one of " + v.Takes
	case v.Why != "":
		return nil, v.Why
	}
	return m.hear(m.st.Keys.Row(v.Action), m.driving()), ""
}
