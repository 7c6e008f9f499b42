package view

import (
	"strconv"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// Sort is a column that the Requests are sorted by.
type Sort uint8

const (
	// ByNewest: what came last stands first.
	ByNewest Sort = iota
	ByTTFT
	ByITL
	ByGap
	ByE2E
	ByOutput
	numSorts
)

// Next is the column after this one.
func (s Sort) Next() Sort { return (s + 1) % numSorts }

// Sorts are the columns that the Requests can be sorted by, in the order in which a key goes through them.
func Sorts() []Sort {
	var out []Sort
	for s := range numSorts {
		out = append(out, s)
	}
	return out
}

// String is the column's name.
func (s Sort) String() string {
	return [...]string{"newest", "TTFT", "TPOT", "max gap", "E2E", "out"}[s%numSorts]
}

// least are the rows of the list that stay when the chosen request is shown below it, and that its pane has.
const (
	leastListed = 5
	leastPane   = 5
)

// requestsPage draws single requests, and the chosen one below or, when it is inspected, alone.
func (f *frame) requestsPage(rows int) {
	if f.st.Journal == nil || len(f.st.Journal.Flights)+len(f.st.Journal.Ended) == 0 {
		f.absent("no request yet", rows)
		return
	}
	list := f.listed()
	chosen, at := list.find(f.st.Request)
	if f.st.Inspecting {
		if chosen != nil {
			f.inspected(chosen, rows)
			return
		}
		f.absent(f.lost(), rows)
		return
	}
	pane := [][]part(nil)
	if f.st.Request != 0 {
		if chosen != nil {
			pane = f.account(chosen, false)
		} else {
			pane = [][]part{{{style.Dim, " " + f.lost()}}}
		}
	}
	// The pane has a title of its own.
	below := min(len(pane)+1, rows-2-leastListed, max(rows/2, leastPane+1))
	if below < leastPane && below < len(pane)+1 || pane == nil {
		below = 0
	}
	f.requestTable(list, at, rows-below)
	if below == 0 {
		return
	}
	f.paneTitle(chosen)
	for _, line := range pane[:below-1] {
		f.written(line)
	}
}

// lost says why the chosen request is not shown.
func (f *frame) lost() string {
	return "request " + strconv.FormatUint(f.st.Request, 10) + " is not kept any more: only the last are"
}

// written is a row of parts.
func (f *frame) written(parts []part) {
	r := f.start()
	for _, p := range parts {
		r.Put(p.look, p.text)
	}
	f.end()
}

// paneTitle heads the chosen request.
func (f *frame) paneTitle(q *single) {
	r := f.start().Glyph(style.Faint, f.g.Rule).Put(style.Dim, " request ").Put(style.Strong, strconv.FormatUint(f.st.Request, 10)).Blank(1)
	if q != nil {
		state, look := q.state()
		r.Put(look, state).Blank(1)
	}
	r.Fill(style.Faint, f.g.Rule)
	f.end()
}

// requestTable draws the head line, the names of the columns, and the rows about the chosen one, which keeps its place on the screen.
func (f *frame) requestTable(list *requestList, at, rows int) {
	headed := rows > 2
	if headed {
		rows--
	}
	list.page, list.top = max(rows-1, 0), 0
	if at >= 0 {
		list.top = min(max(at-f.st.Row[action.Requests], at-list.page+1, 0), at, max(len(list.rows)-list.page, 0))
	}
	if headed {
		f.requestsHead(list, at)
	}
	if rows < 1 {
		return
	}
	columns := f.requestColumns(list)
	f.columnNames(columns)
	for i := list.top; i < min(list.top+list.page, len(list.rows)); i++ {
		q := list.rows[i]
		r := f.start()
		f.clickable(Hit{Spot: OnRequest, ID: q.ID, Index: i - list.top})
		mark := " "
		if i == at {
			r.All(style.Select)
			mark = f.g.Select
		}
		r.Blank(1).Put(style.Accent, mark)
		for _, c := range columns {
			f.requestCell(r, list, q, c)
		}
		f.end()
	}
	if len(list.rows) == 0 {
		f.absent(f.noneShown(), list.page)
	}
}

// barren tells whether nothing fits what the list is held to.
func (l *requestList) barren(st *State) bool {
	return l.journal != nil && len(l.rows) == 0 && (st.Within.OK || st.Filter[action.Requests] != "")
}

// noneShown says why no row is there.
func (f *frame) noneShown() string {
	out := "none of the requests fits: esc shows all"
	for _, w := range f.requests.filter.words {
		if w.said == 0 {
			return out + "; text:" + w.forms[0] + " looks in what was said"
		}
	}
	return out
}

// requestsHead is the line over the table: how many there are, what is shown of them in which order, and where among them the chosen row is.
func (f *frame) requestsHead(list *requestList, at int) {
	j := f.st.Journal
	var all []group
	one := func(rank int, parts ...part) { all = append(all, group{rank, parts}) }
	if f.Density < layout.Compact {
		one(6, part{style.Dim, " requests"})
	}
	one(3, part{style.FG, " " + count(j.Flying)}, part{style.Dim, " in flight"})
	if len(j.Flights) < j.Flying {
		one(7, part{style.Dim, " (" + count(len(j.Flights)) + " listed)"})
	}
	one(4, part{style.FG, "  " + count(len(j.Ended)+j.Gone)}, part{style.Dim, " ended"})
	if j.Gone > 0 {
		one(8, part{style.Dim, " (last " + count(len(j.Ended)) + " kept)"})
	}
	if n := max(list.failed, f.failed(list)); n > 0 {
		one(5, part{style.Bad, "  " + count(n) + " failed"})
	}
	switch filter := f.st.Filter[action.Requests]; {
	case list.problem != nil:
		one(1, part{style.Bad, "  filter: " + list.problem.Error()})
	case filter != "":
		one(1, part{style.Dim, "  filter "}, part{style.Accent, filter}, part{style.Dim, " shows " + count(len(list.rows))})
	}
	if f.st.Within.OK {
		one(0, part{style.Dim, "  within "}, part{style.Accent, f.st.Within.String()}, part{style.Dim, ": " + count(len(list.rows))})
	}
	arrow := "↓"
	if f.st.Reversed {
		arrow = "↑"
	}
	if f.st.Sort == ByNewest {
		one(2, part{style.Dim, "  " + map[bool]string{false: "newest first", true: "oldest first"}[f.st.Reversed]})
	} else {
		one(2, part{style.Dim, "  sort "}, part{style.FG, f.st.Sort.String() + " " + arrow})
	}
	if key := f.st.Keys.Key(action.Arrange); key != "" && !f.st.Inspecting {
		one(9, part{style.Dim, " · " + key + " next: " + f.st.Sort.Next().String()})
	}
	if at >= 0 {
		one(2, part{style.Dim, "  row "}, part{style.FG, count(at + 1)}, part{style.Dim, " of " + count(len(list.rows))})
		if list.top > 0 {
			one(3, part{style.Dim, ", ↑ " + count(list.top) + " above"})
		}
	}
	f.written(f.groups(all, f.W-1))
}

// failed is how many requests have failed: by the run's counters where the list has let some of them go.
func (f *frame) failed(list *requestList) int {
	if f.st.Journal.Gone > 0 && list.broken >= bench.JournalFailed {
		return f.s.Total.Tally.Failed
	}
	return 0
}

// moveRequest goes about in the list, or in the request that is inspected, by what was drawn last. What is chosen keeps its row on the screen; above
// the first row nothing is chosen, and the list follows what comes.
func (v *Screen) moveRequest(st *State, m Motion) {
	list := &v.requests
	if st.Inspecting {
		list.scroll(st, m)
		return
	}
	if len(list.rows) == 0 {
		return
	}
	_, at := list.find(st.Request)
	last := len(list.rows) - 1
	page := max(list.page-1, 1)
	to := at
	switch m {
	case Up:
		to = at - 1
	case Down:
		to = at + 1
	case PageUp:
		to = max(at-page, min(at, 0))
	case PageDown:
		to = max(at, 0) + page
	case First:
		to = 0
	case Last:
		to = last
	}
	if to = min(to, last); to < 0 {
		st.Request, st.Row[action.Requests] = 0, 0
		return
	}
	st.Request = list.rows[to].ID
	st.Row[action.Requests] = min(max(to-list.top, 0), max(list.page-1, 0))
}

// Inspect shows the chosen request in full, the first row's where none is chosen, or closes what is shown.
func (v *Screen) Inspect(st *State) {
	if st.Request == 0 {
		v.moveRequest(st, First)
	}
	st.Inspecting, st.Scroll = !st.Inspecting && st.Request != 0, 0
}

// ChosenRequest is the request that is chosen in the list, as it was drawn last; nil if there is none.
func (v *Screen) ChosenRequest(st *State) *bench.Request {
	if q, _ := v.requests.find(st.Request); q != nil {
		return q.Request
	}
	return nil
}
