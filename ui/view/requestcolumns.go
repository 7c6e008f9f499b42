package view

import (
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// requestField is what a column of the Requests says.
type requestField uint8

const (
	fieldID requestField = iota
	fieldAge
	fieldState
	fieldLoad
	fieldIn
	fieldOut
	fieldTTFT
	fieldTPOT
	fieldGap
	fieldE2E
	fieldFinish
	fieldNote
	fieldPrompt
)

// requestColumn is a column of the Requests: its name, its cells with the two blanks before it, and the lower its rank, the sooner it gets room. The last
// ones take what is left.
type requestColumn struct {
	field requestField
	name  string
	cells int
	rank  int
	by    Sort
	left  bool
}

// requestColumnsAll are all columns, from the left.
var requestColumnsAll = []requestColumn{
	{fieldID, "id", 7, 0, ByNewest, false},
	{fieldAge, "age", 8, 3, numSorts, false},
	{fieldState, "state", 13, 0, numSorts, true},
	{fieldLoad, "load", 7, 6, numSorts, false},
	{fieldIn, "in", 7, 7, numSorts, false},
	{fieldOut, "out", 7, 1, ByOutput, false},
	{fieldTTFT, "TTFT ms", 9, 0, ByTTFT, false},
	{fieldTPOT, "TPOT", 7, 4, ByITL, false},
	{fieldGap, "max gap", 10, 4, ByGap, false},
	{fieldE2E, "E2E", 8, 2, ByE2E, false},
	{fieldFinish, "finish", 10, 8, numSorts, true},
	{fieldNote, "note", 14, 5, numSorts, true},
	{fieldPrompt, "prompt", 30, 9, numSorts, true},
}

// Cells of the note at most, where a prompt stands behind it.
const noteCells = 36

// requestColumns are the columns that there is room for, behind the mark of the chosen row; what is sorted by is always among them.
func (f *frame) requestColumns(list *requestList) []requestColumn {
	most := uint64(0)
	for _, q := range list.rows {
		most = max(most, q.ID)
	}
	id := len(strconv.FormatUint(most, 10))
	var out []requestColumn
	room := f.W - 3
	taken := [len("sixteen columns.")]bool{}
	for rank := 0; rank < 10; rank++ {
		for i, c := range requestColumnsAll {
			if c.field == fieldID {
				c.cells = max(c.cells, id+2) - 1
			}
			due := c.rank
			if c.by == f.st.Sort && due > 0 {
				due = 1
			}
			if due == rank && c.cells <= room && !(c.field == fieldPrompt && f.st.Private) {
				taken[i] = true
				room -= c.cells
			}
		}
	}
	for i, c := range requestColumnsAll {
		if !taken[i] {
			continue
		}
		switch {
		case c.field == fieldID:
			c.cells = max(c.cells, id+2) - 1
		case c.field == fieldNote && taken[len(requestColumnsAll)-1]:
			more := min(noteCells-c.cells, room)
			c.cells, room = c.cells+more, room-more
		case c.field == fieldNote, c.field == fieldPrompt:
			c.cells += room
		}
		out = append(out, c)
	}
	return out
}

// columnNames heads the table; the column that it is sorted by is marked.
func (f *frame) columnNames(columns []requestColumn) {
	r := f.start().Blank(2)
	arrow := "↓"
	if f.st.Reversed {
		arrow = "↑"
	}
	for _, c := range columns {
		look, name := style.Dim, c.name
		if c.by == f.st.Sort && c.by != ByNewest {
			look, name = style.Strong, c.name+arrow
		}
		if c.left {
			r.Blank(2).Cell(look, name, c.cells-2)
		} else {
			r.Right(look, name, c.cells)
		}
	}
	f.end()
}

// requestCell writes what a column says of a request. What has not come yet is blank, what will never come is absent.
func (f *frame) requestCell(r *style.Row, list *requestList, q *single, c requestColumn) {
	flies := q.flight != nil
	switch c.field {
	case fieldID:
		r.Right(style.FG, strconv.FormatUint(q.ID, 10), c.cells)
	case fieldAge:
		r.Right(style.Dim, length(f.agesAt()-q.started), c.cells)
	case fieldState:
		text, look := q.state()
		r.Blank(2).Cell(look, text, c.cells-2)
	case fieldLoad:
		r.Right(style.FG, named(q.Load), c.cells)
	case fieldIn:
		look := style.FG
		if flies || q.ended.Counts.Input <= 0 {
			look = style.Dim
		}
		r.Right(look, amount(float64(q.input())), c.cells)
	case fieldOut:
		r.Right(style.FG, amount(q.out.V), c.cells)
	case fieldTTFT:
		if q.waits {
			r.Right(style.Accent2, waiting(q.ttft.V), c.cells)
			return
		}
		f.pending(r, q, q.ttft, c.cells)
	case fieldTPOT:
		f.pending(r, q, q.tpot, c.cells)
	case fieldGap:
		f.pending(r, q, q.gap, c.cells)
	case fieldE2E:
		if flies {
			r.Blank(c.cells)
			return
		}
		f.pending(r, q, q.e2e, c.cells)
	case fieldFinish:
		text, look := f.finish(q)
		r.Blank(2).Cell(look, text, c.cells-2)
	case fieldNote:
		r.Blank(2)
		end := r.Cells() + c.cells - 2
		f.note(r, list, q, c.cells-2)
		r.To(end)
	case fieldPrompt:
		r.Blank(2).Cell(style.Dim, firstLine(q.Prompt.Text), c.cells-3)
	}
}

// pending writes a time in ms: blank while it may still come, absent where it never will.
func (f *frame) pending(r *style.Row, q *single, v bench.Value, cells int) {
	text, look := "", style.FG
	switch {
	case v.OK:
		text = chart.NumMillis(v)
	case q.flight == nil:
		text, look = f.g.Absent, style.Dim
	}
	r.Right(look, text, cells)
}

// finish is the server's finish reason, in the same way.
func (f *frame) finish(q *single) (string, style.Token) {
	switch {
	case q.flight != nil:
		return "", style.FG
	case q.ended.Finish == "":
		return f.g.Absent, style.Dim
	}
	return q.ended.Finish, style.FG
}

// agesAt is the instant at which requests have the ages that are shown: now, or where none is in flight and none is sent the end of the last one, so that a
// screen on which nothing happens stands still.
func (f *frame) agesAt() time.Duration {
	j := f.st.Journal
	if len(j.Flights) > 0 || f.s.State == bench.Running || f.s.State == bench.Warming || f.s.State == bench.Draining {
		return j.At
	}
	last := time.Duration(0)
	for _, e := range j.Ended {
		last = max(last, e.Marks.Ended.At)
	}
	return last
}

// waiting is how long a first token is waited for: "0.2 s…".
func waiting(ms float64) string {
	if ms < 9950 {
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s…"
	}
	return length(time.Duration(min(ms, 1e15)*float64(time.Millisecond))) + "…"
}

// firstLine is the beginning of a text, no more than a row can show.
func firstLine(text string) string {
	return strings.TrimSpace(text[:min(len(text), 1024)])
}
