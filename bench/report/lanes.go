package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/report/plot"
)

// laneColumns is how many columns the lanes have at most: what a page can show, however long the run was.
const laneColumns = 480

// pace is over how long a rate of the lanes is taken at least: requests of a single second are too few to speak of a rate.
const pace = 10 * time.Second

// figureWide is the width of a figure over the whole page, in its own units.
const figureWide = 1040

// lanes are the run over time: what was asked of the server, and what it gave, on one axis, with what happened.
func lanes(s *bench.Snapshot, o *Origin, id string) *plot.Figure {
	all := joined(s.Buckets, laneColumns)
	if len(all) == 0 {
		return nil
	}
	length := max(s.Folded, all[len(all)-1].End())
	f := &plot.Figure{ID: id, Title: "The run over time", Width: figureWide, X: plot.Times(length),
		Text: fmt.Sprintf("Load, TTFT, ITL, TPS, RPM and TPM over %s, with a line where each level began, and for notes and events. The table of levels has the numbers.", span(length))}
	load, rate := loadPane(all)
	f.Panes = append(f.Panes, load)
	if rate != nil {
		f.Panes = append(f.Panes, *rate)
	}
	ttft := quantilePane(s, all, "TTFT, ms", bench.TTFT, func(f *bench.Facts) bench.Sketch { return f.TTFT })
	itl := quantilePane(s, all, "ITL, ms", bench.ITL, func(f *bench.Facts) bench.Sketch { return f.ITL })
	tps := streamPane(s, all)
	rpm := ratePane(all, "RPM, requests a minute", "rpm", func(b *bench.Bucket) float64 { return float64(b.Ended[bench.OK]) })
	tpm := ratePane(all, "TPM, tokens a minute", "tpm", func(b *bench.Bucket) float64 { return float64(b.Tokens()) })
	f.Panes = append(f.Panes, ttft, itl, tps, rpm, tpm)
	for i := range f.Panes {
		if !drawnAnything(&f.Panes[i]) {
			f.Panes[i].Name, f.Panes[i].Height = f.Panes[i].Name+": nothing was measured", 40
		}
	}
	if own := serverPanes(all); own != nil {
		f.Panes = append(f.Panes, own...)
		f.Text = strings.Replace(f.Text, " RPM and TPM", " RPM and TPM, and what the server told of itself,", 1)
	}
	f.Marks = marksOf(s, o)
	for i, b := range all {
		f.Hints = append(f.Hints, plot.Hint{From: b.Start.Seconds(), To: b.End().Seconds(), Title: hintOf(b, f.Panes, i)})
	}
	return f
}

// drawnAnything tells whether a line of a pane has a point.
func drawnAnything(p *plot.Pane) bool {
	return slices.ContainsFunc(p.Lines, func(l plot.Line) bool {
		return slices.ContainsFunc(l.Points, func(at plot.Point) bool { return !math.IsNaN(at.Y) })
	})
}

// joined are the buckets of a run, neighbours as one, so that there are at most so many.
func joined(buckets []*bench.Bucket, most int) []*bench.Bucket {
	if len(buckets) <= most {
		return buckets
	}
	begin, length := buckets[0].Start, buckets[len(buckets)-1].End()-buckets[0].Start
	each := time.Duration(math.Ceil(float64(length) / float64(most)))
	var out []*bench.Bucket
	for i := 0; i < len(buckets); {
		end := i + 1
		for end < len(buckets) && (buckets[end].End()-begin)/each == (buckets[i].End()-begin)/each {
			end++
		}
		out = append(out, bench.Join(buckets[i:end]))
		i = end
	}
	return out
}

// loadPane is the load that was set, and the requests in flight; rate is the load of the open loop, nil where none was sent at a rate.
func loadPane(all []*bench.Bucket) (load plot.Pane, rate *plot.Pane) {
	set, arrivals, flying := plot.Line{Name: "set", Class: "load", Steps: true}, plot.Line{Name: "rate set", Class: "load", Steps: true}, plot.Line{Name: "in flight", Class: "flight"}
	var most, fastest float64
	for _, b := range all {
		closed, open := math.NaN(), math.NaN()
		if b.Target.Mode == bench.Open {
			open, fastest = b.Target.N, max(fastest, b.Target.N)
		} else {
			closed = b.Target.N
			most = max(most, closed)
		}
		at := b.Start.Seconds()
		set.Points, arrivals.Points = append(set.Points, plot.Point{X: at, Y: closed}), append(arrivals.Points, plot.Point{X: at, Y: open})
		mean := b.InFlight / max(b.Span.Seconds(), 1e-9)
		most = max(most, mean)
		flying.Points = append(flying.Points, plot.Point{X: middle(b), Y: mean})
	}
	last := all[len(all)-1].End().Seconds()
	for _, l := range []*plot.Line{&set, &arrivals} {
		l.Points = append(l.Points, plot.Point{X: last, Y: l.Points[len(l.Points)-1].Y})
	}
	load = plot.Pane{Name: "Load, requests in flight", Height: 90, Y: plot.Upto(most), Lines: []plot.Line{flying, set}}
	if fastest > 0 {
		rate = &plot.Pane{Name: "Load, requests a second", Height: 60, Y: plot.Upto(fastest), Lines: []plot.Line{arrivals}}
	}
	return load, rate
}

func middle(b *bench.Bucket) float64 { return (b.Start + b.Span/2).Seconds() }

// quantilePane is the median and the 95th percentile of a time. A column with too few samples borrows from those before it in its level.
func quantilePane(s *bench.Snapshot, all []*bench.Bucket, name string, m bench.Metric, of func(*bench.Facts) bench.Sketch) plot.Pane {
	p50, p95 := plot.Line{Name: "p50", Class: strings.ToLower(m.String()) + " low"}, plot.Line{Name: "p95", Class: strings.ToLower(m.String())}
	var seen []float64
	for i, b := range all {
		mid, high := math.NaN(), math.NaN()
		sketch := borrowed(all, i, of)
		if v := sketch.Quantile(0.5); v.OK && sketch.N >= bench.FewSamples {
			mid = v.V
		}
		if v := sketch.Quantile(0.95); v.OK && sketch.N >= bench.ReadySamples {
			high = v.V
		}
		seen = append(seen, plain0(mid), plain0(high))
		p50.Points, p95.Points = append(p50.Points, plot.Point{X: middle(b), Y: mid}), append(p95.Points, plot.Point{X: middle(b), Y: high})
	}
	return promisedPane(name, []plot.Line{p95, p50}, s.Run.Thresholds, m, seen)
}

// outOfScale is how many times above all that was seen a limit leaves the scale, so that it does not flatten what is there.
const outOfScale = 3

// promisedPane is a pane with the limits that are promised for its metric.
func promisedPane(name string, lines []plot.Line, promises []bench.Threshold, m bench.Metric, seen []float64) plot.Pane {
	p := plot.Pane{Name: name, Height: 110, Lines: lines}
	most := slices.Max(append(seen, 0))
	for _, t := range promises {
		if t.Metric == m && !t.Quota() && (most == 0 || t.Limit <= outOfScale*most) {
			p.Rules = append(p.Rules, plot.Rule{Y: t.Limit, Class: "promise", Title: "promise " + t.String()})
			seen = append(seen, t.Limit)
		}
	}
	p.Y = plot.Upto(seen...)
	return p
}

// plain0 is a value, of which what is none is 0.
func plain0(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// borrowed is the distribution of a column with those of the columns before it in its level, as far as they are needed for a percentile.
func borrowed(all []*bench.Bucket, i int, of func(*bench.Facts) bench.Sketch) bench.Sketch {
	parts := []bench.Sketch{of(&all[i].Facts)}
	n := parts[0].N
	if n == 0 {
		return parts[0]
	}
	for j := i - 1; j >= 0 && n < bench.ReadySamples && all[j].Level == all[i].Level; j-- {
		one := of(&all[j].Facts)
		parts, n = append(parts, one), n+one.N
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return bench.Merge(parts...)
}

// streamPane is how fast one stream was, and the slow ones.
func streamPane(s *bench.Snapshot, all []*bench.Bucket) plot.Pane {
	mean, slow := plot.Line{Name: "mean", Class: "tps"}, plot.Line{Name: "p5", Class: "tps low"}
	var seen []float64
	for i, b := range all {
		speed, low := math.NaN(), math.NaN()
		if seconds := b.DecodeSeconds + b.DecodeSpare; seconds > 0.05 && b.DecodeTokens+b.DecodeFix > 0 {
			speed = (b.DecodeTokens + b.DecodeFix) / seconds
		}
		if sketch := borrowed(all, i, func(f *bench.Facts) bench.Sketch { return f.TPS }); sketch.N >= bench.ReadySamples {
			low = sketch.Quantile(0.05).V
		}
		seen = append(seen, plain0(speed), plain0(low))
		mean.Points, slow.Points = append(mean.Points, plot.Point{X: middle(b), Y: speed}), append(slow.Points, plot.Point{X: middle(b), Y: low})
	}
	return promisedPane("TPS, tokens a second of one stream", []plot.Line{slow, mean}, s.Run.Thresholds, bench.TPS, seen)
}

// ratePane is a count a minute.
func ratePane(all []*bench.Bucket, name, class string, of func(*bench.Bucket) float64) plot.Pane {
	line := plot.Line{Name: "over " + span(pace), Class: class, Area: true}
	most := 0.0
	for i := range all {
		n, active := 0.0, time.Duration(0)
		for j := i; j >= 0 && active < pace; j-- {
			n, active = n+of(all[j]), active+all[j].Active
		}
		v := math.NaN()
		if active > 0 && all[i].Active > 0 {
			v = max(n/active.Minutes(), 0)
		}
		most = max(most, plain0(v))
		line.Points = append(line.Points, plot.Point{X: middle(all[i]), Y: v})
	}
	return plot.Pane{Name: name, Height: 90, Y: plot.Upto(most), Lines: []plot.Line{line}}
}

// hintOf is what the lanes show of a column, in words.
func hintOf(b *bench.Bucket, panes []plot.Pane, i int) string {
	words := []string{stamp(b.Start) + ", load " + b.Target.String()}
	for _, p := range panes[1:] {
		name, _, _ := strings.Cut(p.Name, ",")
		for _, l := range p.Lines {
			if i < len(l.Points) && !math.IsNaN(l.Points[i].Y) {
				words = append(words, strings.TrimSpace(name+" "+l.Name)+": "+short(l.Points[i].Y))
			}
		}
	}
	return strings.Join(words, "\n")
}

// marksOf are the levels, the notes and what befell the run, in the order of their instants.
func marksOf(s *bench.Snapshot, o *Origin) []plot.Mark {
	var out []plot.Mark
	for _, l := range s.Levels {
		title := fmt.Sprintf("%s level %d, load %s", stamp(l.Begin), l.ID, l.Load)
		if l.Note != "" {
			title += ", " + Printable(l.Note)
		}
		out = append(out, plot.Mark{X: l.Begin.Seconds(), Class: "level", Label: l.Load.String(), Title: title})
	}
	for _, e := range s.Events {
		class := ""
		switch e.Kind {
		case bench.EventNote:
			class = "note"
		case bench.EventDown, bench.EventBroken, bench.EventBudget, bench.EventGap, bench.EventPause:
			class = "trouble"
		case bench.EventUp, bench.EventKept, bench.EventResume:
			class = "relief"
		default:
			continue
		}
		label := ""
		if class == "note" {
			label = bench.Clause(Printable(e.Text))
		}
		out = append(out, plot.Mark{X: e.At.Seconds(), Class: class, Label: label, Title: stamp(e.At) + " " + sentence(e)})
	}
	if o != nil {
		for _, a := range o.Annotations {
			out = append(out, plot.Mark{X: a.At.Seconds(), Class: "note", Label: bench.Clause(Printable(a.Text)), Title: stamp(a.At) + " note afterwards " + Printable(a.Text)})
		}
	}
	slices.SortStableFunc(out, func(a, b plot.Mark) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	return out
}
