package analysis

import (
	"cmp"
	"math"
	"slices"
	"time"

	"redline/bench"
)

// signals are what a level tells of its server: by itself, against lesser loads, and with what the run knows at this moment.
type signals struct {
	s *bench.Snapshot
	l *bench.Level
	// present: it is the level in force, of which the facts of the moment speak.
	present bool
	// k is the nearest lesser load, slower the nearest at which clearly fewer streams were decoding, best the lesser one of the greatest output rate, least the least; nil
	// where there is none.
	k, slower, best, least *bench.Level
	// lesser are all lesser loads that can be compared, those side by side with this one too: each by its newest visit.
	lesser []*bench.Level
	// broken are the promises that are known to be broken, known tells that any is known.
	broken []bench.Verdict
	known  bool
	// ends: a greater load of the run has shown that this one has no room above it.
	ends bool
	// tilt is how TTFT depends on the prompt's length at this level, base the same at the least load that tells.
	tilt, base tilt
	baseAt     *bench.Level
	// found are the causes named so far.
	found [NumCauses]bool
}

// lesser is how much less, as a share of the load, a load must be for a difference to be more than noise; near is the same where several signs must agree.
const (
	lesser = 0.8
	near   = 0.9
)

// signalsOf gathers the signals of level i of the snapshot.
func signalsOf(s *bench.Snapshot, i int) *signals {
	l := s.Levels[i]
	g := &signals{s: s, l: l, present: i == len(s.Levels)-1, tilt: tiltOf(l.Sample)}
	eras := Eras(s.Levels)
	for j, o := range s.Levels {
		if eras[j] != eras[i] || j == i || !o.Alike(l) {
			continue
		}
		switch {
		case o.Load.N > l.Load.N && !outdated(s.Levels, eras, j):
			g.ends = g.ends || g.endsAt(o)
		case o.Load.N < l.Load.N && paced(o) && !outdated(s.Levels, eras, j):
			g.against(o)
		}
	}
	g.ends = g.ends || g.brokeInRamp(eras, eras[i])
	g.broken, g.known = brokenAt(s.Run, l)
	if g.least != nil {
		g.findBase(eras, eras[i])
	}
	return g
}

// brokenAt are the promises that are known to be broken at a level, and whether any is known. Quotas are no promises.
func brokenAt(r *bench.Run, l *bench.Level) (broken []bench.Verdict, known bool) {
	for _, t := range r.Thresholds {
		if t.Quota() || t.Metric >= bench.NumMetrics {
			continue
		}
		v := t.Judge(&l.Summary)
		known = known || v.Known
		if v.Known && v.Broken {
			broken = append(broken, v)
		}
	}
	return broken, known
}

// brokeInRamp tells whether the ramp has seen a promise break, or the server refuse, at a greater load: it judges sooner than a level is ready.
func (g *signals) brokeInRamp(eras []int, era int) bool {
	if g.s.Ramping == nil {
		return false
	}
	for _, t := range g.s.Ramping.Trials {
		at := slices.IndexFunc(g.s.Levels, func(o *bench.Level) bool { return o.ID == t.Level })
		if t.Holds == bench.Broke && t.Load.N > g.l.Load.N && at >= 0 && eras[at] == era && g.s.Levels[at].Alike(g.l) {
			return true
		}
	}
	return false
}

// endsAt tells whether a greater load has shown that there is no room: a promise is broken there, or the output rate stands.
func (g *signals) endsAt(o *bench.Level) bool {
	if broken, _ := brokenAt(g.s.Run, o); len(broken) > 0 {
		return true
	}
	follows := elasticity(quotient(o.OutputRate.V, g.l.OutputRate.V), quotient(loadOf(o), loadOf(g.l)))
	return paced(o) && paced(g.l) && follows.OK && follows.V < flat
}

// outdated tells whether a later visit of the same load, since the same note, stands for level j.
func outdated(levels []*bench.Level, eras []int, j int) bool {
	l := levels[j]
	for k := j + 1; k < len(levels) && eras[k] == eras[j]; k++ {
		if o := levels[k]; o.Load == l.Load && o.Alike(l) && paced(o) {
			return true
		}
	}
	return false
}

// against takes a lesser load in, the standing visit of it.
func (g *signals) against(o *bench.Level) {
	if loadOf(o) <= near*loadOf(g.l) {
		g.lesser = append(g.lesser, o)
	}
	if loadOf(o) > lesser*loadOf(g.l) {
		return
	}
	if g.k == nil || o.Load.N >= g.k.Load.N {
		g.k = o
	}
	if g.least == nil || o.Load.N <= g.least.Load.N {
		g.least = o
	}
	if g.best == nil || o.OutputRate.V > g.best.OutputRate.V {
		g.best = o
	}
	if few := lesser * decoding(g.l); decoding(o) <= few && (g.slower == nil || decoding(o) >= decoding(g.slower)) {
		g.slower = o
	}
}

// baseLoads is among how many of the least loads the tilt is looked for: each takes a sort.
const baseLoads = 4

// findBase finds the tilt of TTFT over the prompt's length where the least is in its way.
func (g *signals) findBase(eras []int, era int) {
	var all []*bench.Level
	for j, o := range g.s.Levels {
		if eras[j] == era && o.Alike(g.l) && o.Load.N < g.l.Load.N && len(o.Sample) >= leastLengths {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b *bench.Level) int { return cmp.Compare(a.Load.N, b.Load.N) })
	for _, o := range all[:min(len(all), baseLoads)] {
		if g.base = tiltOf(o.Sample); g.base.significant {
			g.baseAt = o
			return
		}
	}
	g.base = tilt{}
}

// paced tells whether the output rate, the pace and the first tokens of a level can be compared with another's.
func paced(l *bench.Level) bool {
	return l.Span >= LongEnough && l.OutputRate.OK && l.OutputRate.V > 0 && l.InFlight.OK && l.Stats[bench.TTFT].Readiness == bench.Ready &&
		(l.State == bench.Settled || l.State == bench.Unsettled || l.Stats[bench.TPS].Readiness == bench.Ready)
}

// loadOf is the load that was in force: in flight, or arrivals a second.
func loadOf(l *bench.Level) float64 {
	if l.Load.Mode == bench.Open || !l.InFlight.OK {
		return l.Load.N
	}
	return l.InFlight.V
}

// decoding is how many streams were decoding on average, by Little's law: tokens a second times seconds a token.
func decoding(l *bench.Level) float64 {
	itl := l.Stats[bench.ITL].Mean
	if !itl.OK || !l.OutputRate.OK {
		return loadOf(l)
	}
	return l.OutputRate.V * itl.V / 1000
}

// before is how many requests were before their first token on average: those in flight that were not decoding, or by Little's law where their pace is not
// known. (By that law alone a queue that grows would be seen too small: who waits longest has not been counted yet.)
func before(l *bench.Level) float64 {
	if l.InFlight.OK && l.Stats[bench.ITL].Mean.OK && l.OutputRate.OK {
		return max(l.InFlight.V-decoding(l), 0)
	}
	if !l.RPS.OK || !l.Stats[bench.TTFT].Mean.OK {
		return 0
	}
	return l.RPS.V * l.Stats[bench.TTFT].Mean.V / 1000
}

// quotient is a ÷ b; 0 where either is not above 0.
func quotient(a, b float64) float64 {
	if !(a > 0) || !(b > 0) {
		return 0
	}
	return a / b
}

// elasticity is how strongly a number follows another: 1 in step, 0 not at all, below 0 against it. Absent where it cannot be told.
func elasticity(number, of float64) bench.Value {
	if !(number > 0) || !(of > 0) || math.Abs(math.Log(of)) < 0.1 {
		return bench.Value{}
	}
	return bench.Some(math.Log(number) / math.Log(of))
}

// outputFollows is how strongly the output rate follows the load, from a lesser load to this one.
func (g *signals) outputFollows(k *bench.Level) bench.Value {
	if k == nil || !paced(g.l) {
		return bench.Value{}
	}
	return elasticity(quotient(g.l.OutputRate.V, k.OutputRate.V), quotient(loadOf(g.l), loadOf(k)))
}

// prefilling is the share of its time, 0..1 and more, that the server spends on prompts: prompt tokens a second times seconds a token. It rests on the slope of
// TTFT at the least load.
func (g *signals) prefilling() bench.Value {
	if g.baseAt == nil || !g.l.PerMinuteIn.OK {
		return bench.Value{}
	}
	return bench.Some(g.l.PerMinuteIn.V / 60 * g.base.perToken / 1000)
}

// scraped tells whether the server's gauges were read often enough.
func (g *signals) scraped() bool { return g.l.Server != nil && g.l.Server.Scrapes >= leastScrapes }

// gauge is the mean of a server's gauge over the level; absent with too few readings.
func (g *signals) gauge(of bench.Gauge) bench.Value {
	if !g.scraped() {
		return bench.Value{}
	}
	return g.l.Server.Mean(of)
}

// leastScrapes is from how many readings on a server's gauges count.
const leastScrapes = 5

// breaks tells whether a promise on any of the metrics is broken.
func (g *signals) breaks(metrics ...bench.Metric) bool {
	for _, v := range g.broken {
		for _, m := range metrics {
			if v.Threshold.Metric == m {
				return true
			}
		}
	}
	return false
}

// share is the share of a level's seconds.
func share(seconds int, of time.Duration) float64 {
	if of <= 0 {
		return 0
	}
	return float64(seconds) / of.Seconds()
}
