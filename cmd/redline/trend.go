package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
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
	// since is how the value differs from that of the run before, and holds that it does though so many were looked at.
	since analysis.Difference
	holds bool
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
	t, err := gatherTrend(number, load, a.apart(all))
	if err != nil {
		return err
	}
	if a.private {
		t.veil()
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

// gatherTrend finds the number in each run. What makes runs alike is that of the newest that has it with another one beside it, so that one run of something else hides
// no trend: its target, its model, and its workload at the load. Where no two are alike it is that of the newest that has it, and where none has it of the newest.
func gatherTrend(number trendNumber, load *bench.Setpoint, all []*stored) (*trendOf, error) {
	var found *trendOf
	tried := map[string]bool{}
	for _, s := range slices.Backward(all) {
		level := number.newest(load, s)
		if level == nil {
			continue
		}
		key := fmt.Sprintf("%q %q", s.Model, workOf(s.last, level))
		if !s.Demo {
			key += fmt.Sprintf(" %q", s.Targets)
		}
		if tried[key] {
			continue
		}
		tried[key] = true
		t, err := gatherLike(s, level, number, load, all)
		if err != nil {
			return nil, err
		}
		if found == nil || len(t.points) > 1 {
			found = t
		}
		if len(t.points) > 1 {
			break
		}
	}
	if found == nil {
		// None has it: what there is says why.
		newest := len(all) - 1
		for newest >= 0 && (all[newest].last == nil || len(all[newest].last.Levels) == 0) {
			newest--
		}
		if newest < 0 {
			return nil, errNoTrend
		}
		var err error
		if found, err = gatherLike(all[newest], all[newest].last.Levels[0], number, load, all); err != nil {
			return nil, err
		}
	}
	found.compare()
	return found, nil
}

// gatherLike finds the number in each run that is like one, by its level.
func gatherLike(newest *stored, level *bench.Level, number trendNumber, load *bench.Setpoint, all []*stored) (*trendOf, error) {
	t := &trendOf{number: number, target: strings.Join(newest.Targets, " "), model: newest.Model, work: workOf(newest.last, level)}
	if newest.Demo {
		t.target = simulatedTarget
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

// newest is the newest level of a run that has the number, at a load if one is given; nil without one.
func (n trendNumber) newest(load *bench.Setpoint, s *stored) *bench.Level {
	if s.last == nil {
		return nil
	}
	for _, l := range slices.Backward(s.last.Levels) {
		if _, ok := n.of(l); ok && (load == nil || *load == l.Load) {
			return l
		}
	}
	return nil
}

// apart are runs with each of their targets as a run of its own, so that a trend is of one: the one that was shown stands behind the others of its run.
func (a *runsAsked) apart(all []*stored) []*stored {
	var out []*stored
	for _, s := range all {
		if s.last == nil || s.last.Rivals == nil {
			out = append(out, s)
			continue
		}
		r := s.last.Rivals
		var shown []*stored
		for i, of := range r.Of {
			one := *s
			one.Targets, one.last, one.letter = []string{r.Names[i]}, of, bench.Letter(i)
			if i < len(s.Targets) {
				one.Targets = s.Targets[i : i+1]
			}
			if of.Run != nil {
				one.Model, one.Demo = of.Run.Model, of.Run.Demo
			}
			switch {
			case !a.takes(&one.Entry):
			case i == r.Shown:
				shown = append(shown, &one)
			default:
				out = append(out, &one)
			}
		}
		out = append(out, shown...)
	}
	return out
}

// compare finds how each run differs from the one before, as redline compare does.
func (t *trendOf) compare() {
	q := analysis.Quantity{Metric: t.number.metric, At: t.number.at}
	var all []*analysis.Difference
	for i, p := range t.points {
		if i > 0 {
			p.since = analysis.CompareRuns(analysis.Side{Level: t.points[i-1].level}, analysis.Side{Level: p.level}, q)
		}
		all = append(all, &p.since)
	}
	for i := range analysis.Holding(all) {
		t.points[i].holds = true
	}
}

// veil hides what is private. Runs are told apart by then.
func (t *trendOf) veil() {
	if len(t.points)+len(t.without) > 0 && t.target != simulatedTarget {
		t.target = bench.Hidden
	}
	var v bench.Veil
	t.model = v.Snapshot(&bench.Snapshot{Run: &bench.Run{Model: t.model}}).Run.Model
	for _, p := range t.points {
		at := slices.Index(p.last.Levels, p.level)
		p.stored.veil()
		p.level = p.last.Levels[at]
	}
	for _, p := range t.without {
		if p.stored.veil(); p.err != nil {
			p.left = p.err.Error()
		}
	}
}

// simulatedTarget is what the simulated server is called.
const simulatedTarget = "the simulated server"

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
