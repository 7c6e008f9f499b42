package chart

import (
	"fmt"
	"strings"

	"redline/ui/style"
)

// Mode is how lanes, curves and bars are drawn.
type Mode uint8

const (
	// Block draws bars of eighth blocks and curves of dots that every font has, or both in ASCII where the glyphs say so.
	Block Mode = iota
	// Braille draws lanes two columns to a cell, four steps a row, and curves as lines; few fonts draw it well. With ASCII glyphs it is Block.
	Braille
	// Ramp draws in ASCII, whatever letters and lines around it are.
	Ramp
)

var modeNames = [...]string{"block", "braille", "ascii"}

// String is the mode as the flag takes it.
func (m Mode) String() string { return modeNames[m%3] }

// ParseMode reads block, braille or ascii.
func ParseMode(s string) (Mode, error) {
	for i, name := range modeNames {
		if strings.EqualFold(strings.TrimSpace(s), name) {
			return Mode(i), nil
		}
	}
	return Block, fmt.Errorf("graph %q: want block, braille or ascii", s)
}

// PerCell is how many columns make one cell: a lane of that mode takes Width × PerCell columns.
func (m Mode) PerCell(set *style.Set) int {
	if m == Braille && !set.Glyphs.ASCII {
		return 2
	}
	return 1
}

// Glyphs are what is drawn with in that mode.
func (m Mode) Glyphs(set *style.Set) *style.Glyphs {
	if m == Ramp {
		return style.ASCII
	}
	return set.Glyphs
}
