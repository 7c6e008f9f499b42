package analysis

import (
	"fmt"

	"redline/bench"
)

// flat is how weakly the output rate follows the load from where on the server counts as saturated: under 23 % more for twice the load. noise is how much of a number may be
// noise.
const (
	flat  = 0.3
	noise = 0.1
	// nearlyLinear is how strongly it follows where nothing is saturated: eight tenths of linear growth for twice the load, whatever the step.
	nearlyLinear = 0.7
)

// pinned tells whether the batch holds the same number of requests all the time: then that number is its limit. What is limited by the cache holds more
// of the short ones.
func pinned(f *bench.ServerFacts) bool {
	mean, most := f.Mean(bench.ServerRunning), f.Max(bench.ServerRunning)
	return mean.OK && most.OK && most.V > 0 && mean.V >= 0.97*most.V
}

// oftenThrown is how many preemptions for each request that ends are more than a stray one.
const oftenThrown = 0.02

// seesCache: the KV cache is full while requests wait, or requests are thrown out of the batch for it. A full batch uses much of the cache too: what counts is that it
// stays full, since a batch that is only limited in its requests leaves some of it free most of the time.
func seesCache(g *signals) (sight, bool) {
	f := g.l.Server
	full, mean, waiting, out := f.Max(bench.KVUsage), f.Mean(bench.KVUsage), g.gauge(bench.ServerWaiting), f.Mean(bench.Preemptions)
	thrown := 60 * out.V
	crowded := full.OK && full.V >= 0.97 && mean.V >= 0.93 && waiting.OK && waiting.V >= 0.5 && !(mean.V < 0.97 && pinned(f))
	often := thrown >= 1 && thrown >= oftenThrown*60*g.l.RPS.V
	if !crowded && !often {
		return sight{}, false
	}
	s := sight{binds: true}
	if often {
		s.saw = append(s.saw, digits(thrown)+" preemptions a minute")
		// Whoever is thrown out disturbs others too: the prompt is read again.
		s.pace = min(0.7, 5*quotient(thrown, 60*g.l.RPS.V))
		s.first = s.pace
	}
	if crowded {
		s.first, s.pace = max(s.first, 0.6), max(s.pace, 0.3)
	}
	if full.OK {
		s.saw = append(s.saw, fmt.Sprintf("KV cache %s used, %s at most", percent(mean.V), percent(full.V)))
	}
	if waiting.OK {
		s.saw = append(s.saw, digits(waiting.V)+" waiting")
	}
	if crowded && g.k != nil {
		s.first = max(s.first, risen(g.l, g.k, bench.TTFT))
	}
	return s, true
}

// stands tells whether more load no longer brings more: the output rate follows it by less than half, or fewer requests end than arrive.
func (g *signals) stands() bool { return g.standsSince(g.k) }

// standsSince tells the same of what was added to a lesser load; nil for none.
func (g *signals) standsSince(k *bench.Level) bool {
	if follows := g.outputFollows(k); follows.OK && follows.V < 0.5 {
		return true
	}
	return g.l.Load.Mode == bench.Open && g.l.RPS.OK && g.l.Achieved.OK && g.l.RPS.V < 0.9*g.l.Achieved.V
}

// risen is the share of a metric's mean that it did not have at a lesser load, 0..1.
func risen(l, k *bench.Level, m bench.Metric) float64 {
	now, was := l.Stats[m].Mean, k.Stats[m].Mean
	if !now.OK || !was.OK || now.V <= was.V {
		return 0
	}
	return 1 - was.V/now.V
}

// seesPrefill: reading prompts takes most of the server's time while its output rate stands; or, at a load at which nothing waits, the prompt's length alone
// breaks the promise.
func seesPrefill(g *signals) (sight, bool) {
	if spent := g.prefilling(); spent.OK && spent.V >= 0.5 && g.k != nil && g.stands() {
		s := sight{binds: true, first: min(spent.V, 1), pace: risen(g.l, g.k, bench.ITL) * min(spent.V, 1)}
		s.saw = []string{
			fmt.Sprintf("reading prompts takes %s of the time: %s tok/s at %s ms each (at %s)", percent(min(spent.V, 1)), whole(g.l.PerMinuteIn.V/60), digits(g.base.perToken), named(g.baseAt)),
			fmt.Sprintf("output %s at %s the load of %s", times(quotient(g.l.OutputRate.V, g.k.OutputRate.V)), times(quotient(loadOf(g.l), loadOf(g.k))), named(g.k)),
		}
		return s, true
	}
	w := g.gauge(bench.ServerWaiting)
	st := &g.l.Stats[bench.TTFT]
	if g.tilt.significant && g.breaks(bench.TTFT, bench.TTFA) && st.Mean.OK && !(w.OK && w.V >= 1) && g.tilt.waited >= 2*g.tilt.quick && g.tilt.rank >= 0.6 {
		// What the mean prompt takes beyond the shortest.
		return sight{first: min((g.tilt.waited-g.tilt.quick)/g.tilt.waited, 1), saw: []string{
			fmt.Sprintf("TTFT %s at %s tokens, %s at %s", millis(g.tilt.quick), whole(g.tilt.short), millis(g.tilt.waited), whole(g.tilt.long)),
			fmt.Sprintf("%s ms a prompt token", digits(g.tilt.perToken)),
		}}, true
	}
	return sight{}, false
}

// queuedSince is the lesser load since which more of it has only made more requests wait for their first token, while the output rate stands: of those that show it
// the one at which the first token came soonest. The nearest may queue itself, which hides how much of the wait is a queue; nil where none shows it.
func (g *signals) queuedSince() *bench.Level {
	var since *bench.Level
	for _, o := range g.lesser {
		more := g.l.InFlight.V - o.InFlight.V
		piled := before(g.l) - before(o)
		if !g.standsSince(o) || piled < max(1, 0.25*more) {
			continue
		}
		// Either the first token waits for twice as long, or as good as all that was added waits and slows no stream.
		pace := quotient(g.l.Stats[bench.ITL].P50.V, o.Stats[bench.ITL].P50.V)
		if risen(g.l, o, bench.TTFT) < 0.5 && !(piled >= 0.7*more && pace > 0 && pace <= 1+noise) {
			continue
		}
		if since == nil || o.Stats[bench.TTFT].Mean.V < since.Stats[bench.TTFT].Mean.V {
			since = o
		}
	}
	return since
}

// unqueued is the greatest lesser load at which the first token came nearly as soon as at any: the one to hold a queue against.
func (g *signals) unqueued() *bench.Level {
	var soonest, out *bench.Level
	wait := func(l *bench.Level) float64 { return l.Stats[bench.TTFT].Mean.V }
	for _, o := range g.lesser {
		if soonest == nil || wait(o) < wait(soonest) {
			soonest = o
		}
	}
	for _, o := range g.lesser {
		if wait(o) <= 1.5*wait(soonest) && (out == nil || loadOf(o) > loadOf(out)) {
			out = o
		}
	}
	return out
}

// seesQueue: requests wait before the batch. The server says so; or else more load only makes more requests wait for their first token, while the output
// rate stands.
func seesQueue(g *signals) (sight, bool) {
	if g.found[KVCache] && !pinned(g.l.Server) {
		return sight{}, false // they wait for the cache
	}
	flight := g.l.InFlight.V
	s := sight{binds: true}
	if w := g.gauge(bench.ServerWaiting); w.OK {
		if w.V < max(1, 0.05*flight) {
			return sight{}, false
		}
		s.saw = append(s.saw, digits(w.V)+" waiting")
		if r := g.gauge(bench.ServerRunning); r.OK {
			s.saw = append(s.saw, digits(r.V)+" running of "+digits(flight)+" in flight")
		}
		s.first = min(quotient(w.V, before(g.l)), 1)
	} else {
		since := g.queuedSince()
		if since == nil {
			return sight{}, false
		}
		s.saw = append(s.saw, fmt.Sprintf("about %s of %s in flight wait for their first token (%s at %s)", digits(before(g.l)), digits(flight), digits(before(since)), named(since)))
	}
	if k := g.unqueued(); k != nil {
		s.first = max(s.first*0.99, risen(g.l, k, bench.TTFT))
		if v := g.prefilling(); g.found[PrefillBound] && v.OK {
			s.first *= 1 - min(v.V, 1)
		}
		s.saw = append(s.saw, grown("TTFT", g.l.Stats[bench.TTFT].Mean.V, k.Stats[bench.TTFT].Mean.V), against(g, k))
	}
	return s, true
}

// against is what the output rate, the pace and the load are against a lesser load.
func against(g *signals, k *bench.Level) string {
	text := grown("output", g.l.OutputRate.V, k.OutputRate.V)
	if a, b := g.l.Stats[bench.ITL].P50, k.Stats[bench.ITL].P50; a.OK && b.OK {
		text += ", " + grown("ITL", a.V, b.V)
	}
	return text + " at " + times(quotient(loadOf(g.l), loadOf(k))) + " the load of " + named(k)
}

// seesDecode: more streams in the batch only slow one another. What counts is how many streams are decoding, not how many requests there are: those that wait
// before a full batch slow nobody.
func seesDecode(g *signals) (sight, bool) {
	k := g.slower
	if k == nil || g.found[PrefillBound] || g.found[PastPeak] {
		return sight{}, false
	}
	now, was := g.l.Stats[bench.ITL].P50, k.Stats[bench.ITL].P50
	if !now.OK || !was.OK {
		return sight{}, false
	}
	streams := quotient(decoding(g.l), decoding(k))
	pace, out := elasticity(quotient(now.V, was.V), streams), elasticity(quotient(g.l.OutputRate.V, k.OutputRate.V), streams)
	if !pace.OK || !out.OK || pace.V < 0.6 || out.V >= flat {
		return sight{}, false
	}
	return sight{binds: true, pace: risen(g.l, k, bench.ITL), saw: []string{
		fmt.Sprintf("ITL %s with %s the streams of %s", times(quotient(now.V, was.V)), times(streams), named(k)),
		grown("output", g.l.OutputRate.V, k.OutputRate.V), fmt.Sprintf("%s streams decode", digits(decoding(g.l))),
	}}, true
}

// seesPeak: a lesser load brought more output, beyond the intervals of both.
func seesPeak(g *signals) (sight, bool) {
	k := g.best
	fall := 1 - quotient(g.l.OutputRate.V, k.OutputRate.V)
	half := relative(&g.l.Stats[bench.TPM]) + relative(&k.Stats[bench.TPM])
	if fall < max(0.05, half) {
		return sight{}, false
	}
	s := sight{binds: true, first: max(fall, risen(g.l, k, bench.TTFT)), pace: max(fall, risen(g.l, k, bench.ITL)), saw: []string{
		fmt.Sprintf("output %s tok/s, %s at %s", whole(g.l.OutputRate.V), whole(k.OutputRate.V), named(k)), fmt.Sprintf("%s less at %s the load", percent(fall), times(quotient(loadOf(g.l), loadOf(k))))}}
	if g.found[KVCache] {
		s.saw = append(s.saw, "the KV cache is full")
	}
	return s, true
}

// relative is the half-width of a rate's interval as a share of it; a tenth where it is not known.
func relative(s *bench.Stat) float64 {
	if !s.Half.OK || !s.Mean.OK || s.Mean.V <= 0 {
		return noise
	}
	return s.Half.V / s.Mean.V
}

// seesJitter: single gaps are far longer than the usual one.
func seesJitter(g *signals) (sight, bool) {
	st := &g.l.Stats[bench.ITL]
	wide := quotient(st.P99.V, st.P50.V)
	if !st.P50.OK || !st.P99.OK || wide <= 4 || st.P99.V < 50 {
		return sight{}, false
	}
	for _, v := range g.broken {
		if t := v.Threshold; t.Metric == bench.ITL && t.Broken(st.P50.V) {
			return sight{}, false // all gaps are long
		}
	}
	s := sight{binds: g.breaks(bench.ITL), pace: 1 - quotient(st.P50.V, st.P99.V), saw: []string{
		"ITL p99 " + millis(st.P99.V) + ", " + times(wide) + " its p50 of " + millis(st.P50.V)}}
	if n := g.l.Stalls; n > 0 {
		s.saw = append(s.saw, fmt.Sprintf("%d gaps over %s", n, wait(g.s.Run.Stall)))
	}
	return s, true
}

// seesRoom: the output rate follows the load, no promise is broken and nothing waits; and no greater load has shown otherwise.
func seesRoom(g *signals) (sight, bool) {
	for c, found := range g.found {
		if c := Cause(c); found && c != Shared && c != PrefixCache && c != ColdStart {
			return sight{}, false
		}
	}
	follows := g.outputFollows(g.k)
	if g.present && g.s.Cruising != nil && !g.s.Cruising.Ended.OK {
		return sight{}, false // it holds the load where a promise is just kept
	}
	if g.ends || len(g.broken) > 0 || !follows.OK || follows.V < nearlyLinear || g.gauge(bench.ServerWaiting).V >= 1 {
		return sight{}, false
	}
	load, out := quotient(loadOf(g.l), loadOf(g.k)), quotient(g.l.OutputRate.V, g.k.OutputRate.V)
	return sight{saw: []string{fmt.Sprintf("output %s at %s the load of %s", times(out), times(load), named(g.k)), "nothing is saturated"}}, true
}
