package view

import (
	"time"

	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// scrubbed is the least height of a screen that has a row for the scrubber.
const scrubbed = 8

// Plan divides the screen among what is shown, without the scrubber.
func (st *State) Plan() layout.Plan {
	if st.Replay != nil && st.H >= scrubbed {
		return layout.For(st.W, st.H-1)
	}
	return layout.For(st.W, st.H)
}

// withScrubber draws a recording: the run on one row less, and above its footer the scrubber.
func (v *Screen) withScrubber(s *bench.Snapshot, st *State) []string {
	less := *st
	less.H--
	v.rows(s, &less)
	if len(v.out) == 0 {
		return v.out
	}
	foot := len(v.out) - 1
	for i := range v.targets {
		if v.targets[i].y >= foot {
			v.targets[i].y++
		}
	}
	f := &frame{Screen: v, s: s, live: s, st: st, g: st.Set.Glyphs}
	f.W, f.H = st.W, st.H
	last := v.out[foot]
	v.out = v.out[:foot]
	f.scrubber()
	v.out = append(v.out, last)
	return v.out
}

// place is the cell of a bar at which an instant of the recording stands.
func place(at, length time.Duration, cells int) int {
	if length <= 0 || cells < 1 {
		return 0
	}
	return min(max(int(float64(at)/float64(length)*float64(cells-1)+0.5), 0), cells-1)
}

// scrubber draws the bar of the whole recording: how much of it lies behind, what happened where, and what is wrong with it.
func (f *frame) scrubber() {
	p := f.st.Replay
	r := f.start().Blank(1)
	trouble := p.Damage
	if f.W < 60 {
		trouble = ""
	}
	cells := f.W - 2
	if trouble != "" {
		cells -= min(f.st.Set.Width(trouble)+2, f.W/2)
	}
	if cells < 4 {
		f.end()
		return
	}
	signs, here := f.landmarks(cells), place(p.At, p.Length, cells)
	for i := range cells {
		at := time.Duration(float64(p.Length) * float64(i) / float64(max(cells-1, 1)))
		f.clickableCells(Hit{Spot: OnScrubber, At: at}, 1+i, 2+i)
		switch {
		case i == here:
			r.Glyph(style.Strong, f.g.Target)
		case signs[i].text != "":
			r.Glyph(signs[i].look, signs[i].text)
		case i < here:
			r.Glyph(style.Accent2, f.g.Played)
		default:
			r.Glyph(style.Faint, f.g.Rule)
		}
	}
	if trouble != "" {
		r.Blank(2).Cut(style.Bad, trouble, r.Left()-1)
	}
	f.end()
}

// landmarks are the signs of the bar, by cells. Of several in one cell the one that weighs most stands there: a note, what broke, a load.
func (f *frame) landmarks(cells int) []part {
	out, ranks := make([]part, cells), make([]int, cells)
	p := f.st.Replay
	for i := range p.Landmarks {
		e := &p.Landmarks[i]
		sign, rank := f.landmark(e)
		if c := place(e.At, p.Length, cells); rank > ranks[c] && e.At <= p.Length {
			out[c], ranks[c] = sign, rank
		}
	}
	return out
}

// landmark is the sign of an event on the bar, and how much it weighs; 0 is nothing.
func (f *frame) landmark(e *bench.Event) (part, int) {
	g := f.g
	switch e.Kind {
	case bench.EventAnnotation:
		return part{style.Accent2, g.Annotation}, 6
	case bench.EventNote:
		return part{style.Mark, g.Note}, 5
	case bench.EventDown, bench.EventCancel:
		return part{style.Bad, g.Dead}, 4
	case bench.EventFailure, bench.EventUnsent:
		return part{style.Bad, g.Fail}, 3
	case bench.EventBroken, bench.EventGap, bench.EventBudget:
		return part{style.Warn, g.Warn}, 2
	case bench.EventCommit:
		if e.To.N < e.From.N && e.To.Mode == e.From.Mode {
			return part{style.Mark, g.Down}, 1
		}
		return part{style.Mark, g.Up}, 1
	case bench.EventMode, bench.EventWork, bench.EventTarget, bench.EventClear, bench.EventPromise:
		return part{style.Mark, g.Here}, 1
	}
	return part{}, 0
}
