package report

import (
	"fmt"
	"math"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report/plot"
)

// spreadSteps is how many points the line of a distribution has.
const spreadSteps = 80

// spreadFigure is how a metric is distributed at each load: the share of samples below each value, a line for each level, at most eight of them. It is nil where nothing
// was measured.
func spreadFigure(s *bench.Snapshot, id, name, what string, m bench.Metric, of func(*bench.Facts) bench.Sketch) *plot.Figure {
	type spread struct {
		level  *bench.Level
		sketch bench.Sketch
	}
	var all []spread
	low, high := math.Inf(1), 0.0
	for _, l := range shownLevels(s) {
		var parts []bench.Sketch
		for _, b := range l.Batches {
			parts = append(parts, of(&b.Facts))
		}
		sketch := bench.Merge(parts...)
		if sketch.N < bench.FewSamples {
			continue
		}
		all = append(all, spread{l, sketch})
		low, high = min(low, sketch.Quantile(0.002).V), max(high, sketch.Quantile(0.998).V)
	}
	if len(all) == 0 || !(high > 0) {
		return nil
	}
	low = max(low, high/1e5)
	f := &plot.Figure{ID: id, Title: "Distribution of " + name, Width: figureWide / 2, X: plot.Axis{Min: low / 1.1, Max: high * 1.1, Log: high > 5*low, Name: strings.TrimSpace(m.Unit())},
		Text: fmt.Sprintf("The share of %s below each value, a line for each level. The table of levels has the percentiles.", what)}
	p := plot.Pane{Name: name + ", share of " + what + " up to a value, %", Height: 210, Y: plot.Axis{Max: 100}}
	for i, one := range all {
		line := plot.Line{Name: one.level.Load.String(), Class: fmt.Sprintf("s%d", i*mostSeries/max(len(all), 1))}
		for k := range spreadSteps + 1 {
			q := float64(k) / spreadSteps
			if k == spreadSteps {
				q = 0.998
			}
			line.Points = append(line.Points, plot.Point{X: min(max(one.sketch.Quantile(q).V, f.X.Min), f.X.Max), Y: 100 * q})
		}
		p.Lines = append(p.Lines, line)
		for _, at := range []float64{0.5, 0.95, 0.99} {
			v := one.sketch.Quantile(at)
			p.Dots = append(p.Dots, plot.Dot{Point: plot.Point{X: min(max(v.V, f.X.Min), f.X.Max), Y: 100 * at}, Low: 100 * at, High: 100 * at, Class: line.Class,
				Title: fmt.Sprintf("level %d, load %s: p%g %s %s, of %d", one.level.ID, one.level.Load, 100*at, short(v.V), strings.TrimSpace(m.Unit()), one.sketch.N)})
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
