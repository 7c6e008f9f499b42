package view

import (
	"slices"
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
)

// loads is what the Curve shows: the loads that were measured and what follows from them, made anew when the data or the chosen row change, and the two
// plots, plotted anew when besides these their size or their looks do.
type loads struct {
	key      loadsKey
	promises []bench.Threshold

	all    []standing
	apart  apart
	chosen int
	knee   analysis.Point
	bend   analysis.Bend
	limit  analysis.Limit
	// on is how many loads are on the curve.
	on int
	// redline is what the last ramp found on this curve, where that contradicts the limit; nil else.
	redline *bench.Redline
	// rough tells that the knee rests on levels that were left early.
	rough bool
	// law is what the scalability law makes of the curve, as models remember it; compared are the comparisons of levels that were asked for.
	law      *analysis.Model
	models   analysis.Models
	compared analysis.Comparisons
	// cheapest is the cheapest of the levels that keep every promise; nil where the load decides nothing, or nothing has a price.
	cheapest *bench.Level
	// miscounted is a level whose count does not add up; nil where all do.
	miscounted *bench.Level
	count      analysis.Count

	// past are the levels of an earlier run that stand behind the curve, pastOf the run.
	past   []*bench.Level
	pastOf *bench.Snapshot

	plotted     plotKey
	out, metric chart.Panel
	// visible is how many rows of the table were drawn last.
	visible int
}

type loadsKey struct {
	// over: the run is, and nothing settles any more.
	over   bool
	run    *bench.Run
	level  *bench.Level
	folded time.Duration
	levels int
	row    int
	// times counts how often promises have changed, which are not comparable.
	times int
}

type plotKey struct {
	loadsKey
	set          *style.Set
	metric       bench.Metric
	percentile   bench.Percentile
	log          bool
	width        int
	upper, lower int
	// abreast: the two stand side by side.
	abreast bool
	graph   chart.Mode
	redline float64
	past    *bench.Snapshot
}

// curveMetric are the metric and the percentile on the lower plot: of a speed the slow side.
func (f *frame) curveMetric() (bench.Metric, bench.Percentile) {
	m := f.st.Metric
	if ring := Ring(action.Curve); !slices.Contains(ring, m) {
		m = ring[0]
	}
	p := f.st.Percentile
	if m == bench.TPS {
		switch p {
		case bench.P95:
			p = bench.P5
		case bench.P99, bench.Max:
			p = bench.P1
		}
	}
	return m, p
}

// came is what came of a level: a metric at a percentile, absent where it has no samples.
func came(l *bench.Level, m bench.Metric, p bench.Percentile) bench.Value {
	st := &l.Stats[m]
	if bursty := l.Bursts.OK && l.Bursts.V > 0.5; st.Readiness == bench.Absent || bursty && (m == bench.ITL || m == bench.TPS) {
		return bench.Value{}
	}
	if v := st.At(p); sound(v) && v.V >= 0 {
		return v
	}
	return bench.Value{}
}

// measureLoads brings what the Curve knows up to date.
func (f *frame) measureLoads() {
	d := &f.loads
	k := loadsKey{f.s.State == bench.Done, f.s.Run, f.level, f.s.Folded, len(f.s.Levels), f.st.Row[action.Curve], d.key.times}
	if !slices.Equal(d.promises, f.s.Run.Thresholds) {
		k.times++
	}
	if d.key == k && d.pastOf == f.past() {
		return
	}
	d.past, d.pastOf = f.pastLevels(), f.past()
	d.key, d.promises = k, append(d.promises[:0], f.s.Run.Thresholds...)
	var c analysis.Curve
	d.all, c, d.apart = standings(f.s)
	d.chosen = chosenRow(f.st, d.all)
	d.on = len(c.Loads)
	d.knee, d.bend, d.limit, d.rough = c.Knee, c.Bend, c.Limit, c.Rough
	d.law = d.models.Of(&c)
	d.miscounted, d.count = miscounted(d.all)
	if d.redline = analysis.Redline(f.s, c.Kind); !analysis.Against(d.redline, d.limit.Kept, d.limit.Broken) {
		d.redline = nil
	}
	d.cheapest = c.Cheapest(d.promises, f.s.Run.Prices)
}

// replot tells whether the plots have to be plotted anew.
func (f *frame) replot(k plotKey) bool {
	k.loadsKey, k.set, k.log, k.graph = f.loads.key, f.st.Set, f.st.Log[action.Curve], f.st.Graph
	k.redline, k.past = f.redlineX(), f.past()
	k.metric, k.percentile = f.curveMetric()
	if f.loads.plotted == k {
		return false
	}
	f.loads.plotted = k
	return true
}

// points are the loads as a plot shows them; value is what is plotted, behind the metric that it rests on, bad whether it breaks its promise. What the present
// level measures is a point once it is ready in itself, and hollow until the level has settled. What was only touched stands alone, and no line leads there.
func points(all []standing, chosen int, behind bench.Metric, value func(*bench.Level) bench.Value, bad func(*standing) bool) []chart.CurvePoint {
	var out []chart.CurvePoint
	for i := range all {
		o := &all[i]
		for _, l := range o.past {
			if v := value(l); v.OK && !analysis.Touched(l) {
				out = append(out, chart.CurvePoint{X: l.Load.N, Y: v.V, Past: true})
			}
		}
		switch v := o.ripe(value(o.level), behind); {
		case !v.OK:
		case o.earlier:
			out = append(out, chart.CurvePoint{X: o.load().N, Y: v.V, Past: true, Chosen: i == chosen})
		default:
			out = append(out, chart.CurvePoint{X: o.load().N, Y: v.V, Here: o.here && !o.settles(), Short: weak(o.level), Breached: bad(o), Chosen: i == chosen, Loose: analysis.Touched(o.level)})
		}
	}
	return out
}

// outCurve is the output rate over the loads.
func outCurve(all []standing, chosen int, knee float64, mode chart.Mode) chart.Curve {
	return chart.Curve{Mode: mode, Ink: style.Accent, Knee: knee,
		Points: points(all, chosen, bench.TPS, outRate, (*standing).breached)}
}

// metricCurve is the chosen metric over the loads.
func (f *frame) metricCurve(rows int) chart.Curve {
	m, p := f.curveMetric()
	d := &f.loads
	c := chart.Curve{Mode: f.st.Graph, Ink: style.Lane(m), Log: f.st.Log[action.Curve], Millis: m.Unit() == "ms", Knee: d.knee.X, Redline: f.redlineX(),
		Points: points(d.all, d.chosen, m, func(l *bench.Level) bench.Value { return came(l, m, p) }, func(o *standing) bool { return o.broken[m] })}
	c.Points = append(c.Points, f.pastPoints(func(l *bench.Level) bench.Value { return came(l, m, p) })...)
	for _, t := range d.promises {
		if t.Metric == m && t.At == p {
			c.Threshold, c.Floor = t.Limit, t.Floor
		}
	}
	unit := m.Unit()
	scale := unit
	if c.Log && len(unit) < 3 {
		scale = unit + " log"
	}
	switch {
	case rows < 3:
		c.Names = []string{m.String(), p.String()}
	case c.Log && scale == unit:
		c.Names = []string{m.String(), p.String(), unit, "log"}
	default:
		c.Names = []string{m.String(), p.String(), scale}
	}
	return c
}

// nameCells is the room for the names of the axes, curveLeft all that is left of a plot.
const (
	nameCells = 7
	curveLeft = 14
)

// loadUnitWord is what the axis of loads counts.
func (f *frame) loadUnitWord() string {
	if f.curveMode() == bench.Open {
		return "req/s"
	}
	return "conc"
}

func (f *frame) curveMode() bench.Mode {
	if f.level != nil {
		return f.level.Load.Mode
	}
	return f.s.Target.Mode
}

// peakInSight is how many times the greatest load a predicted peak may lie away, for the axis to reach there.
const peakInSight = 1.5

// lawDrawn tells whether the law is a line in the plot: the axis of the closed loop alone counts what the law is of.
func (f *frame) lawDrawn() bool {
	return f.loads.law.Shown() && f.curveMode() == bench.Closed
}

// predicted adds the law to the curve of the output rate, and the curve of an earlier run.
func (f *frame) predicted(c chart.Curve) chart.Curve {
	c.Points = append(c.Points, f.pastPoints(outRate)...)
	if f.lawDrawn() {
		c.Law, c.LawFrom = f.loads.law.At, f.loads.law.From
	}
	return c
}

// axisOfLoads is what both plots share.
func (f *frame) axisOfLoads(cells int) chart.Extent {
	var ns []float64
	for _, o := range f.loads.all {
		ns = append(ns, o.load().N)
	}
	for _, l := range f.loads.past {
		ns = append(ns, l.Load.N)
	}
	if peak := f.loads.law.Peak.V; f.lawDrawn() && f.loads.law.Carried == analysis.ToPeak && peak < peakInSight*slices.Max(ns) {
		ns = append(ns, peak)
	}
	return chart.FitLoads(ns, cells)
}

// plotLoads plots both curves, one above the other in a width, with so many rows of curve each; the axis of loads is another row below each.
func (f *frame) plotLoads(width, upper, lower int) {
	if !f.replot(plotKey{width: width, upper: upper, lower: lower}) {
		return
	}
	d := &f.loads
	x := f.axisOfLoads(width - curveLeft - 1)
	c := f.predicted(outCurve(d.all, d.chosen, d.knee.X, f.st.Graph))
	c.Redline = f.redlineX()
	c.X, c.Names, c.NameCells, c.Left, c.Joined = x, []string{"out", "tok/s"}, nameCells, curveLeft, true
	c.Plot(&d.out, f.st.Set, width, upper+1)
	c = f.metricCurve(lower)
	c.X, c.NameCells, c.Left, c.Unit = x, nameCells, curveLeft, f.loadUnitWord()
	c.Plot(&d.metric, f.st.Set, width, lower+1)
}

// plotAbreast plots both curves side by side.
func (f *frame) plotAbreast(width, rows int) {
	if !f.replot(plotKey{width: width, upper: rows, abreast: true}) {
		return
	}
	d := &f.loads
	half := width / 2
	x := f.axisOfLoads(half - 7)
	c := f.predicted(outCurve(d.all, d.chosen, d.knee.X, f.st.Graph))
	c.Redline = f.redlineX()
	c.X, c.Title = x, "out tok/s"
	c.Plot(&d.out, f.st.Set, half, rows+2)
	m, p := f.curveMetric()
	c = f.metricCurve(rows)
	c.Names = nil
	c.X, c.Title = x, m.String()+" "+p.String()+" "+m.Unit()
	if c.Log {
		c.Title += " log"
	}
	c.Plot(&d.metric, f.st.Set, width-half, rows+2)
}
