package report

import (
	"math"
	"slices"

	"redline/bench"
	"redline/bench/report/plot"
)

// serverPanes are what the server told of itself, on the axis of the other lanes: a pane for each of its gauges that it told at all, none where it told nothing. A column
// without a reading is a gap.
func serverPanes(all []*bench.Bucket) []plot.Pane {
	var out []plot.Pane
	for _, pane := range []struct {
		name  string
		lines []serverLane
	}{
		{"Server: its requests", []serverLane{{bench.ServerRunning, "running", "s0"}, {bench.ServerWaiting, "waiting", "s5"}}},
		{"Server: KV cache in use, %", []serverLane{{bench.KVUsage, "KV", "s4"}}},
		{"Server: tokens a second", []serverLane{{bench.GenerationRate, "generated", "s2"}, {bench.PromptRate, "prompts", "s7"}}},
	} {
		p := plot.Pane{Name: pane.name, Height: 70}
		var seen []float64
		for _, of := range pane.lines {
			line := of.line(all)
			for _, at := range line.Points {
				seen = append(seen, plain0(at.Y))
			}
			p.Lines = append(p.Lines, line)
		}
		p.Y = plot.Upto(seen...)
		p.Lines = slices.DeleteFunc(p.Lines, func(l plot.Line) bool { return !drawnAnything(&plot.Pane{Lines: []plot.Line{l}}) })
		if len(p.Lines) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// serverLane is a gauge of the server as a line.
type serverLane struct {
	gauge       bench.Gauge
	name, class string
}

// line is the gauge in each column.
func (l serverLane) line(all []*bench.Bucket) plot.Line {
	times := 1.0
	for i := range gaugeNames {
		if gaugeNames[i].gauge == l.gauge {
			times = gaugeNames[i].times
		}
	}
	out := plot.Line{Name: l.name, Class: l.class}
	for _, b := range all {
		at := plot.Point{X: middle(b), Y: math.NaN()}
		if b.Server != nil {
			if v := known(b.Server.Mean(l.gauge)); v != nil {
				at.Y = *v * times
			}
		}
		out.Points = append(out.Points, at)
	}
	return out
}
