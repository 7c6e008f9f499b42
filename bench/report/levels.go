package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// row is what a row of the table of levels is about: a level, or the whole run.
type row struct {
	id, load, work, unended, word string
	cost                          analysis.Cost
	*bench.Summary
	// at is the load; of the whole run it is none.
	at bench.Setpoint
}

// open tells whether the row's load is a rate.
func (r row) open() bool { return r.at.Mode == bench.Open }

// writeLevels is the table of the levels that measured anything, and of the run as a whole, no wider than asked. Those that did not are named below.
func writeLevels(b *strings.Builder, s *bench.Snapshot, width int) {
	rows, few := rowsOf(s)
	t := levelTable(rows, s.Run.Thresholds)
	dropped := t.fit(width)
	t.write(b, width)
	if len(few) > 0 {
		b.WriteString(wrapped("not listed: "+levelNames(few)+", with too few samples for any number", width))
	}
	legend := "n: requests that ended well. TPS: one stream, p5 and p1 are the slow ones. ~: few samples, -: too few. Levels count what came after their load was reached."
	for _, c := range t.columns {
		if c.name != "unsent" || s.Total.Tally.Unsent > 0 {
			legend += legends[c.name]
		}
	}
	b.WriteString(wrapped(legend, width))
	if text := firmnessWords(s); text != "" {
		b.WriteString(wrapped(text, width))
	}
	if len(dropped) > 0 {
		b.WriteString(wrapped("no room for: "+strings.Join(dropped, ", "), width))
	}
}

// firmnessWords explain the words for levels that are not firm, of which there are any.
func firmnessWords(s *bench.Snapshot) string {
	var out []string
	for _, w := range []struct {
		firm  analysis.Firmness
		means string
	}{
		{analysis.Short, "left before it settled, or not settled yet"},
		{analysis.Few, "settled, on fewer than 100 requests"},
		{analysis.Unsettled, "not settled within 60 s"},
	} {
		if slices.ContainsFunc(s.Levels, func(l *bench.Level) bool {
			return analysis.Measured(l) && l.Reached.OK && analysis.FirmnessOf(l) == w.firm
		}) {
			out = append(out, w.firm.String()+": "+w.means+".")
		}
	}
	return strings.Join(out, " ")
}

// rowsOf are the rows of the table of levels, that of the run last, and the levels that have nothing to say.
func rowsOf(s *bench.Snapshot) (rows []row, few []int) {
	for _, l := range s.Levels {
		switch {
		case analysis.Measured(l):
			r := levelRow(l)
			r.cost = analysis.CostOf(&l.Summary, s.Run.Prices)
			if len(s.Run.Works) > 1 {
				r.work = workName(s.Run, l.Work)
			}
			rows = append(rows, r)
		case l.Load.N > 0:
			few = append(few, l.ID)
		}
	}
	return append(rows, row{id: "all", Summary: &s.Total, cost: analysis.CostOf(&s.Total, s.Run.Prices)}), few
}

// legends explain columns that are not always there.
var legends = map[string]string{
	"M out":  " cost: of a million output tokens with their prompts, and of a request that ended well.",
	"open":   " open: still running when the level ended.",
	"done/s": " offered/s: arrivals since the load was reached. done/s: requests that ended well, from when the first of them were due, so that the two differ in a short level.",
	"unsent": " errors: of those that were sent; promises count the unsent too.",
}

// levelNames are levels by their numbers, neighbours as a range: "level 3", "levels 2, 4-9".
func levelNames(ids []int) string {
	word, list := "level ", ""
	if len(ids) > 1 {
		word = "levels "
	}
	for i := 0; i < len(ids); {
		end := i
		for end+1 < len(ids) && ids[end+1] == ids[end]+1 {
			end++
		}
		list += ", " + strconv.Itoa(ids[i])
		if end > i {
			list += "-" + strconv.Itoa(ids[end])
		}
		i = end + 1
	}
	return word + strings.TrimPrefix(list, ", ")
}

// unsentWords are both shares behind a promise on errors that arrivals broke which were never sent; the column has only the share of the others.
func unsentWords(v bench.Verdict, s *bench.Summary) string {
	if v.Threshold.Metric != bench.Errors || v.Missed.Unsent == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s failed, %s with the unsent)", share(s.Counted.ErrorShare()), share(v.Value))
}

func levelRow(l *bench.Level) row {
	var words []string
	if word := analysis.FirmnessOf(l).String(); !l.Reached.OK {
		words = append(words, "never reached")
	} else if word != "" {
		words = append(words, word)
	}
	if d, ok := analysis.DriftOf(l); ok {
		words = append(words, driftWords(d))
	}
	for _, v := range l.Verdicts {
		if v.Known && v.Broken && !v.Threshold.Quota() {
			words = append(words, "✗ "+v.Threshold.String()+unsentWords(v, &l.Summary))
		}
	}
	if l.Note != "" {
		words = append(words, fmt.Sprintf("%q", Printable(l.Note)))
	}
	open := ""
	if l.Unfinished > 0 {
		open = fmt.Sprint(l.Unfinished)
	}
	return row{id: fmt.Sprint(l.ID), load: l.Load.String(), unended: open, word: strings.Join(words, " "), Summary: &l.Summary, at: l.Load}
}

// levelTable are all columns, with their weights; what is promised weighs more than all that is not.
func levelTable(rows []row, promises []bench.Threshold) *table {
	t := &table{}
	for _, r := range rows {
		t.words = append(t.words, r.word)
	}
	add := func(group, name string, weight int, cell func(row) string) {
		c := column{group: group, name: name, weight: weight}
		for _, r := range rows {
			c.cells = append(c.cells, cell(r))
		}
		t.columns = append(t.columns, c)
	}
	add("", "level", 1000, func(r row) string { return r.id })
	add("", "load", 1000, func(r row) string { return r.load })
	add("", "work", 900, func(r row) string { return r.work })
	add("", "for", 50, func(r row) string { return span(r.Span) })
	add("", "n", 90, func(r row) string { return fmt.Sprint(r.Tally.OK - r.Tally.Apart.OK) })
	point := func(m bench.Metric, at bench.Percentile, weight int) {
		for _, p := range promises {
			if p.Metric == m && p.At == at {
				weight += 100
			}
		}
		unit := ""
		if m.Unit() == "ms" {
			unit = " ms"
		}
		add(m.String()+unit, at.String(), weight, func(r row) string {
			text := figure(&r.Stats[m], at)
			if at == bench.P5 || at == bench.P1 {
				return atLeast(text)
			}
			return text
		})
	}
	point(bench.TTFT, bench.P50, 80)
	point(bench.TTFT, bench.P95, 95)
	point(bench.TTFT, bench.P99, 45)
	point(bench.ITL, bench.P50, 60)
	point(bench.ITL, bench.P95, 85)
	point(bench.ITL, bench.P99, 35)
	point(bench.TPS, bench.P50, 65)
	point(bench.TPS, bench.P5, 82)
	point(bench.TPS, bench.P1, 30)
	for _, p := range alsoPromised(promises) {
		point(p.Metric, p.At, 92)
	}
	for _, p := range promises {
		if p.At == bench.Max && (p.Metric == bench.TTFT || p.Metric == bench.ITL) {
			point(p.Metric, p.At, 92)
		}
	}
	arrivalColumns(add)
	rateColumns(add)
	costColumns(add)
	add("", "errors", 88, func(r row) string { return share(r.Counted.ErrorShare()) })
	add("", "open", 25, func(r row) string { return r.unended })
	return t
}

// rateColumns are the two rates, each with the half-width of its interval behind it.
func rateColumns(add func(group, name string, weight int, cell func(row) string)) {
	for _, c := range []struct {
		metric                 bench.Metric
		weight, intervalWeight int
	}{{bench.RPM, 75, 40}, {bench.TPM, 70, 38}} {
		add(c.metric.String(), "mean", c.weight, func(r row) string { return figure(&r.Stats[c.metric], bench.Mean) })
		add(c.metric.String(), "±", c.intervalWeight, func(r row) string { return interval(&r.Stats[c.metric]) })
	}
}

// interval is the half-width of a mean's interval, in the mean's own unit, so that the two can be compared at a glance.
func interval(s *bench.Stat) string {
	switch {
	case figure(s, bench.Mean) == absent || !s.Half.OK:
		return ""
	case math.Abs(s.Mean.V) >= 999_950:
		return "±" + strconv.FormatFloat(s.Half.V/1e6, 'f', 2, 64) + "M"
	case math.Abs(s.Mean.V) >= 9999.5:
		return "±" + strconv.FormatFloat(s.Half.V/1e3, 'f', 1, 64) + "k"
	}
	return "±" + short(s.Half.V)
}

// halfWidth is the half-width of a mean's interval as a number of its own.
func halfWidth(s *bench.Stat) string {
	if figure(s, bench.Mean) == absent {
		return absent
	}
	return number(s.Half)
}

// atLeast marks a low percentile as what it is: so many streams are at least as fast. What rests on few samples has a sign already.
func atLeast(text string) string {
	if text == absent || strings.HasPrefix(text, "~") {
		return text
	}
	return "≥" + text
}
