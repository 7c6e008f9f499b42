package ui

// stands tells those who drive the run from elsewhere how the screen stands, if that has changed.
func (m *model) stands(first bool) {
	was := m.stood
	m.stood.locked, m.stood.private = m.st.Locked, m.st.Private
	if m.o.Stands != nil && (first || m.stood != was) {
		m.o.Stands(m.stood.locked, m.stood.private)
	}
}
