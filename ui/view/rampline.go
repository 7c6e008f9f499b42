package view

import (
	"redline/bench"
	"redline/ui/layout"
	"redline/ui/style"
)

// pilotParts tell of the ramp or the cruise that has the load, or else what the last of them came to; nil where nothing is to be said.
func (f *frame) pilotParts() []group {
	s := f.live
	if r := onRamp(s); r != nil {
		return f.rampParts(r)
	}
	if c := onCruise(s); c != nil {
		return f.cruiseParts(c)
	}
	r, c := ramped(s), cruised(s)
	if r != nil && c != nil && c.Ended.At > r.Ended.At && f.live.At-c.Ended.At <= leftFor {
		r = nil
	}
	if r != nil {
		if out := f.rampedParts(r); out != nil {
			return out
		}
	}
	if c != nil {
		return f.cruisedParts(c)
	}
	return nil
}

// pilotRule is the rule below the load: who sets it where that is a ramp or a cruise, and what was found, behind its title.
func (f *frame) pilotRule(title string) {
	all := f.pilotParts()
	if len(all) == 0 {
		f.rule(title)
		return
	}
	r := f.start().Glyph(style.Faint, f.g.Rule).Blank(1)
	// At least a bit of the rule is left at the right.
	room := f.W - 5
	if need := f.st.Set.Width(title) + 3; title != "" && f.width(f.groups(all, room-need)) == f.width(f.groups(all, room)) {
		// The title goes before it costs a word of this.
		r.Put(style.Dim, title).Blank(1).Glyph(style.Faint, f.g.Rule).Blank(1)
		room -= need
	}
	for _, p := range f.groups(all, room) {
		r.Put(p.look, p.text)
	}
	r.Blank(1).Fill(style.Faint, f.g.Rule)
	f.end()
}

// pilotBrief is the same in few words, for screens without rules; nil where nothing is to be said, or a rule says it.
func (f *frame) pilotBrief(room int) []part {
	if f.Density >= layout.Compact {
		return nil
	}
	all := f.pilotParts()
	if len(all) == 0 {
		return nil
	}
	out := f.groups(all, room)
	if len(out) > 0 && f.width(all[0].parts) <= room {
		return out
	}
	word, look := "ramp", style.Accent2
	switch s := f.live; {
	case onRamp(s) != nil:
		for _, text := range []string{"RAMP " + onRamp(s).Phase.String(), "RAMP"} {
			if f.st.Set.Width(text) <= room {
				return []part{{look, text}}
			}
		}
	case onCruise(s) != nil:
		if word = "CRUISE " + subject(onCruise(s).Cruise.Threshold); f.st.Set.Width(word) > room {
			word = "CRUISE"
		}
	case ramped(s) != nil && ramped(s).Found != nil && ramped(s).Phase != bench.RampLeft:
		if word, look = "redline "+named(ramped(s).Found.Load), style.Good; ramped(s).Found.AtLeast() {
			word, look = "redline ≥"+named(ramped(s).Found.Load), style.Warn
		}
	case ramped(s) != nil && ramped(s).Phase == bench.RampNone:
		word, look = "redline: none", style.Bad
	default:
		word, look = "let go", style.Warn
	}
	if f.st.Set.Width(word) > room {
		return nil
	}
	return []part{{look, word}}
}
