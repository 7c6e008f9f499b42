package action

import (
	"fmt"
	"strings"
)

// Item is one entry of the footer.
type Item struct {
	Action     Action
	Keys, Word string
	Priority   int
	Right      bool
}

// Footer lists what works in a state, in the table's order.
func (m *Map) Footer(s State) []Item {
	var out []Item
	raiseShown := false
	rows := m.Rows()
	for i := range rows {
		b := &rows[i]
		if b.Label == "" || len(b.Keys) == 0 || !b.Works(s) || b.Refused(s) {
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
		out = append(out, Item{Action: b.Action, Keys: keys, Word: b.Word(s), Priority: b.Priority, Right: b.Right})
	}
	return out
}

// Section is one group of the help overlay.
type Section struct {
	Title string
	Rows  []Row
}

// Row is one line of help.
type Row struct {
	Action           Action
	Name, Keys, Help string
	// Views are those in which it works; all if there are none.
	Views []View
}

// Sections is the whole table as help shows it.
func (m *Map) Sections() []Section {
	out := make([]Section, numGroups)
	for g := range numGroups {
		out[g].Title = g.String()
	}
	for _, b := range m.Rows() {
		out[b.Group].Rows = append(out[b.Group].Rows, Row{Action: b.Action, Name: b.Name, Keys: b.Show, Help: b.Help, Views: b.Views})
	}
	return out
}

// Markdown is the key table for a manual.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("| keys | what they do |\n|---|---|\n")
	for _, s := range m.Sections() {
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
