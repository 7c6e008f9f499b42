package view

import (
	"math"
	"strconv"
	"strings"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// millionths are the parts of a unit that Cell.Bucket counts.
const millionths = 1e6

// cell is the Cell of a column and a row as they are drawn now.
func (h *heat) cell(column, up int) Cell {
	c := Cell{OK: true}
	if h.key.across == OverTime {
		c.Column = int((h.span.start(column) + h.span.width/2).Seconds())
	} else if column < len(h.lengths.First) {
		c.Column = h.lengths.First[column]
	}
	if up >= 0 && up+1 < len(h.edges) {
		c.Bucket = int(min((h.edges[up]+h.edges[up+1])/2*millionths, math.MaxInt64/2))
	}
	return c
}

// chosen is the chosen cell as it is drawn now. Over time the time cursor chooses the column; before a row is chosen it is the fullest one.
func (h *heat) chosen(st *State) (column, up int, ok bool) {
	if h.key.across == OverTime {
		if !st.Cursor.OK || h.key.span.width <= 0 {
			return 0, 0, false
		}
		column = h.key.span.at(st.Cursor.At)
	} else if !st.Cell.OK || len(h.lengths.First) == 0 {
		return 0, 0, false
	} else {
		column = h.lengths.At(st.Cell.Column)
	}
	if column < 0 || column >= len(h.columns) || len(h.edges) < 2 {
		return 0, 0, false
	}
	if st.Cell.OK {
		return column, h.row(float64(st.Cell.Bucket) / millionths), true
	}
	return column, h.fullest(column), true
}

// fullest is the row of a column with the most samples.
func (h *heat) fullest(column int) (up int) {
	counts := h.columns[column].Counts
	for i, n := range counts {
		if n > counts[up] {
			up = i
		}
	}
	return up
}

// choose makes a cell the chosen one.
func (h *heat) choose(st *State, column, up int) {
	st.chooseCell(h.cell(column, up))
}

// chooseCell makes a cell of Heat the chosen one; over time the time cursor goes to it.
func (st *State) chooseCell(c Cell) {
	st.Cell = c
	if st.across() == OverTime {
		st.Cursor = bench.MarkAt(time.Duration(c.Column) * time.Second)
	}
}

// first chooses the cell to begin with: the fullest of the newest column with samples, or of the last one of an axis of lengths.
func (h *heat) first(st *State) {
	for i := len(h.columns) - 1; i >= 0; i-- {
		if h.columns[i].N > 0 {
			h.choose(st, i, h.fullest(i))
			return
		}
	}
}

// turnHeat moves the cell cursor so many columns on, as the picture was drawn last; over time a step beyond the newest column leaves it. It tells whether
// there is a picture to go about in.
func (v *Screen) turnHeat(st *State, by int) bool {
	h := &v.heat
	if h.empty() || len(h.columns) == 0 {
		return false
	}
	timed := h.key.across == OverTime
	oldest := 0
	if timed {
		oldest = min(max(h.key.span.oldest(), 0), len(h.columns)-1)
	}
	column, up, ok := h.chosen(st)
	switch {
	case !ok && timed && st.Cursor.OK && st.Cursor.At < h.key.span.start(0):
		// It has left the window.
		h.choose(st, oldest, h.fullest(oldest))
	case !ok && timed && by > 0:
	case !ok:
		h.first(st)
	case !timed:
		h.choose(st, h.beside(column, by), up)
	case column+by < len(h.columns):
		h.choose(st, max(column+by, oldest), up)
	default:
		st.Cursor, st.Cell = bench.Mark{}, Cell{}
	}
	return true
}

// beside is the next column with samples on an axis of lengths, most of which nothing has; the same one if there is none.
func (h *heat) beside(column, by int) int {
	for i := column + by; by != 0 && i >= 0 && i < len(h.columns); i += by {
		if h.columns[i].N > 0 {
			return i
		}
	}
	return column
}

// moveHeat moves the cell cursor up or down.
func (v *Screen) moveHeat(s *bench.Snapshot, st *State, m Motion) {
	h := &v.heat
	if h.key.fold.run != s.Run || h.empty() {
		return
	}
	column, up, ok := h.chosen(st)
	if !ok {
		h.first(st)
		return
	}
	switch m {
	case Up:
		up++
	case Down:
		up--
	}
	h.choose(st, column, min(max(up, 0), len(h.edges)-2))
}

// OpenCell holds the Requests to the chosen cell, and tells whether there is one with samples in it.
func (v *Screen) OpenCell(s *bench.Snapshot, st *State) bool {
	h := &v.heat
	column, up, ok := h.chosen(st)
	if h.key.fold.run != s.Run || !ok || h.inCell(column, up) == 0 {
		return false
	}
	w := Within{OK: true, Metric: h.key.metric, Across: h.key.across, From: h.edges[up], To: h.edges[up+1]}
	if up == 0 {
		w.From = 0
	}
	if up == len(h.edges)-2 {
		w.To = math.Inf(1)
	}
	if w.Across == OverTime {
		w.Begin = h.key.span.start(column)
		w.End = w.Begin + h.key.span.width
	} else {
		w.First, w.Last = h.lengths.First[column], h.lengths.First[column+1]-1
	}
	st.Within = w
	return true
}

// inCell is how many samples a cell has.
func (h *heat) inCell(column, up int) uint64 {
	if c := h.columns[column].Counts; up < len(c) {
		return c[up]
	}
	return 0
}

// samples are what a metric counts.
func samples(m bench.Metric) string {
	if m == bench.ITL || m == bench.TPM {
		return "tokens"
	}
	return "requests"
}

// heatTold is the last row: what the chosen cell holds, or without one what the shades stand for or which keys choose one.
func (f *frame) heatTold(legend bool) {
	h := &f.heat
	column, up, ok := h.chosen(f.st)
	if !ok && legend {
		f.heatLegend()
		return
	}
	r := f.start().Blank(1)
	if !ok {
		text := "left right up down choose a cell, enter lists its requests"
		if f.st.Replay != nil {
			// The arrows go about in the recording.
			text = f.st.Keys.Key(action.Earlier) + " " + f.st.Keys.Key(action.Later) + " up down choose a cell, enter lists its requests"
		}
		if f.st.Cursor.OK && h.key.across == OverTime {
			text = "the chosen instant has left the window; left and right bring it back"
		}
		r.Cut(style.Dim, text, r.Left())
		f.end()
		return
	}
	n, all := h.inCell(column, up), h.columns[column].N
	where, values := f.heatWhere(column), h.values(f, up)
	much := count(int(n)) + " of " + count(int(all))
	if need := f.st.Set.Width(where+values+much) + 4; need > r.Left() {
		// The title says what is across, and in which unit.
		where, values = strings.TrimPrefix(where, "prompt "), strings.TrimSuffix(values, " "+laneUnit(h.key.metric))
	}
	r.Put(style.Strong, where+", "+values).Put(style.FG, ": "+much)
	if noun := " " + samples(h.key.metric); len(noun) <= r.Left() {
		r.Put(style.FG, noun)
	}
	if n > 0 && f.Density >= layout.Compact {
		r.Put(style.Dim, ", "+exactShare(n, all)+" of the column")
		if hint := "   enter lists the requests"; f.st.Set.Width(hint) <= r.Left() {
			r.Put(style.Dim, hint)
		}
	}
	f.end()
}

// heatWhere is a column in words: "03:14–03:16", "prompt 256–319 tok", "tokens 40–47".
func (f *frame) heatWhere(column int) string {
	h := &f.heat
	if h.key.across == OverTime {
		from := h.key.span.start(column)
		if h.key.span.width <= time.Second {
			return stamp(from)
		}
		return stamp(from) + "–" + stamp(from+h.key.span.width)
	}
	first, last := h.lengths.First[column], h.lengths.First[column+1]-1
	text := strconv.Itoa(first)
	if last > first {
		text += "–" + strconv.Itoa(last)
	}
	if h.key.across == OverPrompt {
		return "prompt " + text + " tok"
	}
	if last > first {
		return "tokens " + text
	}
	return "token " + text
}

// values are the ends of a row in words: "420–500 ms".
func (h *heat) values(f *frame, up int) string {
	unit := " " + laneUnit(h.key.metric)
	low, high := h.edges[up], h.edges[up+1]
	switch {
	case up == 0:
		return "under " + h.tick(high) + unit
	case up == len(h.edges)-2:
		return h.tick(low) + unit + " and more"
	}
	return h.tick(low) + "–" + h.tick(high) + unit
}

// heatLegend is what the shades mean.
func (f *frame) heatLegend() {
	h := &f.heat
	s := h.shades()
	r := f.start().Blank(1)
	if f.Density >= layout.Compact {
		r.To(f.Label).Put(style.Dim, "few ")
	}
	if s.Legend(r, f.st.Graph) {
		for _, text := range []string{" many: " + samples(h.key.metric) + " in a cell", " " + samples(h.key.metric) + " a cell", " a cell"} {
			if f.st.Set.Width(text) <= r.Left() {
				r.Put(style.Dim, text)
				break
			}
		}
	}
	f.end()
}

// heatAxis is the x axis.
func (f *frame) heatAxis() {
	h := &f.heat
	r := f.start().Blank(f.Label - 1)
	if h.key.across == OverTime {
		f.axis().Cornered(r)
	} else {
		h.lengths.Axis(r, " tokens")
	}
	if f.Density == layout.Small {
		r.Blank(1).Cut(style.FG, h.scope.words, r.Left())
	}
	if f.Density >= layout.Compact {
		end := f.Label + f.Chart + 3 + max(min(f.W-f.Label-f.Chart-3-shareCells-uptoCells-1, longestBar), 0)
		upto := "at most"
		if h.key.metric == bench.TPS {
			upto = "at least"
		}
		r.To(end).Right(style.Dim, "share", shareCells).Right(style.Dim, upto, uptoCells)
	}
	f.end()
}

// heatStats are the percentiles of the scope.
func (f *frame) heatStats() {
	r := f.start().Blank(f.Label - 3)
	f.heatFigures(r, false)
	f.end()
}
