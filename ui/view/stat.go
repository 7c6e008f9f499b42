package view

import (
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// figure is a stat as the number columns show it: whose it is, and how far it can be believed.
type figure struct {
	*bench.Stat
	// grey: too few samples yet, so these are an earlier level's.
	grey bool
	// from is that level.
	from *bench.Level
	// rough marks every number with ≈, few with ~.
	rough, few bool
	// millis: the numbers are milliseconds.
	millis bool
	// pale: the run warms up, and what comes now is nobody's normal number; or no token comes, and what stands there is of before.
	pale bool
}

var empty bench.Stat

// figure is what to show for a metric in the present scope. Before the level has five samples the level before stands in, grey, if its number
// was ready.
func (f *frame) figure(m bench.Metric) figure {
	st := &f.scope.Stats[m]
	out := figure{Stat: st, few: st.Readiness == bench.Few, millis: m.Unit() == "ms"}
	if st.Readiness == bench.Absent && f.st.Scope == Level && !f.paceless(m) {
		out.Stat = &empty
		if l := f.s.LevelBefore(); l != nil && l.Stats[m].Readiness == bench.Ready {
			out = figure{Stat: &l.Stats[m], grey: true, from: l, millis: out.millis}
		}
	}
	span := f.scope.Span
	if out.grey {
		span = out.from.Span
	}
	out.pale = f.s.State == bench.Warming || f.st.Scope == Level && silence(f.s) != ""
	switch m {
	case bench.RPM, bench.TPM:
		out.rough = span < time.Minute
	case bench.ITL:
		out.rough = f.chunky()
	}
	return out
}

// chunky tells whether events hold more or less than one token, so that gaps are not tokens' gaps by themselves.
func (f *frame) chunky() bool {
	return f.s.PerEvent > 0 && (f.s.PerEvent < 0.98 || f.s.PerEvent > 1.02)
}

// text is a number with the sign of how far it is to be believed.
func (g figure) text(v bench.Value) string {
	if !sound(v) {
		return "–"
	}
	n := chart.Num(v)
	if g.millis {
		n = chart.NumMillis(v)
	}
	switch {
	case g.rough:
		return "≈" + n
	case g.few:
		return "~" + n
	}
	return n
}

// slow puts ≥ before the low percentiles of a speed: so many streams are at least that fast. A rough number has a sign already.
func slow(p bench.Percentile, g figure, text string) string {
	if (p == bench.P5 || p == bench.P1) && text != "–" && !g.few && !g.rough {
		return "≥" + text
	}
	return text
}

// ink is the look of the figure's numbers.
func (g figure) ink(t style.Token) style.Token {
	if g.grey || g.pale {
		return style.Faint
	}
	return t
}

// nowSpan is how far back "now" looks: short enough to follow the hand, long enough to stand still. Rates need more.
const (
	nowSpan  = 5 * time.Second
	rateSpan = 10 * time.Second
)

// now is the metric over the last few seconds; nothing where nothing happens any more.
func (f *frame) now(m bench.Metric) bench.Value {
	span := nowSpan
	if m == bench.RPM || m == bench.TPM {
		span = rateSpan
	}
	if s := f.s.State; s == bench.Done || s == bench.Waiting || s == bench.Down || f.paceless(m) {
		return bench.Value{}
	}
	p := bench.P50
	if m == bench.TPS {
		// Of all streams, those that still run too.
		p = bench.Mean
	}
	c := measure(m, p, within(f.s.Buckets, f.s.Folded-span, f.s.Folded), f.s.PerEvent)
	return bench.Value{V: c.v, OK: c.ok}
}

// nowText is now with its sign: rates over ten seconds are scaled to a minute, chunks are not tokens.
func (f *frame) nowText(m bench.Metric) string {
	v := f.now(m)
	if !sound(v) {
		return "–"
	}
	if m == bench.RPM || m == bench.TPM || m == bench.ITL && f.chunky() {
		return "≈" + inUnits(m, v)
	}
	return inUnits(m, v)
}

// inUnits is a number of a metric: long times in seconds.
func inUnits(m bench.Metric, v bench.Value) string {
	if m.Unit() == "ms" {
		return chart.NumMillis(v)
	}
	return chart.Num(v)
}

// nowInk is the look of now.
func (f *frame) nowInk() style.Token {
	if f.s.State == bench.Warming || silence(f.s) != "" {
		return style.Faint
	}
	return style.Strong
}

// key is the number that stands for a metric: the percentile of its threshold, or p95; the low side of speeds; the mean of rates.
func (f *frame) key(m bench.Metric) bench.Percentile {
	if t, ok := f.threshold(m); ok {
		return t.At
	}
	switch m {
	case bench.TPS:
		return bench.P5
	case bench.RPM, bench.TPM:
		return bench.Mean
	}
	return bench.P95
}

// deltaOf is which number Δ compares: the mean where percentiles jump between two humps, and of rates.
func (f *frame) deltaOf(m bench.Metric) bench.Percentile {
	if m == bench.TTFT {
		return f.key(m)
	}
	return bench.Mean
}

// delta is how a metric moved against the reference, with "~" where either side has few samples and "≈" where that is no more than noise, and its look. Without a
// reference it is empty.
func (f *frame) delta(m bench.Metric) (string, style.Token) {
	if !f.compares() {
		return "", style.Faint
	}
	return f.deltaAt(m, f.deltaOf(m))
}

// deltaAt is delta of one percentile.
func (f *frame) deltaAt(m bench.Metric, p bench.Percentile) (string, style.Token) {
	g, was := f.figure(m), &f.reference.Stats[m]
	now, then := g.At(p), was.At(p)
	if g.grey || g.Readiness == bench.Absent || was.Readiness == bench.Absent || !sound(now) || !sound(then) || then.V <= 0 {
		return "–", style.Faint
	}
	change := now.V/then.V - 1
	look := style.Dim
	switch better := change > 0 == m.HigherIsBetter(); {
	case change > -0.025 && change < 0.025:
	case better:
		look = style.Good
	default:
		look = style.Warn
	}
	text := chart.Delta(now, then)
	switch {
	case text == "–":
	case g.Readiness == bench.Few || was.Readiness == bench.Few:
		text = "~" + text
	case f.noise(m, p):
		text, look = "≈"+text, style.Dim
	}
	return text, look
}

// noise tells whether what differs between the present level and the reference is no more than noise. Of other scopes nothing is told.
func (f *frame) noise(m bench.Metric, p bench.Percentile) bool {
	if f.level == nil || f.scope != &f.level.Summary {
		return false
	}
	compare := f.loads.compared.Compare
	if f.raced() {
		compare = f.loads.compared.Elsewhere
	}
	d := compare(f.reference, f.level, m, p)
	return d.Contrast == analysis.Alike
}
