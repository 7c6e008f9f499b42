package ui

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// openCourse opens the sheet of the cruise, with the promise of the cruise in force, else that of the chosen lane, else the first.
func (m *model) openCourse() {
	m.st.Entry, m.st.Mode = &view.Entry{For: view.ForCruise, Prompt: "cruise"}, action.Steering
	m.st.Course, m.chosen = &view.Course{}, 0
	all := m.cruisable()
	at := slices.IndexFunc(all, func(t bench.Threshold) bool { return t.Metric == m.st.Metric && m.st.Chosen })
	if c := m.snap.Cruising; c != nil && c.Cruise != nil && !c.Ended.OK {
		at = slices.Index(all, c.Cruise.Threshold)
	}
	m.chosen = max(at, 0)
	m.previewCourse()
}

func (m *model) closeCourse() {
	if m.st.Course != nil {
		m.st.Course, m.st.Entry, m.st.Mode = nil, nil, action.Driving
	}
}

// cruisable are the promises that can be kept at their edge.
func (m *model) cruisable() []bench.Threshold {
	return slices.DeleteFunc(slices.Clone(m.snap.Run.Thresholds), func(t bench.Threshold) bool { return !t.Cruisable() })
}

// answerCourse hears the keys that answer the sheet of the cruise, as answerSheet does.
func (m *model) answerCourse(k tea.KeyMsg, again bool) bool {
	s := m.st.Action(m.snap)
	b := m.st.Keys.Find(k.String(), s)
	if b == nil || b.Mode != action.Steering {
		return false
	}
	if b.Refused(s) {
		m.st.Entry.Problem = "locked: this may raise the load; esc, then " + m.st.Keys.Key(action.Lock) + " unlocks"
		return true
	}
	switch b.Action {
	case action.CloseCruise:
		m.closeCourse()
	case action.NextPromise:
		m.choosePromise(+1)
	case action.LastPromise:
		m.choosePromise(-1)
	case action.LetGo:
		m.drive(bench.Steer{})
		m.closeCourse()
	case action.Steer:
		if !again {
			m.steer(s)
		}
	}
	return true
}

// choosePromise goes on among the promises. A promise that was typed gives way; limits stay.
func (m *model) choosePromise(by int) {
	n := len(m.st.Course.Promises)
	if n == 0 {
		return
	}
	m.chosen = (m.chosen + by + n) % n
	e := *m.st.Entry
	fields := strings.Fields(e.Text)
	e.Text, e.Problem = strings.Join(slices.DeleteFunc(fields, func(w string) bool { return !strings.Contains(w, "..") }), " "), ""
	m.st.Entry = &e
}

// steer begins the cruise that the sheet tells of. One that has the load, and is not to be another, goes on.
func (m *model) steer(s action.State) {
	now := m.snap.Cruising
	c, err := m.readCourse(m.st.Entry.Text)
	switch {
	case err != nil:
		if reason := errors.Unwrap(err); reason != nil && s.Typed {
			err = reason
		}
		m.st.Entry.Problem = err.Error()
		return
	case s.Cruised && !s.Typed && c.Threshold == now.Cruise.Threshold:
	default:
		m.drive(bench.Steer{Cruise: c})
	}
	m.closeCourse()
}

// readCourse reads what was typed into the sheet of the cruise; nothing is the chosen promise within all that may be set.
func (m *model) readCourse(text string) (*bench.Cruise, error) {
	mode, all := m.snap.Target.Mode, m.cruisable()
	usual := bench.UsualCruise(bench.Threshold{}, mode, m.most(mode))
	if len(all) > 0 {
		usual.Threshold = all[min(max(m.chosen, 0), len(all)-1)]
	} else if text == "" {
		return nil, errors.New("no promise can be kept at its edge: type one, as in ttft.p95<=500ms")
	}
	if text == "" {
		return usual, usual.Check(mode)
	}
	c, err := bench.ParseCruise(text, usual, mode, all)
	if err != nil {
		return nil, err
	}
	return c, m.within(mode, c.Most)
}

// enterCourse begins what was typed into the palette, or lets go.
func (m *model) enterCourse(text string) (problem string) {
	if strings.EqualFold(text, "off") {
		m.drive(bench.Steer{})
		return ""
	}
	if m.st.Locked {
		return "locked: a cruise may raise the load; " + m.st.Keys.Key(action.Lock) + " unlocks"
	}
	m.chosen = 0
	c, err := m.readCourse(text)
	if err != nil {
		return err.Error()
	}
	m.drive(bench.Steer{Cruise: c})
	return ""
}

// previewCourse puts what would begin into the sheet.
func (m *model) previewCourse() {
	if m.st.Course == nil || m.snap.Run == nil || m.st.Entry == nil {
		return
	}
	c := &view.Course{Promises: m.cruisable(), Typed: m.st.Entry.Text != ""}
	if cruise, err := m.readCourse(m.st.Entry.Text); err == nil {
		c.Cruise = cruise
	} else if c.Typed && m.st.Course.Cruise != nil {
		// While a part is being typed what could be read stands.
		c.Cruise = m.st.Course.Cruise
	}
	m.st.Course = c
}
