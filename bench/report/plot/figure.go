// Package plot draws figures as inline SVG: panes under one another with one horizontal axis.
//
// It owns layout, scales and ticks of figures for a page, and what makes them readable by others than eyes: a title, a description, and a text at each column.
// It has no colours: each part has a class, which the page's style sheet knows. It must not know what the numbers mean.
package plot

// Point is a place in a pane. A Y that is no number ends a line before it.
type Point struct{ X, Y float64 }

// Line is a line of a pane.
type Line struct {
	// Name is told in the figure's legend; empty for one that needs none.
	Name, Class string
	Points      []Point
	// Steps: it goes level until the next point. Area: what is below it is filled. Dots: each point has one.
	Steps, Area, Dots, Dashed bool
}

// Dot is a point with the interval in which it lies, Low to High where that is known (else both are its Y).
type Dot struct {
	Point
	Low, High float64
	Class     string
	// Title is what is told of it.
	Title string
}

// Rule is a level line across a pane: a limit.
type Rule struct {
	Y            float64
	Class, Title string
}

// Mark is a line across all panes at an instant, or a load.
type Mark struct {
	X     float64
	Class string
	// Label stands above it where there is room; Title is what is told of it.
	Label, Title string
}

// Hint is what is told of a column, from one X to another.
type Hint struct {
	From, To float64
	Title    string
}

// Tick is a labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// Axis is one direction of a figure.
type Axis struct {
	Min, Max float64
	// Log: it goes by factors, so that Min has to be above 0.
	Log bool
	// Ticks are its labels; nil are those that fit.
	Ticks []Tick
	// Name stands at its end.
	Name string
}

// Pane is one chart of a figure.
type Pane struct {
	// Name stands above it, with its unit.
	Name   string
	Height int
	Y      Axis
	Lines  []Line
	Dots   []Dot
	Rules  []Rule
}

// Figure is panes under one another.
type Figure struct {
	// ID is a word that no other figure of the page has.
	ID string
	// Title names it, Text describes it for those who do not see it.
	Title, Text string
	Width       int
	X           Axis
	Panes       []Pane
	Marks       []Mark
	Hints       []Hint
}
