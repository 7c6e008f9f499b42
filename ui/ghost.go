package ui

import "redline/ui/view"

// ghost puts the next level, or the earlier run, behind the lanes, or none.
func (m *model) ghost() {
	before, aligned := m.st.Ghost, m.st.Aligned
	m.st.NextGhost(m.shown())
	switch none := m.st.Ghost == nil && m.st.Aligned == view.Unaligned; {
	case none && before == nil && aligned == view.Unaligned:
		m.say("no earlier level to put behind the lanes")
	case none:
		m.say("no ghost")
	}
}
