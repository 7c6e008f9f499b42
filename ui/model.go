package ui

import tea "github.com/charmbracelet/bubbletea"

// model is the one tea.Model.
type model struct {
	o Options
}

func newModel(o Options) *model { return &model{o: o} }

// Init asks for nothing.
func (m *model) Init() tea.Cmd { return nil }

// Update leaves on q.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && k.String() == "q" {
		return m, tea.Quit
	}
	return m, nil
}

// View is empty.
func (m *model) View() string { return "" }
