package layout

// Plan is a screen divided. Rows of all parts sum up to H at most; columns of a lane to W at most.
type Plan struct {
	Density
	W, H int
	// Head is the rows of the state line and the load control, without rules.
	Head int
	// Cause is the rows of the LOAD lane, Lane those of each of the five effect lanes; 0 where there are no lanes.
	Cause, Lane int
	// Errors, Log and Footer are their rows; the log's include its heading in Full and Wide.
	Errors, Log, Footer int
	// Axis is 1 where lanes stand on a time axis; Rules are the lines between parts.
	Axis, Rules int
	// Label is the columns left of a lane's plot (with its axis line), Chart those of the plot, Numbers those right of it (with the
	// plot's edge), Side those of the side column (with its gap).
	Label, Chart, Numbers, Side int
}

// maxChart bounds a plot: longer lines add history, not insight, and bytes.
const maxChart = 120

// columns right and left of a plot, by density.
var columns = [...]struct{ label, numbers int }{Small: {6, 28}, Compact: {12, 31}, Full: {15, 46}, Wide: {15, 46}}

// For divides a screen.
func For(w, h int) Plan {
	p := Plan{Density: Of(w, h), W: max(w, 0), H: max(h, 0)}
	switch p.Density {
	case Line:
		p.Head = min(p.H, 1)
		return p
	case List:
		p.list()
		return p
	}
	p.rows()
	p.cols()
	return p
}

// list gives the rows of five numbers first, then the errors, the footer, and what is left to the log.
func (p *Plan) list() {
	p.Head, p.Errors = 1, 1
	left := p.H - p.Head - p.Errors - 5
	if left > 0 {
		p.Footer = 1
		left--
	}
	p.Log = max(left, 0)
}

// rows hands out the rows: the fixed parts, the least lanes and log, then what is spare: lanes to 3, log to 6, lanes to 5, LOAD to 3 and log to 10 where there
// are both, lanes to 7, log.
func (p *Plan) rows() {
	logLeast := 0
	switch p.Density {
	case Small:
		p.Head, p.Cause, p.Lane, logLeast = 2, 1, 1, 2
	case Compact:
		p.Head, p.Cause, p.Lane, p.Rules, logLeast = 2, 1, 2, 2, 3
	default:
		// The third rule is the log's heading, so it is counted there.
		p.Head, p.Cause, p.Lane, p.Rules, logLeast = 4, 2, 3, 3, 5
	}
	p.Axis, p.Errors, p.Footer, p.Log = 1, 1, 1, logLeast
	spare := p.H - p.Head - p.Cause - 5*p.Lane - p.Axis - p.Errors - p.Footer - p.Rules - p.Log
	grow := func(to int) {
		for p.Lane < to && spare >= 5 {
			p.Lane++
			spare -= 5
		}
	}
	heading := logLeast - 4
	if p.Density < Full {
		heading = 0
	}
	grow(3)
	log := func(to int) {
		more := min(spare, max(0, to+heading-p.Log))
		p.Log += more
		spare -= more
	}
	log(6)
	grow(5)
	if p.Density >= Full && p.Lane >= 5 && spare > 0 {
		p.Cause++
		spare--
	}
	grow(7)
	log(10)
	p.Log += spare
}

// cols hands out the columns of a lane.
func (p *Plan) cols() {
	c := columns[p.Density]
	p.Label, p.Numbers = c.label, c.numbers
	left := p.W - p.Label - p.Numbers
	if p.Density == Wide {
		p.Side = min(max(left-maxChart, 40), 60)
		left -= p.Side
	}
	p.Chart = min(left, maxChart)
}
