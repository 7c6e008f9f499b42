package view

import (
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
)

// planned is the profile that has the load, or waits to get it back; nil without one, and when it is over.
func planned(s *bench.Snapshot) *bench.Following {
	p := s.Following
	if p == nil || p.Profile == nil || p.Over || len(p.Profile.Stages) == 0 || s.State == bench.Done {
		return nil
	}
	return p
}

// following tells who has the load where that is a profile, and what comes next, in the longest words that fit; nil without one.
func (f *frame) following(room int) []part {
	p := planned(f.live)
	if p == nil {
		return nil
	}
	key := f.st.Keys.Key(action.Ramp)
	forms, look := []string{"profile held by hand, " + key + " hands back", "profile held, " + key + " hands back", "profile held"}, style.Warn
	if !p.Held {
		forms, look = f.stage(p), style.Accent2
	}
	for _, text := range forms {
		if f.st.Set.Width(text) <= room {
			return []part{{look, text}}
		}
	}
	return nil
}

// stage is where a profile stands, in ever fewer words: "profile 3 of 5, 16 until 00:40, then 4".
func (f *frame) stage(p *bench.Following) []string {
	_, i, over := p.Profile.At(p.At)
	s, begin, ok := p.Profile.Stage(i)
	if over || !ok {
		return []string{"profile is over"}
	}
	end := stamp(f.live.At + begin + s.Span - p.At)
	all := slots(float64(len(p.Profile.Stages)))
	at := "profile " + slots(float64(i+1)) + " of " + all
	load := stageLoad(p.Profile.Mode, s)
	then := ", then ends"
	if next, _, ok := p.Profile.Stage(i + 1); ok {
		if then = ", then "; next.From != next.To {
			then += "to "
		}
		then += named(bench.Setpoint{Mode: p.Profile.Mode, N: next.To})
	}
	return []string{at + ", " + load + " until " + end + then, at + ", " + load + " until " + end, "profile " + load + " until " + end, load + " until " + end, "to " + end}
}

// stageLoad is the load of a stage: "16", "4 → 16".
func stageLoad(mode bench.Mode, s bench.Stage) string {
	from, to := bench.Setpoint{Mode: mode, N: s.From}, bench.Setpoint{Mode: mode, N: s.To}
	if s.From == s.To {
		return named(to)
	}
	return moves(from, to)
}

// aheadShare is the part of a plot that shows what is to come while a profile is followed: one in so many columns; leastAhead the plot that
// has columns to spare.
const (
	aheadShare = 5
	leastAhead = 24
)

// aheadCells is how many columns of a plot are left for what is to come.
func aheadCells(s *bench.Snapshot, chart int) int {
	if chart < leastAhead || planned(s) == nil {
		return 0
	}
	return chart / aheadShare
}

// cellTime is the time that one cell of the lanes stands for.
func (f *frame) cellTime() time.Duration { return f.span.width / time.Duration(f.span.repeat) }

// ahead is the instant of the profile that a cell to come shows, from 0 on: its middle. A profile that is held, or paused, goes on from where it is, whenever it may.
func (f *frame) aheadAt(p *bench.Following, cell int) time.Duration {
	now := f.span.start(f.span.count)
	if p.Held || resting(f.s) {
		now = f.s.At
	}
	return p.At + now - f.s.At + time.Duration(cell)*f.cellTime() + f.cellTime()/2
}

// planAhead adds what the profile will set to the columns of the LOAD lane.
func (f *frame) planAhead(columns []chart.Column, tops [2]float64) []chart.Column {
	p := planned(f.s)
	if p == nil || f.ahead < 1 {
		return columns
	}
	free, last := 0, -1
	if _, i, over := p.Profile.At(p.At); !over {
		last = i
	}
	for cell := range f.ahead * f.per {
		n, stage, over := p.Profile.At(f.aheadAt(p, cell))
		c := chart.Column{V: n / tops[p.Profile.Mode&1], OK: !over, Ahead: true}
		if s, _, ok := p.Profile.Stage(stage); ok && !over && stage != last && s.From == s.To && cell >= free {
			// A ramp has no one load; and a label that would run into the next would be another number.
			c.Label, last = named(bench.Setpoint{Mode: p.Profile.Mode, N: s.To}), stage
			free = cell + (len(c.Label)+1)*f.per
		}
		columns = append(columns, c)
	}
	return columns
}

// marksAhead adds where the stages begin that are to come.
func (f *frame) marksAhead(marks []chart.AxisMark) []chart.AxisMark {
	p := planned(f.s)
	if p == nil {
		return marks
	}
	was, last, over := p.Profile.At(p.At)
	for cell := 0; cell < f.ahead*f.per && !over; cell++ {
		var n float64
		var stage int
		if n, stage, over = p.Profile.At(f.aheadAt(p, cell)); stage == last || over {
			was = n
			continue
		}
		kind := chart.Note
		switch s, _, _ := p.Profile.Stage(stage); {
		case s.To > was:
			kind = chart.Up
		case s.To < was:
			kind = chart.Down
		}
		marks = append(marks, chart.AxisMark{Column: f.Chart - f.ahead + cell/f.per, Kind: kind, Ahead: true})
		was, last = n, stage
	}
	return marks
}
