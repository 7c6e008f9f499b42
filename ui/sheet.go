package ui

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// openSheet opens the profile sheet with an empty input line.
func (m *model) openSheet() {
	m.st.Entry, m.st.Mode = &view.Entry{For: view.ForProfile, Prompt: "profile"}, action.Planning
	m.st.Sheet = &view.Sheet{}
}

func (m *model) closeSheet() {
	if m.st.Sheet != nil {
		m.st.Sheet, m.st.Entry, m.st.Mode = nil, nil, action.Driving
	}
}

// answerSheet hears the keys that answer the profile sheet, and tells whether it did; the others are typed. A letter answers only while nothing is.
func (m *model) answerSheet(k tea.KeyMsg) bool {
	s := m.st.Action(m.snap)
	b := m.st.Keys.Find(k.String(), s)
	if b == nil || b.Mode != action.Planning {
		return false
	}
	if b.Refused(s) {
		m.st.Entry.Problem = "locked: this may raise the load; esc, then " + m.st.Keys.Key(action.Lock) + " unlocks"
		return true
	}
	switch b.Action {
	case action.CloseSheet:
		m.closeSheet()
	case action.Again:
		m.follow(m.plan)
	case action.Begin:
		m.begin(s)
	}
	return true
}

// begin starts what was typed, gives the load back to the profile that waits for it, or starts the last one again.
func (m *model) begin(s action.State) {
	switch {
	case s.Typed:
		p, err := bench.ParseProfileIn(m.st.Entry.Text, m.snap.Target.Mode)
		if err == nil {
			err = m.within(p)
		}
		if err != nil {
			// The text stands above the line: an error need not begin with it.
			if reason := errors.Unwrap(err); reason != nil {
				err = reason
			}
			m.st.Entry.Problem = err.Error()
			return
		}
		m.follow(p)
	case s.Held:
		m.follow(nil)
	case s.Followed:
		m.closeSheet()
	case m.plan == nil:
		m.st.Entry.Problem = "nothing is planned: type a profile"
	default:
		m.follow(m.plan)
	}
}

// within tells whether the run's bounds allow a profile.
func (m *model) within(p *bench.Profile) error {
	most, ok := view.MostOf(m.snap.Run, p.Mode)
	if !ok || p.Most() <= most.N {
		return nil
	}
	return fmt.Errorf("want at most %s, it comes to %s (%s bounds it)", most, bench.Setpoint{Mode: p.Mode, N: p.Most()}, view.BoundFlag(p.Mode))
}

// follow begins a profile, or with none gives the load back to the one that waits.
func (m *model) follow(p *bench.Profile) {
	m.drive(bench.Follow{Profile: p})
	m.closeSheet()
}

// preview puts the profile that the sheet tells of into it: what was typed as far as it can be read, else the last one.
func (m *model) preview() {
	if m.st.Sheet == nil {
		return
	}
	sheet := view.Sheet{Plan: m.plan}
	if text := m.st.Entry.Text; text != "" {
		sheet.Typed, sheet.Plan = true, nil
		if p, err := bench.ParseProfileIn(text, m.snap.Target.Mode); err == nil {
			sheet.Plan = p
			if p.Mode == m.snap.Target.Mode {
				sheet.Plan = p.From(m.snap.Target.N)
			}
		} else if old := m.st.Sheet; old.Typed {
			// While a part is being typed the picture stands.
			sheet.Plan = old.Plan
		}
	}
	m.st.Sheet = &sheet
}
