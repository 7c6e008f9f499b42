package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"redline/bench"
	"redline/bench/report"
)

// trendNumber is what a trend is of.
type trendNumber struct {
	metric bench.Metric
	at     bench.Percentile
}

// parseNumber reads the name of a number as --slo has it.
func parseNumber(text string) (trendNumber, error) {
	for _, rest := range []string{"<=1", ">=1"} {
		if t, err := bench.ParseThreshold(strings.TrimSpace(text) + rest); err == nil {
			return trendNumber{t.Metric, t.At}, nil
		}
	}
	return trendNumber{}, fmt.Errorf("--trend %s: want a number as --slo names it, as in ttft.p95, itl.p50, tps.p5, rpm or errors", report.Printable(text))
}

// String is the number's name.
func (n trendNumber) String() string {
	name := strings.ToLower(n.metric.String())
	if n.at != bench.Mean {
		name += "." + n.at.String()
	}
	return name
}

// of is the number of a level, once it is ready in itself.
func (n trendNumber) of(l *bench.Level) (v float64, ok bool) {
	if n.metric == bench.Errors {
		share := l.Counted.ErrorShare()
		return share.V, share.OK && l.Counted.Judged() >= bench.ReadySamples
	}
	st := &l.Stats[n.metric]
	value := st.At(n.at)
	return value.V, value.OK && st.Readiness == bench.Ready
}

// trendPoint is a run in a trend.
type trendPoint struct {
	*stored
	level *bench.Level
	value float64
	// left is why it is left out; empty where it is not.
	left string
}

// trendOf is a number over runs.
type trendOf struct {
	number  trendNumber
	load    bench.Setpoint
	target  string
	model   string
	work    string
	points  []*trendPoint
	without []*trendPoint
}

// trend draws a number over runs.
func (m *Main) trend(a *runsAsked, all []*stored, out io.Writer) error {
	number, err := parseNumber(a.trend)
	if err != nil {
		return err
	}
	var load *bench.Setpoint
	if a.load != "" {
		n, err := parseTrendLoad(a.load)
		if err != nil {
			return fmt.Errorf("--load %s: %w", report.Printable(a.load), err)
		}
		load = &n
	}
	t, err := gatherTrend(number, load, all)
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(m.Stdout, t.document())
	}
	_, err = io.WriteString(out, t.text(m.width()))
	return err
}

// parseTrendLoad reads a load: requests in flight, or a rate with its unit.
func parseTrendLoad(text string) (bench.Setpoint, error) {
	if strings.Contains(text, "/") {
		r, err := bench.ParseRate(text)
		return bench.PerSecond(r), err
	}
	n, err := bench.ParseLoad(text, bench.Closed)
	return bench.InFlight(int(n)), err
}

// errNoTrend says that there is nothing to draw.
var errNoTrend = errors.New("--trend: no run has been read that could be drawn")

// gatherTrend finds the number in each run. What makes runs alike is the newest's: its target, its model, and its workload at the load.
func gatherTrend(number trendNumber, load *bench.Setpoint, all []*stored) (*trendOf, error) {
	at := len(all) - 1
	for at >= 0 && (all[at].last == nil || len(all[at].last.Levels) == 0) {
		at--
	}
	if at < 0 {
		return nil, errNoTrend
	}
	newest := all[at]
	t := &trendOf{number: number, target: strings.Join(newest.Targets, " "), model: newest.Model, work: workOf(newest.last, newest.last.Levels[0])}
	if newest.Demo {
		t.target = "the simulated server"
	}
	var alike []*trendPoint
	for _, s := range all {
		p := &trendPoint{stored: s}
		switch {
		case s.err != nil:
			p.left = strings.TrimPrefix(s.err.Error(), s.Path+": ")
		case s.Demo != newest.Demo || !s.Demo && !slices.Equal(s.Targets, newest.Targets):
			p.left = "another target"
		case s.Model != newest.Model:
			p.left = "another model"
		case !slices.ContainsFunc(s.last.Levels, func(l *bench.Level) bool { return workOf(s.last, l) == t.work }):
			p.left = "another workload"
		default:
			alike = append(alike, p)
			continue
		}
		t.without = append(t.without, p)
	}
	if load == nil {
		load = t.common(alike)
	}
	if load == nil {
		return nil, fmt.Errorf("--trend %s: no level of any run has that number ready", number)
	}
	t.load = *load
	for _, p := range alike {
		if t.place(p); p.left != "" {
			t.without = append(t.without, p)
		} else {
			t.points = append(t.points, p)
		}
	}
	slices.SortStableFunc(t.without, func(a, b *trendPoint) int { return a.Began.Compare(b.Began) })
	return t, nil
}

// workOf is the workload of a level, in words that two runs share if it is the same.
func workOf(s *bench.Snapshot, l *bench.Level) string {
	if s.Run == nil || l.Work < 0 || l.Work >= len(s.Run.Works) {
		return ""
	}
	w := s.Run.Works[l.Work]
	return fmt.Sprintf("%s %s %d %d %d", w.Name, w.Words, w.InputTokens, w.OutputTokens, w.MaxTokens)
}

// common is the load at which most runs have the number; of several the greatest. It is nil where none has it.
func (t *trendOf) common(alike []*trendPoint) *bench.Setpoint {
	counts := map[bench.Setpoint]int{}
	for _, p := range alike {
		seen := map[bench.Setpoint]bool{}
		for _, l := range p.last.Levels {
			if _, ok := t.number.of(l); ok && !seen[l.Load] && workOf(p.last, l) == t.work {
				seen[l.Load] = true
				counts[l.Load]++
			}
		}
	}
	var best *bench.Setpoint
	for load, n := range counts {
		if best == nil || cmp.Or(cmp.Compare(n, counts[*best]), cmp.Compare(best.Mode, load.Mode), cmp.Compare(load.N, best.N)) > 0 {
			best = &load
		}
	}
	return best
}

// place finds the level of a run that stands for it: the newest at the load with the number ready.
func (t *trendOf) place(p *trendPoint) {
	p.left = "no level at " + t.load.String()
	for _, l := range slices.Backward(p.last.Levels) {
		if l.Load != t.load || workOf(p.last, l) != t.work {
			continue
		}
		if v, ok := t.number.of(l); ok {
			p.level, p.value, p.left = l, v, ""
			return
		}
		p.left = "not settled at " + t.load.String()
	}
}

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

// trendSchema names the form of a trend.
const trendSchema = "redline.trend/1"

type trendDocument struct {
	Schema string `json:"schema"`
	Number string `json:"number"`
	Unit   string `json:"unit"`
	runsLoad
	Target  string      `json:"target"`
	Model   string      `json:"model"`
	Points  []trendItem `json:"points"`
	Without []trendLeft `json:"left_out"`
}

type trendItem struct {
	Name  string    `json:"name"`
	Began time.Time `json:"began"`
	Level int       `json:"level"`
	Note  string    `json:"note"`
	Value float64   `json:"value"`
	// Change is the difference to the one before, in percent of it; null for the first.
	Change *float64 `json:"change_percent"`
}

type trendLeft struct {
	Name  string    `json:"name"`
	Began time.Time `json:"began"`
	Why   string    `json:"why"`
}

// document is the trend for machines.
func (t *trendOf) document() trendDocument {
	out := trendDocument{Schema: trendSchema, Number: t.number.String(), Unit: t.number.metric.Unit(), runsLoad: runsLoad{t.load.Mode.String(), t.load.N}, Target: t.target, Model: t.model, Points: []trendItem{}, Without: []trendLeft{}}
	for i, p := range t.points {
		one := trendItem{Name: p.name(), Began: p.Began, Level: p.level.ID, Note: p.level.Note, Value: p.value}
		if i > 0 && t.points[i-1].value != 0 {
			one.Change = new(100 * (p.value - t.points[i-1].value) / t.points[i-1].value)
		}
		out.Points = append(out.Points, one)
	}
	for _, p := range t.without {
		out.Without = append(out.Without, trendLeft{p.name(), p.Began, report.Printable(p.left)})
	}
	return out
}
