package themes

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind tells what a Colour is.
type Kind uint8

const (
	// Unset is no colour: whatever is there stays.
	Unset Kind = iota
	// Default is the terminal's own foreground or background.
	Default
	// Indexed is an entry of the terminal's palette, 0 to 255; the first 16 follow the user's own choice.
	Indexed
	// Direct is red, green and blue.
	Direct
)

// Colour is one colour as a terminal can be told of it.
type Colour struct {
	Kind    Kind
	Index   uint8
	R, G, B uint8
}

var ansiNames = [16]string{
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
}

// ansiRGB is what xterm shows for the 16 names. A user's palette may differ, so it serves only to find neighbours and to
// measure contrast.
var ansiRGB = [16][3]uint8{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
}

// ParseColour reads an ANSI name ("bright-cyan"), "default", a palette number 0 to 255, or "#rrggbb".
func ParseColour(s string) (Colour, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	if text == "default" {
		return Colour{Kind: Default}, nil
	}
	for i, name := range ansiNames {
		if text == name || text == strings.Replace(name, "black", "gray", 1) && i == 8 {
			return Colour{Kind: Indexed, Index: uint8(i)}, nil
		}
	}
	if hex, ok := strings.CutPrefix(text, "#"); ok && len(hex) == 6 {
		if v, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return Colour{Kind: Direct, R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v)}, nil
		}
	}
	if n, err := strconv.ParseUint(text, 10, 8); err == nil {
		return Colour{Kind: Indexed, Index: uint8(n)}, nil
	}
	return Colour{}, fmt.Errorf("%q is no colour (want an ANSI name such as bright-cyan, default, 0 to 255, or #rrggbb)", s)
}

// String is the colour in the form that ParseColour reads; empty when unset.
func (c Colour) String() string {
	switch {
	case c.Kind == Default:
		return "default"
	case c.Kind == Indexed && c.Index < 16:
		return ansiNames[c.Index]
	case c.Kind == Indexed:
		return strconv.Itoa(int(c.Index))
	case c.Kind == Direct:
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	return ""
}

// RGB is the colour in red, green and blue, as xterm shows it; not ok when that is the terminal's to say.
func (c Colour) RGB() (r, g, b uint8, ok bool) {
	switch c.Kind {
	case Direct:
		return c.R, c.G, c.B, true
	case Indexed:
		v := paletteRGB(c.Index)
		return v[0], v[1], v[2], true
	}
	return 0, 0, 0, false
}

// paletteRGB is an entry of the 256-colour palette: 16 names, a 6×6×6 cube, 24 greys.
func paletteRGB(n uint8) [3]uint8 {
	level := func(i uint8) uint8 {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	switch {
	case n < 16:
		return ansiRGB[n]
	case n < 232:
		n -= 16
		return [3]uint8{level(n / 36), level(n / 6 % 6), level(n % 6)}
	}
	grey := 8 + 10*(n-232)
	return [3]uint8{grey, grey, grey}
}

// shallower is the nearest colour among palette entries from..to; colours that are already there stay.
func (c Colour) shallower(from, to int) Colour {
	r, g, b, ok := c.RGB()
	if !ok || c.Kind == Indexed && int(c.Index) <= to {
		return c
	}
	best, least := 0, math.MaxFloat64
	for i := from; i <= to; i++ {
		p := paletteRGB(uint8(i))
		// The eye sees green best and blue worst; equal weights turn dull blues into greys.
		dr, dg, db := float64(r)-float64(p[0]), float64(g)-float64(p[1]), float64(b)-float64(p[2])
		if d := 3*dr*dr + 4*dg*dg + 2*db*db; d < least {
			best, least = i, d
		}
	}
	return Colour{Kind: Indexed, Index: uint8(best)}
}

// Contrast is the ratio of two colours' luminance (WCAG 2), 1 to 21; not ok when either is the terminal's to say.
func Contrast(a, b Colour) (ratio float64, ok bool) {
	la, okA := a.luminance()
	lb, okB := b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05), okA && okB
}

func (c Colour) luminance() (float64, bool) {
	r, g, b, ok := c.RGB()
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b), ok
}
