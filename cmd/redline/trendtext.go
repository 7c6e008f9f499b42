package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
	"redline/bench/report"
)

// title is what the trend is of.
func (t *trendOf) title() string {
	load := "concurrency " + t.load.String()
	if t.load.Mode == bench.Open {
		load = "rate " + t.load.String()
	}
	return report.Printable(fmt.Sprintf("%s at %s, %s at %s", t.number, load, cmp.Or(t.model, "a model without a name"), cmp.Or(t.target, "a target without a name")))
}

// text is the trend for a terminal: a row for each run, with a bar from nothing to its value. Rows are no wider than width; 0 is no bound.
func (t *trendOf) text(width int) string {
	var b strings.Builder
	line := func(text string) {
		if width > 0 {
			text = short(text, width)
		}
		b.WriteString(text + "\n")
	}
	line(t.title())
	if len(t.points) > 1 {
		line(sparkline(t.points) + "  oldest to newest, from 0 to " + trimmed(t.most()) + " " + t.number.metric.Unit())
	}
	b.WriteString("\n")
	if len(t.points) > 0 {
		b.WriteString(t.table(width))
	} else {
		line("no run has it there")
	}
	if len(t.without) > 0 {
		b.WriteString("\n")
		line("left out:")
		rows := map[string]int{}
		for _, p := range slices.Backward(t.without) {
			// The newest of each kind, and how many more there are: a folder may have hundreds.
			if rows[p.left]++; rows[p.left] <= mostLeft {
				line(report.Printable(fmt.Sprintf("  %s  %s (%s)", p.began(), p.left, p.title())))
			}
		}
		for _, why := range slices.Sorted(maps.Keys(rows)) {
			if more := rows[why] - mostLeft; more > 0 {
				line(report.Printable(fmt.Sprintf("  and %d more: %s", more, why)))
			}
		}
	}
	return b.String()
}

// mostLeft is how many runs that are left out for the same reason are named.
const mostLeft = 5

// most is the greatest value.
func (t *trendOf) most() float64 {
	most := 0.0
	for _, p := range t.points {
		most = max(most, p.value)
	}
	return most
}

// barWidth is how many cells the longest bar has.
const barWidth = 24

func (t *trendOf) table(width int) string {
	when := &runsColumn{name: "BEGAN", weight: 90}
	level := &runsColumn{name: "LEVEL", weight: 20, right: true}
	n := &runsColumn{name: "N", weight: 30, right: true}
	value := &runsColumn{name: strings.ToUpper(t.number.String()) + " " + t.number.metric.Unit(), weight: 100, right: true}
	change := &runsColumn{name: "CHANGE", weight: 80, right: true}
	interval := &runsColumn{name: "95 % INTERVAL", weight: 40, right: true}
	word := &runsColumn{name: "", weight: 95}
	mark := &runsColumn{name: "", weight: 70}
	bar := &runsColumn{name: "", weight: 50}
	note := &runsColumn{name: "NOTE", weight: 25}
	name := &runsColumn{name: "NAME", weight: 10}
	most := t.most()
	for i, p := range t.points {
		when.cells = append(when.cells, p.began())
		level.cells = append(level.cells, fmt.Sprint(p.level.ID))
		n.cells = append(n.cells, fmt.Sprint(t.samples(p)))
		value.cells = append(value.cells, trimmed(p.value))
		difference, reach, verdict := "", "", ""
		if i > 0 {
			difference, reach, verdict = p.change(), p.reach(), t.verdict(p)
		}
		change.cells, interval.cells, word.cells = append(change.cells, difference), append(interval.cells, reach), append(word.cells, verdict)
		mark.cells = append(mark.cells, p.mark())
		bar.cells = append(bar.cells, barText(p.value, most))
		note.cells, name.cells = append(note.cells, short(report.Printable(p.level.Note), 24)), append(name.cells, p.title())
	}
	return layRuns([]*runsColumn{when, value, change, interval, word, mark, bar, n, level, note, name}, width)
}

// samples are how many the value of a run rests on.
func (t *trendOf) samples(p *trendPoint) int {
	if t.number.metric == bench.Errors {
		return p.level.Counted.Judged()
	}
	return p.level.Stats[t.number.metric].N
}

// change is the difference to the run before, in percent of it.
func (p *trendPoint) change() string {
	switch share := p.since.Share(p.since.By); {
	case share.OK:
		return signedPercent(share.V)
	case p.since.By.V == 0:
		return "0 %"
	}
	return "from 0"
}

// reach is the interval of that; empty where it is not known.
func (p *trendPoint) reach() string {
	low, high := p.since.Share(p.since.Low), p.since.Share(p.since.High)
	if !low.OK || !high.OK {
		return ""
	}
	return strings.TrimSuffix(signedPercent(low.V), " %") + " to " + signedPercent(high.V)
}

// verdict is what may be said of it: only what is more than noise is better or worse.
func (t *trendOf) verdict(p *trendPoint) string {
	d := &p.since
	switch {
	case d.Contrast == analysis.Untold && d.Need > 0:
		return fmt.Sprintf("too few samples, %d more", d.Need)
	case d.Contrast == analysis.Untold && t.number.at == bench.Max:
		return "a greatest is not compared"
	case d.Contrast == analysis.Untold:
		return "measured too briefly"
	case d.Seen() && !p.holds:
		return "may be chance"
	}
	return d.Contrast.String()
}

// mark says what a run lacks: it has no end yet, or its level never settled.
func (p *trendPoint) mark() string {
	var out []string
	if state := p.state(); state != "complete" {
		out = append(out, state)
	}
	if p.level.State != bench.Settled {
		out = append(out, "not settled")
	}
	return strings.Join(out, ", ")
}

// title is the run's name, with its target where it has several.
func (s *stored) title() string {
	if s.letter != "" {
		return s.name() + " " + s.letter
	}
	return s.name()
}

func signedPercent(share float64) string {
	if by := 100 * share; math.Abs(by) >= 0.05 {
		return fmt.Sprintf("%+.1f %%", by)
	}
	return "0 %"
}

// barText is a bar from nothing to a value.
func barText(v, most float64) string {
	if !(most > 0) {
		return ""
	}
	eighths := int(math.Round(v / most * barWidth * 8))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// sparkline has a bar for each run, from nothing to the greatest.
func sparkline(points []*trendPoint) string {
	most := 0.0
	for _, p := range points {
		most = max(most, p.value)
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, p := range points {
		at := 0
		if most > 0 {
			at = int(math.Round(p.value / most * float64(len(bars)-1)))
		}
		b.WriteRune(bars[min(max(at, 0), len(bars)-1)])
	}
	return b.String()
}
