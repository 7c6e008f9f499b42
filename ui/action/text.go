package action

import (
	"fmt"
	"strings"
)

// Item is one entry of the footer.
type Item struct {
	Keys, Word string
	Priority   int
	Right      bool
}

// Footer lists what works in a state, in the table's order.
func Footer(s State) []Item {
	var out []Item
	raiseShown := false
	for i := range Table {
		b := &Table[i]
		if b.Label == "" || !b.Works(s) || b.Refused(s) {
			continue
		}
		if s.Mode != Driving && b.Mode != s.Mode && !(s.Mode == Asked && b.Right) {
			continue
		}
		switch b.Action {
		case Raise:
			raiseShown = true
		case Lower:
			// "+/-" speaks for both; only under the lock "-" stands alone.
			if raiseShown {
				continue
			}
		}
		keys := b.FootKeys
		if keys == "" {
			keys = b.Show
		}
		out = append(out, Item{Keys: keys, Word: b.Word(s), Priority: b.Priority, Right: b.Right})
	}
	return out
}

// Section is one group of the help overlay.
type Section struct {
	Title string
	Rows  []Row
}

// Row is one line of help.
type Row struct{ Keys, Help string }

// Sections is the whole table as help shows it.
func Sections() []Section {
	out := make([]Section, numGroups)
	for g := range numGroups {
		out[g].Title = g.String()
	}
	for i := range Table {
		b := &Table[i]
		out[b.Group].Rows = append(out[b.Group].Rows, Row{Keys: b.Show, Help: b.Help})
	}
	return out
}

// Markdown is the key table for a manual.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| keys | what they do |\n|---|---|\n")
	for _, s := range Sections() {
		fmt.Fprintf(&b, "| **%s** | |\n", s.Title)
		for _, r := range s.Rows {
			keys := strings.Fields(r.Keys)
			for i := range keys {
				keys[i] = "`" + keys[i] + "`"
			}
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys, " "), r.Help)
		}
	}
	return b.String()
}

// Show is how an action's keys are written; empty if there is none.
func Show(a Action) string {
	for i := range Table {
		if Table[i].Action == a {
			return Table[i].Show
		}
	}
	return ""
}
