package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
)

// bellRest is how long the bell is quiet after it rang.
const bellRest = 5 * time.Second

// bell rings when a promise breaks. It rings while the view is frozen too: what the operator looks at then does not tell.
type bell struct {
	// heard is how many events of the run have been looked at; begun tells that those from before the screen have been passed by.
	heard int
	begun bool
	rang  time.Time
}

// due tells whether a promise has broken since the last look, and the bell has rested.
func (b *bell) due(s *bench.Snapshot, now time.Time) bool {
	end := s.EventsGone + len(s.Events)
	from := max(b.heard-s.EventsGone, 0)
	was := b.begun
	b.heard, b.begun = end, true
	if !was || from > len(s.Events) {
		return false
	}
	for _, e := range s.Events[from:] {
		if e.Kind == bench.EventBroken && now.Sub(b.rang) >= bellRest {
			b.rang = now
			return true
		}
	}
	return false
}

// announce tells the terminal outside of the frame what it has to know: the bell, and the title of its window.
func (m *model) announce() tea.Cmd {
	screen := m.terminal
	if screen == nil || m.stale {
		return nil
	}
	ring := m.o.Bell && m.bell.due(m.snap, m.now())
	title := ""
	if now := m.windowTitle(); !m.o.NoTitle && now != m.title {
		m.title, title = now, now
	}
	if !ring && title == "" {
		return nil
	}
	return func() tea.Msg {
		if title != "" {
			screen.Title(title)
		}
		if ring {
			_ = screen.Pass("\a")
		}
		return nil
	}
}
