package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestKeysTypedBeforeTheScreenAreTheKeysThatTheyAre(t *testing.T) {
	for _, c := range []struct{ why, typed, keys string }{
		{"characters", "+q数", "+ q 数"},
		{"control characters", "\x03\r\t\x7f", "ctrl+c enter tab backspace"},
		{"space and escape", " \x1b", "space esc"},
		{"an arrow is left out whole", "+\x1b[A-", "+ -"},
		{"so are F1, a mouse and alt", "\x1bOP\x1b[<64;18;9M\x1bx1", "1"},
		{"a report that answers nothing", "\x1b[?1;2c2", "2"},
		{"a sequence that is cut", "2\x1b[1;", "2"},
		{"no character", "\xff\x00+", "+"},
	} {
		var got []string
		for _, msg := range keysOf([]byte(c.typed)) {
			name := msg.(tea.KeyMsg).String()
			if name == " " {
				name = "space"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != c.keys {
			t.Errorf("%s: %q, want %q", c.why, strings.Join(got, " "), c.keys)
		}
	}
}

func TestKeysTypedBeforeTheScreenComeInOrder(t *testing.T) {
	m := newModel(func() Options { o, _, _ := Options{Engine: showing("running"), Env: env}.filled(); return o }(), false, &exit{})
	m.early = keysOf([]byte("+2"))
	if batch, ok := m.Init()().(tea.BatchMsg); !ok || len(batch) != 2 {
		t.Errorf("%#v", batch)
	}
}
