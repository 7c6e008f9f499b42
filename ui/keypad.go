package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// keypad are the keys of the numeric keypad by the last byte of the sequence that a terminal sends for them in its application mode, which some have on
// though nobody asked for it. The library takes the sequence apart into alt+O and a letter, and the letter alone would be a command of its own: the 1 would
// be q, and quit.
var keypad = map[rune]tea.KeyMsg{
	'M': {Type: tea.KeyEnter}, 'X': typedRune('='), 'j': typedRune('*'), 'k': typedRune('+'), 'l': typedRune(','), 'm': typedRune('-'), 'n': typedRune('.'), 'o': typedRune('/'),
	'p': typedRune('0'), 'q': typedRune('1'), 'r': typedRune('2'), 's': typedRune('3'), 't': typedRune('4'), 'u': typedRune('5'), 'v': typedRune('6'), 'w': typedRune('7'),
	'x': typedRune('8'), 'y': typedRune('9'),
}

func typedRune(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}} }

// keypadGap is how soon the second half of such a sequence comes behind the first: no hand is as fast.
const keypadGap = 20 * time.Millisecond

// fromKeypad puts the two halves together. ok is false where the first half is to wait for the second.
func (m *model) fromKeypad(msg tea.KeyMsg) (_ tea.KeyMsg, ok bool) {
	half := m.halfKey
	m.halfKey = time.Time{}
	if msg.Type != tea.KeyRunes || len(msg.Runes) == 0 {
		return msg, true
	}
	if msg.Alt && len(msg.Runes) == 1 && msg.Runes[0] == 'O' && m.st.Keys.Find(msg.String(), m.driving()) == nil {
		m.halfKey = m.now()
		return msg, false
	}
	key, known := keypad[msg.Runes[0]]
	if msg.Alt || half.IsZero() || m.now().Sub(half) > keypadGap || !known || len(msg.Runes) > 1 {
		return msg, true
	}
	return key, true
}
