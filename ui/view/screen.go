package view

import (
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// Screen draws frames. It keeps what was measured and how the lanes are scaled, so that a frame costs little; use one for a whole
// session. It is not safe for concurrent use.
type Screen struct {
	row    *style.Row
	series series
	// ranges are the scales of the lanes; the LOAD lane's is the run's bound. lows are those of what logarithmic scales begin with, as 1 ÷ value.
	ranges, lows [bench.NumMetrics]chart.Range
	// drawn is the span of the lanes that were drawn last, without columns where none were.
	drawn   span
	rested  rested
	mishaps errorStrip
	// gathered and scaled are by what the lanes were measured and the ranges stepped last; forgetful makes scales owe nothing to what was shown before.
	gathered  gatheredBy
	scaled    scaledBy
	forgetful bool
	// values are what the lanes plot, promised what their promises are about where that is something else.
	values, promised [len(bench.Lanes)][]column
	// haunted are those of an earlier run beside this one, of a series of its own; match are its levels by load.
	haunted   [len(bench.Lanes)][]column
	hauntedBy hauntedBy
	ghosts    series
	match     match

	plot    []chart.Column
	marks   []mark
	summary windowed
	demand  demand
	gauges  gaugeSeries
	side    side
	loads   loads
	heat    heat
	pairs   pairs
	out     []string
	// logRows is how many rows the Log had when it was drawn last, shown the places of the events that it lists.
	logRows int
	shown   []int
	// scrolled is how many lines of a page of sections were out of sight at most, sectionRows how many were in sight.
	scrolled, sectionRows int
	// targets are what can be clicked in the frame that was drawn last.
	targets []target
	// requests are those that are listed.
	requests requestList
	// reasoned is the diagnosis that was made last.
	reasoned reasoned
}

// windowed is the summary of the lanes' window, made once a second.
type windowed struct {
	fold     fold
	from, to time.Duration
	summary  bench.Summary
}

// NewScreen is a Screen with nothing kept.
func NewScreen() *Screen { return &Screen{} }

// frame is one frame in the making.
type frame struct {
	*Screen
	layout.Plan
	// s is what is shown, live what the header tells of: the same unless the view is frozen.
	s, live *bench.Snapshot
	st      *State
	g       *style.Glyphs
	// level is the present one, reference the one that Δ compares with; either may be nil.
	level, reference *bench.Level
	// racer is the level of an earlier run that the present one is raced against; nil without one.
	racer *bench.Level
	// scope is what the number columns speak of.
	scope *bench.Summary
	span  span
	// edge is where the past ends in the picture (see Edge).
	edge time.Duration
	// window is the one that was asked for, or has grown so far (the span is what of it the lanes show), ahead the cells of the plot that show what is to come.
	window time.Duration
	ahead  int
	// per are the columns to a cell of the lanes.
	per int
	// effects are the rows of all effect lanes together.
	effects int
	cursor  cursor
	// pile is what piles up before the server, if piling.
	pile   backlog
	piling bool
	// events is the row of the log's heading, 0 without one.
	events int
}

// Rows are the rows of a frame, at most st.H, none wider than st.W. The slice is used again by the next call.
func (v *Screen) Rows(s *bench.Snapshot, st *State) []string {
	if st.Replay != nil && st.H >= scrubbed {
		return v.withScrubber(s, st)
	}
	return v.rows(s, st)
}

func (v *Screen) rows(s *bench.Snapshot, st *State) []string {
	f := v.frame(s, st)
	v.out, v.targets = v.out[:0], v.targets[:0]
	switch {
	case f.W < 1 || f.H < 1:
		return nil
	case s.Run == nil:
		f.start().Put(style.Dim, " no run yet")
		f.end()
		return v.out
	}
	f.measure()
	if st.Mode == action.Helping {
		f.help()
		return v.out
	}
	switch {
	case st.View != action.Live:
		f.page()
	case st.Expanded:
		f.expanded()
	default:
		f.lanes()
	}
	if len(v.out) > 1 {
		f.inFront()
	}
	if len(v.out) > f.H {
		v.out = v.out[:f.H]
	}
	return v.out
}

// inFront draws what is open in front of the view.
func (f *frame) inFront() {
	switch {
	case f.st.Sheet != nil:
		f.sheet()
	case f.st.Course != nil:
		f.courseSheet()
	case f.st.Palette != nil:
		f.palette()
	case f.st.Picker != nil:
		f.picker()
	}
}

// drawn are the glyphs of what is drawn: bars, curves, cells. Signs beside text are those of the set.
func (f *frame) drawn() *style.Glyphs { return f.st.Graph.Glyphs(f.st.Set) }

// lanes draws Live.
func (f *frame) lanes() {
	if f.paired() {
		f.pair()
		return
	}
	switch f.Density {
	case layout.Line:
		f.line()
	case layout.List:
		f.list()
	case layout.Small:
		f.small()
	case layout.Compact:
		f.compact()
	default:
		f.full()
	}
}

func (v *Screen) frame(s *bench.Snapshot, st *State) *frame {
	if v.row == nil {
		v.row = style.NewRow(st.Set)
	}
	v.row.Use(st.Set)
	f := &frame{Screen: v, Plan: layout.For(st.W, st.H), s: s, live: s, st: st, g: st.Set.Glyphs, level: s.Level()}
	if st.Frozen && st.Live != nil && st.Live.Run != nil {
		f.live = st.Live
	}
	f.racer, f.reference = f.rival(), f.pinned()
	if f.reference == nil {
		f.reference = f.racer
	}
	if f.reference == nil {
		f.reference = s.LevelBefore()
	}
	f.ahead, f.per, f.effects = aheadCells(s, f.Chart), st.Graph.PerCell(st.Set), len(bench.Lanes)*f.Lane
	past := (f.Chart - f.ahead) * f.per
	f.edge = v.edgeOf(s)
	f.window = st.EffectiveWindow(f.edge, past)
	shown := f.window
	if f.ahead > 0 && shown == st.Window {
		// What is to come is a part of the window.
		shown = shown * time.Duration(past) / time.Duration(f.Chart*f.per)
	}
	f.span, v.drawn = f.over(shown, past), span{}
	if f.Chart > 0 {
		v.drawn = f.span
	}
	f.cursor = f.findCursor()
	f.scope = f.summarise()
	f.pile, f.piling = f.findBacklog()
	return f
}

var nothing bench.Summary

func (f *frame) summarise() *bench.Summary {
	switch f.st.Scope {
	case Window:
		from, to := f.inWindow()
		w := &f.summary
		if is := foldOf(f.s); w.fold != is || w.from != from || w.to != to {
			*w = windowed{fold: is, from: from, to: to, summary: bench.Window(starting(f.s.Buckets, from, to))}
		}
		return &w.summary
	case Run:
		return &f.s.Total
	}
	if f.level == nil {
		return &nothing
	}
	return &f.level.Summary
}

// inWindow is the stretch of the run that the lanes show, and so what the scope "window" speaks of. Where there are no lanes it is the window that was asked for.
func (f *frame) inWindow() (from, to time.Duration) {
	switch {
	case f.span.count > 0:
		return f.span.begin(), f.span.end(f.edge)
	case f.window > 0:
		return max(f.edge-f.window, 0), f.edge
	}
	return 0, f.edge
}

// windowWord is the length of that stretch as the axis says it, whatever was asked for: columns are of whole seconds, and fill the plot.
func (f *frame) windowWord() string {
	if d := f.pastWindow(); d > 0 {
		return chart.Span(d)
	}
	return "all"
}

// pastWindow is its length, 0 for the whole run.
func (f *frame) pastWindow() time.Duration {
	if f.window > 0 && f.span.count > 0 {
		return f.span.shown()
	}
	return f.window
}

// gatheredBy is what the lanes' columns follow from, and scaledBy what their scales do.
type gatheredBy struct {
	fold
	span
	percentile bench.Percentile
	per        int
}

type scaledBy struct {
	span
	percentile bench.Percentile
	ghost      *bench.Level
	racer      *bench.Level
	past       *bench.Snapshot
	aligned    Alignment
	log        bool
	fold       fold
	limits     [len(bench.Lanes)]float64
}

// measure brings the lanes' columns up to date, and their scales once a second or when another stretch is shown.
func (f *frame) measure() {
	if f.Chart < 1 {
		return
	}
	if is := (gatheredBy{foldOf(f.s), f.span, f.st.Percentile, f.per}); f.gathered != is {
		f.gathered = is
		for i, m := range bench.Lanes {
			f.values[i] = f.series.values(f.s, m, f.percentile(m), f.span, f.values[i][:0])
			f.promised[i] = f.promised[i][:0]
			if t, ok := f.threshold(m); ok && !t.Quota() && t.At != f.percentile(m) {
				f.promised[i] = f.series.values(f.s, m, t.At, f.span, f.promised[i])
			}
		}
		f.findMarks()
	}
	f.gatherGhost()
	was := f.scaled
	is := scaledBy{span: f.span, percentile: f.st.Percentile, ghost: f.ghost(), racer: f.racer, past: f.past(), aligned: f.st.Aligned, log: f.st.Log[action.Live], fold: f.gathered.fold}
	for i, m := range bench.Lanes {
		is.limits[i] = f.limit(m)
	}
	if was == is {
		return
	}
	f.scaled = is
	for i, m := range bench.Lanes {
		if f.forgetful || f.leapt(was.fold, is.fold) || was.span.width != is.span.width || was.span.count != is.span.count || was.percentile != is.percentile || was.ghost != is.ghost ||
			was.racer != is.racer || was.past != is.past || was.aligned != is.aligned ||
			was.log != is.log || was.limits[i] != is.limits[i] {
			// Another window, percentile or promise is another picture: its scale owes nothing to the last one.
			f.ranges[m], f.lows[m] = chart.Range{}, chart.Range{}
		}
		f.stepScale(i, m, was.fold.folded != is.fold.folded || was.fold.run != is.fold.run)
	}
}

// plotted is what the lane's newest column shows: the percentile that was asked for, or the greatest where samples are too few for it.
func (f *frame) plotted(m bench.Metric) bench.Percentile {
	for i, l := range bench.Lanes {
		for k := len(f.values[i]) - 1; l == m && k >= 0; k-- {
			if c := f.values[i][k]; c.ok && c.greatest {
				return bench.Max
			} else if c.ok {
				return f.st.Percentile
			}
		}
	}
	return f.st.Percentile
}

// percentile is what a lane is asked to plot; rates have none.
func (f *frame) percentile(m bench.Metric) bench.Percentile {
	if m == bench.TTFT || m == bench.ITL {
		return f.st.Percentile
	}
	return bench.Mean
}

// threshold is the first threshold set on a metric; of rates, where the operator set none, the server's own limit.
func (f *frame) threshold(m bench.Metric) (bench.Threshold, bool) {
	if t, ok := f.asked(m); ok {
		return t, true
	}
	return f.stated(m)
}

// limit is the threshold's limit, 0 if there is none.
func (f *frame) limit(m bench.Metric) float64 {
	t, _ := f.threshold(m)
	return t.Limit
}

// start begins a row of the frame's width, end closes it.
func (f *frame) start() *style.Row { return f.row.Start(f.W) }

func (f *frame) end() { f.out = append(f.out, f.row.Ragged()) }

// rule draws a line across, with a title if there is one.
func (f *frame) rule(title string) {
	r := f.start()
	if title != "" {
		r.Glyph(style.Faint, f.g.Rule).Put(style.Dim, " "+title+" ")
	}
	r.Fill(style.Faint, f.g.Rule)
	f.end()
}
