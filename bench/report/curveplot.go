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

// curveFigure is a curve: output, latency and speed over the load, with the knee, the limit and the redline that a ramp has found. It is nil where the curve has one load.
func curveFigure(s *bench.Snapshot, c *analysis.Curve, id, name string) *plot.Figure {
	levels := c.Standing()
	if len(levels) < 2 {
		return nil
	}
	f := &plot.Figure{ID: id, Title: "The curve" + name, Width: figureWide, X: loadAxis(c.Mode, [][]*bench.Level{levels}),
		Text: "Output, TTFT, E2E and the speed of one stream at each load, with 95 % intervals of the output. The table of levels has the numbers."}
	series := []curveSeries{{levels: levels, class: "s0"}}
	f.Panes = curvePanes(series, s.Run.Thresholds)
	f.Marks = curveMarks(s, c)
	return f
}

// curveSeries are the levels of a curve, in the order of their loads, with the class of its lines.
type curveSeries struct {
	name, class string
	levels      []*bench.Level
}

// loadAxis is an axis of loads that goes by factors, with a tick at each load where there are few.
func loadAxis(mode bench.Mode, all [][]*bench.Level) plot.Axis {
	low, high := math.Inf(1), 0.0
	var loads []float64
	for _, levels := range all {
		for _, l := range levels {
			low, high = min(low, l.Load.N), max(high, l.Load.N)
			loads = append(loads, l.Load.N)
		}
	}
	a := plot.Axis{Min: low * 0.85, Max: high * 1.15, Log: true, Name: "requests in flight"}
	if mode == bench.Open {
		a.Name = "requests a second"
	}
	if high < 3*low {
		a.Log = false
	}
	slices.Sort(loads)
	last := 0.0
	for _, n := range slices.Compact(loads) {
		if n >= last*1.12 {
			a.Ticks = append(a.Ticks, plot.Tick{At: n, Label: plot.Short(n)})
			last = n
		}
	}
	return a
}

// curvePanes are the panes of curves over one axis of loads.
func curvePanes(all []curveSeries, promises []bench.Threshold) []plot.Pane {
	stat := func(m bench.Metric, p bench.Percentile) func(*bench.Level) (bench.Value, float64) {
		return func(l *bench.Level) (bench.Value, float64) {
			st := &l.Stats[m]
			if st.Readiness == bench.Absent {
				return bench.Value{}, 0
			}
			return st.At(p), 0
		}
	}
	output := func(l *bench.Level) (bench.Value, float64) {
		half := 0.0
		if tpm := &l.Stats[bench.TPM]; tpm.Half.OK && tpm.Mean.V > 0 && l.OutputRate.OK {
			half = l.OutputRate.V * tpm.Half.V / tpm.Mean.V
		}
		return l.OutputRate, half
	}
	out := []plot.Pane{
		curvePane("Output, tokens a second, all streams", "", all, output, promises, bench.NumMetrics),
		curvePane("TTFT p95, ms", "ms", all, stat(bench.TTFT, bench.P95), promises, bench.TTFT),
		curvePane("E2E p95, ms", "ms", all, stat(bench.E2E, bench.P95), promises, bench.E2E),
		curvePane("TPS p5, tokens a second of a slow stream", "", all, stat(bench.TPS, bench.P5), promises, bench.TPS),
	}
	return out
}

// curvePane is a number over the load; half is the half-width of its interval, 0 where there is none.
func curvePane(name, unit string, all []curveSeries, of func(*bench.Level) (v bench.Value, half float64), promises []bench.Threshold, m bench.Metric) plot.Pane {
	p := plot.Pane{Name: name, Height: 130}
	var seen []float64
	what, _, _ := strings.Cut(name, ",")
	for _, c := range all {
		line := plot.Line{Name: c.name, Class: c.class}
		for _, l := range c.levels {
			v, half := of(l)
			at := plot.Point{X: l.Load.N, Y: math.NaN()}
			if known(v) != nil {
				at.Y = v.V
				title := strings.TrimSpace(fmt.Sprintf("%s level %d, load %s: %s %s %s", c.name, l.ID, l.Load, what, short(v.V), unit))
				if finite(half) == nil {
					half = 0
				}
				if half > 0 {
					title += " ± " + short(half)
				}
				class := c.class
				if _, broken := analysis.Judged(l.Verdicts); broken {
					class += " broken"
					title += ", breaks " + ThresholdList(brokenOf(l))
				}
				p.Dots = append(p.Dots, plot.Dot{Point: at, Low: v.V - half, High: v.V + half, Class: class, Title: title})
				seen = append(seen, v.V+half)
			}
			line.Points = append(line.Points, at)
		}
		p.Lines = append(p.Lines, line)
	}
	most := slices.Max(append(seen, 0))
	for _, t := range promises {
		if t.Metric == m && !t.Quota() && t.Limit <= outOfScale*most {
			p.Rules = append(p.Rules, plot.Rule{Y: t.Limit, Class: "promise", Title: "promise " + t.String()})
			seen = append(seen, t.Limit)
		}
	}
	p.Y = plot.Upto(seen...)
	if len(p.Dots) == 0 {
		p.Name, p.Height, p.Rules = p.Name+": not known at any of these loads", 40, nil
	}
	return p
}

// curveMarks are the loads that matter on a curve.
func curveMarks(s *bench.Snapshot, c *analysis.Curve) []plot.Mark {
	var out []plot.Mark
	if c.Bend == analysis.Bent {
		out = append(out, plot.Mark{X: c.Knee.X, Class: "knee", Label: "knee", Title: "knee: " + kneeWords(c)})
	}
	if c.Limit.Bound == analysis.Between {
		out = append(out, plot.Mark{X: c.Limit.Load().N, Class: "limit", Label: "limit", Title: "limit: " + limitWords(c)})
	}
	if r := analysis.Redline(s, c.Kind); r != nil && r.Load.N > 0 {
		out = append(out, plot.Mark{X: r.Load.N, Class: "redline", Label: "redline", Title: "redline, as a ramp found it: " + r.Load.String()})
	}
	slices.SortStableFunc(out, func(a, b plot.Mark) int {
		if a.X < b.X {
			return -1
		}
		if a.X > b.X {
			return 1
		}
		return 0
	})
	return out
}

// mostSeries is how many series a figure tells apart.
const mostSeries = 8

// together are the curves of several runs in one figure; nil where no two loads were measured, or the loops are not alike.
func (all Set) together(id string) *plot.Figure {
	var series []curveSeries
	var levels [][]*bench.Level
	var promises []bench.Threshold
	mode := bench.Mode(0)
	for i, t := range all.told() {
		curves := curvesOf(t.s)
		if len(curves) == 0 || len(series) == mostSeries {
			continue
		}
		c := &curves[len(curves)-1]
		if len(series) > 0 && c.Mode != mode {
			continue
		}
		mode = c.Mode
		name := fmt.Sprintf("%d %s", i+1, t.run)
		if t.target != "" {
			name += ", " + t.target
		}
		series = append(series, curveSeries{name: name, class: fmt.Sprintf("s%d", len(series)), levels: c.Standing()})
		levels = append(levels, c.Standing())
		promises = t.s.Run.Thresholds
	}
	if len(series) < 2 {
		return nil
	}
	return &plot.Figure{ID: id, Title: "The runs side by side", Width: figureWide, X: loadAxis(mode, levels), Panes: curvePanes(series, promises),
		Text: "Output, TTFT, E2E and the speed of one stream at each load, a line for each run. The table of runs has the numbers."}
}
