package ui

import (
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/view/viewtest"
)

// fake is an engine that records what it is told and shows what it is given.
type fake struct {
	mu     sync.Mutex
	snap   func() *bench.Snapshot
	posted []bench.Command
	done   chan struct{}
}

func newFake(snap func() *bench.Snapshot) *fake { return &fake{snap: snap, done: make(chan struct{})} }

func showing(scene viewtest.Scene) *fake {
	s := viewtest.Make(scene, 0)
	f := newFake(func() *bench.Snapshot { return s })
	if scene == viewtest.Done {
		close(f.done)
	}
	return f
}

func (f *fake) Snapshot() *bench.Snapshot   { return f.snap() }
func (f *fake) Journal(bool) *bench.Journal { return &bench.Journal{} }
func (f *fake) Done() <-chan struct{}       { return f.done }

func (f *fake) Post(c bench.Command) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.posted = append(f.posted, c)
}

// commands are the commands since the last call, without the touches.
func (f *fake) commands() []bench.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.DeleteFunc(f.posted, func(c bench.Command) bool { return c == bench.Command(bench.Touch{}) })
	f.posted = nil
	return out
}

func env(string) string { return "" }

// opened is a dashboard of 120×36 over an engine.
func opened(f *fake) *model {
	o, _, tty := Options{Engine: f, Env: env, Step: 4}.filled()
	m := newModel(o, tty, &exit{engine: f})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	return m
}

// press sends keys by their names, one message each, and tells whether the last one quits.
func press(m *model, keys ...string) (quits bool) {
	for _, k := range keys {
		_, cmd := m.Update(message(k))
		quits = m.leaves
		_ = cmd
	}
	return quits
}

func message(k string) tea.KeyMsg {
	special := map[string]tea.KeyType{"enter": tea.KeyEnter, "esc": tea.KeyEsc, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+l": tea.KeyCtrlL,
		"ctrl+r": tea.KeyCtrlR, "backspace": tea.KeyBackspace, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab}
	if t, ok := special[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	if k == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(k)}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// wait steps the dashboard's clock.
func wait(m *model, d time.Duration) {
	now := m.now().Add(d)
	m.now = func() time.Time { return now }
}
