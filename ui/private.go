package ui

import "redline/bench"

// turnPrivate hides what a bench.Veil hides, or shows it again. What is on screen, in a title and in files goes through veiled and live.
func (m *model) turnPrivate() {
	m.setPrivate(!m.st.Private)
	if m.st.Private {
		m.say("private: hosts, prompts, answers and what the server says are hidden, in files and the summary too")
		return
	}
	m.say("not private any more")
}

func (m *model) setPrivate(private bool) {
	m.st.Private = private
	m.exit.setPrivate(private)
}

// veiled is a snapshot as it may be shown.
func (m *model) veiled(s *bench.Snapshot) *bench.Snapshot {
	if !m.st.Private {
		return s
	}
	return m.veils.Snapshot(s)
}

// live is the newest snapshot as it may be shown. It has a veil of its own while another snapshot is shown, so that each is veiled once.
func (m *model) live() *bench.Snapshot {
	if !m.st.Private || m.held == nil {
		return m.veiled(m.snap)
	}
	return m.shades.Snapshot(m.snap)
}
