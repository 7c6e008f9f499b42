package ui

// ghost puts the next level behind the lanes, or none.
func (m *model) ghost() {
	before := m.st.Ghost
	m.st.NextGhost(m.shown())
	switch g := m.st.Ghost; {
	case g == nil && before == nil:
		m.say("no earlier level to put behind the lanes")
	case g == nil:
		m.say("no ghost")
	}
}
