package ui

import (
	"strings"

	"redline/themes"
	"redline/ui/action"
	"redline/ui/view"
)

// wardrobe is the list of themes while it is open: those of its rows, nil where one can not be read, and the one to go back to.
type wardrobe struct {
	themes []*themes.Theme
	before *themes.Theme
}

// openPicker opens the list of themes with the next one tried on already, so that the key that opens it walks through them.
func (m *model) openPicker() {
	m.wardrobe = wardrobe{before: m.looks.theme}
	p := &view.Picker{}
	add := func(name string, t *themes.Theme, err error) {
		row := view.Theme{Name: name}
		if err != nil {
			row.Problem = err.Error()
		} else {
			row.Variant, row.Own, row.Set = t.Variant.String(), !strings.HasPrefix(t.Source, "built in"), m.looks.dress(t)
		}
		p.Themes = append(p.Themes, row)
		m.wardrobe.themes = append(m.wardrobe.themes, t)
	}
	p.Row = -1
	for _, name := range themes.Names(m.looks.env) {
		t, err := themes.Load(name, m.looks.env)
		if err == nil && t.Name == m.looks.theme.Name && p.Row < 0 {
			p.Row = len(p.Themes)
		}
		add(name, t, err)
	}
	if p.Row < 0 {
		// The theme in use was named by a path.
		p.Row = len(p.Themes)
		add(m.looks.theme.Name, m.looks.theme, nil)
	}
	m.st.Picker, m.st.Mode = p, action.Picking
	m.tryOn(+1)
}

// tryOn goes to the next theme up or down that can be read, and shows the screen in it.
func (m *model) tryOn(by int) {
	p := *m.st.Picker
	for range p.Themes {
		p.Row = (p.Row + by + len(p.Themes)) % len(p.Themes)
		if t := m.wardrobe.themes[p.Row]; t != nil {
			m.wear(t)
			break
		}
	}
	m.st.Picker = &p
}

// tryRow shows the screen in the theme of a row.
func (m *model) tryRow(i int) {
	if i < 0 || i >= len(m.wardrobe.themes) || m.wardrobe.themes[i] == nil {
		return
	}
	p := *m.st.Picker
	p.Row = i
	m.st.Picker = &p
	m.wear(m.wardrobe.themes[i])
}

// pick answers the list of themes.
func (m *model) pick(a action.Action) {
	switch a {
	case action.ThemeUp:
		m.tryOn(-1)
	case action.ThemeDown:
		m.tryOn(+1)
	case action.KeepTheme:
		m.closePicker()
		m.say(m.looks.told())
	case action.DropTheme:
		m.wear(m.wardrobe.before)
		m.closePicker()
	}
}

func (m *model) closePicker() {
	if m.st.Picker != nil {
		m.st.Picker, m.st.Mode, m.wardrobe = nil, action.Driving, wardrobe{}
	}
}

// wear puts a theme in use.
func (m *model) wear(t *themes.Theme) {
	m.looks.theme = t
	m.st.Set = m.looks.set()
}
