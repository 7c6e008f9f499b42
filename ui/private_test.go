package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/view/viewtest"
)

const marker = "corp-gpu-9"

// planted is an engine with a marker in every word of somebody else's.
type planted struct {
	*fake
	journal *bench.Journal
}

func (p planted) Journal(bool) *bench.Journal { return p.journal }

func openedPrivate(private bool) *model {
	s, j := viewtest.Planted(marker)
	f := planted{newFake(func() *bench.Snapshot { return s }), j}
	o, _, tty := Options{Engine: f, Env: env, Step: 4, Private: private}.filled()
	return newModel(o, tty, &exit{engine: f})
}

func TestNothingPrivateIsEverDrawn(t *testing.T) {
	m := openedPrivate(true)
	looks := func(after string) {
		for _, text := range []string{m.frame, m.pictured().Text, m.pictured().ANSI} {
			if strings.Contains(text, marker) {
				t.Errorf("%v %d×%d after %s shows what is private:\n%s", m.st.View, m.st.W, m.st.H, after, text)
				return
			}
		}
	}
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 15}, {40, 8}, {200, 60}, {30, 1}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, view := range []string{"1", "2", "3", "4", "5", "6", "7"} {
			for _, keys := range [][]string{{view}, {"down", "enter"}, {"j"}, {"e"}, {"?"}, {"?"}, {"?"}, {"esc"}, {"f"}, {"f"}, {"esc"}, {":"}, {"esc"}, {"r"}, {"esc"}} {
				press(m, keys...)
				looks(view + " " + strings.Join(keys, " "))
			}
			for m.st.Mode != 0 || m.st.Entry != nil {
				was := m.st.Mode
				press(m, "esc")
				if m.st.Mode == was && m.st.Entry == nil {
					break
				}
			}
		}
	}
}

// TestAPrivateHeadQuotesNobody: whatever the state, and why.
func TestAPrivateHeadQuotesNobody(t *testing.T) {
	for state := bench.Waiting; state <= bench.Done; state++ {
		s, j := viewtest.Planted(marker)
		s.State, s.Why, s.Run.Warmup = state, "429: account "+marker+" is suspended", 0
		f := planted{newFake(func() *bench.Snapshot { return s }), j}
		o, _, tty := Options{Engine: f, Env: env, Step: 4, Private: true}.filled()
		m := newModel(o, tty, &exit{engine: f})
		for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {60, 15}, {40, 8}, {60, 1}} {
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			for _, keys := range [][]string{{}, {"f"}, {"f"}, {"4"}, {"1"}} {
				if press(m, keys...); strings.Contains(m.frame, marker) || strings.Contains(m.windowTitle(), marker) {
					t.Errorf("%v %v after %v:\n%s", state, size, keys, m.frame)
				}
			}
		}
	}
}

func TestAPrivateScreenSaysSoAndCanBeOpened(t *testing.T) {
	m := openedPrivate(false)
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	if !strings.Contains(m.frame, marker) || strings.Contains(m.frame, "PRIVATE") {
		t.Fatalf("the host is missing in a screen that is not private:\n%s", m.frame)
	}
	press(m, "P")
	if strings.Contains(m.frame, marker) || !strings.Contains(m.frame, "PRIVATE") || !m.exit.isPrivate() {
		t.Errorf("P hides nothing, or does not say so:\n%s", m.frame)
	}
	press(m, "P")
	if !strings.Contains(m.frame, marker) || m.exit.isPrivate() {
		t.Errorf("P again shows nothing:\n%s", m.frame)
	}
}

func TestAPrivateSnapshotLeavesTheRunAsItIs(t *testing.T) {
	s, j := viewtest.Planted(marker)
	var v bench.Veil
	a, b := v.Snapshot(s), v.Snapshot(s)
	if a != b || a == s {
		t.Error("the same snapshot is veiled twice")
	}
	if first, again := v.Journal(j), v.Journal(j); first != again {
		t.Error("the same journal is veiled twice")
	}
	if s.Run.Host != marker || s.LastError != marker || j.Ended[0].Message != marker {
		t.Error("a veil has changed the run itself")
	}
	next := *s
	if v.Snapshot(&next).Run != a.Run {
		t.Error("the same run became another one")
	}
}
