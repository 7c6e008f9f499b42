package view

import (
	"math"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// pairs are two targets as they were measured last, so that a frame measures only what is new.
type pairs struct {
	by     pairedBy
	span   span
	series [2]series
	values [2][len(bench.Lanes)][]column
	ranges [bench.NumMetrics]chart.Range
	// contests are the numbers with their differences: those of the lanes in their order, then others. Empty while there are no two levels to compare.
	contests []analysis.Contest
}

// pairedBy is what pairs follow from.
type pairedBy struct {
	folds      [2]fold
	span       span
	percentile bench.Percentile
	keys       [len(bench.Lanes)]bench.Percentile
}

// findPairs brings the lanes and the differences of both targets up to date.
func (f *frame) findPairs() {
	p, of := &f.pairs, f.s.Rivals.Of
	cells := f.halves().plot * f.st.Graph.PerCell(f.st.Set)
	is := pairedBy{folds: [2]fold{foldOf(of[0]), foldOf(of[1])}, percentile: f.st.Percentile}
	is.span = over(f.st.EffectiveWindow(f.edge, cells), f.edge, cells)
	for i, m := range bench.Lanes {
		is.keys[i] = f.key(m)
	}
	if p.by == is {
		return
	}
	fresh := p.by.span.width != is.span.width || p.by.percentile != is.percentile
	if p.by.folds != is.folds || p.by.keys != is.keys {
		p.contests = contestsOf(of[0].Level(), of[1].Level(), is.keys)
	}
	p.by, p.span = is, is.span
	for i, m := range bench.Lanes {
		top := 0.0
		for k := range 2 {
			p.values[k][i] = p.series[k].values(of[k], m, f.percentile(m), p.span, p.values[k][i][:0])
			top = max(top, ceiling(asPlot(p.values[k][i]), f.limit(m)))
		}
		if fresh {
			p.ranges[m] = chart.Range{}
		}
		step(&p.ranges[m], top, true)
	}
}

// asPlot are measured columns as those of a plot.
func asPlot(columns []column) []chart.Column {
	out := make([]chart.Column, len(columns))
	for i, c := range columns {
		out[i] = chart.Column{V: c.v, OK: c.ok}
	}
	return out
}

// contestsOf compares the present levels of two targets: by each lane's number that counts, then by what no lane shows. None are compared while their loads
// are not the same.
func contestsOf(a, b *bench.Level, keys [len(bench.Lanes)]bench.Percentile) []analysis.Contest {
	if a == nil || b == nil || a.Load != b.Load || a.Work != b.Work {
		return nil
	}
	one, other := analysis.ScopeOf(a), analysis.ScopeOf(b)
	var out []analysis.Contest
	add := func(m bench.Metric, at bench.Percentile) {
		out = append(out, analysis.Contest{Metric: m, At: at, Difference: analysis.Compare(one, other, m, at)})
	}
	for i, m := range bench.Lanes {
		add(m, keys[i])
	}
	add(bench.E2E, bench.P95)
	out = append(out, analysis.Contest{Output: true, At: bench.Mean, Difference: analysis.CompareOutput(one, other)})
	add(bench.Errors, bench.Mean)
	add(bench.TTFT, bench.P50)
	add(bench.ITL, bench.P50)
	return out
}

// contest is the difference with that number; nil while there is none.
func (f *frame) contest(i int) *analysis.Contest {
	if i < len(f.pairs.contests) {
		return &f.pairs.contests[i]
	}
	return nil
}

// Cells of the numbers of a contest: of A, of B, of the difference, of the verdict.
const (
	sideCells     = 8
	gapCells      = 9
	contrastCells = 8
)

// contestHeads stand over the numbers.
func (f *frame) contestHeads(r *style.Row) {
	r.Right(style.Strong, bench.Letter(0), sideCells).Right(style.Strong, bench.Letter(1), sideCells).Right(style.Dim, bench.Letter(1)+" to "+bench.Letter(0), gapCells)
}

// contestNumbers are a contest's two numbers, their difference and its verdict. A difference that may be noise is dim.
func (f *frame) contestNumbers(r *style.Row, c *analysis.Contest, verdict bool) {
	look := style.Dim
	if c.Seen() {
		look = f.contrastInk(c)
	}
	r.Right(style.FG, contestText(c, c.From), sideCells).Right(style.FG, contestText(c, c.To), sideCells).Right(look, relative(&c.Difference, c.By), gapCells)
	if verdict {
		r.Blank(2).Put(f.contrastInk(c), contrastWord(c))
	} else {
		r.Blank(1).Put(f.contrastInk(c), f.contrastMark(c))
	}
}

// contestText is a number in the unit of its metric.
func contestText(c *analysis.Contest, v bench.Value) string {
	switch {
	case c.Output:
		return chart.Num(v)
	case c.Metric == bench.Errors:
		return portion(v)
	}
	return inUnits(c.Metric, v)
}

func (f *frame) contrastInk(c *analysis.Contest) style.Token {
	switch c.Contrast {
	case analysis.Better:
		return style.Good
	case analysis.Worse:
		return style.Bad
	}
	return style.Dim
}

// contrastWord is a verdict in one word, of B against A.
func contrastWord(c *analysis.Contest) string {
	switch c.Contrast {
	case analysis.Better:
		return "better"
	case analysis.Worse:
		return "worse"
	case analysis.Alike:
		if c.By.V == 0 {
			return "same"
		}
		return "noise"
	}
	return "few"
}

// contrastMark is a verdict in one cell.
func (f *frame) contrastMark(c *analysis.Contest) string {
	switch c.Contrast {
	case analysis.Better:
		return f.g.OK
	case analysis.Worse:
		return f.g.Fail
	case analysis.Alike:
		return "="
	}
	return "?"
}

// contestWords are what the verdict rests on: the interval of a difference that was seen, what could have been seen, or how many samples are missing.
func (f *frame) contestWords(r *style.Row, c *analysis.Contest) {
	text := ""
	switch {
	case c.Contrast == analysis.Untold && c.Need > 0:
		text = strconv.Itoa(c.Need) + " more samples for a verdict"
	case c.Contrast == analysis.Untold && c.By.OK:
		text = "too few seconds for a verdict"
	case c.Contrast == analysis.Untold:
	case c.Seen():
		text = "95%: " + relative(&c.Difference, c.Low) + " to " + relative(&c.Difference, c.High)
	case c.Least.OK && c.Least.V > 0:
		text = "none seen above " + strings.TrimPrefix(relative(&c.Difference, c.Least), "+")
		if c.Metric == bench.Errors && !sound(c.Difference.Share(c.Least)) {
			text += " points"
		}
	}
	r.Blank(1).Cut(style.Dim, text, r.Left()-1)
}

// relative is an amount in percent of A's number; of shares in points, and where A's is 0 in the unit.
func relative(d *analysis.Difference, v bench.Value) string {
	if !sound(v) {
		return "–"
	}
	share := d.Share(v)
	if !sound(share) {
		if v.V == 0 {
			return "0"
		}
		return signedNum(v.V)
	}
	pct := 100 * share.V
	switch a := math.Abs(pct); {
	case a < 0.05:
		return "0%"
	case a < 10:
		return sign(pct) + strconv.FormatFloat(a, 'f', 1, 64) + "%"
	case a < 1000:
		return sign(pct) + strconv.FormatFloat(a, 'f', 0, 64) + "%"
	default:
		return sign(pct) + "×" + chart.Num(bench.Some(1+a/100))
	}
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

func signedNum(v float64) string { return sign(v) + chart.Num(bench.Some(math.Abs(v))) }

// contestName is what a contest is about.
func contestName(c *analysis.Contest) string {
	switch {
	case c.Output:
		return "out tok/s"
	case c.Metric == bench.Errors:
		return "errors"
	case c.At == bench.Mean:
		return c.Metric.String()
	}
	return c.Metric.String() + " " + c.At.String()
}

// contestRow is a contest in a row of its own, with its numbers from a column on.
func (f *frame) contestRow(i, from int) {
	c := f.contest(i)
	r := f.start().Blank(1).Cell(style.Strong, contestName(c), 10)
	if from-r.Cells() >= len("too few seconds for a verdict")+2 {
		f.contestWords(r, c)
	}
	r.To(from)
	f.contestNumbers(r, c, true)
	f.end()
}

// pairNumbers are the two targets without lanes: a row for each number, as many as there is room for.
func (f *frame) pairNumbers(rows int) {
	if rows < 2 {
		return
	}
	name := 11
	r := f.start().To(name)
	f.contestHeads(r)
	f.end()
	rows--
	if f.Density >= layout.Small && rows > 8 {
		rows -= 2 // to the log
	}
	for i := range f.pairs.contests {
		if rows--; rows < 0 {
			return
		}
		c := f.contest(i)
		r := f.start().Blank(1).Put(style.Strong, contestName(c)).To(name)
		f.contestNumbers(r, c, r.Width() >= name+2*sideCells+gapCells+contrastCells)
		if r.Left() > 24 {
			r.Blank(1)
			f.contestWords(r, c)
		}
		f.end()
	}
	if len(f.pairs.contests) == 0 && rows > 0 {
		f.start().Blank(1).Cut(style.Dim, "nothing to compare yet: both need a level at the same load", f.W-2)
		f.end()
	}
}
