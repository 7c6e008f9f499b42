package report

import (
	"fmt"
	"strings"

	"redline/bench"
	"redline/bench/analysis"
)

// Brief is a run as a line for each level when it ends, and for each event that who was not there has to know. It is for logs of scripts.
type Brief struct {
	told teller
	// level is the last level that was told.
	level int
	// each are those of the targets, where there are several.
	each []*Brief
}

// Step are the lines for what is new in a snapshot.
func (p *Brief) Step(s *bench.Snapshot) string {
	s = Begun(s)
	if s.Rivals == nil {
		return p.step(s, "")
	}
	var b strings.Builder
	for i, of := range s.Rivals.Of {
		for len(p.each) <= i {
			p.each = append(p.each, &Brief{})
		}
		b.WriteString(p.each[i].step(of, lineName(s.Rivals, i)+" "))
	}
	return b.String()
}

// step is what is new of one target, with its name behind the instants.
func (p *Brief) step(s *bench.Snapshot, name string) string {
	var b strings.Builder
	for _, e := range p.told.fresh(s) {
		switch e.Kind {
		case bench.EventNote, bench.EventWarn, bench.EventBudget, bench.EventPause, bench.EventDown, bench.EventUp, bench.EventGap, bench.EventRamp:
			fmt.Fprintf(&b, "%s %sevent %s\n", stamp(e.At), name, sentence(e))
		}
	}
	over := s.State == bench.Done
	for _, l := range s.Levels {
		if l.ID <= p.level || !over && (!l.Ended.OK || l.Ended.At > s.Folded) {
			continue
		}
		p.level = l.ID
		if !analysis.Measured(l) {
			continue // The summary names it.
		}
		at := s.At
		if l.Ended.OK {
			at = l.Ended.At
		} else if s.Tail.Began.OK {
			at = s.Tail.Began.At
		}
		fmt.Fprintf(&b, "%s %s%s\n", stamp(at), name, levelFields(l, s.Run))
	}
	return b.String()
}

// levelFields are a level as fields, with the names of the lines of a second.
func levelFields(l *bench.Level, r *bench.Run) string {
	var b strings.Builder
	firm := analysis.FirmnessOf(l).String()
	if firm == "" {
		firm = "firm"
	}
	fmt.Fprintf(&b, "level=%d/%s load=%s", l.ID, firm, l.Load)
	if len(r.Works) > 1 {
		fmt.Fprintf(&b, " work=%s", strings.Join(strings.Fields(workName(r, l.Work)), "-"))
	}
	fmt.Fprintf(&b, " for=%s n=%d", span(l.Span), l.Tally.OK-l.Tally.Apart.OK)
	for _, m := range []bench.Metric{bench.TTFT, bench.ITL} {
		for _, at := range []bench.Percentile{bench.P50, bench.P95} {
			fmt.Fprintf(&b, " %s.%s=%s", strings.ToLower(m.String()), at, with(figure(&l.Stats[m], at), "ms"))
		}
	}
	for _, at := range []bench.Percentile{bench.P50, bench.P5} {
		fmt.Fprintf(&b, " tps.%s=%s", at, figure(&l.Stats[bench.TPS], at))
	}
	fmt.Fprintf(&b, " rpm=%s tpm=%s errors=%s goodput=%s", figure(&l.Stats[bench.RPM], bench.Mean), figure(&l.Stats[bench.TPM], bench.Mean), share(l.Counted.ErrorShare()), share(l.Goodput))
	if l.Tally.Unsent > 0 {
		fmt.Fprintf(&b, " unsent=%d", l.Tally.Unsent)
	}
	var words []string
	for _, p := range promised(r.Thresholds) {
		word := "unknown"
		if v, ok := verdictOf(l, p); ok {
			word = map[bool]string{false: "kept", true: "broken"}[v.Broken]
		}
		words = append(words, p.String()+":"+word)
	}
	if len(words) == 0 {
		words = []string{absent}
	}
	return b.String() + " slo=" + strings.Join(words, ",")
}
