package view

import (
	"math"
	"strconv"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// price is what one thing costs, to three digits: what is bought by the million may cost next to nothing.
func price(v bench.Value) string {
	switch {
	case !sound(v):
		return chart.Absent
	case v.V >= 0.1 || v.V <= 0:
		return money(v.V)
	case v.V < 1e-9:
		return "$0"
	}
	decimals := 2 - int(math.Floor(math.Log10(v.V)))
	return "$" + strconv.FormatFloat(v.V, 'f', min(decimals, 9), 64)
}

// priced tells whether anything has a price.
func (f *frame) priced() bool { return f.s.Run != nil && f.s.Run.Prices.Set() }

// costOf is what a level costs.
func (f *frame) costOf(l *bench.Level) analysis.Cost {
	return analysis.CostOf(&l.Summary, f.s.Run.Prices)
}

// perMillion is what a million output tokens cost at a level.
func (f *frame) perMillion(l *bench.Level) string {
	c := f.costOf(l)
	return about(c.Rough && sound(c.PerMillion)) + price(c.PerMillion)
}

// costWords are what a level costs, by importance: a million output tokens, a request, an hour.
func (f *frame) costWords(l *bench.Level) (string, []part) {
	c := f.costOf(l)
	out := []part{{style.Dim, "a million output tokens"}}
	if sound(c.PerRequest) {
		out = []part{{style.Dim, "/M out"}, {style.Dim, " · " + price(c.PerRequest) + " a request"}}
	}
	if sound(c.PerHour) {
		out = append(out, part{style.Dim, " · " + price(c.PerHour) + "/h"})
	}
	return about(c.Rough && sound(c.PerMillion)) + price(c.PerMillion), out
}

// yield is what a million output tokens cost at the present load, as the first row has it; nil where that is not known.
func (f *frame) yield() *part {
	if f.level == nil || !f.priced() || !sound(f.costOf(f.level).PerMillion) {
		return nil
	}
	return &part{style.Dim, " · " + f.perMillion(f.level) + "/M out"}
}

// cheapestWords name the cheapest load that keeps every promise; nothing where the load decides nothing.
func (f *frame) cheapestWords() (string, []part) {
	l := f.loads.cheapest
	if l == nil {
		return "", nil
	}
	return named(l.Load), []part{{style.Good, price(f.costOf(l).PerMillion)}, {style.Dim, "/M out, promises kept"}}
}
