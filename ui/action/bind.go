package action

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is what keys an operator wants an action to have instead of its own; none of them takes them away.
type Choice struct {
	// Name is the action's, as in the table: "raise".
	Name string
	Keys []string
}

// Fault is what is wrong with the keys of an action: Name and Key (empty if it is about no single key) are as they were given, Want is what could be.
type Fault struct{ Name, Key, Want string }

// Bind is the table with other keys for some of its actions. Where anything is wrong with them it tells all of it, and the map is nil.
func Bind(choices []Choice) (*Map, []Fault) {
	t := binder{rows: slices.Clone(Table), changed: map[Action]bool{}}
	for _, c := range choices {
		t.choose(c)
	}
	t.collide(choices)
	t.keep()
	if len(t.faults) > 0 {
		return nil, t.faults
	}
	for i := range t.rows {
		t.rows[i].Name = Table[i].Name
	}
	named(t.rows, t.changed)
	return newMap(t.rows), nil
}

// binder is a map in the making.
type binder struct {
	rows    []Binding
	changed map[Action]bool
	faults  []Fault
}

func (t *binder) fault(name, key, want string, args ...any) {
	t.faults = append(t.faults, Fault{name, key, fmt.Sprintf(want, args...)})
}

// row is the row of an action by its name or its alias; nil where there is none.
func (t *binder) row(name string) *Binding {
	for i := range Table {
		if name != "" && (Table[i].Name == name || Table[i].Alias == name) {
			return &t.rows[i]
		}
	}
	return nil
}

// Known is the name of an action that was given by it or by its alias; empty where there is none.
func Known(name string) string {
	t := binder{rows: Table}
	if b := t.row(name); b != nil {
		return b.Name
	}
	return ""
}

// choose gives an action its keys.
func (t *binder) choose(c Choice) {
	b := t.row(c.Name)
	switch {
	case b == nil:
		t.fault(c.Name, "", "want the name of an action, as the palette shows it: %s", strings.Join(Names(), ", "))
		return
	case t.changed[b.Action]:
		t.fault(c.Name, "", "want its keys once; they are given twice")
		return
	case b.Action == Interrupt:
		t.fault(c.Name, "", "want ctrl+c left as it is: it stops a run whatever else is bound")
		return
	}
	t.changed[b.Action] = true
	// Faults tell of it by the name that was written.
	b.Name, b.Keys = c.Name, nil
	for _, text := range c.Keys {
		k, err := ParseKey(text)
		switch {
		case err != nil:
			t.fault(c.Name, text, "%s", err)
		case k == "ctrl+c":
			t.fault(c.Name, text, "want another key: ctrl+c stops a run, whatever else is bound")
		case slices.Contains(b.Keys, k):
			// The keypad's + is + as well: nothing is lost.
		default:
			b.Keys = append(b.Keys, k)
			t.fits(b, k, text)
		}
	}
}

// fits tells of a key that would do things of two kinds, or that a terminal sends without being asked.
func (t *binder) fits(b *Binding, key, text string) {
	switch {
	case b.Class == Drives && (key == "up" || key == "down"):
		t.fault(b.Name, text, "want another key: many terminals send this one when the wheel of the mouse is turned, which must never drive a load")
		return
	case passes(b.Action) && slices.Contains(edits, key):
		t.fault(b.Name, text, "want another key: this one edits a line that is typed, and is heard there as %s", b.Name)
		return
	}
	for i := range t.rows {
		if r := &t.rows[i]; slices.Contains(r.Keys, key) {
			if why := clash(b, r); why != "" {
				t.fault(b.Name, text, "want another key: %s", why)
				return
			}
		}
	}
}

// edits are the keys that change a line that is typed.
var edits = []string{"backspace", "delete", "ctrl+u"}

// passes tells whether an action is heard while a line is being typed, if its key is none that is typed.
func passes(a Action) bool { return a == Suspend || a == Cancel }

// clash is why an action can not have a key that answers a question or goes about in a list; empty where it can. A key that is held, or pressed once too
// often, is heard by both.
func clash(b, r *Binding) string {
	switch {
	case r.Mode == Driving:
		return ""
	case r.Mode == Asked && b.Class != Looks && (b.Class != Measures || r.Action == Yes):
		return "this one answers questions, which may come up at any time"
	case r.Mode == Helping && b.Class != r.Class:
		return "while help is open this one is to " + r.Help
	case r.Mode == Quitting && b.Class == Leaves:
		return "this one answers \"quit?\" (" + r.Label + "), so that pressed twice it would end the run"
	case r.Action == RunCommand && b.Action == Palette:
		return "this one runs what is chosen in the palette, so that pressed twice it would do what stands on top"
	case b.Action == Cancel:
		return "this one answers elsewhere (" + r.Help + "), where it would not stop everything"
	case b.Class == Drives, b.Class == Leaves && r.Action != DropTheme && r.Mode != Planning:
		return "this one answers elsewhere (" + r.Help + "), and once too often it would be heard as " + b.Name
	}
	return ""
}

// collide tells of keys that two actions have.
func (t *binder) collide(choices []Choice) {
	owner := map[string]*Binding{}
	for i := range t.rows {
		b := &t.rows[i]
		if b.Mode != Driving {
			continue
		}
		for _, k := range b.Keys {
			other := owner[k]
			if other == nil {
				owner[k] = b
				continue
			}
			// It is told where it was written; of two that were, at the later one.
			at, with := b, other
			if place(choices, other.Name) > place(choices, b.Name) {
				at, with = other, b
			}
			t.fault(at.Name, k, "want another key, or other keys for %s: this one is a key of both", with.Name)
		}
	}
}

// place is where an action stands among the choices, -1 where it does not.
func place(choices []Choice, name string) int {
	return slices.IndexFunc(choices, func(c Choice) bool { return c.Name == name })
}

// keep tells of what would be left without a key though it must have one.
func (t *binder) keep() {
	for i := range t.rows {
		b := &t.rows[i]
		if (b.Action == Quit || b.Action == Cancel) && len(b.Keys) == 0 && !t.told(b.Name) {
			t.fault(b.Name, "", "want at least one key: a way to %s must always be at hand", map[Action]string{Quit: "leave", Cancel: "stop everything"}[b.Action])
		}
	}
	// What has no key is still done by its name, as long as the palette has one.
	if t.has(Palette) {
		return
	}
	if !t.has(Pause) {
		t.fault("pause", "", "want at least one key, or one for palette: nothing else begins a run that waits, or goes on with one that rests")
	}
	if !t.has(Back) && !t.has(ShowLive) {
		t.fault("live", "", "want at least one key, or one for back or palette: nothing else leads back to Live")
	}
	if !t.has(Lower) && !t.has(Halve) && !t.has(Exact) {
		t.fault("lower", "", "want at least one key, or one for halve, load or palette: nothing else lowers the load")
	}
}

// has tells whether an action has a key.
func (t *binder) has(a Action) bool {
	return slices.ContainsFunc(t.rows, func(b Binding) bool { return b.Action == a && len(b.Keys) > 0 })
}

// told tells whether something is wrong with an action already.
func (t *binder) told(name string) bool {
	return slices.ContainsFunc(t.faults, func(f Fault) bool { return f.Name == name })
}

// Names are the names of the actions that can have other keys, in the table's order.
func Names() []string {
	var out []string
	for _, b := range Table {
		if b.Name != "" && b.Action != Interrupt {
			out = append(out, b.Name)
		}
	}
	return out
}

// Choices are the keys in force of each action that has a name, as Bind takes them.
func (m *Map) Choices() []Choice {
	var out []Choice
	for _, b := range m.Rows() {
		if b.Name != "" && b.Action != Interrupt {
			out = append(out, Choice{b.Name, slices.Clone(b.Keys)})
		}
	}
	return out
}
