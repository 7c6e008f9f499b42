package view

import (
	"math"
	"time"

	"redline/bench"
	"redline/ui/action"
	"redline/ui/chart"
)

// heat keeps the picture of Heat between frames: what lies in each column is counted once, and counted anew only where samples came since or the rows are
// cut otherwise.
type heat struct {
	key heatKey
	// scales are soft, so that a picture does not jump; peaks the greatest cells, for the shades. Each metric has its own on each x axis.
	scales [bench.NumMetrics][numAcross]chart.HeatScale
	peaks  [bench.NumMetrics][numAcross]chart.Range
	// crowds are how many samples a column holds, and rows those of the picture, which follow from it.
	crowds [bench.NumMetrics]chart.Range
	rows   int
	edges  []float64
	limit  float64
	// at is the edge of the promise, below 0 without one.
	at      int
	columns []chart.HeatColumn
	kept    []keptHeat
	cells   []int
	markers []bool
	lengths chart.Lengths
	merged  *bench.Histogram
	journal tokenHeat
	// positioned tells that the columns are those of places in answers, which are counted on and not anew.
	positioned bool
	// all are the samples of the picture.
	all   bench.Sketch
	scope heatScope
	// span is that of the last frame, for the keys that go about in it.
	span span
}

// heatKey is what a picture depends on.
type heatKey struct {
	fold   fold
	span   span
	window time.Duration
	metric bench.Metric
	across Across
	rows   int
	cells  int
	log    bool
	limit  float64
	scope  Scope
	ended  int
}

// keptHeat is by what a column was counted.
type keptHeat struct {
	number int
	n      uint64
	sum    float64
}

// ofMetric is where a bucket keeps a metric's samples.
func ofMetric(b *bench.Bucket, m bench.Metric) *bench.Sketch {
	switch m {
	case bench.ITL:
		return &b.ITL
	case bench.TPS:
		return &b.TPS
	case bench.E2E:
		return &b.E2E
	}
	return &b.TTFT
}

// starting are the buckets that begin in a stretch of time, so that each is in one column.
func starting(buckets []*bench.Bucket, from, to time.Duration) []*bench.Bucket {
	out := within(buckets, from, to)
	for len(out) > 0 && out[0].Start < from {
		out = out[1:]
	}
	return out
}

// prepare brings the picture up to date.
func (h *heat) prepare(f *frame, rows int) {
	k := heatKey{fold: foldOf(f.s), span: f.span, window: f.pastWindow(), metric: f.st.heated(), across: f.st.across(), rows: max(rows, 1), cells: f.Chart,
		log: f.st.Log[action.Heat], scope: f.st.Scope}
	if t, ok := f.threshold(k.metric); ok {
		k.limit = t.Limit
	}
	if k.across == OverTime {
		k.cells -= f.ahead
	} else if f.st.Journal != nil {
		k.ended = len(f.st.Journal.Ended) + f.st.Journal.Gone
	}
	h.span = f.span
	if h.key == k {
		return
	}
	was := h.key
	h.key, h.limit = k, k.limit
	if was.fold.run != k.fold.run {
		*h = heat{key: k, limit: k.limit, span: f.span}
	}
	forgets := f.forgetful || f.leapt(was.fold, k.fold)
	resized := was.span.width != k.span.width || was.span.count != k.span.count || was.cells != k.cells || was.scope != k.scope && k.across != OverTime
	recut := resized || was.rows != k.rows || was.log != k.log || was.limit != k.limit
	stepped := recut || h.empty() || was.fold.run != k.fold.run || was.fold.folded != k.fold.folded || was.metric != k.metric || was.across != k.across || forgets
	if resized || was.log != k.log || forgets {
		// Another stretch is another picture: its scale owes nothing to the last one.
		*h.scale() = chart.HeatScale{}
		h.crowds[k.metric] = chart.Range{}
	}
	if recut || forgets {
		*h.peak() = chart.Range{}
	}
	h.rows = k.rows
	h.positioned = h.positioned && k.across == OverPosition
	switch k.across {
	case OverTime:
		h.overTime(f, stepped)
	case OverPrompt:
		h.overPrompts(f, stepped)
	default:
		h.overPositions(f, stepped)
	}
	if stepped {
		h.peak().Step(roundUp(float64(h.most())))
	}
	h.measureScope(f)
}

func (h *heat) scale() *chart.HeatScale { return &h.scales[h.key.metric][h.key.across] }

func (h *heat) peak() *chart.Range { return &h.peaks[h.key.metric][h.key.across] }

// empty tells that there is not one sample to show.
func (h *heat) empty() bool { return h.all.N == 0 }

// most is how many samples are in the fullest cell.
func (h *heat) most() (most uint64) {
	for _, c := range h.columns {
		for _, n := range c.Counts {
			most = max(most, n)
		}
	}
	return most
}

// rare is the share of the least samples that the scale may leave to its lowest row, rarest that of the greatest which it may leave to its highest: a few
// samples far off would flatten all others. A linear scale is flattened sooner, and leaves as many to the highest as to the lowest.
const (
	rare   = 0.005
	rarest = 0.001
)

// cut steps the scale to the samples of the picture and cuts it into rows; it tells whether these are other ones.
func (h *heat) cut(stepped bool) bool {
	if stepped && h.all.N > 0 {
		low, high := h.all.Quantile(rare).V, h.all.Quantile(1-rarest).V
		if !h.key.log {
			high = h.all.Quantile(1 - rare).V
		}
		high *= headroom
		if l := h.limit; l > 0 && l <= distant*high && l >= low/distant {
			low, high = min(low, l/headroomLimit), max(high, l*headroomLimit)
		}
		low = max(low, high*1e-6, 1e-3)
		h.scale().Step(1/roundUp(1/low), roundUp(max(high, 1e-3)))
	}
	edges, at := h.scale().Edges(h.rows, h.key.log, h.limit)
	same := len(edges) == len(h.edges) && at == h.at
	for i := 0; same && i < len(edges); i++ {
		same = edges[i] == h.edges[i]
	}
	h.edges, h.at = edges, at
	return !same
}

// So many rows of values have as many samples a column as make a shape of them: more would part them into single dots.
var rowsFor = [...]struct {
	crowd float64
	rows  int
}{{10, 14}, {20, 20}, {50, 30}}

// leastPicture is the part of its room that a picture takes, however few samples there are.
const leastPicture = 0.5

// coarsen cuts the values into fewer rows than there is room for where a column holds few samples. Like the scale it takes more rows at once, and gives
// them up only after ten buckets.
func (h *heat) coarsen(f *frame, stepped bool) {
	k := &h.key
	crowd := &h.crowds[k.metric]
	if stepped {
		held := 0
		for i := range k.span.count {
			from := k.span.start(i)
			for _, b := range starting(f.s.Buckets, max(from, 0), max(from+k.span.width, 0)) {
				if ofMetric(b, k.metric).N > 0 {
					held++
					break
				}
			}
		}
		crowd.Step(chart.RoundUp(float64(h.all.N) / float64(max(held, 1))))
	}
	for _, r := range rowsFor {
		if crowd.Ceil() <= r.crowd {
			h.rows = min(k.rows, max(r.rows, int(leastPicture*float64(k.rows))))
			return
		}
	}
}

// overTime counts the columns of the window.
func (h *heat) overTime(f *frame, stepped bool) {
	k := &h.key
	if h.merged == nil {
		h.merged = bench.NewHistogram()
	}
	h.merged.Reset()
	for _, b := range starting(f.s.Buckets, k.span.begin(), k.span.end(f.edge)) {
		h.merged.AddSketch(*ofMetric(b, k.metric))
	}
	h.all = h.merged.Sketch()
	h.coarsen(f, stepped)
	fresh := h.cut(stepped)
	old, kept := h.columns, h.kept
	h.columns, h.kept = make([]chart.HeatColumn, 0, k.span.count), make([]keptHeat, 0, k.span.count)
	for i := range k.span.count {
		from := k.span.start(i)
		var buckets []*bench.Bucket
		if from >= 0 {
			buckets = starting(f.s.Buckets, from, from+k.span.width)
		}
		is := keptHeat{number: k.span.first + i}
		for _, b := range buckets {
			s := ofMetric(b, k.metric)
			is.n, is.sum = is.n+s.N, is.sum+s.Sum
		}
		c := chart.HeatColumn{N: is.n}
		if j := find(kept, is); !fresh && j >= 0 && j < len(old) {
			c = old[j]
		} else if is.n > 0 {
			c.Counts = make([]uint64, len(h.edges)-1)
			for _, b := range buckets {
				ofMetric(b, k.metric).Spread(h.edges, c.Counts)
			}
		}
		h.columns, h.kept = append(h.columns, c), append(h.kept, is)
	}
	h.cells = h.cells[:0]
	for x := range max(k.cells, 0) {
		i := (x + k.span.over) / max(k.span.repeat, 1)
		if i >= k.span.count {
			i = -1
		}
		h.cells = append(h.cells, i)
	}
}

// find is where a column was kept; below 0 where it was not, or has changed since.
func find(kept []keptHeat, k keptHeat) int {
	if len(kept) == 0 {
		return -1
	}
	if i := k.number - kept[0].number; i >= 0 && i < len(kept) && kept[i] == k {
		return i
	}
	return -1
}

// picture is what is drawn, with the markers and the chosen cell of this frame.
func (h *heat) picture(f *frame) chart.Heat {
	p := chart.Heat{Columns: h.columns, Cells: h.cells, Rows: h.rows, Limit: -1, Mode: f.st.Graph}
	p.Shades = h.shades()
	if h.at >= 0 {
		p.Limit = h.at - 1
		if h.key.metric == bench.TPS {
			p.Limit = h.at
		}
	}
	if h.key.across == OverTime {
		h.markers = append(h.markers[:0], make([]bool, len(h.cells))...)
		for _, m := range f.marks {
			if x := f.span.cell(m.column); x < len(h.markers) {
				h.markers[x] = true
			}
		}
		p.Markers = h.markers
	}
	p.Column, p.Row, p.Chosen = h.chosen(f.st)
	return p
}

func (h *heat) shades() chart.Shades {
	return chart.ShadesFor(uint64(min(h.peak().Ceil(), math.MaxInt64/2)))
}

// tick is a number on the scale.
func (h *heat) tick(v float64) string {
	if h.key.metric.Unit() == "ms" {
		return chart.TickMillis(v)
	}
	return chart.Tick(v)
}

// label is the end of a row's values that promises are about: the upper one of latencies, the lower one of speeds. The outermost rows hold what lies
// beyond as well.
func (h *heat) label(f *frame, up int) string {
	if up < 0 || up+1 >= len(h.edges) {
		return ""
	}
	last := len(h.edges) - 2
	if h.key.metric == bench.TPS {
		if up == 0 && last > 0 {
			return "<" + h.tick(h.edges[1])
		}
		return h.tick(h.edges[up])
	}
	if up == last && last > 0 && h.all.Max > h.edges[last+1] {
		return ">" + h.tick(h.edges[last])
	}
	return h.tick(h.edges[up+1])
}
