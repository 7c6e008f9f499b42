package chart

import (
	"math"

	"github.com/NimbleMarkets/ntcharts/barchart"

	"redline/bench"
	"redline/ui/style"
)

// Bar is one bar of a histogram.
type Bar struct {
	// Upto is the upper end of the bar's values, exclusive but for the last.
	Upto float64
	// Share is its part of all samples, 0..1.
	Share float64
}

// Histogram is a distribution in bars that share one logarithmic scale of values.
type Histogram struct {
	// From is the lower end of the first bar.
	From float64
	Bars []Bar
	// Threshold colours what is over it; 0 is none.
	Threshold float64
	// Title stands in the top row.
	Title string
	// Millis tells that values are milliseconds: long ones are written in seconds.
	Millis bool
	Mode   Mode
	Ink    style.Token
}

// NewHistogram cuts a distribution into n bars of equal ratio between its 0.5th and 99.5th percentile; what lies outside counts in
// the first and last.
func NewHistogram(s bench.Sketch, n int) Histogram {
	var h Histogram
	low, high := s.Quantile(0.005), s.Quantile(0.995)
	if n < 1 || !low.OK || !high.OK || high.V <= 0 {
		return h
	}
	h.From = max(low.V, high.V*1e-4)
	if high.V < h.From*1.05 {
		// All alike: one bar's width around it.
		h.From, high.V = high.V/1.2, high.V*1.2
	}
	ratio, below := math.Pow(high.V/h.From, 1/float64(n)), 0.0
	for i := 1; i <= n; i++ {
		b := Bar{Upto: h.From * math.Pow(ratio, float64(i))}
		upto := 1.0
		if i < n {
			upto = max(shareBelow(s, b.Upto), below)
		}
		b.Share, below = upto-below, upto
		h.Bars = append(h.Bars, b)
	}
	return h
}

// shareBelow is the part of the samples under v, by halving: a sketch gives values for ranks, not ranks for values.
func shareBelow(s bench.Sketch, v float64) float64 {
	low, high := 0.0, 1.0
	for range 12 {
		mid := (low + high) / 2
		if s.Quantile(mid).V < v {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// histogramLeft is the room for "100% ┤".
const histogramLeft = 6

// Plot draws the histogram into a panel of that size; the panel stays blank below 12 × 4, and says so when there are no samples.
func (h Histogram) Plot(p *Panel, set *style.Set, width, height int) {
	p.clear(width, height)
	if width < minPanelWidth || height < minPanelHeight {
		return
	}
	top := 0
	if h.Title != "" {
		p.write(0, 0, h.Title, style.Strong)
		top = 1
	}
	bars := h.Bars[:min(len(h.Bars), width-histogramLeft)]
	high := 0.0
	for _, b := range bars {
		if v, ok := clampTo(b.Share, 0, 1); ok {
			high = max(high, v)
		}
	}
	if high == 0 {
		p.write(0, height/2, "no samples yet", style.Dim)
		return
	}
	rows := height - top - 2
	cells := max((width-histogramLeft)/len(bars), 1)
	if rows < 1 {
		return
	}
	h.axes(p, set.Glyphs, top, rows, cells, high, bars)
	if g := h.Mode.Glyphs(set); g.ASCII {
		h.ramp(p, g, top, rows, cells, high, bars)
		return
	}
	chart := barchart.New(cells*len(bars), rows, barchart.WithNoAxis(), barchart.WithNoAutoMaxValue(), barchart.WithMaxValue(high),
		barchart.WithBarGap(0))
	if plotSafe(func() { h.draw(&chart, bars) }) {
		p.paste(&chart.Canvas, histogramLeft, top)
	}
}

func (h Histogram) draw(chart *barchart.Model, bars []Bar) {
	for i, b := range bars {
		v, _ := clampTo(b.Share, 0, 1)
		chart.Push(barchart.BarData{Values: []barchart.BarValue{{Value: v, Style: inks[h.look(i)]}}})
	}
	chart.Draw()
}

// ramp draws the bars with the ASCII ramp, which the canvas library has not.
func (h Histogram) ramp(p *Panel, g *style.Glyphs, top, rows, cells int, high float64, bars []Bar) {
	full := len(g.Bars) - 1
	for i, b := range bars {
		v, _ := clampTo(b.Share, 0, 1)
		steps := int(v/high*float64(rows*full) + 0.5)
		for up := 0; up < rows && steps > up*full; up++ {
			for x := range cells {
				p.write(histogramLeft+i*cells+x, top+rows-1-up, g.Bars[min(steps-up*full, full)], h.look(i))
			}
		}
	}
}

// look is a bar's: bad when all of it is over the threshold.
func (h Histogram) look(i int) style.Token {
	from := h.From
	if i > 0 {
		from = h.Bars[i-1].Upto
	}
	if h.Threshold > 0 && from >= h.Threshold*0.999 {
		return style.Bad
	}
	return h.Ink
}

func (h Histogram) axes(p *Panel, g *style.Glyphs, top, rows, cells int, high float64, bars []Bar) {
	percent := Tick(math.Round(high*100)) + "%"
	p.write(histogramLeft-2-len(percent), top, percent, style.Dim)
	for y := range rows {
		p.write(histogramLeft-1, top+y, g.AxisY, style.Faint)
	}
	floor, width := top+rows, cells*len(bars)
	p.write(histogramLeft-1, floor, g.CornerL, style.Faint)
	for x := range width {
		p.write(histogramLeft+x, floor, g.Rule, style.Faint)
	}
	h.values(p, g, floor, width, bars[len(bars)-1].Upto)
}

// tick is a value as the axis writes it.
func (h Histogram) tick(v float64) string {
	if h.Millis {
		return TickMillis(v)
	}
	return Tick(v)
}

// values writes the ends of the scale under the axis, and the threshold where it lies between; it comes before the upper end.
func (h Histogram) values(p *Panel, g *style.Glyphs, floor, width int, upto float64) {
	first, last := h.tick(h.From), h.tick(upto)
	p.write(histogramLeft, floor+1, first, style.Dim)
	start, end := histogramLeft+len(first), histogramLeft+width
	ratio := math.Log(upto / h.From)
	if at := int(math.Log(h.Threshold/h.From) / ratio * float64(width)); h.Threshold > h.From && ratio > 0 && at >= 0 && at < width {
		bound := []rune(g.LessEq + h.tick(h.Threshold))
		x := min(histogramLeft+at-len(bound)/2, end-len(bound))
		p.write(histogramLeft+at, floor, g.Up, style.Mark)
		if x > start {
			p.write(x, floor+1, string(bound), style.Dim)
			start = x + len(bound)
		}
	}
	if at := end - len(last); at > start {
		p.write(at, floor+1, last, style.Dim)
	}
}
