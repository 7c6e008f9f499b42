package themes

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// root is what a theme inherits that names no parent.
const root = "ansi"

// required are the tokens that a theme without a parent of its choice must give.
var required = []Token{FG, Accent, Bad}

// finder gives the text and the path of a theme by name.
type finder func(name string) (data []byte, source string, err error)

// resolve reads a theme and its parents and gives every token an ink.
func resolve(name string, find finder) (*Theme, error) {
	out := &sheet{inks: map[Token]Ink{}}
	var names, sources []string
	for next := name; next != ""; {
		data, source, err := find(next)
		if err != nil {
			return nil, err
		}
		names = append(names, next)
		if slices.Contains(sources, source) {
			return nil, fmt.Errorf("%s: inherits: %s goes in a circle", filepath.Base(sources[0]), strings.Join(names, " → "))
		}
		sources = append(sources, source)
		s, err := parse(data, source)
		if err != nil {
			return nil, err
		}
		if s.inherits == "" && source != builtIn+"/"+root+".toml" {
			if err := s.complete(); err != nil {
				return nil, err
			}
			s.inherits = root
		}
		out.under(s)
		next = s.inherits
	}
	if out.name == "" {
		out.name = strings.TrimSuffix(filepath.Base(name), ".toml")
	}
	return out.theme(), nil
}

func (s *sheet) complete() error {
	var errs []error
	for _, t := range required {
		if _, ok := s.inks[t]; !ok {
			errs = append(errs, fmt.Errorf("%s:1: %s: missing, and no theme to inherit it from", filepath.Base(s.source), t))
		}
	}
	return errors.Join(errs...)
}

// under lays a parent below: it fills what is still open.
func (s *sheet) under(parent *sheet) {
	if s.source == "" {
		s.source, s.name = parent.source, parent.name
	}
	if !s.varied {
		s.variant, s.varied = parent.variant, parent.varied
	}
	inks := maps.Clone(parent.inks)
	maps.Copy(inks, s.inks)
	s.inks = inks
	if s.heat == nil {
		s.heat = parent.heat
	}
	s.warnings = append(s.warnings, parent.warnings...)
}

// origins is where a token's ink comes from when no file gives it, in the order in which they are filled.
var origins = []struct{ token, from Token }{
	{Dim, FG}, {Faint, Dim}, {Accent2, Accent}, {Good, Accent}, {Warn, Bad}, {Mark, Dim}, {SelectFG, FG},
	{LaneLoad, Accent2}, {LaneTTFT, Accent}, {LaneITL, Accent}, {LaneTPS, Accent}, {LaneRPM, Accent}, {LaneTPM, Accent},
}

func (s *sheet) theme() *Theme {
	t := &Theme{Name: s.name, Variant: s.variant, Source: s.source, Heat: s.heat, Warnings: s.warnings}
	fg := s.inks[FG]
	for token, ink := range s.inks {
		if !ink.Coloured() && token != BG && token != SelectBG {
			// Attributes alone: the colour is that of plain text.
			ink.True, ink.X256, ink.X16 = fg.True, fg.X256, fg.X16
		}
		t.inks[token] = ink
	}
	for _, o := range origins {
		if _, given := s.inks[o.token]; !given {
			t.inks[o.token] = t.inks[o.from]
		}
	}
	if len(t.Heat) == 0 {
		t.Heat = []Ink{t.inks[Faint], t.inks[Dim], t.inks[Accent2], t.inks[Accent], t.inks[Warn]}
	}
	return t
}
