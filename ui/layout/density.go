// Package layout divides a screen: density, rows and columns as pure functions of its size. It knows nothing of what stands in the rows.
package layout

// Density is how much a screen has room to say.
type Density uint8

const (
	// Line: one line, cut from the right.
	Line Density = iota
	// List: numbers without lanes.
	List
	// Small: lanes of one row.
	Small
	// Compact: lanes of two rows, four number columns.
	Compact
	// Full: lanes of three rows, big digits, five number columns and two lines of words.
	Full
	// Wide: Full with a side column.
	Wide
)

// String is the density's name.
func (d Density) String() string {
	return [...]string{"line", "list", "small", "compact", "full", "wide", "", ""}[d&7]
}

// least is the smallest screen of each density.
var least = [...]struct{ w, h int }{Line: {0, 0}, List: {34, 7}, Small: {56, 13}, Compact: {76, 22}, Full: {110, 32}, Wide: {160, 36}}

// Of is the density of a screen.
func Of(w, h int) Density {
	for d := Wide; d > Line; d-- {
		if w >= least[d].w && h >= least[d].h {
			return d
		}
	}
	return Line
}
