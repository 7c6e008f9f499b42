package ui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/view/viewtest"
)

// onward is an engine whose journal goes on with each call, by a request with a prompt of its own.
type onward struct {
	*fake
	asked int
}

func (e *onward) Journal(bool) *bench.Journal {
	e.asked++
	j := *viewtest.Journal(e.snap())
	j.Flights, j.Flying = nil, 0
	j.Ended = j.Ended[:1:1]
	one := *j.Ended[0]
	one.ID = uint64(770_000 + e.asked)
	j.Ended[0] = &one
	return &j
}

func TestAFrozenViewShowsTheRequestsOfItsInstantWhicheverViewWasOpen(t *testing.T) {
	for _, c := range []struct {
		sentence string
		before   []string
	}{
		{"Requests were never looked at before", nil},
		{"Requests were looked at, long before", []string{"4", "1"}},
		{"Requests are what is frozen", []string{"4"}},
		{"Heat over time, which needs none, is what is frozen", []string{"3"}},
	} {
		s := viewtest.Make(viewtest.Running, 0)
		e := &onward{fake: newFake(func() *bench.Snapshot { return s })}
		o, _, tty := Options{Engine: e, Env: env, Step: 4}.filled()
		m := newModel(o, tty, &exit{engine: e})
		m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		press(m, c.before...)
		was := e.asked
		press(m, "f")
		if e.asked <= was {
			t.Errorf("%s: the freeze does not take the journal", c.sentence)
			continue
		}
		held := m.journal
		press(m, "1", "4", "3", "a", "4")
		wait(m, time.Minute)
		m.look()
		if m.journal != held {
			t.Errorf("%s: another journal is shown while the view is frozen", c.sentence)
		}
		if want := "77000"; m.st.View != action.Requests || !strings.Contains(m.frame, want) {
			t.Errorf("%s: the list is without %s:\n%s", c.sentence, want, m.frame)
		}
		if press(m, "f"); m.journal == held {
			t.Errorf("%s: the view is let go and shows the journal of the freeze", c.sentence)
		}
	}
}
