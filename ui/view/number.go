package view

import (
	"math"
	"strconv"
	"strings"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

// Widths of the number columns in Full and Wide: now, p50, p95, p99, Δ.
const (
	nowCells   = 9
	statCells  = 9
	keyCells   = 10
	lastCells  = 8
	deltaCells = 7
)

func count(n int) string { return chart.Count(int64(n)) }

// amount is so many of something, in three digits and without decimals.
func amount(n float64) string {
	if v := bench.Some(math.Round(n)); sound(v) && math.Abs(v.V) < 100 {
		return whole(v)
	}
	return chart.Num(bench.Some(n))
}

// whole is a number without decimals.
func whole(v bench.Value) string {
	if !sound(v) || v.V > 1e15 || v.V < -1e15 {
		return chart.Num(v)
	}
	return strconv.Itoa(int(v.V + 0.5))
}

// heading is the line over the number columns.
func (f *frame) heading(r *style.Row) {
	end := r.Cells() + nowCells + statCells + keyCells + lastCells + deltaCells
	r.Cell(style.Dim, "now", nowCells).Cell(style.Dim, "p50", statCells).Cell(style.Dim, "p95", keyCells).Put(style.Dim, "p99")
	if !f.compares() {
		return
	}
	// The name may stand over the blanks of the column before.
	r.Right(style.Dim, f.deltaSign()+f.referenceWithin(end-r.Cells()-2-f.st.Set.Width(f.deltaSign())), end-r.Cells())
}

// referenceWithin is what Δ compares with in so many cells, as long as there is room: what it is goes before at which load it is, since loads that differ are the
// first thing that explains a difference.
func (f *frame) referenceWithin(cells int) string {
	forms := []string{f.referenceName()}
	if f.raced() {
		name := f.rivalName()
		_, load, other := strings.Cut(name, " ")
		if forms = append(forms, " "+name); other {
			forms = append(forms, " at "+load)
		}
	}
	for _, text := range forms {
		if f.st.Set.Width(text) <= cells {
			return text
		}
	}
	return ""
}

// compares tells whether there is a level to compare the present one with.
func (f *frame) compares() bool { return f.reference != nil && f.reference != f.level }

// deltaSign is Δ, which ASCII has not.
func (f *frame) deltaSign() string {
	if f.g.ASCII {
		return "d"
	}
	return "Δ"
}

// referenceName is what Δ compares with: " vs 48", " ◆48" when it is pinned.
func (f *frame) referenceName() string {
	if f.raced() {
		return " vs " + f.rivalName()
	}
	name := f.levelName(f.reference)
	if f.pinned() != nil {
		return " ◆" + name
	}
	return " vs " + name
}

// numbers writes the number columns of a lane.
func (f *frame) numbers(r *style.Row, m bench.Metric) {
	g := f.figure(m)
	r.Cell(f.nowInk(), f.nowText(m), nowCells)
	switch m {
	case bench.RPM, bench.TPM:
		f.rateNumbers(r, m, g)
	default:
		ps := [3]bench.Percentile{bench.P50, bench.P95, bench.P99}
		if m == bench.TPS {
			ps = [3]bench.Percentile{bench.P50, bench.P5, bench.P1}
		}
		widths := [3]int{statCells, keyCells, lastCells}
		for i, p := range ps {
			f.percentileCell(r, m, g, p, widths[i])
		}
	}
	text, look := f.delta(m)
	r.Right(look, text, deltaCells)
}

// percentileCell is one percentile, with the verdict behind the one that a promise is about. Slow streams carry ≥: so many are at
// least that fast.
func (f *frame) percentileCell(r *style.Row, m bench.Metric, g figure, p bench.Percentile, cells int) {
	end := r.Cells() + cells
	text := slow(p, g, g.text(g.At(p)))
	look := style.FG
	if p == f.key(m) {
		look = style.Strong
	}
	mark, markLook := "", style.FG
	if t, ok := f.threshold(m); ok && t.At == p {
		mark, markLook = f.verdict(m, g)
	}
	if mark == f.g.Fail {
		look = style.Bad
	}
	r.Put(g.ink(look), text)
	if mark != "" {
		r.Blank(1).Put(markLook, mark)
	}
	r.To(end)
}

// rateNumbers is the mean with its interval: counts have no percentiles.
func (f *frame) rateNumbers(r *style.Row, m bench.Metric, g figure) {
	end := r.Cells() + statCells + keyCells + lastCells
	text := g.text(g.Mean)
	r.Put(g.ink(style.Strong), text)
	if sound(g.Half) && sound(g.Mean) && !g.grey {
		r.Put(style.Dim, " ±"+spread(g.Half.V))
	}
	r.To(end)
}
