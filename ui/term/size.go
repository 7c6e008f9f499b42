package term

import (
	"os"

	"golang.org/x/term"
)

// The size that is taken when a terminal does not tell its own, which some report as 0 × 0.
const (
	DefaultWidth  = 80
	DefaultHeight = 24
)

// Size is the terminal's width and height in cells, 80 × 24 when it does not tell.
func Size(f *os.File) (width, height int) {
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return DefaultWidth, DefaultHeight
	}
	return Sized(width, height)
}

// Sized is a reported size made usable: 80 × 24 in place of a side that is not above 0.
func Sized(width, height int) (int, int) {
	if width <= 0 {
		width = DefaultWidth
	}
	if height <= 0 {
		height = DefaultHeight
	}
	return width, height
}

// IsTerminal tells whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
