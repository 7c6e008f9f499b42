package view

import (
	"slices"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// cursor is what the time cursor reads: one column of the lanes.
type cursor struct {
	ok     bool
	column int
	// from is the column's first instant, buckets are what came to pass in it; there may be none.
	from    time.Duration
	buckets []*bench.Bucket
}

// oldest is the first column of the span that lies in the run.
func (s span) oldest() int { return max(-s.first, 0) }

// holding is the column of the span that is nearest to an instant; false where the run has none yet.
func (s span) holding(t time.Duration) (int, bool) {
	if s.count < 1 || s.oldest() >= s.count {
		return 0, false
	}
	return min(max(s.at(t), s.oldest()), s.count-1), true
}

// findCursor is the column under the time cursor. One that the window has left behind stays at its left edge.
func (f *frame) findCursor() cursor {
	if !f.st.Cursor.OK || f.Density < layout.Small {
		return cursor{}
	}
	c, ok := f.span.holding(f.st.Cursor.At)
	if !ok {
		return cursor{}
	}
	from := f.span.start(c)
	return cursor{ok: true, column: c, from: from, buckets: within(f.s.Buckets, from, from+f.span.width)}
}

// Turn moves the time cursor by a column of the lanes, as they were drawn last: the first step back begins at the newest column, a step beyond it leaves the
// cursor. It tells whether there are lanes to go about in. In Heat it moves the cell cursor.
func (v *Screen) Turn(st *State, by int) bool {
	if st.View == action.Heat {
		return v.turnHeat(st, by)
	}
	sp := v.drawn
	newest := sp.count - 1
	if sp.count < 1 || sp.oldest() > newest {
		return false
	}
	at, _ := sp.holding(st.Cursor.At)
	switch {
	case !st.Cursor.OK && by > 0:
		return true
	case !st.Cursor.OK:
		at = newest
	default:
		at = max(at+by, sp.oldest())
	}
	if st.Cursor = bench.MarkAt(sp.start(at)); at > newest {
		st.Cursor = bench.Mark{}
	}
	return true
}

// Reach is the least window that holds an instant of the run; 0 is the whole run. The window in force stays where it does.
func (st *State) Reach(now, at time.Duration) time.Duration {
	if st.Window == 0 || at > now-st.Window {
		return st.Window
	}
	for _, w := range Windows {
		// The oldest column may be cut, or merged away.
		if at > now-w+w/12 {
			return w
		}
	}
	return 0
}

// cursorHead says where the cursor stands: "at 03:14, 58 s ago, load 48".
func (f *frame) cursorHead(r *style.Row, room int) {
	at, ago := stamp(f.cursor.from), length(f.live.At-f.cursor.from)+" ago"
	if f.live == f.s && resting(f.s) {
		ago = length(f.edge-f.cursor.from) + " before the " + map[bool]string{true: "pause", false: "end"}[f.s.State == bench.Paused]
	}
	load := ""
	if b := f.cursor.buckets; len(b) > 0 {
		load = ", load " + named(b[len(b)-1].Target)
	}
	text := at
	for _, t := range []string{"at " + at + ", " + ago + load, at + ", " + ago + load, at + load, "at " + at + ", " + ago} {
		if f.st.Set.Width(t) <= room {
			text = t
			break
		}
	}
	r.Put(style.Select, text)
}

// cursorLevel says which level the cursor's column belongs to: "level 48 from 03:14 to 03:50, ready, n 224".
func (f *frame) cursorLevel(r *style.Row, room int) {
	b := f.cursor.buckets
	if len(b) == 0 {
		r.Put(style.Dim, "nothing measured")
		return
	}
	last := b[len(b)-1]
	var parts []ranked
	if last.Active == 0 {
		parts = append(parts, ranked{part{style.Warn, "not sending, "}, 1})
	}
	for _, l := range f.s.Levels {
		if l.ID != last.Level {
			continue
		}
		parts = append(parts, ranked{part{style.Dim, "level " + f.levelName(l)}, 0}, ranked{part{style.Dim, " from " + stamp(max(l.Begin, 0))}, 1})
		if l.Ended.OK {
			parts = append(parts, ranked{part{style.Dim, " to " + stamp(l.Ended.At)}, 3})
		}
		parts = append(parts, ranked{part{style.Dim, ", " + l.State.String()}, 2})
		if n := l.Stats[bench.TTFT].N; n > 0 {
			parts = append(parts, ranked{part{style.Dim, ", n " + count(n)}, 4})
		}
		for _, p := range f.fitting(parts, room) {
			r.Put(p.look, p.text)
		}
		return
	}
	parts = append(parts, ranked{part{style.Dim, "of no level that is kept"}, 0})
	for _, p := range f.fitting(parts, room) {
		r.Put(p.look, p.text)
	}
}

// reading is one number of the cursor's column.
type reading struct {
	name, text string
	look       style.Token
	// mark is the verdict on it, if a promise is about it.
	mark     string
	markLook style.Token
}

// readPercentiles are those that the cursor reads of a lane that has a distribution.
func readPercentiles(m bench.Metric) [3]bench.Percentile {
	if m == bench.TPS {
		return [3]bench.Percentile{bench.Mean, bench.P5, bench.P1}
	}
	return [3]bench.Percentile{bench.P50, bench.P95, bench.P99}
}

// read is a lane's number in the cursor's column, of its own samples alone, whatever those before it lend to the plot. Where samples are too few for a high percentile it is the greatest, and says so.
func (f *frame) read(m bench.Metric, p bench.Percentile) reading {
	c := measure(m, p, f.cursor.buckets, f.s.PerEvent)
	out := reading{name: p.String(), text: "–", look: style.FG}
	v := bench.Value{V: c.v, OK: c.ok}
	if !sound(v) {
		return out
	}
	if c.greatest {
		out.name = bench.Max.String()
	}
	out.text = inUnits(m, v)
	switch {
	case (m == bench.RPM || m == bench.TPM) && f.span.width < time.Minute, m == bench.ITL && f.chunky():
		out.text = "≈" + out.text
	case c.few:
		out.text = "~" + out.text
	case p == bench.P5 || p == bench.P1:
		out.text = "≥" + out.text
	}
	if t, ok := f.threshold(m); ok && !t.Quota() && t.At == p {
		if out.look = style.Strong; t.Broken(c.v) {
			out.look, out.mark, out.markLook = style.Bad, f.g.Fail, style.Bad
		} else if !c.few {
			out.mark, out.markLook = f.g.OK, style.Good
		}
	}
	return out
}

// readings are at most so many numbers of a lane that has a distribution. A greatest that stands for two percentiles is said once.
func (f *frame) readings(m bench.Metric, most int) []reading {
	ps := readPercentiles(m)
	if key := f.key(m); most < len(ps) && key != ps[0] {
		ps[1] = key
	}
	out := make([]reading, 0, len(ps))
	greatest := false
	for _, p := range ps[:min(most, len(ps))] {
		v := f.read(m, p)
		if v.name == bench.Max.String() && greatest {
			v = reading{name: p.String(), text: "–", look: style.FG}
		}
		greatest = greatest || v.name == bench.Max.String()
		out = append(out, v)
	}
	return out
}

// cursorNumbers are a lane's numbers in the cursor's column, in so many slots of so many cells.
func (f *frame) cursorNumbers(r *style.Row, m bench.Metric, slots, cells int) {
	if m == bench.RPM || m == bench.TPM {
		v := f.read(m, bench.Mean)
		r.Put(style.Strong, v.text).Put(style.Dim, " "+laneUnit(m))
		if c := measure(m, bench.Mean, f.cursor.buckets, f.s.PerEvent); m == bench.RPM && c.ok {
			r.Put(style.Dim, ", "+chart.Num(bench.Some(c.v/60))+" req/s")
		}
		return
	}
	all, cells := f.roomy(m, slots, cells)
	for _, v := range all {
		end := r.Cells() + cells
		r.Put(style.Dim, v.name+" ").Put(v.look, v.text)
		if w := f.st.Set.Width(v.mark); w > 0 && r.Cells()+w < end {
			if r.Cells()+w+1 < end {
				r.Blank(1)
			}
			r.Put(v.markLook, v.mark)
		}
		r.To(end)
	}
}

// roomy are as many readings, at most slots, as stand apart in slots of so many cells, and how many cells each of them has then.
func (f *frame) roomy(m bench.Metric, slots, cells int) ([]reading, int) {
	for n := slots; ; n-- {
		all, each := f.readings(m, n), slots*cells/n
		touching := slices.ContainsFunc(all[:max(len(all)-1, 0)], func(v reading) bool { return f.st.Set.Width(v.name+" "+v.text) >= each })
		if !touching || n <= 1 {
			return all, each
		}
	}
}

// cursorRemark is line y (from 1) beside a lane while the cursor reads it.
func (f *frame) cursorRemark(r *style.Row, m bench.Metric, y int) {
	switch y {
	case 1:
		f.cursorFacts(r, m, f.beside(r))
	case 2:
		var parts []ranked
		gap := ""
		if t, ok := f.threshold(m); ok && !t.Quota() {
			parts, gap = append(parts, ranked{part{style.Dim, "SLO " + t.At.String() + " " + inWords(t)}, 0}), " · "
		}
		if c := f.series.one(f.s, m, f.percentile(m), f.span, f.cursor.column); c.reach > f.span.width {
			parts = append(parts, ranked{part{style.Dim, gap + "drawn of the last " + limitLength(c.reach)}, 1})
		}
		for _, p := range f.fitting(parts, f.beside(r)) {
			r.Put(p.look, p.text)
		}
	}
}

// cursorFacts is what else was counted in the cursor's column.
func (f *frame) cursorFacts(r *style.Row, m bench.Metric, room int) {
	if len(f.cursor.buckets) == 0 {
		return
	}
	var all bench.Facts
	var active time.Duration
	firsts, tokens, streams := 0, 0, 0
	for _, b := range f.cursor.buckets {
		counters := b.Facts
		counters.DropSketches()
		all.Add(&counters)
		active += b.Active
		firsts, tokens, streams = firsts+int(b.TTFT.N), tokens+int(b.ITL.N), streams+int(b.TPS.N)
	}
	var parts []ranked
	say := func(rank int, look style.Token, text string) { parts = append(parts, ranked{part{look, text}, rank}) }
	switch m {
	case bench.TTFT:
		say(0, style.Dim, plural(firsts, "first token"))
		say(1, style.Dim, " in "+limitLength(f.span.width))
	case bench.ITL:
		look := style.Dim
		if all.Stalls > 0 {
			look = style.Warn
		}
		say(0, style.Dim, plural(tokens, "token")+" · ")
		say(0, look, plural(all.Stalls, "stall"))
		say(1, look, " over "+limitLength(f.s.Run.Stall))
	case bench.TPS:
		say(0, style.Dim, plural(streams, "stream"))
		if active > 0 {
			say(0, style.Dim, " · ")
			say(0, style.FG, chart.Num(bench.Some(float64(all.Out)/active.Seconds())))
			say(0, style.Dim, " tok/s out")
			say(1, style.Dim, ", of all")
		}
	case bench.RPM:
		t := all.Tally()
		say(0, style.Dim, count(t.OK)+" ok")
		if t.Failed > 0 {
			say(0, style.Bad, " "+count(t.Failed)+" failed")
		}
		if t.Limited > 0 {
			say(0, style.Warn, " 429×"+count(t.Limited))
		}
		if t.Unsent > 0 {
			say(0, style.Bad, " "+count(t.Unsent)+" unsent")
		}
		say(1, style.Dim, ", "+count(t.Sent)+" sent")
	case bench.TPM:
		if active > 0 {
			say(0, style.Dim, "in "+chart.Num(bench.Some(float64(max(all.In, 0))/active.Minutes()))+", out "+chart.Num(bench.Some(float64(max(all.Out, 0))/active.Minutes())))
			say(1, style.Dim, " per min")
		}
	}
	for _, p := range f.fitting(parts, room) {
		r.Put(p.look, p.text)
	}
}
