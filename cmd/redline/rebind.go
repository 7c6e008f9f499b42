package main

import (
	"fmt"
	"slices"
	"strings"

	"redline/bench/report"
	"redline/ui/action"
)

// keysTable is the table of a file that gives actions other keys.
const keysTable = "keys"

// takeKeys keeps the table of keys.
func (d *document) takeKeys(e pair, lines map[string]int, found *problems) bool {
	table, ok := e.value.(map[string]any)
	if !ok {
		found.addAt(d.at(d.top, e), keysTable, `want a table, as in [keys], with lines such as raise = ["+", "="]`)
		return true
	}
	d.keys = sectionOf(table, []string{keysTable}, lines)
	d.keys.of, d.keys.prefix, d.keys.line = d, keysTable+".", e.line
	return true
}

// checkKeys tells what is wrong with the keys of a document.
func (d *document) checkKeys(found *problems) {
	switch {
	case d.keys == nil:
	case d.stranger:
		// A hand finds its keys without looking: whoever swaps the one that stops for one that raises drives the load.
		want := "want it in a file that you have named: one that was found in the current folder may say nothing of which key does what" + advice
		if d.mine != "" {
			want += ", or move the keys into your own, " + d.mine
		}
		found.addAt(origin{source: fromFile, name: d.path, line: d.keys.line}, keysTable, want)
	default:
		d.bind(found)
	}
}

// bind is the table of actions with the document's keys; nil where anything is wrong with them, which is told.
func (d *document) bind(found *problems) *action.Map {
	before := len(found.list)
	var choices []action.Choice
	for _, e := range d.keys.entries {
		keys, ok := keysOf(e.value)
		if !ok {
			found.addAt(d.at(d.keys, e), d.keys.prefix+shownKey(e.key), `want a key in quotes, a list of them, as in ["+", "="], or [] for none`)
			continue
		}
		choices = append(choices, action.Choice{Name: e.key, Keys: keys})
	}
	m, faults := action.Bind(choices)
	for _, f := range faults {
		e, ok := d.keys.find(f.Name)
		if !ok {
			// It is no key of the file that is at fault, but that none of them is left.
			e = pair{key: f.Name, line: d.keys.line}
		}
		found.addAt(d.at(d.keys, e), d.keys.prefix+shownKey(f.Name)+shownKeyName(f.Key), faultWords(f))
	}
	if len(found.list) > before {
		return nil
	}
	return m
}

// faultWords is what would be right instead; of an unknown action the name that was probably meant.
func faultWords(f action.Fault) string {
	names := action.Names()
	if near := nearest(f.Name, names); f.Key == "" && near != "" && !slices.Contains(names, f.Name) {
		return "there is no such action; " + near + " may be meant"
	}
	return f.Want
}

// shownKeyName is " = KEY", if it is as short as names of keys are.
func shownKeyName(key string) string {
	switch {
	case key == "":
		return ""
	case len(key) > 16:
		return " = " + hiddenValue
	}
	return fmt.Sprintf(" = %q", key)
}

// keysOf are the keys that a value names.
func keysOf(value any) ([]string, bool) {
	if text, ok := value.(string); ok {
		return []string{text}, true
	}
	all, ok := value.([]any)
	keys := listOf(value)
	return keys, ok && len(keys) == len(all)
}

// rebinding is the document whose keys are in force; nil where none has any.
func (d *document) rebinding() *document {
	for ; d != nil; d = d.own {
		if d.keys != nil && !d.stranger {
			return d
		}
	}
	return nil
}

// bound is the table of actions with the keys that the file gives; nil where it gives none, or there is anything wrong with them, which check tells.
func (d *document) bound() *action.Map {
	of := d.rebinding()
	if of == nil {
		return nil
	}
	return of.bind(&problems{from: origins{}})
}

// writeKeys is a line for each action that the file gives other keys.
func (d *document) writeKeys(b *strings.Builder) {
	of := d.rebinding()
	m := d.bound()
	if of == nil || m == nil {
		return
	}
	b.WriteString("\nKeys:\n")
	width := 0
	for _, e := range of.keys.entries {
		width = max(width, len(e.key))
	}
	for _, c := range m.Choices() {
		e, ok := of.keys.find(c.Name)
		if i := slices.IndexFunc(of.keys.entries, func(e pair) bool { return action.Known(e.key) == c.Name }); !ok && i >= 0 {
			e, ok = of.keys.entries[i], true
		}
		if ok {
			text := strings.Join(c.Keys, " ")
			if text == "" {
				text = "none"
			}
			fmt.Fprintf(b, "  %-*s  %s  %s\n", width, c.Name, report.Printable(text), report.Printable(of.at(of.keys, e).String()))
		}
	}
}
