package ui

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view"
)

// openSheet opens the sheet of ramps and profiles with an empty input line.
func (m *model) openSheet() {
	m.st.Entry, m.st.Mode = &view.Entry{For: view.ForProfile, Prompt: "ramp"}, action.Planning
	m.st.Sheet = &view.Sheet{}
}

func (m *model) closeSheet() {
	if m.st.Sheet != nil {
		m.st.Sheet, m.st.Entry, m.st.Mode = nil, nil, action.Driving
	}
}

// answerSheet hears the keys that answer the sheet, and tells whether it did; the others are typed. A letter answers only while nothing is. An Enter that may be
// one with the Enter before it begins nothing.
func (m *model) answerSheet(k tea.KeyMsg, again bool) bool {
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
	case action.Edit:
		if r := m.st.Sheet.Ramp; r != nil {
			m.write(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(r.String())})
		}
	case action.GiveUp:
		m.drive(bench.Seek{})
		m.closeSheet()
	case action.Again:
		m.again()
	case action.Begin:
		if !again {
			m.begin(s)
		}
	}
	return true
}

// again begins the profile that leads, or waits, from the beginning; else the last ramp, or where there was none the last profile.
func (m *model) again() {
	p, r := m.snap.Following, m.snap.Ramping
	if p != nil && !p.Over || r == nil || r.Ramp == nil {
		m.follow(m.plan)
		return
	}
	m.seek(r.Ramp)
}

// begin starts what was typed, gives the load back to the profile that waits for it, or starts the ramp that is offered.
func (m *model) begin(s action.State) {
	switch {
	case s.Typed:
		r, p, err := m.readPlan(m.st.Entry.Text)
		switch {
		case err != nil:
			m.st.Entry.Problem = withoutText(err).Error()
		case r != nil:
			m.seek(r)
		default:
			m.follow(p)
		}
	case s.Held:
		m.follow(nil)
	case s.Followed, s.Ramped:
		m.closeSheet()
	case m.st.Sheet.Ramp == nil:
		m.st.Entry.Problem = "nothing is offered: type a ramp or a profile"
	default:
		m.seek(m.st.Sheet.Ramp)
	}
}

// withoutText is an error without what was typed: that stands above the line.
func withoutText(err error) error {
	if reason := errors.Unwrap(err); reason != nil {
		return reason
	}
	return err
}

// planLike tells a profile from a ramp: it has spans, or words that a ramp has not.
var planLike = regexp.MustCompile(`(?i):|\b(ramp|spike|repeat|in|for)\b`)

// rampLike tells what is meant for a ramp to the redline.
var rampLike = regexp.MustCompile(`(?i)\.\.|…|^[0-9][0-9./ms]*( *, *[0-9][0-9./ms]*)+( |$)|\b(cap|past)\b|^ *[x×+][0-9]`)

// readPlan reads what was typed: a ramp to the redline, or else a profile. What is neither is told of both.
func (m *model) readPlan(text string) (*bench.Ramp, *bench.Profile, error) {
	plan, ramp := planLike.MatchString(text), rampLike.MatchString(text)
	if strings.TrimSpace(text) == "" || !plan && !ramp || plan && ramp && !strings.Contains(text, ":") && !strings.Contains(text, " in ") {
		return nil, nil, fmt.Errorf("%q: %w", text, errors.New("want a ramp to the redline, as in "+bench.RampForms+", or a profile, as in 4:1m, ramp 4..32 in 2m"))
	}
	if plan {
		p, err := bench.ParseProfileIn(text, m.snap.Target.Mode)
		if err == nil {
			err = m.within(p.Mode, p.Most())
		}
		return nil, p, err
	}
	r, err := bench.ParseRamp(text, m.snap.Target, m.most)
	if err == nil {
		err = m.within(r.Mode, r.Most)
	}
	return r, nil, err
}

// promptOf is what the line of the sheet is called: what is being typed into it.
func promptOf(text string) string {
	if planLike.MatchString(text) {
		return "profile"
	}
	return "ramp"
}

// most is the greatest load that may be set in a mode.
func (m *model) most(mode bench.Mode) float64 {
	most, _ := view.MostOf(m.snap.Run, mode)
	return most.N
}

// within tells whether the run's bounds allow a load.
func (m *model) within(mode bench.Mode, n float64) error {
	most, ok := view.MostOf(m.snap.Run, mode)
	if !ok || n <= most.N {
		return nil
	}
	return fmt.Errorf("want at most %s, it comes to %s (%s bounds it)", most, bench.Setpoint{Mode: mode, N: n}, view.BoundFlag(mode))
}

// seek begins a ramp, if there is a promise to hold loads to.
func (m *model) seek(r *bench.Ramp) {
	if !promises(m.snap.Run) {
		m.st.Entry.Problem = "no promise is set that a load could break: esc, then " + m.st.Keys.Key(action.Threshold) + " sets one, as in ttft.p95<=500ms"
		return
	}
	m.drive(bench.Seek{Ramp: r})
	m.closeSheet()
}

// promises tells whether a run has any promise that is no quota.
func promises(r *bench.Run) bool {
	for _, t := range r.Thresholds {
		if !t.Quota() {
			return true
		}
	}
	return false
}

// follow begins a profile, or with none gives the load back to the one that waits.
func (m *model) follow(p *bench.Profile) {
	m.drive(bench.Follow{Profile: p})
	m.closeSheet()
}

// enterPlan begins what was typed into the palette, which may raise the load; "off" gives a ramp up.
func (m *model) enterPlan(text string) (problem string) {
	if strings.EqualFold(text, "off") {
		m.drive(bench.Seek{})
		return ""
	}
	if m.st.Locked {
		return "locked: a ramp or a profile may raise the load; " + m.st.Keys.Key(action.Lock) + " unlocks"
	}
	r, p, err := m.readPlan(text)
	switch {
	case err != nil:
		return err.Error()
	case r == nil:
		m.follow(p)
	case !promises(m.snap.Run):
		return "no promise is set that a load could break; " + m.st.Keys.Key(action.Threshold) + " sets one"
	default:
		m.drive(bench.Seek{Ramp: r})
	}
	return ""
}

// preview puts what the sheet tells of into it: what was typed as far as it can be read, else what is offered.
func (m *model) preview() {
	if m.st.Sheet == nil || m.snap.Run == nil {
		return
	}
	text := m.st.Entry.Text
	if is := promptOf(text); is != m.st.Entry.Prompt {
		e := *m.st.Entry
		e.Prompt, m.st.Entry = is, &e
	}
	if text == "" {
		sheet := &view.Sheet{}
		if r := bench.UsualRamp(m.snap.Target, m.most(m.snap.Target.Mode)); r.Check() == nil {
			sheet.Ramp = r
		}
		m.st.Sheet = sheet
		return
	}
	sheet := view.Sheet{Typed: true}
	r, p, err := m.readPlan(text)
	switch old := m.st.Sheet; {
	case r != nil:
		sheet.Ramp = r
	case p != nil:
		if sheet.Plan = p; p.Mode == m.snap.Target.Mode {
			sheet.Plan = p.From(m.snap.Target.N)
		}
	case err != nil && old.Typed:
		// While a part of a profile is being typed the picture of the others stands. A ramp has no parts.
		sheet.Plan = old.Plan
	}
	if err != nil {
		sheet.Wrong = withoutText(err).Error()
	}
	m.st.Sheet = &sheet
}
