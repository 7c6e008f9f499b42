package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report/plot"
)

// spreadSteps is how many points the line of a distribution has.
const spreadSteps = 80

// spread is how a metric of a level is distributed: its shape, and the percentiles that its statistics have.
type spread struct {
	level *bench.Level
	shape bench.Sketch
	dots  []spreadDot
}

// spreadDot is a percentile of the level's own statistics.
type spreadDot struct {
	name  string
	share float64
	value float64
}

// spreadFigure is how a metric is distributed at each load: the share of samples below each value, a line for each level, at most eight of them. The dots are the percentiles
// of the table of levels, and what has none there has no line. It is nil where nothing was measured.
func spreadFigure(s *bench.Snapshot, id, name, what string, m bench.Metric, of func(*bench.Facts) bench.Sketch) *plot.Figure {
	var all []spread
	low, high := math.Inf(1), 0.0
	for _, l := range shownLevels(s) {
		one, ok := spreadOf(l, m, of)
		if !ok {
			continue
		}
		all = append(all, one)
		for _, q := range []float64{0.002, 0.998} {
			v := one.at(q)
			low, high = min(low, v), max(high, v)
		}
	}
	if len(all) == 0 || !(high > 0) {
		return nil
	}
	low = max(low, high/1e5)
	f := &plot.Figure{ID: id, Title: "Distribution of " + name, Width: figureWide / 2, X: plot.Axis{Min: low / 1.1, Max: high * 1.1, Log: high > 5*low, Name: strings.TrimSpace(m.Unit())},
		Text: fmt.Sprintf("The share of %s below each value, a line for each level. The table of levels has the percentiles.", what)}
	p := plot.Pane{Name: name + ", share of " + what + " up to a value, %", Height: 210, Y: plot.Axis{Max: 100}}
	for i := range all {
		one := &all[i]
		line := plot.Line{Name: one.level.Load.String(), Class: fmt.Sprintf("s%d", i*mostSeries/max(len(all), 1))}
		within := func(v float64) float64 { return min(max(v, f.X.Min), f.X.Max) }
		for _, q := range one.steps() {
			line.Points = append(line.Points, plot.Point{X: within(one.at(q)), Y: 100 * q})
		}
		p.Lines = append(p.Lines, line)
		for _, d := range one.dots {
			p.Dots = append(p.Dots, plot.Dot{Point: plot.Point{X: within(d.value), Y: 100 * d.share}, Low: 100 * d.share, High: 100 * d.share, Class: line.Class,
				Title: fmt.Sprintf("level %d, load %s: %s %s %s, of %d", one.level.ID, one.level.Load, d.name, short(d.value), strings.TrimSpace(m.Unit()), one.level.Stats[m].N)})
		}
	}
	f.Panes = []plot.Pane{p}
	for _, t := range s.Run.Thresholds {
		if t.Metric == m && t.Limit >= f.X.Min && t.Limit <= f.X.Max {
			f.Marks = append(f.Marks, plot.Mark{X: t.Limit, Class: "promise", Label: t.String(), Title: "promise " + t.String()})
		}
	}
	return f
}

// spreadOf is the distribution of a metric of a level; false where its statistics have none. The shape is that of the requests that they rest on, of which at most 2,048
// are kept one by one; of tokens, which are not, it is that of the spans in which the level was ready.
func spreadOf(l *bench.Level, m bench.Metric, of func(*bench.Facts) bench.Sketch) (spread, bool) {
	out, st := spread{level: l}, &l.Stats[m]
	if st.Readiness == bench.Absent {
		return out, false
	}
	for _, p := range []bench.Percentile{bench.P1, bench.P5, bench.P50, bench.P95, bench.P99} {
		if v := st.At(p); known(v) != nil && v.V > 0 {
			out.dots = append(out.dots, spreadDot{p.String(), p.Q(), v.V})
		}
	}
	if m != bench.ITL {
		out.shape = sampled(l.Sample, m)
	}
	if out.shape.N < bench.FewSamples {
		var parts []bench.Sketch
		for _, b := range l.Batches {
			parts = append(parts, of(&b.Facts))
		}
		out.shape = bench.Merge(parts...)
	}
	return out, len(out.dots) > 0 && out.shape.N >= bench.FewSamples
}

// sampled is a metric of requests, each with its tokens.
func sampled(all []bench.Sample, m bench.Metric) bench.Sketch {
	h := bench.NewHistogram()
	for i := range all {
		var v float64
		switch s := &all[i]; {
		case m == bench.TTFT:
			v = float64(s.TTFT)
		case m == bench.E2E:
			v = float64(s.E2E)
		case m == bench.TPS && s.TPOT > 0:
			v = 1000 / float64(s.TPOT)
		}
		if v > 0 {
			h.Add(v, 1)
		}
	}
	return h.Sketch()
}

// at is the value below which a share of the samples lies: by the shape, held to the percentiles on both sides.
func (d *spread) at(q float64) float64 {
	v := d.shape.Quantile(q).V
	for _, dot := range d.dots {
		switch {
		case dot.share == q:
			return dot.value
		case dot.share < q:
			v = max(v, dot.value)
		default:
			v = min(v, dot.value)
		}
	}
	return v
}

// steps are the shares at which the line has points, those of its dots among them.
func (d *spread) steps() []float64 {
	var out []float64
	for k := range spreadSteps {
		out = append(out, float64(k)/spreadSteps)
	}
	out = append(out, 0.998)
	for _, dot := range d.dots {
		out = append(out, dot.share)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shownLevels are the levels of which a figure tells: those that measured something, at most eight of them, evenly drawn.
func shownLevels(s *bench.Snapshot) []*bench.Level {
	var out []*bench.Level
	for _, l := range s.Levels {
		if analysis.Measured(l) {
			out = append(out, l)
		}
	}
	for len(out) > mostSeries {
		fewer := make([]*bench.Level, 0, mostSeries)
		for i := range mostSeries {
			fewer = append(fewer, out[i*(len(out)-1)/(mostSeries-1)])
		}
		out = fewer
	}
	return out
}
