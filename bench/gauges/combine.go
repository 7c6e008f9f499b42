package gauges

import "redline/bench"

// gathered is what one address has told since it was last asked for.
type gathered struct {
	gauges                    [bench.NumGauges]bench.Amount
	scrapes, missed, restarts int
	ttft, itl, queue          []bench.Sketch
}

// add counts what a scrape has shown in.
func (g *gathered) add(of *growth) {
	g.scrapes++
	for i := range g.gauges {
		to, a := &g.gauges[i], &of.gauges[i]
		if !(a.Weight > 0) {
			continue
		}
		if to.Weight == 0 {
			to.Max = a.Max
		}
		to.Sum, to.Weight, to.Max = to.Sum+a.Sum, to.Weight+a.Weight, max(to.Max, a.Max)
	}
	if of.restart {
		g.restarts++
	}
	for _, s := range []struct {
		to *[]bench.Sketch
		of bench.Sketch
	}{{&g.ttft, of.ttft}, {&g.itl, of.itl}, {&g.queue, of.queue}} {
		if s.of.N > 0 {
			*s.to = append(*s.to, s.of)
		}
	}
}

// combine is what all addresses together tell; nil where they tell nothing.
func combine(scrapes []bench.Scrape, all []gathered) *bench.ServerFacts {
	var out bench.ServerFacts
	var ttft, itl, queue []bench.Sketch
	for i := range all {
		g := &all[i]
		out.Scrapes, out.Missed, out.Restarts = out.Scrapes+g.scrapes, out.Missed+g.missed, out.Restarts+g.restarts
		ttft, itl, queue = append(ttft, g.ttft...), append(itl, g.itl...), append(queue, g.queue...)
	}
	if out.Scrapes+out.Missed == 0 {
		return nil
	}
	for g := range bench.NumGauges {
		if g.Additive() {
			out.Gauges[g] = together(g, scrapes, all)
			continue
		}
		for i := range all {
			a, to := &all[i].gauges[g], &out.Gauges[g]
			if a.Weight > 0 {
				to.Max = max(to.Max, a.Max)
				to.Sum, to.Weight = to.Sum+a.Sum, to.Weight+a.Weight
			}
		}
	}
	out.TTFT, out.ITL, out.Queue = bench.Merge(ttft...), bench.Merge(itl...), bench.Merge(queue...)
	return &out
}

// together adds up what adds up. An address that has told the gauge before, and had no answer yet, still has its last value: a sum of some of the servers
// would be a dip that nobody has seen.
func together(g bench.Gauge, scrapes []bench.Scrape, all []gathered) bench.Amount {
	var out bench.Amount
	for i := range all {
		out.Weight = max(out.Weight, all[i].gauges[g].Weight)
	}
	if !(out.Weight > 0) {
		return bench.Amount{}
	}
	for i := range all {
		switch a := &all[i].gauges[g]; {
		case a.Weight > 0:
			out.Sum, out.Max = out.Sum+a.Sum/a.Weight*out.Weight, out.Max+a.Max
		case scrapes[i].State == bench.ScrapeOK && scrapes[i].Values[g].OK:
			v := scrapes[i].Values[g].V
			out.Sum, out.Max = out.Sum+v*out.Weight, out.Max+v
		}
	}
	return out
}
