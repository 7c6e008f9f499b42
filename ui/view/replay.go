package view

import (
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// replayGlyph is whether the recording plays.
func (f *frame) replayGlyph() string {
	if f.st.Replay.Playing {
		return f.g.Play
	}
	return f.g.Paused
}

// replayHead begins the first row with where in the recording it stands: "► REPLAY 10× 12:30 / 45:10".
func (f *frame) replayHead(r *style.Row) {
	p := f.st.Replay
	if p == nil {
		return
	}
	r.Blank(1).Put(style.Accent2, f.replayGlyph()).Blank(1).Put(style.Accent2, "REPLAY").Blank(1)
	at, of, gap := stamp(p.At), stamp(p.Length), " / "
	if f.Density < layout.Compact {
		gap = "/"
	}
	// It keeps its width while it plays.
	for n := len(at); n < len(of); n++ {
		at = " " + at
	}
	if f.Density > layout.List && f.st.Set.Width(p.Speed.String()) < 4 {
		r.Put(style.FG, p.Speed.String()).Blank(1)
	}
	r.Put(style.Strong, at).Put(style.Dim, gap+of)
	if f.Density > layout.List {
		r.Blank(1)
	}
}

// headClock is the time at the right of the first row: that of the run, or of the day on which it was recorded.
func (f *frame) headClock() string {
	p := f.st.Replay
	if p == nil {
		return clock(f.live.At)
	}
	when := p.Began.Add(f.live.At)
	if f.Density < layout.Full {
		return when.Format("15:04:05")
	}
	return when.Format("2006-01-02 15:04:05")
}

// replayChips are what has to be known of the recording.
func (f *frame) replayChips() []part {
	p := f.st.Replay
	if p == nil {
		return nil
	}
	var out []part
	switch {
	case p.Damage != "":
		out = append(out, part{style.Bad, f.g.Warn + " DAMAGED"})
	case p.Growing:
		out = append(out, part{style.Accent2, "STILL WRITTEN"})
	case p.Cut:
		out = append(out, part{style.Warn, "CUT OFF"})
	}
	return out
}

// noteMarks adds the notes that were added to the recording to the marks of the time axis.
func (f *frame) noteMarks(marks []chart.AxisMark) []chart.AxisMark {
	for i := range f.s.Events {
		if c, ok := f.noteColumn(&f.s.Events[i]); ok {
			marks = append(marks, chart.AxisMark{Column: c / f.per, Kind: chart.Annotation})
		}
	}
	return marks
}

// markNotes marks them in the LOAD lane, whose columns lose nothing by it.
func (f *frame) markNotes(columns []chart.Column) {
	for i := range f.s.Events {
		if c, ok := f.noteColumn(&f.s.Events[i]); ok && c < len(columns) {
			columns[c].Marker = true
		}
	}
}

// noteColumn is the cell of the lanes that an event stands in, where that is a note which was added, and within the window.
func (f *frame) noteColumn(e *bench.Event) (int, bool) {
	if e.Kind != bench.EventAnnotation {
		return 0, false
	}
	c := f.span.at(e.At)
	return f.span.cell(c), e.At >= 0 && c >= 0 && c < f.span.count
}

// leapt tells whether a recording was gone about in between two folds: what is shown then is another picture, whose scales owe nothing to the last one.
func (f *frame) leapt(was, is fold) bool {
	return f.st.Replay != nil && (is.folded < was.folded || is.folded > was.folded+leap)
}

// leap is more than a recording moves on by itself between two frames, and no more than a key does.
const leap = 4 * time.Second
