package view

import (
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// heatScope is the distribution of the scope beside the picture.
type heatScope struct {
	// words say of what it is.
	words string
	// of is of how many samples they were drawn; 0 where they are all.
	of     int
	all    bench.Sketch
	counts []uint64
}

// measureScope counts the scope's samples by the rows of the picture. On an axis of lengths they are those of the picture.
func (h *heat) measureScope(f *frame) {
	c := &h.scope
	c.of = 0
	if h.key.across != OverTime {
		c.all = h.all
	} else {
		c.all, c.words = h.ofScope(f)
	}
	c.counts = append(c.counts[:0], make([]uint64, max(len(h.edges)-1, 0))...)
	c.all.Spread(h.edges, c.counts)
}

// ofScope are the samples of the present scope, and its name.
func (h *heat) ofScope(f *frame) (bench.Sketch, string) {
	m := h.key.metric
	switch {
	case f.st.Scope == Window:
		return h.all, "window " + f.windowWord()
	case f.st.Scope == Run:
		return h.merge(f.s.Buckets, m), "run"
	case f.level == nil:
		return bench.Sketch{}, "level"
	}
	words := "level at " + named(f.level.Load)
	if sum, ok := h.sampled(f.level, m); ok {
		h.scope.of = max(f.level.Stats[m].N, 0)
		return sum, words
	}
	from := f.level.Begin
	if f.level.Reached.OK {
		from = f.level.Reached.At
		words += " since reached"
	} else {
		words += " since change"
	}
	return h.merge(starting(f.s.Buckets, from, f.s.Folded), m), words
}

// sampled are the requests that a level's numbers rest on; not ok where there are none, and for tokens, of which it keeps none.
func (h *heat) sampled(l *bench.Level, m bench.Metric) (bench.Sketch, bool) {
	if m == bench.ITL || len(l.Sample) == 0 {
		return bench.Sketch{}, false
	}
	sum := bench.NewHistogram()
	for i := range l.Sample {
		switch one := &l.Sample[i]; {
		case m == bench.TTFT:
			sum.Add(float64(one.TTFT), 1)
		case m == bench.E2E:
			sum.Add(float64(one.E2E), 1)
		case one.TPOT > 0:
			sum.Add(1000/float64(one.TPOT), 1)
		}
	}
	return sum.Sketch(), sum.N() > 0
}

// merge is the distribution over buckets.
func (h *heat) merge(buckets []*bench.Bucket, m bench.Metric) bench.Sketch {
	sum := h.merged
	if sum == nil {
		sum = bench.NewHistogram()
		h.merged = sum
	}
	sum.Reset()
	for _, b := range buckets {
		sum.AddSketch(*ofMetric(b, m))
	}
	return sum.Sketch()
}

// Cells of a share, "34.6%", and of what is up to the row's end, " ≤ 100.0%".
const (
	shareCells = 6
	uptoCells  = 10
	// longestBar bounds the bars: longer ones say no more.
	longestBar = 40
)

// heatShare is a row's part of the scope: a bar, its share, and what lies up to the end of the row that promises are about.
func (f *frame) heatShare(r *style.Row, h *heat, up int) {
	c := &h.scope
	if up >= len(c.counts) || c.all.N == 0 {
		return
	}
	most := uint64(1)
	for _, n := range c.counts {
		most = max(most, n)
	}
	n := c.counts[up]
	bar := min(f.W-r.Cells()-shareCells-uptoCells-1, longestBar)
	end := r.Cells() + max(bar, 0)
	look := h.look(up)
	if n > 0 && bar >= 2 {
		half := int(float64(n)/float64(most)*float64(2*bar) + 0.5)
		switch {
		case half == 0 || half == 1 && f.drawn().ASCII:
			r.Glyph(look, f.drawn().Shade[1])
		default:
			r.Repeat(look, f.drawn().Busy, half/2)
			if half%2 == 1 && !f.drawn().ASCII {
				r.Glyph(look, f.drawn().OverPart)
			}
		}
	}
	r.To(end)
	if n == 0 && up != h.limitRow() {
		return
	}
	r.Right(style.FG, exactShare(n, c.all.N), shareCells)
	var upto uint64
	sign := f.g.LessEq
	for i, k := range c.counts {
		if h.key.metric == bench.TPS && i >= up || h.key.metric != bench.TPS && i <= up {
			upto += k
		}
	}
	if h.key.metric == bench.TPS {
		sign = f.g.GreaterEq
	}
	r.Put(style.Dim, "  "+sign).Right(style.Dim, exactShare(upto, c.all.N), uptoCells-3)
}

// limitRow is the row whose end is the promise; below 0 without one.
func (h *heat) limitRow() int {
	if h.key.metric == bench.TPS || h.at < 0 {
		return h.at
	}
	return h.at - 1
}

// look is that of a row's bar: bad where all of it breaks the promise.
func (h *heat) look(up int) style.Token {
	switch {
	case h.at < 0:
	case h.key.metric == bench.TPS && up < h.at, h.key.metric != bench.TPS && up >= h.at:
		return style.Bad
	}
	return style.Lane(h.key.metric)
}

// size is how many samples there are: "n 36", "n 36 of 52".
func (c *heatScope) size() string {
	n := int(min(c.all.N, 1<<50))
	if c.of > n {
		return "n " + count(n) + " of " + count(c.of)
	}
	return "n " + count(n)
}

// exactShare is a share with one decimal: all and nothing are said of nothing less.
func exactShare(n, of uint64) string {
	switch share := 1000 * float64(n) / float64(max(of, 1)); {
	case n >= of:
		return "100%"
	case n == 0:
		return "0%"
	case share < 1:
		return "<0.1%"
	default:
		whole := min(int(share+0.5), 999)
		return chart.Tick(float64(whole)/10) + map[bool]string{true: ".0%", false: "%"}[whole%10 == 0]
	}
}

// stat is what is known of the scope in figures: on the time axis what all views say of it, else of the picture itself.
func (f *frame) heatStat() bench.Stat {
	h := &f.heat
	if h.key.across == OverTime {
		return f.scope.Stats[h.key.metric]
	}
	all := h.all
	return bench.Stat{N: int(min(all.N, 1<<40)), Readiness: bench.Ready, P50: all.At(bench.P50), P95: all.At(bench.P95), P99: all.At(bench.P99), Max: all.At(bench.Max)}
}

// heatPercentiles are the points that are told of a metric.
func heatPercentiles(m bench.Metric) []bench.Percentile {
	if m == bench.TPS {
		return []bench.Percentile{bench.P50, bench.P5, bench.P1}
	}
	return []bench.Percentile{bench.P50, bench.P95, bench.P99, bench.Max}
}

// heatFigure is one of the points with its verdict.
func (f *frame) heatFigure(p bench.Percentile) (text, mark string, look style.Token) {
	m, st := f.heat.key.metric, f.heatStat()
	g := figure{Stat: &st, few: st.Readiness == bench.Few, millis: m.Unit() == "ms"}
	g.rough = m == bench.ITL && f.chunky()
	v := st.At(p)
	if st.Readiness == bench.Absent {
		v = bench.Value{}
	}
	if t, ok := f.threshold(m); ok && t.At == p && sound(v) && f.heat.key.across == OverTime {
		mark, look = f.verdict(m, figure{Stat: &st})
	}
	return slow(p, g, g.text(v)), mark, look
}

// heatFigures writes the points in a row; only some of them where it is short.
func (f *frame) heatFigures(r *style.Row, brief bool) {
	m, st := f.heat.key.metric, f.heatStat()
	for i, p := range heatPercentiles(m) {
		text, mark, look := f.heatFigure(p)
		need := len(p.String()) + f.st.Set.Width(text+mark) + 4
		if need > r.Left() || brief && i > 2 {
			break
		}
		ink := style.FG
		if mark == f.g.Fail {
			ink = look
		}
		gap := 3
		if brief {
			gap = 1
		}
		r.Blank(gap).Put(style.Dim, p.String()+" ").Put(ink, text)
		if mark != "" {
			r.Put(look, strings.Repeat(" ", gap/2)+mark)
		}
	}
	if n := f.heatRests(st.N); f.st.Set.Width(n)+4 <= r.Left() && !brief {
		r.Blank(3).Put(style.Dim, n)
	}
}

// heatRests is on how many samples the figures rest. They are those of the scope; the shares beside the picture are of whole seconds, and so of others where a
// level began within one, or some of its first tokens are not its own.
func (f *frame) heatRests(n int) string {
	out := "n " + count(n)
	if c := &f.heat.scope; f.heat.key.across == OverTime && uint64(max(n, 0)) != c.all.N && n != c.of {
		out += " " + samples(f.heat.key.metric) + " counted to the " + f.st.Scope.String() + ", of " + count(int(min(c.all.N, 1<<50))) + " above"
	}
	return out
}

// heatSmall is row y of the figures beside a small picture.
func (f *frame) heatSmall(r *style.Row, y int) {
	ps := heatPercentiles(f.heat.key.metric)
	switch {
	case y < len(ps):
		text, mark, look := f.heatFigure(ps[y])
		ink := style.FG
		if mark == f.g.Fail {
			ink = look
		}
		r.Cell(style.Dim, ps[y].String(), 5).Right(ink, text, 8).Blank(1).Put(look, mark)
	case y == len(ps):
		st := f.heatStat()
		r.Cell(style.Dim, "n", 5).Right(style.FG, count(st.N), 8)
	}
}
