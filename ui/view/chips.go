package view

import (
	"strings"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/layout"
	"redline/ui/style"
)

// chip is a condition of the view or of this machine in the first row: its words, and shorter ones for where there is less room. The last of them may be
// empty: then it is left out rather than cut.
type chip struct {
	part
	shorter []string
}

// chips is what stands behind the state, from what gives way last to what does first.
func (f *frame) chips() []chip {
	var out []chip
	add := func(look style.Token, text string, shorter ...string) {
		out = append(out, chip{part{look, text}, shorter})
	}
	if text := f.whichTarget(); text != "" {
		brief, _, _ := strings.Cut(text, ", ")
		add(style.Accent2, text, brief)
	}
	if f.st.Private {
		add(style.Accent2, "PRIVATE")
	}
	for _, p := range f.replayChips() {
		add(p.look, p.text)
	}
	if f.st.Frozen {
		add(style.Accent2, "FROZEN "+length(f.st.FrozenFor)+", load live")
	}
	if f.st.Locked {
		add(style.Warn, "LOCKED")
	}
	if c, ok := f.racing(); ok && (f.st.View == action.Live || f.st.View == action.Curve) {
		out = append(out, c)
	} else if g := f.ghost(); g != nil && f.st.View == action.Live && f.Density >= layout.Small {
		add(style.Accent2, "ghost: "+f.ghostName(g), "ghost: "+f.levelName(g), "")
	}
	if strain, why := f.strain(); strain != bench.Unstrained {
		text, brief, look := "! CLIENT BUSY", "! BUSY", style.Warn
		if strain == bench.Saturated {
			text, brief, look = "! CLIENT SATURATED", "! SATURATED", style.Bad
		}
		if why == "" {
			add(look, text, brief)
		} else {
			add(look, text+" "+why, text, brief)
		}
	}
	return out
}

// fittingChips are the chips as they find room in so many cells, with two blanks before each. The last that has shorter words gives way first, by a form at
// a time; what has no room in its shortest form is cut where the row ends. Fits is false where that is so.
func (f *frame) fittingChips(room int) (out []part, fits bool) {
	all := f.chips()
	cells := func() int {
		n := 0
		for _, c := range all {
			if c.text != "" {
				n += f.st.Set.Width(c.text) + 2
			}
		}
		return n
	}
	for cells() > room {
		last := len(all) - 1
		for last >= 0 && len(all[last].shorter) == 0 {
			last--
		}
		if last < 0 {
			break
		}
		// Of two that can give way, words which explain go before those which name.
		for i := last - 1; i >= 0; i-- {
			if len(all[i].shorter) > len(all[last].shorter) {
				last = i
			}
		}
		c := &all[last]
		c.text, c.shorter = c.shorter[0], c.shorter[1:]
	}
	for _, c := range all {
		if c.text != "" {
			out = append(out, c.part)
		}
	}
	return out, cells() <= room
}
