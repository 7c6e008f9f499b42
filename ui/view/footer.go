package view

import (
	"strconv"
	"unicode/utf8"

	"redline/ui/action"
	"redline/ui/style"
)

// footer is the bottom line: the input line, an open question, a notice, or the keys that work now.
func (f *frame) footer() {
	r := f.start()
	f.bottom(r)
	f.end()
}

// urgent tells whether the bottom line holds something that must be seen even where there is no room for keys.
func (f *frame) urgent() bool {
	return f.st.Entry != nil || f.st.Picker != nil || f.st.Mode == action.Quitting || f.live.Ask != nil && f.st.Mode == action.Asked || f.st.Notice != ""
}

func (f *frame) bottom(r *style.Row) {
	switch {
	case f.st.Entry != nil && f.st.Sheet == nil && f.st.Course == nil:
		f.entry(r)
	case f.st.Picker != nil && f.st.Picker.Row < len(f.st.Picker.Themes):
		r.Blank(1).Cut(style.Accent, f.st.Picker.Themes[f.st.Picker.Row].Name, r.Left()/3).Blank(2)
		f.items(r, "")
	case f.st.Mode == action.Quitting:
		r.Blank(1).Put(style.Warn, "quit?").Blank(2)
		f.items(r, strconv.Itoa(max(f.live.InFlight, 0))+" in flight")
	case f.st.Mode == action.Asked && f.live.Ask != nil:
		r.Blank(1).Put(style.Warn, "?").Blank(1).Cut(style.Strong, f.live.Ask.Text, max(r.Left()-24, r.Left()/2)).Blank(3)
		f.items(r, "")
	case f.st.Notice != "":
		r.Blank(1).Put(style.Warn, f.g.Warn).Blank(1).Cut(style.FG, f.st.Notice, r.Left()-1)
	default:
		r.Blank(1)
		f.items(r, "")
	}
}

func (f *frame) entry(r *style.Row) {
	e := f.st.Entry
	r.Blank(1).Put(style.Accent, e.Prompt).Blank(1)
	text := e.Text
	// A long text shows its end, where the hand is.
	for f.st.Set.Width(text) > max(r.Left()-12, 1) && text != "" {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	r.Put(style.Strong, text).Put(style.Select, " ")
	if f.live.Ask != nil && f.st.Replay == nil && f.st.Sheet == nil && f.st.Course == nil {
		r.Put(style.Warn, "  a question waits: esc shows it")
	}
	switch {
	case f.st.Sheet != nil, f.st.Course != nil, e.Problem != "" && f.troubled():
	case e.Problem != "":
		r.Blank(2).Put(style.Bad, e.Problem)
	case e.Hint != "":
		r.Put(style.Dim, "  "+e.Hint)
	}
}

// items writes the keys of the table that work now. Those that find no room leave, least important first.
func (f *frame) items(r *style.Row, note string) {
	all := f.st.Keys.Footer(f.offer())
	set := f.st.Set
	cost := func(i action.Item) int {
		n := set.Width(i.Keys) + 1 + set.Width(i.Word) + 2
		if note != "" && i.Priority == 1 {
			n += set.Width(note) + 3
		}
		return n
	}
	used := 2
	for _, i := range all {
		used += cost(i)
	}
	for used > r.Left() && len(all) > 0 {
		last := 0
		for k, i := range all {
			if i.Priority >= all[last].Priority {
				last = k
			}
		}
		used -= cost(all[last])
		all = append(all[:last], all[last+1:]...)
	}
	right := 0
	for _, i := range all {
		if i.Right {
			right += cost(i)
		}
	}
	for _, side := range [2]bool{false, true} {
		if side && right > 0 {
			r.To(f.W - right)
		}
		for _, i := range all {
			if i.Right != side {
				continue
			}
			f.clickableCells(Hit{Spot: OnAction, Action: i.Action}, r.Cells(), r.Cells()+set.Width(i.Keys)+1+set.Width(i.Word))
			r.Put(style.Strong, i.Keys).Put(style.Dim, " "+i.Word)
			if note != "" && i.Priority == 1 {
				r.Put(style.FG, " ("+note+")")
				note = ""
			}
			r.Blank(2)
		}
	}
}
