package view

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/style"
)

// single is one request of the list: in flight, or ended.
type single struct {
	*bench.Request
	flight  *bench.Flight
	ended   *bench.Ended
	started time.Duration
	// ttft, tpot, gap and e2e are in ms, out in tokens. Of a request in flight all but tpot may still grow; waits tells that ttft does, as no token has come.
	ttft, tpot, gap, e2e, out bench.Value
	waits                     bool
}

// ofFlight is a request in flight as it stands at an instant.
func ofFlight(fl *bench.Flight, at time.Duration) single {
	q := single{Request: &fl.Request, flight: fl, started: fl.Started}
	age := max(at-fl.Started, 0)
	q.e2e, q.out = bench.Some(bench.Millis(age)), bench.Some(max(fl.Tokens, 0))
	first, ok := fl.FirstToken.Since(bench.MarkAt(fl.Started))
	if q.waits = !ok; q.waits {
		first = age
	}
	q.ttft = bench.Some(bench.Millis(first))
	if span, ok := fl.LastToken.Since(fl.FirstToken); ok && span > 0 && fl.Tokens >= 2 {
		q.tpot = bench.Some(bench.Millis(span) / (fl.Tokens - 1))
	}
	if fl.MaxGap > 0 {
		q.gap = bench.Some(bench.Millis(fl.MaxGap))
	}
	return q
}

// ofEnded is a request that is over.
func ofEnded(e *bench.Ended) single {
	q := single{Request: &e.Request, ended: e, started: e.Marks.Started.At, out: bench.Some(float64(max(e.Counts.Output, 0)))}
	if d, ok := e.TTFT(); ok {
		q.ttft = bench.Some(bench.Millis(d))
	}
	if d, ok := e.E2E(); ok {
		q.e2e = bench.Some(bench.Millis(d))
	}
	if v, ok := e.TPOT(); ok {
		q.tpot = bench.Some(v)
	}
	if e.MaxGap > 0 && !e.Burst {
		q.gap = bench.Some(bench.Millis(e.MaxGap))
	}
	return q
}

// states are the words of what ended without an HTTP status that says it; an outcome that has none here is named in full.
var states = map[bench.Outcome]string{bench.OK: "done", bench.StreamError: "stream err", bench.NotStreaming: "no stream", bench.TimeoutConnect: "timeout", bench.TimeoutFirst: "timeout",
	bench.TimeoutTotal: "timeout", bench.Stale: "stale", bench.NoDescriptors: "no ports"}

// state is what the request does, or how it ended, in a word.
func (q *single) state() (string, style.Token) {
	if q.flight != nil {
		if q.flight.Decodes() {
			return "decode", style.Accent
		}
		return "waiting", style.Accent2
	}
	e, look := q.ended, style.Bad
	switch {
	case e.Outcome == bench.OK:
		look = style.FG
	case e.Outcome.Withdrawn():
		look = style.Dim
	case e.Outcome == bench.RateLimited:
		look = style.Warn
	}
	switch word, ok := states[e.Outcome]; {
	case ok:
		return word, look
	case e.Status >= 400 && e.Status < 1000:
		return strconv.Itoa(e.Status), look
	}
	return e.Outcome.String(), look
}

// requestList are the requests that are shown, in their order. It is made anew when there is another journal, or when the operator asks for something
// else; what was read of a request's text is kept.
type requestList struct {
	run     *bench.Run
	journal *bench.Journal
	asked   asked
	limit   float64
	rows    []*single
	// kept is what rows point into.
	kept []single
	// failed and broken count the ended that failed, and those that did not end ok; slowest is the shown request with the longest TTFT, 0 if there are
	// too few to say so.
	failed, broken int
	slowest        uint64
	// filter is the one in force, problem what is wrong with its text, words what it found in texts.
	filter  *filter
	problem error
	words   map[uint64]found
	// page is how many rows were drawn last, top the first of them; lines and height are those of the request that was inspected last.
	page, top     int
	lines, height int
	// chosen is the chosen request as it was seen last, so that it can be read to the end after the list has let it go.
	chosen single
}

// asked is what the operator asks of the list.
type asked struct {
	filter            string
	sort              Sort
	reversed, private bool
	within            Within
}

// found is which words of a filter were found in the text of a request, as it flew or when it was over.
type found struct {
	read, over bool
	words      uint64
}

// listed brings the list up to date.
func (f *frame) listed() *requestList {
	l := &f.requests
	want := asked{f.st.Filter[action.Requests], f.st.Sort, f.st.Reversed, f.st.Private, f.st.Within}
	limit := f.limit(bench.TTFT)
	if l.run != f.s.Run || l.filter == nil || l.asked.filter != want.filter || l.asked.private != want.private {
		l.filter, l.problem = parseFilter(want.filter)
		l.words = map[uint64]found{}
	}
	if l.run != f.s.Run {
		l.chosen = single{}
	}
	if l.journal != f.st.Journal || l.run != f.s.Run || l.asked != want || l.limit != limit {
		l.run, l.journal, l.asked, l.limit = f.s.Run, f.st.Journal, want, limit
		l.gather(f.st)
		l.order()
	}
	l.remember(f.st.Request)
	return l
}

// gather lists what the filter lets through.
func (l *requestList) gather(st *State) {
	j := l.journal
	l.rows, l.failed, l.broken = l.rows[:0], 0, 0
	l.kept = slices.Grow(l.kept[:0], len(j.Flights)+len(j.Ended))
	take := func(q single) {
		l.kept = append(l.kept, q)
		if kept := &l.kept[len(l.kept)-1]; l.lets(kept) {
			l.rows = append(l.rows, kept)
		}
	}
	if !st.Within.OK {
		for i := range j.Flights {
			take(ofFlight(&j.Flights[i], j.At))
		}
	}
	for _, e := range j.Ended {
		if e.Outcome.Failed() {
			l.failed++
		}
		if e.Outcome != bench.OK {
			l.broken++
		}
		if st.within(e) {
			take(ofEnded(e))
		}
	}
	if len(l.words) > 4*(len(j.Flights)+len(j.Ended))+64 {
		l.words = map[uint64]found{}
	}
	if l.filter.slow {
		limit := l.limit
		if limit <= 0 {
			limit = l.nearSlowest()
		}
		l.rows = slices.DeleteFunc(l.rows, func(q *single) bool { return !(q.ttft.OK && q.ttft.V > limit) })
	}
	l.slowest = l.findSlowest()
}

// lets tells whether a request passes all of the filter but what is said of the others too.
func (l *requestList) lets(q *single) bool {
	if !l.filter.holds(q) {
		return false
	}
	if len(l.filter.words) == 0 {
		return true
	}
	held := l.filter.named(q.names(l.journal.At, l.run.Stall, l.asked.private))
	if held != l.filter.all() && l.filter.asks() && !l.asked.private {
		held |= l.read(q)
	}
	return held == l.filter.all()
}

// read is which words of the filter are in a request's text, looked for once while it flies and once more when it has ended.
func (l *requestList) read(q *single) uint64 {
	was := l.words[q.ID]
	if over := q.ended != nil; !was.read || was.over != over {
		was = found{read: true, over: over, words: l.filter.reads(q)}
		l.words[q.ID] = was
	}
	return was.words
}

// nearSlowest is the 95th percentile of the shown first tokens, in ms.
func (l *requestList) nearSlowest() float64 {
	var all []float64
	for i := range l.rows {
		if q := l.rows[i]; q.ttft.OK && !q.waits {
			all = append(all, q.ttft.V)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min((len(all)*95+99)/100, len(all))-1]
}

// findSlowest is the request with the longest TTFT of at least five.
func (l *requestList) findSlowest() uint64 {
	var id uint64
	most, n := 0.0, 0
	for i := range l.rows {
		if q := l.rows[i]; q.ttft.OK && !q.waits {
			if n++; q.ttft.V > most {
				most, id = q.ttft.V, q.ID
			}
		}
	}
	if n < 5 {
		return 0
	}
	return id
}

// sorted is what the column says of a request; absent where it has none (yet).
func (q *single) sorted(by Sort) bench.Value {
	switch by {
	case ByTTFT:
		return q.ttft
	case ByITL:
		return q.tpot
	case ByGap:
		return q.gap
	case ByE2E:
		if q.flight != nil {
			return bench.Value{}
		}
		return q.e2e
	case ByOutput:
		return q.out
	}
	return bench.Value{}
}

// order sorts the rows: the greatest first, or the least; what has no value last; newer ones before older ones.
func (l *requestList) order() {
	by, way := l.asked.sort, -1
	if l.asked.reversed {
		way = 1
	}
	newest := func(a, b *single) int { return cmp.Compare(b.ID, a.ID) }
	slices.SortFunc(l.rows, func(a, b *single) int {
		if by == ByNewest {
			return -way * newest(a, b)
		}
		x, y := a.sorted(by), b.sorted(by)
		switch {
		case x.OK != y.OK:
			if x.OK {
				return -1
			}
			return 1
		case !x.OK:
			return newest(a, b)
		}
		return cmp.Or(way*cmp.Compare(x.V, y.V), newest(a, b))
	})
}

// find is a request and its row; the row is -1 for one that is not among the shown, the request nil where nothing is known of it.
func (l *requestList) find(id uint64) (*single, int) {
	if id == 0 {
		return nil, -1
	}
	for i := range l.rows {
		if l.rows[i].ID == id {
			return l.rows[i], i
		}
	}
	if l.chosen.Request != nil && l.chosen.ID == id {
		return &l.chosen, -1
	}
	return nil, -1
}

// remember keeps the chosen request, shown or not.
func (l *requestList) remember(id uint64) {
	if id == 0 {
		l.chosen = single{}
		return
	}
	for _, e := range slices.Backward(l.journal.Ended) {
		if e.ID == id {
			l.chosen = ofEnded(e)
			return
		}
	}
	for i := range l.journal.Flights {
		if fl := &l.journal.Flights[i]; fl.ID == id {
			l.chosen = ofFlight(fl, l.journal.At)
			return
		}
	}
}
