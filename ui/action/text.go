package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Item is one entry of the footer.
type Item struct {
	Action     Action
	Keys, Word string
	Priority   int
	Right      bool
}

// Footer lists what works in a state, in the table's order; in a view other than Live what belongs to it goes before all but the load.
func (m *Map) Footer(s State) []Item {
	var load, own, rest []Item
	raiseShown := false
	rows := m.Rows()
	for i := range rows {
		b := &rows[i]
		if b.Label == "" || len(b.Keys) == 0 || !b.Works(s) || b.Refused(s) || b.doubtful(s) || b.idle(s) || b.Word(s) == "" {
			continue
		}
		if s.Mode != Driving && b.Mode != s.Mode && !(s.Mode == Asked && b.Right) {
			continue
		}
		if b.Action == Lower && raiseShown {
			// "+/-" speaks for both; only under the lock "-" stands alone.
			continue
		}
		raiseShown = raiseShown || b.Action == Raise
		item := Item{Action: b.Action, Keys: cmp.Or(b.FootKeys, b.Show), Word: b.Word(s), Priority: b.weight(s), Right: b.Right}
		switch {
		case b.Action == Raise || b.Action == Lower:
			load = append(load, item)
		case b.belongs(s):
			own = append(own, item)
		default:
			rest = append(rest, item)
		}
	}
	return append(append(load, own...), rest...)
}

// idle tells whether it would change nothing in the view as it is: there is nothing to choose, to open or to scroll.
func (b *Binding) idle(s State) bool {
	if s.Mode != Driving {
		return false
	}
	list := s.View == Curve || s.View == Requests || s.View == Log
	switch b.Action {
	case Up:
		if s.Alone || !list {
			return !s.Scrolls
		}
		return s.Rows == 0 || s.Rows == 1 && s.Picked
	case Next, Logarithm:
		return s.View == Curve && s.Rows == 0
	case Open:
		return (s.View == Heat || list) && s.Rows == 0 && !s.Alone || s.View == Curve && s.over() && s.Picked && !s.Recorded
	case Arrange:
		return s.View == Requests && (s.Rows == 0 || s.Alone)
	case Filter:
		return s.Alone
	case Copy:
		return !s.Picked
	}
	return false
}

// belongs tells whether it is a key of the view that is open, which is not Live: that one has most of them.
func (b *Binding) belongs(s State) bool {
	return s.Mode == Driving && s.View != Live && (slices.Contains(b.Views, s.View) || b.Action == Up || b.Action == Back)
}

// weight is its priority in a state: in a view other than Live that view's own keys stay longest, beside those that stop and leave.
func (b *Binding) weight(s State) int {
	switch {
	case s.Mode != Driving || s.View == Live || b.Right || b.Priority <= 2:
		return b.Priority
	case b.Action == Back:
		return 3
	case b.belongs(s):
		return max(b.Priority-5, 4)
	}
	return b.Priority + 2
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
	return slices.DeleteFunc(out, func(s Section) bool { return len(s.Rows) == 0 })
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
