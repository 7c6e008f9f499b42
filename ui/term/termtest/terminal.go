// Package termtest is a terminal for tests: it obeys the few sequences that reach one from here, and shows what would stand on its screen. It draws wide
// characters as terminals do, and takes anything that it does not know for a fault.
package termtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Terminal is a screen of cells. It is not safe for concurrent use.
type Terminal struct {
	w, h   int
	cells  [][]string
	x, y   int
	rest   []byte
	faults []string
	// Bells counts BEL, Titles are the titles of the window, the newest last.
	Bells  int
	Titles []string
	// Alternate tells whether the alternate screen is on.
	Alternate bool
}

// New is an empty terminal.
func New(w, h int) *Terminal {
	t := &Terminal{}
	t.Resize(w, h)
	return t
}

// Resize changes the size; what fits stays, as in a terminal that does not wrap anew.
func (t *Terminal) Resize(w, h int) {
	cells := make([][]string, h)
	for y := range cells {
		cells[y] = make([]string, w)
		for x := range cells[y] {
			cells[y][x] = " "
			if y < t.h && x < t.w {
				cells[y][x] = t.cells[y][x]
			}
		}
	}
	t.w, t.h, t.cells = w, h, cells
	t.x, t.y = min(t.x, max(w-1, 0)), min(t.y, max(h-1, 0))
}

// Rows are what stands on the screen, without the blanks at the ends.
func (t *Terminal) Rows() []string {
	out := make([]string, t.h)
	for y, row := range t.cells {
		out[y] = strings.TrimRight(strings.Join(row, ""), " ")
	}
	return out
}

// Faults are sequences and characters that must not reach a terminal, and rows that ran over its edge.
func (t *Terminal) Faults() []string { return t.faults }

var (
	csi = regexp.MustCompile(`^\x1b\[([?>=]?)([0-9;]*)([@-~])`)
	osc = regexp.MustCompile(`^\x1b\]([0-9]+);([^\x07\x1b]*)(\x07|\x1b\\)`)
	// half is a sequence of which the end is still to come.
	half = regexp.MustCompile(`^\x1b(\[[?>=]?[0-9;]*|\][^\x07\x1b]*\x1b?)?$`)
)

// Write shows what a program writes.
func (t *Terminal) Write(p []byte) (int, error) {
	text := append(t.rest, p...)
	t.rest = nil
	for len(text) > 0 {
		switch {
		case half.Match(text) || !utf8.FullRune(text):
			t.rest = append([]byte(nil), text...)
			return len(p), nil
		case text[0] == '\x1b':
			text = text[t.obey(text):]
		case text[0] < ' ' || text[0] == 0x7f:
			t.control(text[0])
			text = text[1:]
		default:
			end := strings.IndexFunc(string(text), func(r rune) bool { return r < ' ' || r == 0x7f })
			if end < 0 {
				// The last character may still lack its end.
				if end = len(text); end > 3 {
					end -= 3
				}
				for end < len(text) && (!utf8.RuneStart(text[end]) || utf8.FullRune(text[end:])) {
					end++
				}
			}
			t.print(string(text[:end]))
			text = text[end:]
		}
	}
	return len(p), nil
}

func (t *Terminal) control(c byte) {
	switch c {
	case '\r':
		t.x = 0
	case '\n':
		if t.y == t.h-1 {
			t.fault("the screen scrolls")
		}
		t.y = min(t.y+1, t.h-1)
	case '\a':
		t.Bells++
	default:
		t.fault(fmt.Sprintf("control %#x", c))
	}
}

func (t *Terminal) fault(what string) {
	if len(t.faults) < 20 {
		t.faults = append(t.faults, fmt.Sprintf("%s at %d,%d of %d×%d", what, t.x, t.y, t.w, t.h))
	}
}

// obey carries a sequence out and tells its length.
func (t *Terminal) obey(text []byte) int {
	if m := osc.FindSubmatch(text); m != nil {
		t.Titles = append(t.Titles, string(m[2]))
		return len(m[0])
	}
	m := csi.FindSubmatch(text)
	if m == nil {
		t.fault(fmt.Sprintf("sequence %q", text[:min(len(text), 8)]))
		return 1
	}
	args := strings.Split(string(m[2]), ";")
	n := func(i, absent int) int {
		if i < len(args) {
			if v, err := strconv.Atoi(args[i]); err == nil && v > 0 {
				return v
			}
		}
		return absent
	}
	switch string(m[1]) + string(m[3]) {
	case "H":
		t.y, t.x = min(n(0, 1), t.h)-1, min(n(1, 1), t.w)-1
	case "K":
		t.erase(t.y, map[int]int{0: t.x, 2: 0}[n(0, 0)])
	case "J":
		from := t.y + 1
		if n(0, 0) == 2 {
			from = 0
		} else {
			t.erase(t.y, t.x)
		}
		for y := from; y < t.h; y++ {
			t.erase(y, 0)
		}
	case "?h", "?l":
		if n(0, 0) == 1049 {
			t.Alternate = m[3][0] == 'h'
		}
	case "h", "l":
		if n(0, 0) != 8 {
			t.fault(fmt.Sprintf("mode %q", m[0]))
		}
	case "m", "?s", "?r", "t":
	default:
		t.fault(fmt.Sprintf("sequence %q", m[0]))
	}
	return len(m[0])
}

func (t *Terminal) erase(y, from int) {
	for x := from; y >= 0 && y < t.h && x >= 0 && x < t.w; x++ {
		t.cells[y][x] = " "
	}
}

// print puts characters into cells; one that ends behind the edge is a fault.
func (t *Terminal) print(text string) {
	g := uniseg.NewGraphemes(text)
	for g.Next() {
		w := g.Width()
		if w < 1 {
			t.fault(fmt.Sprintf("a character without width: %q", g.Str()))
			continue
		}
		if t.x+w > t.w || t.h < 1 {
			t.fault(fmt.Sprintf("%q over the edge", g.Str()))
			return
		}
		t.cells[t.y][t.x] = g.Str()
		for i := 1; i < w; i++ {
			t.cells[t.y][t.x+i] = ""
		}
		t.x += w
	}
}
