package main

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"redline/bench"
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
		for _, p := range t.without {
			line(report.Printable(fmt.Sprintf("  %s  %s (%s)", p.began(), p.left, p.name())))
		}
	}
	return b.String()
}

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
	word := &runsColumn{name: "", weight: 60}
	bar := &runsColumn{name: "", weight: 50}
	note := &runsColumn{name: "NOTE", weight: 25}
	name := &runsColumn{name: "NAME", weight: 10}
	most := t.most()
	for i, p := range t.points {
		when.cells = append(when.cells, p.began())
		level.cells = append(level.cells, fmt.Sprint(p.level.ID))
		samples := p.level.Stats[t.number.metric].N
		if t.number.metric == bench.Errors {
			samples = p.level.Counted.Judged()
		}
		n.cells = append(n.cells, fmt.Sprint(samples))
		value.cells = append(value.cells, trimmed(p.value))
		difference, verdict := "", ""
		if i > 0 {
			difference, verdict = t.change(t.points[i-1].value, p.value)
		}
		change.cells, word.cells = append(change.cells, difference), append(word.cells, verdict)
		bar.cells = append(bar.cells, barText(p.value, most))
		note.cells, name.cells = append(note.cells, short(report.Printable(p.level.Note), 24)), append(name.cells, p.name())
	}
	return layRuns([]*runsColumn{when, value, change, word, bar, n, level, note, name}, width)
}

// change is the difference of a value to the one before, and which way it goes. It says nothing of whether it is more than noise: redline compare does.
func (t *trendOf) change(from, to float64) (difference, word string) {
	if from == to {
		return "0 %", "same"
	}
	better := (to > from) == t.number.metric.HigherIsBetter()
	if word = "worse"; better {
		word = "better"
	}
	if from == 0 {
		return "from 0", word
	}
	by := 100 * (to - from) / from
	if math.Abs(by) < 0.05 {
		return "0 %", "same"
	}
	return fmt.Sprintf("%+.1f %%", by), word
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
