package view

import (
	"time"

	"redline/bench"
)

// ramping is the load to which a profile is on its way, and how long that still takes: what is in force meanwhile is only passed.
func ramping(s *bench.Snapshot) (to bench.Setpoint, left time.Duration, ok bool) {
	p := planned(s)
	if p == nil || p.Held {
		return to, 0, false
	}
	_, i, over := p.Profile.At(p.At)
	stage, begin, ok := p.Profile.Stage(i)
	if over || !ok || stage.From == stage.To {
		return to, 0, false
	}
	return bench.Setpoint{Mode: p.Profile.Mode, N: stage.To}, begin + stage.Span - p.At, true
}

// toward is where a load that moves goes, with the words for it: a hand sets it, a profile is on its way.
func toward(s *bench.Snapshot) (words, load string) {
	if to, _, ok := ramping(s); ok {
		return "on the way to", named(to)
	}
	return "moving to", named(s.Target)
}
