package chart

import (
	"testing"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/sparkline"

	"redline/ui/style"
)

// The benchmarks decide who draws the lanes: five of them, 80 cells by 4 rows, as in a full frame. With threshold, markers and a look for
// each column, the plotter of this package takes 0.04 ms and one allocation a row. The canvas library, without any of these, takes
// 0.5 ms and a megabyte when its cells are read by our writer, and 4 ms as it comes (more with colours, which a test has not).
// So lanes, which are on screen all the time, are plotted here, and the library draws what changes once a second.

const (
	benchLanes = 5
	benchWidth = 80
	benchRows  = 4
)

func BenchmarkLanesOwn(b *testing.B) {
	set := sets["unicode"]
	l := laneOf(benchWidth)
	l.Rows = benchRows
	row := style.NewRow(set)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = 0
		for range benchLanes {
			for y := range benchRows {
				row.Start(benchWidth)
				l.Draw(row, y)
				size += len(row.String())
			}
		}
	}
	b.ReportMetric(float64(size), "out-B/op")
}

func BenchmarkLanesBraille(b *testing.B) {
	set := sets["unicode"]
	l := laneOf(2 * benchWidth)
	l.Rows, l.Width, l.Mode = benchRows, benchWidth, Braille
	row := style.NewRow(set)
	b.ReportAllocs()
	for b.Loop() {
		for range benchLanes {
			for y := range benchRows {
				row.Start(benchWidth)
				l.Draw(row, y)
				_ = row.String()
			}
		}
	}
}

func benchSparkline() sparkline.Model {
	m := sparkline.New(benchWidth, benchRows, sparkline.WithMaxValue(1000), sparkline.WithNoAutoMaxValue(), sparkline.WithStyle(inks[style.LaneTTFT]))
	for _, c := range story(benchWidth, 500) {
		m.Push(min(c.V, 1000))
	}
	return m
}

// BenchmarkLanesLibrary is the canvas library as a rasteriser only, its cells read by our writer.
func BenchmarkLanesLibrary(b *testing.B) {
	m := benchSparkline()
	row := style.NewRow(sets["unicode"])
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = 0
		for range benchLanes {
			m.DrawColumnsOnly()
			for y := range benchRows {
				row.Start(benchWidth)
				for x := range benchWidth {
					c := m.Canvas.Cell(canvas.Point{X: x, Y: y})
					if c.Rune == 0 {
						c.Rune = ' '
					}
					row.Rune(token(c.Style), c.Rune)
				}
				size += len(row.String())
			}
		}
	}
	b.ReportMetric(float64(size), "out-B/op")
}

// BenchmarkLanesLibraryView is the canvas library as it comes.
func BenchmarkLanesLibraryView(b *testing.B) {
	m := benchSparkline()
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = 0
		for range benchLanes {
			m.Draw()
			size += len(m.View())
		}
	}
	b.ReportMetric(float64(size), "out-B/op")
}

func BenchmarkCurvePlot(b *testing.B) {
	var p Panel
	b.ReportAllocs()
	for b.Loop() {
		Curve{Points: levels(), Knee: 32, Ink: style.Accent}.Plot(&p, sets["unicode"], 50, 12)
	}
}

func BenchmarkHistogramPlot(b *testing.B) {
	var p Panel
	s := latencies()
	b.ReportAllocs()
	for b.Loop() {
		NewHistogram(s, 22).Plot(&p, sets["unicode"], 50, 10)
	}
}

func BenchmarkPanelDraw(b *testing.B) {
	var p Panel
	Curve{Points: levels(), Knee: 32, Ink: style.Accent}.Plot(&p, sets["unicode"], 50, 12)
	row := style.NewRow(sets["unicode"])
	b.ReportAllocs()
	for b.Loop() {
		for y := range 12 {
			row.Start(50)
			p.Draw(row, y)
			_ = row.String()
		}
	}
}
