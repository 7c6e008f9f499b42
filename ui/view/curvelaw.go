package view

import (
	"strconv"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/chart"
	"redline/ui/style"
)

// peakWords are the load at which output peaks by the scalability law, and how well that is known; or why nothing is.
func (f *frame) peakWords() (string, []part) {
	m := f.loads.law
	dim := func(text string) []part { return []part{{style.Dim, text}} }
	switch m.Carried {
	case analysis.FewLoads:
		return chart.Absent, dim("not known before five loads")
	case analysis.Near:
		return chart.Absent, dim("not known before loads 8× apart")
	case analysis.Scattered:
		return chart.Absent, dim("not carried by the data")
	case analysis.Loose:
		return chart.Absent, dim("none in sight")
	case analysis.ToCeiling:
		return chart.Absent, append(dim("none: output nears "), part{style.FG, chart.Num(bench.Some(m.Top.V))}, part{style.Dim, " (" + ends(m.Top, chart.Num) + ")"})
	}
	return inFlightOf(m.Peak.V), []part{{style.Dim, "by fit (" + ends(m.Peak, wholeOf) + ")"}, {style.Dim, ", output " + chart.Num(bench.Some(m.Top.V))}}
}

// inFlightOf is a predicted load: requests in flight, whatever the loop.
func inFlightOf(v float64) string { return wholeOf(bench.Some(v)) }

// wholeOf is a number of requests.
func wholeOf(v bench.Value) string { return strconv.FormatFloat(v.V, 'f', 0, 64) }

// ends are the two ends of an interval.
func ends(b analysis.Bounded, text func(bench.Value) string) string {
	return text(bench.Some(b.Low)) + "–" + text(bench.Some(b.High))
}

// lawWords are what keeps the output rate from growing with the load: what is serial, and what requests cost each other; nothing where no law is known.
func (f *frame) lawWords() []part {
	m := f.loads.law
	if !m.Shown() {
		return nil
	}
	share := func(b analysis.Bounded) string { return strconv.FormatFloat(100*b.V, 'g', 2, 64) + "%" }
	return []part{{style.Dim, "contention "}, {style.FG, share(m.Contended)}, {style.Dim, ", coherency "}, {style.FG, share(m.Coherent)}}
}

// leftWords are where the server left the curve that it had followed; nothing where it did not.
func (f *frame) leftWords() []part {
	d := f.loads.law.Left
	if d == nil {
		return nil
	}
	return []part{{style.Warn, "left its curve at " + named(d.Level.Load)}, {style.Dim, ": out " + chart.Num(bench.Some(d.Output))},
		{style.Dim, ", " + chart.Num(bench.Some(d.Predicted)) + " predicted"}}
}

// driftWords are what drifts in a load's level, or since its visit before; nothing where nothing does.
func (f *frame) driftWords(o *standing) []part {
	if d := o.drift; d != nil {
		name := d.Metric.String()
		if d.Output {
			name = "out"
		}
		return []part{{style.Warn, " drifts " + name + " " + chart.Delta(bench.Some(d.To), bench.Some(d.From))}}
	}
	was := o.visitBefore()
	if was == nil {
		return nil
	}
	m, p := f.curveMetric()
	for _, d := range []struct {
		name string
		of   analysis.Difference
	}{{"out", f.loads.compared.Output(was, o.level)}, {m.String(), f.loads.compared.Compare(was, o.level, m, p)}} {
		if d.of.Seen() {
			return []part{{contrastLook(d.of.Contrast), " " + d.name + " " + chart.Delta(d.of.To, d.of.From) + " on revisit"}}
		}
	}
	return nil
}

// contrastLook is the look of a difference.
func contrastLook(c analysis.Contrast) style.Token {
	switch c {
	case analysis.Better:
		return style.Good
	case analysis.Worse:
		return style.Warn
	}
	return style.Dim
}

// visitsWords tell whether earlier visits of the same loads differ by more than noise.
func (f *frame) visitsWords() string {
	told, seen := 0, 0
	m, p := f.curveMetric()
	for i := range f.loads.all {
		o := &f.loads.all[i]
		was := o.visitBefore()
		if was == nil {
			continue
		}
		out, metric := f.loads.compared.Output(was, o.level), f.loads.compared.Compare(was, o.level, m, p)
		if out.Contrast != analysis.Untold || metric.Contrast != analysis.Untold {
			told++
		}
		if out.Seen() || metric.Seen() {
			seen++
		}
	}
	switch {
	case told == 0:
		return ""
	case seen == 0:
		return ": no more than noise"
	}
	return ": " + strconv.Itoa(seen) + " of " + strconv.Itoa(told) + " differ"
}

// miscounted is the first load whose requests do not add up by Little's law; nil where all do.
func miscounted(all []standing) (*bench.Level, analysis.Count) {
	for i := range all {
		if c, ok := analysis.Counted(all[i].level); ok && c.Off() {
			return all[i].level, c
		}
	}
	return nil, analysis.Count{}
}

// miscountedWords tell of it, since it is redline then that counts wrongly; empty where all adds up.
func (f *frame) miscountedWords() string {
	l, c := f.loads.miscounted, f.loads.count
	if l == nil {
		return ""
	}
	return "! counts do not add up at " + named(l.Load) + ": " + chart.Num(bench.Some(c.InFlight)) + " slot-seconds seen, " + chart.Num(bench.Some(c.Stay)) + " ended"
}
