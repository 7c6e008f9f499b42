package view

import (
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// Told is the chosen event of the Log: Row is its number in the run from 1, At and Kind hold on to it where its number changes, since what follows from a
// second's numbers is told before what was not folded by then.
type Told struct {
	Row  int
	At   time.Duration
	Kind bench.EventKind
}

// logPage draws all events that are kept, the newest at the bottom, and the chosen one in full below them. While none is chosen the newest is: the list
// follows what comes.
func (f *frame) logPage(rows int) {
	all := f.logged()
	at := f.chosenIn(all)
	head := rows >= 5
	detail := f.inFull(all, at, rows)
	room := rows - len(detail)
	if head {
		f.logHead(all)
		room--
	}
	f.logRows = max(room, 1)
	end := len(f.out) + max(room, 0)
	if len(all) == 0 {
		f.absent(f.noEvents(), room)
	}
	first := min(max(at-room/2, 0), max(len(all)-room, 0))
	for i := first; i < len(all) && len(f.out) < end; i++ {
		f.logRow(all[i], i == at)
	}
	for len(f.out) < end {
		f.start()
		f.end()
	}
	for i, parts := range detail {
		if i == 0 && len(detail) > 1 {
			f.rule(parts[0].text)
			continue
		}
		r := f.start().Blank(1)
		for _, p := range parts {
			r.Cut(p.look, p.text, r.Left()-1)
		}
		f.end()
	}
}

// noEvents says why the list is empty.
func (f *frame) noEvents() string {
	if words := f.filtering(); words != "" {
		return "no event has all of these words: " + words
	}
	return "no event yet"
}

// filtering are the words that events must have; those being typed count already.
func (f *frame) filtering() string {
	if e := f.st.Entry; e != nil && e.For == ForFilter {
		return strings.TrimSpace(e.Text)
	}
	return strings.TrimSpace(f.st.Filter[action.Log])
}

// logged are the places in Snapshot.Events of those that the list shows, oldest first.
func (f *frame) logged() []int {
	f.shown = f.shown[:0]
	words := strings.Fields(strings.ToLower(f.filtering()))
	for i := range f.s.Events {
		e := &f.s.Events[i]
		if told(e) || len(words) > 0 && !f.has(e, words) {
			continue
		}
		f.shown = append(f.shown, i)
	}
	return f.shown
}

// has tells whether an event has all words, in small letters: in what the log says of it, its kind or its own text.
func (f *frame) has(e *bench.Event, words []string) bool {
	l, ok := f.event(e)
	text := l.word + " " + l.text + " " + e.Kind.String()
	if !f.st.Private {
		text += " " + e.Text
	}
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return ok
}

// chosenIn is the place in a list of the event that is chosen: the next one that is in the list where it is not, the last one while none is; -1 in an empty
// list.
func (f *frame) chosenIn(all []int) int { return chosenEvent(f.s, f.st, all) }

func chosenEvent(s *bench.Snapshot, st *State, all []int) int {
	row := st.Row[action.Log]
	if row <= 0 {
		return len(all) - 1
	}
	i := row - 1 - s.EventsGone
	if t := st.Told; t.Row == row && (i < 0 || i >= len(s.Events) || s.Events[i].At != t.At || s.Events[i].Kind != t.Kind) {
		for k := range s.Events {
			if s.Events[k].At == t.At && s.Events[k].Kind == t.Kind {
				i = k
				break
			}
		}
	}
	for k, event := range all {
		if event >= i {
			return k
		}
	}
	return len(all) - 1
}

// logHead is the line over the list: how many events there are, which of them are shown, and whether the newest is followed.
func (f *frame) logHead(all []int) {
	r := f.start().Blank(1)
	n := 0
	for i := range f.s.Events {
		if !told(&f.s.Events[i]) {
			n++
		}
	}
	parts := []ranked{{part{style.FG, plural(n, "event")}, 0}}
	if words := f.filtering(); words != "" {
		parts = []ranked{{part{style.FG, count(len(all)) + " of " + plural(n, "event")}, 0}, {part{style.Dim, " with "}, 1}, {part{style.Accent, words}, 1}}
	}
	if gone := f.s.EventsGone; gone > 0 {
		parts = append(parts, ranked{part{style.Dim, ", " + count(gone) + " older gone"}, 2})
	}
	follow := ranked{part{style.Dim, ", following the newest"}, 3}
	if f.st.Row[action.Log] > 0 {
		follow = ranked{part{style.Warn, ", end follows the newest"}, 3}
	}
	for _, p := range f.fitting(append(parts, follow), r.Left()-1) {
		r.Put(p.look, p.text)
	}
	f.end()
}

// dayWidth is from how many cells on a row of the log has the time of day too.
const dayWidth = 100

// logRow is one event in one line.
func (f *frame) logRow(i int, chosen bool) {
	e := &f.s.Events[i]
	l, _ := f.event(e)
	r := f.start()
	f.clickable(Hit{Spot: OnRow, Index: f.s.EventsGone + i + 1})
	if chosen {
		r.All(style.Select).Put(style.Select, f.g.Select)
	} else {
		r.Blank(1)
	}
	clockCells := len(stamp(f.s.At))
	r.Right(style.Dim, stamp(e.At), clockCells).Blank(1)
	if f.W >= dayWidth {
		r.Put(style.Dim, f.timeOfDay(e.At)).Blank(1)
	}
	r.Put(l.look, l.glyph).Blank(1)
	if f.st.Set.Width(l.glyph) < 2 && f.g.ASCII {
		r.Blank(1) // a verdict of two cells would push its words out of line
	}
	if f.Density > layout.Small {
		r.Cell(style.Dim, l.word, max(7, f.st.Set.Width(l.word))).Blank(1)
	}
	r.Cut(style.FG, l.text, r.Left()-1)
	f.end()
}

// timeOfDay is an instant of the run on the wall's clock, with its day once the run is older than one.
func (f *frame) timeOfDay(at time.Duration) string {
	form := "15:04:05"
	if f.s.At >= bench.Day {
		form = "Jan _2 15:04:05"
	}
	return f.s.Run.Start.Add(at).Format(form)
}

// inFull is the chosen event in as many lines as it needs, at most a third of the page, with a heading where there is room; the first is the heading.
func (f *frame) inFull(all []int, at, rows int) [][]part {
	if at < 0 || rows < 4 {
		return nil
	}
	e := &f.s.Events[all[at]]
	l, _ := f.event(e)
	text := l.text
	if e.Kind == bench.EventProfile {
		text = e.Text
	}
	most := max(rows/3, 1)
	var out [][]part
	if rows >= 9 {
		out = append(out, []part{{style.Dim, f.eventHeading(e, &l)}})
		most = max(most-1, 2)
	}
	lines := f.explain(nil, "", text, max(f.W-2, 1))
	for i, line := range lines {
		if i == most-1 && len(lines) > most {
			line.words += " " + lines[i+1].words // what is left is cut
		}
		if i == most {
			break
		}
		out = append(out, []part{{style.FG, line.words}})
	}
	return out
}

// eventHeading says when an event was, what it is, and in which level.
func (f *frame) eventHeading(e *bench.Event, l *line) string {
	out := stamp(e.At) + " of the run, " + f.timeOfDay(e.At) + ", " + l.word
	for _, level := range f.s.Levels {
		if level.ID == e.Level && e.Level > 0 {
			return out + ", level " + count(e.Level) + " at " + named(level.Load)
		}
	}
	return out
}

func (v *Screen) moveLog(s *bench.Snapshot, st *State, m Motion) {
	if s.Run == nil {
		return
	}
	f := v.frame(s, st)
	all := f.logged()
	at := chosenEvent(s, st, all)
	if len(all) == 0 || m == Last {
		st.Row[action.Log], st.Told = 0, Told{}
		return
	}
	page := max(v.logRows-1, 1)
	at += map[Motion]int{Up: -1, Down: +1, PageUp: -page, PageDown: +page, First: -len(all)}[m]
	i := all[min(max(at, 0), len(all)-1)]
	st.Row[action.Log] = s.EventsGone + i + 1
	st.Told = Told{Row: st.Row[action.Log], At: s.Events[i].At, Kind: s.Events[i].Kind}
}

// ChosenEvent is the event whose row of the Log is chosen, the newest while the list follows; not ok if there is none.
func (v *Screen) ChosenEvent(s *bench.Snapshot, st *State) (bench.Event, bool) {
	if s.Run == nil {
		return bench.Event{}, false
	}
	all := v.frame(s, st).logged()
	at := chosenEvent(s, st, all)
	if at < 0 {
		return bench.Event{}, false
	}
	return s.Events[all[at]], true
}
