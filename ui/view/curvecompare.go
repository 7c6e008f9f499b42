package view

import (
	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// comparison is what one load costs against another, or of one load what came before a note against what came since.
type comparison struct {
	from, to   *standing
	metric     bench.Metric
	percentile bench.Percentile
}

// head names both sides.
func (c comparison) head(f *frame) string {
	if c.from.earlier {
		return "before" + f.arrow() + "now"
	}
	return named(c.from.load()) + f.arrow() + named(c.to.load())
}

// onward is the chosen load, or else the present one, against the next above it; of the highest, the one below against it. Where it was measured before a
// note as well, and that row is chosen or there is no other load since, it is that against what came since.
func (f *frame) onward() (comparison, bool) {
	d := &f.loads
	at := d.chosen
	if at < 0 {
		at = presentRow(d.all)
	}
	var since []*standing
	place := -1
	for i := range d.all {
		if o := &d.all[i]; !o.earlier {
			if i == at {
				place = len(since)
			}
			since = append(since, o)
		}
	}
	m, p := f.curveMetric()
	if at >= 0 && (d.all[at].earlier || len(since) < 2) {
		return f.across(&d.all[at], since)
	}
	if len(since) < 2 {
		return comparison{}, false
	}
	place = max(place, 1)
	return comparison{since[place], since[place-1], m, p}, true
}

// across is one load before the newest note that there is between, and since.
func (f *frame) across(o *standing, since []*standing) (comparison, bool) {
	m, p := f.curveMetric()
	for _, now := range since {
		if now.load() != o.load() {
			continue
		}
		if o.earlier {
			return comparison{o, now, m, p}, true
		}
		for i := range f.loads.all {
			if was := &f.loads.all[i]; was.earlier && was.load() == o.load() {
				return comparison{was, now, m, p}, true
			}
		}
	}
	return comparison{}, false
}

type contrast struct {
	name, text string
	look       style.Token
}

// lines are the differences of a comparison. One that is no more than noise is dim, and marked.
func (c comparison) lines(f *frame) []contrast {
	a, b := c.from.level, c.to.level
	delta := func(name string, from, to bench.Value, higher bool, told analysis.Difference) contrast {
		out := contrast{name, chart.Delta(to, from), style.Dim}
		if !from.OK || !to.OK || from.V <= 0 {
			return out
		}
		if told.Contrast == analysis.Alike {
			out.text += ", noise"
			return out
		}
		switch change := to.V/from.V - 1; {
		case change > -0.025 && change < 0.025:
		case change > 0 == higher:
			out.look = style.Good
		default:
			out.look = style.Warn
		}
		return out
	}
	m, p := c.metric, c.percentile
	return []contrast{delta("out", c.from.ripe(outRate(a), bench.TPS), c.to.ripe(outRate(b), bench.TPS), true, f.loads.compared.Output(a, b)),
		delta(m.String()+" "+p.String(), c.from.ripe(came(a, m, p), m), c.to.ripe(came(b, m, p), m), m.HigherIsBetter(), f.loads.compared.Compare(a, b, m, p))}
}
