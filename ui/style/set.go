// Package style turns a theme and the depth of a terminal into ready control sequences, and writes rows of text with them.
// It owns tokens, glyphs, widths and the row writer; it must not know what is on the screen. All sequences are built once for a
// (theme, profile) pair, so that drawing is nothing but appending bytes.
package style

import (
	"strconv"

	"redline/themes"
)

// Set is a theme made ready for one terminal: immutable, shared by all rows.
type Set struct {
	// Name is the theme's.
	Name    string
	Profile Profile
	Glyphs  *Glyphs

	// change[a][b] turns look a into look b; row NumTokens is a terminal without any look. Equal looks change by nothing,
	// which is what merges runs.
	change [NumTokens + 1][NumTokens]string
	// reset[a] ends look a.
	reset [NumTokens]string
	// solid looks show on blanks (background, reverse, underline); the others may run on under a blank.
	solid   [NumTokens]bool
	painted bool
}

// ink is a look as the numbers between CSI and m.
type ink struct{ attrs, fg, bg string }

// New makes a theme ready. Without colour (Attrs) the attributes of the mono theme stand in for the theme's own, so that nothing
// loses its meaning; with None nothing but text is written.
func New(theme *themes.Theme, profile Profile, glyphs *Glyphs) *Set {
	if profile == Attrs {
		theme = themes.Mono()
	}
	s := &Set{Name: theme.Name, Profile: profile, Glyphs: glyphs}
	if profile == None {
		return s
	}
	s.painted = theme.Painted() && profile >= ANSI16
	var inks [NumTokens]ink
	for t := range inks {
		inks[t] = s.ink(theme, Token(t))
		s.solid[t] = inks[t].bg != "" && !s.painted || inks[t].solid()
	}
	for b, to := range inks {
		for a, from := range inks {
			s.change[a][b] = from.change(to)
		}
		s.change[NumTokens][b] = ink{}.change(to)
		s.reset[b] = to.change(ink{})
	}
	s.solid[Select] = true
	return s
}

// Mono tells whether looks differ by attributes alone, or not at all; glyphs must then carry what colour would.
func (s *Set) Mono() bool { return s.Profile < ANSI16 }

// Start is the sequence that begins a look after a reset. Rows need it not; it serves text that is written elsewhere.
func (s *Set) Start(t Token) string { return s.change[NumTokens][t] }

// Reset is the sequence that ends a look.
func (s *Set) Reset(t Token) string { return s.reset[t] }

func (s *Set) ink(theme *themes.Theme, t Token) ink {
	var look themes.Ink
	ground := theme.Ink(themes.BG)
	switch {
	case t >= Heat:
		look = theme.Heat[int(t-Heat)*(len(theme.Heat)-1)/(HeatSteps-1)]
	default:
		look = theme.Ink(fromTheme[t])
	}
	switch t {
	case Strong, Big:
		look.Bold = true
	case Alert:
		look.Reverse = true
	case Select:
		if bg := theme.Ink(themes.SelectBG); bg.Coloured() {
			ground = bg
		}
	}
	out := ink{fg: colourSGR(s.pick(look), false)}
	if s.painted || t == Select {
		out.bg = colourSGR(s.pick(ground), true)
	}
	for _, a := range []struct {
		on  bool
		sgr string
	}{{look.Bold, ";1"}, {look.Faint, ";2"}, {look.Underline, ";4"}, {look.Reverse, ";7"}} {
		if a.on {
			out.attrs += a.sgr
		}
	}
	return out
}

func (s *Set) pick(i themes.Ink) themes.Colour {
	switch s.Profile {
	case True:
		return i.True
	case ANSI256:
		return i.X256
	case ANSI16:
		return i.X16
	}
	return themes.Colour{}
}

// colourSGR is a colour with a leading semicolon; empty for none and for the terminal's own, which a reset gives.
func colourSGR(c themes.Colour, ground bool) string {
	base, extended := 30, ";38"
	if ground {
		base, extended = 40, ";48"
	}
	switch {
	case c.Kind == themes.Indexed && c.Index < 8:
		return ";" + strconv.Itoa(base+int(c.Index))
	case c.Kind == themes.Indexed && c.Index < 16:
		return ";" + strconv.Itoa(base+60+int(c.Index)-8)
	case c.Kind == themes.Indexed:
		return extended + ";5;" + strconv.Itoa(int(c.Index))
	case c.Kind == themes.Direct:
		return extended + ";2;" + strconv.Itoa(int(c.R)) + ";" + strconv.Itoa(int(c.G)) + ";" + strconv.Itoa(int(c.B))
	}
	return ""
}

// solid tells whether a blank shows the look's attributes.
func (i ink) solid() bool {
	for _, a := range i.attrs {
		if a == '4' || a == '7' {
			return true
		}
	}
	return false
}

// change is the shortest of the plain ways from one look to another: nothing, the colours that differ, or a reset and all of it.
func (i ink) change(to ink) string {
	if i == to {
		return ""
	}
	if i.attrs == "" && (to.fg != "" || i.fg == "") && (to.bg != "" || i.bg == "") {
		codes := to.attrs
		if to.fg != i.fg {
			codes += to.fg
		}
		if to.bg != i.bg {
			codes += to.bg
		}
		return "\x1b[" + codes[1:] + "m"
	}
	if codes := to.attrs + to.fg + to.bg; codes != "" {
		return "\x1b[0" + codes + "m"
	}
	return "\x1b[m"
}
