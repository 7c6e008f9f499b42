package view

import (
	"strings"

	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// rivals are the targets of the run that is shown, nil where there is one.
func (f *frame) rivals() *bench.Rivals {
	if r := f.s.Rivals; r != nil && len(r.Of) == len(r.Names) && r.Shown >= 0 && r.Shown < len(r.Of) && len(r.Of) > 1 {
		return r
	}
	return nil
}

// paired tells whether two targets are shown side by side: both are driven.
func (f *frame) paired() bool {
	r := f.rivals()
	return r != nil && r.Both && len(r.Of) == 2 && r.Of[0] != nil && r.Of[1] != nil && r.Of[0].Run != nil && r.Of[1].Run != nil && f.Density > layout.Line
}

// targetName is a target's letter with its name, where the name says more than the host that stands beside it, and is not hidden.
func targetName(r *bench.Rivals, i int, host string) string {
	if name := r.Names[i]; name != "" && name != bench.Hidden && name != host {
		return bench.Letter(i) + " " + name
	}
	return bench.Letter(i)
}

// whichTarget says which of several targets is driven, and shown; in a recording that may be another.
func (f *frame) whichTarget() string {
	r := f.live.Rivals
	if r == nil || r.Shown < 0 || r.Shown >= len(r.Names) {
		return ""
	}
	if p := f.st.Replay; p != nil && p.Watched {
		return bench.Letter(r.Shown) + " shown"
	}
	if r.Both {
		var letters []string
		for i := range r.Names {
			letters = append(letters, bench.Letter(i))
		}
		return strings.Join(letters, "+") + ", " + bench.Letter(r.Shown) + " leads"
	}
	host := ""
	if f.live.Run != nil {
		host = f.live.Run.Host
	}
	text := targetName(r, r.Shown, host)
	if f.Density <= layout.Small {
		text = bench.Letter(r.Shown)
	}
	return text + " driven"
}

// of is the frame as it would be of one of the two targets: its numbers, and its verdicts.
func (f *frame) of(i int) *frame {
	out := *f
	out.s = f.s.Rivals.Of[i]
	out.live, out.level = out.s, out.s.Level()
	if out.scope = &nothing; out.level != nil {
		out.scope = &out.level.Summary
	}
	return &out
}

// pair draws Live while two targets are driven: the load, the lanes of both side by side on the same scales, and how their numbers differ.
func (f *frame) pair() {
	switch f.Density {
	case layout.List:
		f.listHead()
	case layout.Small:
		f.headLine()
		f.smallLoad()
	case layout.Compact:
		f.headLine()
		f.loadLine()
		if len(f.pilotParts()) > 0 {
			f.pilotRule("")
		}
	default:
		f.headLine()
		f.rule("")
		f.loadRows()
		f.pilotRule("")
	}
	f.findPairs()
	rows := f.H - len(f.out) - 1
	if f.Density >= layout.Full {
		rows -= 2 // the heading of the events, and the line over the keys
	}
	if f.Density <= layout.Small {
		f.pairNumbers(rows)
	} else {
		f.pairLanes(rows)
	}
	foot := 1
	if f.Density >= layout.Full {
		foot = 2
		f.eventsRule()
	}
	f.log(max(f.H-len(f.out)-foot, 0))
	if f.Density >= layout.Full {
		f.rule("")
	}
	if len(f.out) < f.H {
		f.footer()
	}
}

// pairTitle is what stands over the lanes of a target: its letter and name, its model, and its state where that is not that it runs.
func (f *frame) pairTitle(r *style.Row, i, cells int) {
	rivals, s := f.s.Rivals, f.s.Rivals.Of[i]
	end := r.Cells() + cells
	r.Cut(style.Strong, targetName(rivals, i, ""), cells)
	if s.State != bench.Running {
		glyph, word, detail, look := f.of(i).stateChip()
		r.Cut(look, "  "+glyph+" "+brief(word)+"  "+detail, end-r.Cells())
	} else if left := end - r.Cells() - 3; left >= 6 && s.Run.Model != rivals.Of[1-i].Run.Model {
		r.Put(style.Dim, " · ").Middle(style.Dim, s.Run.Model, left)
	}
	r.To(end)
}
