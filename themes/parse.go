package themes

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxBytes is more than any theme needs; a larger file is not a theme.
const maxBytes = 64 << 10

// sheet is one file as written: what it says itself, before its parent is asked.
type sheet struct {
	name, inherits string
	variant        Variant
	varied         bool
	source         string
	inks           map[Token]Ink
	heat           []Ink
	warnings       []string
}

// parse reads one theme file. Errors name file, line and key; keys that mean nothing are warnings.
func parse(data []byte, source string) (*sheet, error) {
	file := filepath.Base(source)
	if len(data) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes is too large for a theme", file, len(data))
	}
	// The decoder finds what the plain parser lets pass (a key given twice, a table over a value).
	if err := toml.Unmarshal(data, &map[string]any{}); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, _ := at.Position()
			return nil, fmt.Errorf("%s:%d: %s", file, row, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s := &sheet{source: source, inks: map[Token]Ink{}}
	p := &unstable.Parser{}
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = dotted(n.Key()) + "."
		case unstable.KeyValue:
			if err := s.entry(p, table, n); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, line(p, n), err)
			}
		}
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func dotted(it unstable.Iterator) string {
	var parts []string
	for it.Next() {
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, ".")
}

// line is where a key stands, from 1.
func line(p *unstable.Parser, n *unstable.Node) int {
	if it := n.Key(); it.Next() {
		return p.Shape(it.Node().Raw).Start.Line
	}
	return 1
}

func (s *sheet) entry(p *unstable.Parser, table string, n *unstable.Node) error {
	key, value := table+dotted(n.Key()), n.Value()
	switch key {
	case "name":
		return text(key, value, &s.name)
	case "inherits":
		return text(key, value, &s.inherits)
	case "variant":
		var v string
		if err := text(key, value, &v); err != nil {
			return err
		}
		for _, known := range []Variant{Any, Dark, Light} {
			if v == known.String() {
				s.variant, s.varied = known, true
				return nil
			}
		}
		return fmt.Errorf("variant: %q is none of dark, light, any", v)
	case "heat":
		return s.ramp(value)
	}
	if t, ok := tokenNamed(key); ok {
		ink, err := readInk(value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		s.inks[t] = ink
		return nil
	}
	s.warnings = append(s.warnings, fmt.Sprintf("%s:%d: %s: unknown key", filepath.Base(s.source), line(p, n), key))
	return nil
}

func text(key string, n *unstable.Node, into *string) error {
	if n.Kind != unstable.String {
		return fmt.Errorf("%s: want text in quotes", key)
	}
	*into = string(n.Data)
	return nil
}

func (s *sheet) ramp(n *unstable.Node) error {
	if n.Kind != unstable.Array {
		return errors.New("heat: want a list of colours")
	}
	for it := n.Children(); it.Next(); {
		ink, err := readInk(it.Node())
		if err != nil {
			return fmt.Errorf("heat: %w", err)
		}
		s.heat = append(s.heat, ink)
	}
	if len(s.heat) < 2 || len(s.heat) > 32 {
		return fmt.Errorf("heat: %d colours, want 2 to 32", len(s.heat))
	}
	return nil
}

// readInk reads a colour, or a table of true, x256, x16 and attributes. Depths that are not given follow from those that are.
func readInk(n *unstable.Node) (Ink, error) {
	var ink Ink
	if n.Kind != unstable.InlineTable {
		c, err := readColour(n)
		return Ink{True: c}.complete(), err
	}
	for it := n.Children(); it.Next(); {
		part := it.Node()
		key := dotted(part.Key())
		if err := ink.set(key, part.Value()); err != nil {
			return Ink{}, fmt.Errorf("%s: %w", key, err)
		}
	}
	return ink.complete(), nil
}

func (i *Ink) set(key string, n *unstable.Node) (err error) {
	flags := map[string]*bool{"bold": &i.Bold, "faint": &i.Faint, "underline": &i.Underline, "reverse": &i.Reverse}
	if flag, ok := flags[key]; ok {
		if n.Kind != unstable.Bool {
			return errors.New("want true or false")
		}
		*flag = string(n.Data) == "true"
		return nil
	}
	switch key {
	case "true":
		i.True, err = readColour(n)
	case "x256":
		if i.X256, err = readColour(n); err == nil && i.X256.Kind == Direct {
			err = errors.New("want 0 to 255 or an ANSI name")
		}
	case "x16":
		if i.X16, err = readColour(n); err == nil && (i.X16.Kind == Direct || i.X16.Index > 15) {
			err = errors.New("want 0 to 15 or an ANSI name")
		}
	default:
		err = errors.New("unknown part (want true, x256, x16, bold, faint, underline, reverse)")
	}
	return err
}

func readColour(n *unstable.Node) (Colour, error) {
	if n.Kind != unstable.String && n.Kind != unstable.Integer {
		return Colour{}, errors.New("want a colour: an ANSI name, 0 to 255, or #rrggbb")
	}
	return ParseColour(string(n.Data))
}

// complete fills the depths that are not given: the deeper as it is, the shallower by the nearest.
func (i Ink) complete() Ink {
	if i.X256.Kind == Unset {
		if i.True.Kind != Unset {
			i.X256 = i.True.shallower(16, 255)
		} else {
			i.X256 = i.X16
		}
	}
	if i.True.Kind == Unset {
		i.True = i.X256
	}
	if i.X16.Kind == Unset {
		i.X16 = i.X256.shallower(0, 15)
	}
	return i
}
