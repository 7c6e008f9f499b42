package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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
