package action

import (
	"slices"
	"strings"
)

// Map is the table with the keys that are in force. It never changes once it is made; the nil Map is the table with the keys that it has by itself.
type Map struct {
	rows  []Binding
	index [numModes]map[string]*Binding
}

// shipped is the table with the keys that it has by itself.
var shipped = newMap(Table)

// newMap makes a map of rows, which it does not keep.
func newMap(rows []Binding) *Map {
	m := &Map{rows: slices.Clone(rows)}
	for i := range m.rows {
		b := &m.rows[i]
		if m.index[b.Mode] == nil {
			m.index[b.Mode] = map[string]*Binding{}
		}
		for _, k := range b.Keys {
			m.index[b.Mode][k] = b
		}
	}
	for i := range m.rows {
		b := &m.rows[i]
		if b.Also == None {
			continue
		}
		for _, other := range rows {
			for _, k := range other.Keys {
				// What answers by itself goes before what is heard too.
				if other.Action == b.Also && m.index[b.Mode][k] == nil {
					m.index[b.Mode][k] = b
				}
			}
		}
	}
	return m
}

// Rows are the bindings in the table's order; they are not to be changed.
func (m *Map) Rows() []Binding {
	if m == nil {
		return shipped.rows
	}
	return m.rows
}

// Row is the binding of an action; nil for None.
func (m *Map) Row(a Action) *Binding {
	rows := m.Rows()
	for i := range rows {
		if rows[i].Action == a {
			return &rows[i]
		}
	}
	return nil
}

// Find is the binding that hears a key in a state, nil if none does: the answers of an open question first, then the dashboard's keys.
func (m *Map) Find(key string, s State) *Binding {
	if m == nil {
		m = shipped
	}
	key = Key(key)
	if b := m.index[min(s.Mode, numModes-1)][key]; b != nil && b.Works(s) {
		return b
	}
	if b := m.index[Driving][key]; b != nil && b.Works(s) {
		return b
	}
	return nil
}

// Show is how an action's keys are written: its name behind that of the palette where it has none.
func (m *Map) Show(a Action) string {
	if b := m.Row(a); b != nil {
		return b.Show
	}
	return ""
}

// Key is the first key of an action, as a sentence names it.
func (m *Map) Key(a Action) string {
	b := m.Row(a)
	switch {
	case b == nil:
		return ""
	case len(b.Keys) == 0:
		return b.Show
	}
	return written(b.Keys[0])
}

// named writes anew how the keys of rows are shown that are not those of the table any more.
func named(rows []Binding, changed map[Action]bool) {
	keysOf := map[Action][]string{}
	for _, b := range rows {
		keysOf[b.Action] = b.Keys
	}
	for i := range rows {
		b := &rows[i]
		if changed[b.Action] || changed[b.Also] {
			words := make([]string, 0, len(b.Keys)+1)
			for _, k := range append(slices.Clone(b.Keys), keysOf[b.Also]...) {
				words = append(words, written(k))
			}
			if b.Action == QuitStay {
				words = words[:1]
			}
			b.Show = strings.Join(words, " ")
		}
		if len(b.Keys) == 0 && b.Name != "" && (changed[b.Action] || changed[Palette]) {
			b.Show = "–"
			if first := keysOf[Palette]; len(first) > 0 {
				b.Show = written(first[0]) + b.Name
			}
		}
		if len(b.Keys) > 0 && (changed[b.Action] || changed[b.Pair]) {
			b.FootKeys = short(b.Keys[0])
			if pair := keysOf[b.Pair]; len(pair) > 0 {
				sign := " "
				if b.Action == Raise {
					sign = "/"
				}
				b.FootKeys += sign + short(pair[0])
			}
		}
	}
}

// written is a key as help writes it.
func written(key string) string {
	if len(key) > 1 && key[0] == 'f' && key[1] >= '1' && key[1] <= '9' {
		return "F" + key[1:]
	}
	return key
}

// short is a key as the footer writes it.
func short(key string) string {
	switch key {
	case "space":
		return "spc"
	case "pgdown":
		return "pgdn"
	}
	return written(key)
}
