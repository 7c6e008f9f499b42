package report

import (
	"fmt"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// told is one target of one run of a set.
type told struct {
	d *Document
	s *bench.Snapshot
	// run is the name of the run, target that of the target where the run has several.
	run, target string
}

// told are the targets of all runs, in their order.
func (all Set) told() []told {
	var out []told
	for _, d := range all {
		if d.s.Rivals == nil {
			out = append(out, told{d, d.s, d.name(), ""})
			continue
		}
		for i, of := range d.s.Rivals.Of {
			out = append(out, told{d, of, d.name(), targetWords(d.s.Rivals, i)})
		}
	}
	return out
}

// overview is a row for each target of each run, below a row of headings: what it was, the most output that it gave and at which load, and what became of
// the promises.
func (all Set) overview() [][]string {
	rows := [][]string{{"", "run", "length", "ok", "errors", "most tok/s", "at", "TTFT p95 there", "TPS p5 there", "promises"}}
	for i, t := range all.told() {
		name := t.run
		if t.target != "" {
			name += ", " + t.target
		}
		row := []string{fmt.Sprint(i + 1), name, span(t.s.At), grouped(t.s.Total.Tally.OK), share(t.s.Total.Counted.ErrorShare())}
		if l := mostOutput(t.s); l != nil {
			row = append(row, number(l.OutputRate), l.Load.String(), with(figure(&l.Stats[bench.TTFT], bench.P95), " ms"), figure(&l.Stats[bench.TPS], bench.P5))
		} else {
			row = append(row, absent, absent, absent, absent)
		}
		rows = append(rows, append(row, strings.Join(verdictLines(t.s), "; ")))
	}
	return rows
}

// mostOutput is the measured level with the most output; nil where nothing was measured.
func mostOutput(s *bench.Snapshot) *bench.Level {
	var best *bench.Level
	for _, l := range s.Levels {
		if analysis.Measured(l) && l.OutputRate.OK && (best == nil || l.OutputRate.V > best.OutputRate.V) {
			best = l
		}
	}
	return best
}

// table is the overview as text.
func (all Set) table(width int) string {
	return strings.Join(columns(all.overview(), width), "\n") + "\n"
}
