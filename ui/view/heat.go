package view

import (
	"slices"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// Across is what Heat has on its x axis.
type Across uint8

const (
	// OverTime: columns are spans of the run.
	OverTime Across = iota
	// OverPrompt: columns are lengths of prompts in tokens (TTFT, E2E).
	OverPrompt
	// OverPosition: columns are places in the answer in tokens (ITL).
	OverPosition
	numAcross
)

// across is what is on the x axis: what was chosen, where the metric can be shown so.
func (st *State) across() Across {
	switch m := st.heated(); {
	case st.Across == OverPrompt && (m == bench.TTFT || m == bench.E2E), st.Across == OverPosition && m == bench.ITL:
		return st.Across
	}
	return OverTime
}

// NextAcross is what may be on the x axis next, for the chosen metric.
func (st *State) NextAcross() Across {
	if st.across() != OverTime {
		return OverTime
	}
	switch st.heated() {
	case bench.TTFT, bench.E2E:
		return OverPrompt
	case bench.ITL:
		return OverPosition
	}
	return OverTime
}

// heated is the metric that Heat shows.
func (st *State) heated() bench.Metric {
	if ring := Ring(action.Heat); !slices.Contains(ring, st.Metric) {
		return ring[0]
	}
	return st.Metric
}

// Cell is a cell of Heat; OK tells that one is chosen.
type Cell struct {
	// Column is where it stands on the x axis: over time a second of the run, else tokens.
	Column int
	// Bucket is a value within its row, in millionths of the metric's unit.
	Bucket int
	OK     bool
}

// heatPlan is how the rows of the page are used.
type heatPlan struct {
	// load, rows and axis are those of the picture, stats tells of the percentiles in a row of their own; told is the last row: the chosen cell, or what
	// the shades mean; legend is a row for the latter alone.
	load, rows, axis int
	// spare are the rows that neither picture nor load have a use for: the newest events stand in them.
	spare               int
	title               bool
	stats, legend, told bool
}

// planHeat divides the rows: the picture, its title and its axis first, then words.
func planHeat(d layout.Density, rows, cause int) heatPlan {
	p := heatPlan{}
	take := func(least int) bool {
		if rows <= least {
			return false
		}
		rows--
		return true
	}
	p.title = take(0)
	p.told = take(2)
	if d >= layout.Small && take(3) {
		p.axis = 1
	}
	if d >= layout.Compact {
		p.stats, p.legend = take(6), take(8)
		if rows >= 8+cause {
			p.load = cause
			rows -= cause
		}
	}
	p.rows = max(rows, 0)
	return p
}

// tallestLoad bounds the rows of the load over a picture, leastEvents the rows that are worth having of events, with their heading.
const (
	tallestLoad = 5
	leastEvents = 4
)

// fit gives the picture so many of its rows, and what is left of them first to the load.
func (p *heatPlan) fit(rows int) {
	p.spare = max(p.rows-rows, 0)
	p.rows -= p.spare
	if p.load > 0 {
		more := min(p.spare, max(tallestLoad-p.load, 0))
		if p.spare-more < leastEvents {
			more = p.spare
		}
		p.load, p.spare = p.load+more, p.spare-more
	}
}

// heatPage draws how a latency is spread, over time or over lengths.
func (f *frame) heatPage(rows int) {
	if rows < 1 {
		return
	}
	if f.Density == layout.List {
		f.fewCells()
	}
	cause := f.Cause
	if f.st.across() != OverTime {
		cause = 0
	}
	p := planHeat(f.Density, rows, cause)
	h := &f.heat
	h.prepare(f, p.rows)
	p.fit(h.rows)
	f.Cause = max(p.load, 1)
	if p.title {
		f.heatTitle()
	}
	if h.empty() {
		f.absent(f.noHeat(), rows-1)
		return
	}
	f.heatLoad(p.load)
	picture := h.picture(f)
	for y := range picture.Rows {
		f.heatRow(&picture, y)
	}
	if p.axis > 0 {
		f.heatAxis()
	}
	if p.stats {
		f.heatStats()
	}
	if p.legend {
		f.heatLegend()
	}
	if p.told {
		f.heatTold(!p.legend)
	}
	if p.spare >= leastEvents {
		f.rule("events")
		f.log(p.spare - 1)
	}
}

// fewCells makes a small picture of its own where the lanes have none.
func (f *frame) fewCells() {
	f.Label, f.ahead = 7, 0
	f.Chart = max(f.W-f.Label-1, 1)
	f.window = f.st.EffectiveWindow(f.edge, f.Chart)
	f.span = f.over(f.window, f.Chart)
	f.gathered = gatheredBy{}
	f.findMarks()
}

// noHeat is why there is nothing to show.
func (f *frame) noHeat() string {
	m := f.st.heated()
	switch {
	case f.heat.key.across != OverTime:
		return "no request has ended ok yet"
	case m == bench.ITL:
		return "no sample yet: gaps between tokens enter when it is known how many tokens a chunk holds"
	case m == bench.TPS && f.paceless(m):
		return "no sample: the answers came in one burst each, which has no pace"
	case m == bench.TTFT:
		return "no sample yet: the first token has not come"
	}
	return "no sample yet: no request has ended ok"
}

// heatTitle names the metrics, the chosen one in brackets, what is across, and on the right of what the numbers are.
func (f *frame) heatTitle() {
	r := f.start().Blank(1)
	chosen := f.st.heated()
	for _, m := range Ring(action.Heat) {
		if m == chosen {
			r.Put(style.Strong, "["+m.String()+"]")
		} else if f.Density > layout.List {
			r.Put(style.Dim, " "+m.String()+" ")
		}
	}
	unit := laneUnit(chosen)
	scale := "linear"
	if f.st.Log[action.Heat] {
		scale = "log"
	}
	across := [numAcross]string{"over time", "by prompt length", "by place in the answer"}[f.heat.key.across]
	switch {
	case f.Density >= layout.Full:
		r.Put(style.FG, "  "+unit+" "+across).Put(style.Dim, ", "+scale+" scale")
	case f.Density >= layout.Small:
		r.Put(style.FG, " "+unit+" "+across)
	case f.heat.empty():
		r.Cut(style.FG, " "+across, r.Left())
	default:
		f.heatFigures(r, true)
	}
	if f.Density >= layout.Compact && !f.heat.empty() {
		r.To(f.Label+f.Chart).Put(style.Faint, " "+f.g.Edge+" ")
		r.Cut(style.FG, f.heat.scope.words, r.Left()-1)
		if f.Density >= layout.Full && f.heat.key.across == OverTime {
			r.Put(style.Dim, ", "+f.heat.scope.size())
		}
	}
	f.end()
}

// heatLoad is the load over the picture: the cause over its effect.
func (f *frame) heatLoad(rows int) {
	cause := f.cause()
	for i := range rows {
		r := f.start().Blank(1)
		f.name(r, "LOAD", f.loadUnit(), i)
		f.causeLabel(r, &cause, i)
		f.draw(r, &cause, i)
		r.Put(style.Faint, " "+f.g.Edge)
		f.end()
	}
}

// heatRow is row y of the picture with its label, and its share on the right.
func (f *frame) heatRow(picture *chart.Heat, y int) {
	h := &f.heat
	r := f.start()
	up := picture.Rows - 1 - y
	f.heatLabel(r, picture, up)
	from := r.Cells()
	f.clickCells(picture, up, from)
	picture.Draw(r, y)
	r.Blank(f.Label + f.Chart - r.Cells())
	switch {
	case f.Density >= layout.Compact:
		r.Put(style.Faint, " "+f.g.Edge+" ")
		f.heatShare(r, h, up)
	case f.Density == layout.Small:
		r.Put(style.Faint, " "+f.g.Edge+" ")
		f.heatSmall(r, y)
	default:
		r.Put(style.Faint, f.g.Edge)
	}
	f.end()
}

// clickCells makes the cells of a row targets of the mouse.
func (f *frame) clickCells(picture *chart.Heat, up, from int) {
	if !f.st.Mouse {
		return
	}
	for x, i := range picture.Cells {
		if i >= 0 {
			f.clickableCells(Hit{Spot: OnCell, Cell: f.heat.cell(i, up)}, from+x, from+x+1)
		}
	}
}

// heatLabel names a row: the end of its values that promises are about, and the promise itself.
func (f *frame) heatLabel(r *style.Row, picture *chart.Heat, up int) {
	h := &f.heat
	width := f.Label - 1
	text, look := h.label(f, up), style.Dim
	gap := 1
	if width < 8 {
		gap = 0
	}
	if up == picture.Limit {
		look = style.Mark
		bound := f.g.LessEq
		if h.key.metric == bench.TPS {
			bound = f.g.GreaterEq
		}
		text = h.tick(h.limit)
		switch {
		case width >= 9 && h.key.metric != bench.TPS:
			text = "SLO " + text
		case width >= 10:
			text = "SLO " + bound + text
		default:
			text = bound + text
		}
	}
	if picture.Chosen && up == picture.Row {
		look = style.Strong
		if f.st.Set.Width(text) < width-gap {
			text = f.g.Select + text
		}
	}
	r.Right(look, text, width-gap).Blank(gap).Put(style.Faint, f.g.AxisY)
}
