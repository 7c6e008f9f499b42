package view

import (
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/style"
)

// list draws List: five numbers without lanes.
func (f *frame) list() {
	f.listHead()
	for _, m := range bench.Lanes {
		f.listRow(m)
	}
	if f.Footer == 0 && f.urgent() {
		// Without a footer a question takes the place of the errors.
		f.footer()
		return
	}
	f.listErrors()
	f.log(f.Log)
	if f.Footer > 0 {
		f.footer()
	}
}

func (f *frame) listHead() {
	glyph, word, detail, look := f.stateChip()
	r := f.start()
	if f.st.Replay != nil {
		f.replayHead(r)
		r.Blank(1)
	} else {
		r.Blank(1).Put(look, glyph).Blank(1).Put(strong(look), brief(word)).Blank(1)
	}
	conc := []part{{style.Dim, f.title() + " "}, {f.bigInk(), named(f.live.Target)}}
	if f.st.Replay == nil {
		conc = append(conc, f.bounds()...)
	}
	room := f.W - f.width(conc) - 2 - r.Cells()
	if f.live.State == bench.Running || detail == "" {
		detail = clock(f.live.At)
	}
	ink := style.FG
	if text := silence(f.live); text != "" {
		// The bound and the step have less to say.
		if detail, ink = text, style.Warn; f.st.Set.Width(text) > room {
			conc = conc[:2]
			room = f.W - f.width(conc) - 2 - r.Cells()
		}
	}
	if plan := f.following(room); plan != nil && f.live.State == bench.Running {
		detail, ink = plan[len(plan)-1].text, plan[len(plan)-1].look
	} else if pilot := f.pilotBrief(room); pilot != nil && f.live.State == bench.Running {
		detail, ink = join(pilot), pilot[0].look
	}
	if n := f.scope.Tally.Unsent; f.opened() && n > 0 {
		detail, ink = "unsent "+count(n), style.Bad
	} else if pile := f.backlogFact("", room); pile != nil {
		detail, ink = pile[0].text, pile[0].look
	}
	chips := f.listChips()
	for _, c := range chips {
		detail, ink = c.text, c.look
		for n := 0; n < len(c.shorter) && f.st.Set.Width(detail) > room && c.shorter[n] != ""; n++ {
			detail = c.shorter[n]
		}
		if f.st.Set.Width(detail) > room {
			// What is wrong matters more than the bound and the step.
			conc = conc[:2]
			room = f.W - f.width(conc) - 2 - r.Cells()
		}
	}
	if f.st.Replay != nil && len(chips) == 0 && f.live.State != bench.Running {
		detail, ink = brief(word), look
	}
	r.Cut(ink, detail, room)
	if rec := f.recordingTail(); len(chips) == 0 && rec != nil && f.st.Recording.Wrong == "" && f.width(rec[:2]) < room-f.st.Set.Width(detail) {
		r.Put(rec[0].look, rec[0].text).Put(rec[1].look, rec[1].text)
	}
	f.rightAligned(r, conc)
	f.end()
}

// listChips are the chips, of which there is room for the last: above all that the run is not kept though it should be.
func (f *frame) listChips() []chip {
	out := f.chips()
	if r := f.st.Recording; r.Wrong != "" {
		out = append(out, chip{part{style.Bad, "REC " + f.g.Fail + " " + r.Wrong}, nil})
	}
	return out
}

// brief is a state's word where there is little room.
func brief(word string) string {
	switch word {
	case "RUNNING":
		return "RUN"
	case "DRAINING":
		return "DRAIN"
	case "TARGET DOWN":
		return "DOWN"
	case "WARMING UP":
		return "WARM"
	}
	return word
}

func (f *frame) listRow(m bench.Metric) {
	g := f.figure(m)
	r := f.start()
	f.pointed(r, m, 0).Cell(f.nameInk(m), m.String(), 5)
	f.clickable(Hit{Spot: OnLane, Metric: m})
	unit := ""
	if m == bench.TTFT || m == bench.ITL {
		unit = "ms"
	}
	text := f.nowText(m)
	if text == "–" || strings.HasSuffix(text, "s") {
		unit = ""
	}
	r.Right(f.nowInk(), text+unit, 8)
	t, ok := f.threshold(m)
	if m == bench.RPM || m == bench.TPM {
		if use, look, ok := f.quotaUse(m, r.Left()-2); ok {
			r.Blank(2).Put(look, use)
		} else {
			r.Blank(2).Put(style.Dim, "mean ").Put(g.ink(style.FG), g.text(g.Mean))
		}
		f.end()
		return
	}
	r.Blank(2).Cell(style.Dim, f.key(m).String(), 3)
	f.keyNumber(r, m, g, 7)
	if ok {
		r.Blank(2).Cell(style.Dim, bound(t), 5)
		mark, look := f.verdict(m, g)
		r.Put(look, mark)
	}
	f.end()
}

// listErrors is the error share with the last event behind it.
func (f *frame) listErrors() {
	r := f.start().Put(style.Strong, " ERR ")
	share := f.scope.Counted.ErrorShare()
	v, ok := f.errorVerdict()
	look := style.FG
	if ok = ok && v.Known; ok && sound(share) && v.Threshold.Broken(share.V) {
		look = style.Bad
	}
	r.Put(look, portion(share))
	if ok && v.Broken && look != style.Bad {
		// What breaks the promise are arrivals that were never sent.
		r.Put(style.Dim, ", with unsent ").Put(style.Bad, portion(v.Value)+f.g.Fail)
	}
	for i, c := range f.classes() {
		if i < 2 {
			r.Blank(1).Put(style.Warn, c.outcome.String()+"×"+strconv.Itoa(c.n))
		}
	}
	if e, l, ok := f.newest(); ok && f.Log == 0 && r.Left() > 24 {
		r.Put(style.Dim, "  "+stamp(e.At)+" ").Put(l.look, l.glyph).Blank(1).Cut(style.FG, l.text, r.Left())
	}
	f.end()
}

// line draws Line: everything in one line, most important first; a second row, where there is one, holds what is asked or the keys.
func (f *frame) line() {
	r := f.start().Blank(1)
	s := f.s
	if f.H == 1 && f.urgent() {
		f.bottom(r.Start(f.W))
		f.end()
		return
	}
	if f.st.Replay != nil {
		r.Put(style.Accent2, f.replayGlyph()+"REPLAY ").Put(style.FG, stamp(f.st.Replay.At)).Blank(1)
	}
	if f.live.State != bench.Running {
		glyph, word, _, look := f.stateChip()
		r.Put(look, glyph+brief(word)).Blank(1)
	} else if text := silence(f.live); text != "" {
		r.Put(style.Warn, strings.Replace(text, " for ", " ", 1)).Blank(1)
	}
	if f.st.Recording.Wrong != "" {
		r.Put(style.Bad, f.recordingTail()[1].text).Blank(1)
	}
	load := named(f.live.Target)
	if !f.opened() {
		load = "c" + load
	}
	r.Put(style.Strong, load)
	if onRamp(f.live) != nil {
		r.Put(style.Accent2, " ramp")
	} else if onCruise(f.live) != nil {
		r.Put(style.Accent2, " cruise")
	}
	if n := f.scope.Tally.Unsent; f.opened() && n > 0 {
		r.Put(style.Bad, " unsent "+count(n))
	} else if f.piling {
		r.Put(style.Bad, " backlog")
	}
	for _, m := range []bench.Metric{bench.TTFT, bench.ITL, bench.TPS} {
		look := style.FG
		if mark, bad := f.verdict(m, f.figure(m)); mark == f.g.Fail {
			look = bad
		}
		name, now := " "+lower(m), " "+f.nowText(m)
		if f.st.Set.Width(name+now) > r.Left() {
			break
		}
		r.Put(style.Dim, name).Put(look, now)
	}
	if share := s.Total.Tally.ErrorShare(); sound(share) && r.Left() >= len(" err ")+f.st.Set.Width(portion(share)) {
		r.Put(style.Dim, " err").Put(style.FG, " "+portion(share))
	}
	f.end()
	for y := 1; y < f.H && y < 3; y++ {
		switch {
		case y == f.H-1 || y == 2:
			f.footer()
		default:
			f.listErrors()
		}
	}
}

// lower is a lane's name in small letters.
func lower(m bench.Metric) string { return [...]string{"ttft", "itl", "tps", "rpm", "tpm"}[m%5] }
