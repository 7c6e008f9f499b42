package view

import (
	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// openFacts is what becomes of the arrivals of the open loop: those that found no room first.
func (f *frame) openFacts(room int) []group {
	s, t := f.live, f.scope
	var out []group
	if s.Moving.OK {
		words, load := toward(s)
		out = append(out, fact(words, load, style.Strong, 1))
	}
	if pile := f.backlogFact("   ", room); pile != nil {
		out = append(out, group{0, pile})
	} else if sent, offered, ok := f.achieved(); ok {
		look := style.FG
		if t.Tally.Unsent > 0 {
			look = style.Bad
		}
		out = append(out, group{1, []part{{style.Dim, "   sent "}, {look, sent}, {style.Dim, " of " + offered + "/s"}}})
	}
	if n := t.Tally.Unsent; n > 0 {
		out = append(out, fact("unsent", count(n), style.Bad, 0))
	}
	if v := t.Lag.P95; sound(v) && t.Lag.Readiness != bench.Absent {
		look, rank := style.FG, 3
		if v.V > lateSend {
			look, rank = style.Warn, 1
		}
		out = append(out, fact("lag", chart.Num(v)+" ms", look, rank))
	}
	return out
}

// lateSend is the lag of sending, in ms, from which on it can be seen in latencies.
const lateSend = 10

// crowded is the look of the requests in flight: near the bound arrivals will find no room.
func (f *frame) crowded() style.Token {
	switch most := f.s.Run.Max; {
	case most > 0 && f.live.InFlight >= most:
		return style.Bad
	case most > 0 && 10*f.live.InFlight >= 8*most:
		return style.Warn
	}
	return style.FG
}

// achieved is how many of the arrivals a second could be sent.
func (f *frame) achieved() (sent, offered string, ok bool) {
	t := f.scope
	if !sound(t.Offered) || !sound(t.Achieved) {
		return "", "", false
	}
	return chart.Num(t.Achieved), chart.Num(t.Offered), true
}

// openWords is what becomes of arrivals, where there is little room; beside a bar stands how many are in flight.
func (f *frame) openWords(bar bool, room int) []group {
	s := f.live
	var out []group
	if n := f.scope.Tally.Unsent; n > 0 {
		out = append(out, group{0, []part{{style.Bad, "  unsent " + count(n)}}})
	}
	if s.Moving.OK {
		out = append(out, group{2, []part{{style.Strong, "  moving"}}})
	}
	if pile := f.backlogFact("  ", room); pile != nil {
		out = append(out, group{0, pile})
	} else if sent, offered, ok := f.achieved(); ok {
		out = append(out, group{3, []part{{style.Dim, "  sent " + sent + " of " + offered + "/s"}}})
	}
	if bar {
		return out
	}
	return append(out, group{2, []part{{f.crowded(), "  " + count(max(s.InFlight, 0))}, {style.Dim, " in flight"}}})
}
