package view

import (
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// side is the column right of the lanes in Wide: the load curve above, the distributions of TTFT and ITL below. Its pictures are
// plotted when their data, their size or their looks change.
type side struct {
	key          sideKey
	curve        chart.Panel
	ttft, itl    chart.Panel
	histogram    [2]bench.Sketch
	histogramKey histogramKey
	// scopes say of what the two are.
	scopes [2]string
}

type sideKey struct {
	fold          fold
	set           *style.Set
	graph         chart.Mode
	width, height int
	scope         Scope
	from, to      time.Duration
}

type histogramKey struct {
	fold     fold
	scope    Scope
	from, to time.Duration
}

// prepare plots what has changed.
func (d *side) prepare(f *frame) {
	if f.Side < 14 {
		return
	}
	width := f.Side - 3
	height := f.Cause + f.effects + f.Axis
	k := sideKey{fold: foldOf(f.s), set: f.st.Set, graph: f.st.Graph, width: width, height: height, scope: f.st.Scope}
	if k.scope == Window {
		k.from, k.to = f.inWindow()
	}
	if d.key == k {
		return
	}
	d.key = k
	top := height * 2 / 5
	middle := (height - top - 2) / 2
	f.loadCurve().Plot(&d.curve, f.st.Set, width, top)
	d.measure(f)
	d.histo(f, &d.ttft, bench.TTFT, d.histogram[0], d.scopes[0], width, middle)
	d.histo(f, &d.itl, bench.ITL, d.histogram[1], d.scopes[1], width, height-top-2-middle)
}

// measure merges the scope's samples.
func (d *side) measure(f *frame) {
	from, to := time.Duration(0), f.s.Folded
	d.scopes = [2]string{f.st.Scope.String(), f.st.Scope.String()}
	level := f.st.Scope == Level && f.level != nil
	switch {
	case f.st.Scope == Window:
		from, to = f.inWindow()
	case level:
		from = f.level.Begin
		if d.scopes[0] = "since change"; f.level.Reached.OK {
			from, d.scopes[0] = f.level.Reached.At, "since reached"
		}
		d.scopes[1] = d.scopes[0]
		if n, all := len(f.level.Sample), f.level.Stats[bench.TTFT].N; n > 0 {
			// The requests that the numbers rest on; those that still run are not among them.
			if d.scopes[0] = "level"; n < all {
				d.scopes[0] = "of the level's " + count(all)
			}
		}
	}
	k := histogramKey{foldOf(f.s), f.st.Scope, from, to}
	if d.histogramKey == k {
		return
	}
	d.histogramKey = k
	var ttft, itl []bench.Sketch
	for _, b := range starting(f.s.Buckets, from, to) {
		// A second that two levels share belongs to the old load in part, and is not among them.
		ttft, itl = append(ttft, b.TTFT), append(itl, b.ITL)
	}
	d.histogram = [2]bench.Sketch{bench.Merge(ttft...), bench.Merge(itl...)}
	if level && len(f.level.Sample) > 0 {
		h := bench.NewHistogram()
		for _, one := range f.level.Sample {
			h.Add(float64(one.TTFT), 1)
		}
		d.histogram[0] = h.Sketch()
	}
}

func (d *side) histo(f *frame, p *chart.Panel, m bench.Metric, s bench.Sketch, scope string, width, height int) {
	h := chart.NewHistogram(s, max(height-1, 1))
	h.Threshold = f.limit(m)
	h.Title = m.String() + " ms, n " + count(int(s.N)) + ", " + scope
	h.Ink, h.Millis, h.Mode = style.Lane(m), m.Unit() == "ms", f.st.Graph
	h.Plot(p, f.st.Set, width, height)
}

// draw writes row y of the column.
func (d *side) draw(f *frame, y int) {
	if f.Side < 14 {
		return
	}
	r := f.row
	_, top := d.curve.Size()
	_, middle := d.ttft.Size()
	r.Blank(1)
	switch {
	case y < top:
		d.curve.Draw(r, y)
	case y == top || y == top+1+middle:
		r.Repeat(style.Faint, f.g.Rule, f.Side-3)
	case y < top+1+middle:
		d.ttft.Draw(r, y-top-1)
	default:
		d.itl.Draw(r, y-top-2-middle)
	}
}

// loadCurve is output rate by load over the levels, as the Curve has it.
func (f *frame) loadCurve() chart.Curve {
	all, curve, _ := standings(f.s)
	c := outCurve(all, -1, curve.Knee.X, f.st.Graph)
	c.Title = "output tok/s by concurrency"
	if f.curveMode() == bench.Open {
		c.Title = "output tok/s by req/s"
	}
	if len(c.Points) > 0 && f.level != nil {
		c.Title += ", at " + named(f.level.Load)
	}
	return c
}
