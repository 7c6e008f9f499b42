package aggregate

import (
	"time"

	"redline/bench"
)

// requests are the facts of the requests that a level's statistics rest on: those that started when its load was in force.
type requests struct {
	// facts holds the counters.
	facts                      bench.Facts
	ttft, ttfa, e2e, tpot, tps dist
	connect, handshake         dist
	dueTTFT, dueE2E            dist
	// failing is how long the failed and limited ones were in flight, in ms: the only measure of time where nothing ends well.
	failing dist
	sample  reservoir
	// regraded: the promises have changed since some of the requests ended; reckoned: Good rests on an even draw of those.
	regraded, reckoned bool
}

func (r *requests) first(f *bench.FirstToken) {
	r.ttft.add(bench.Millis(f.TTFT))
	r.dueTTFT.addIf(dueOf(f))
}

// disown takes the first token of a request that failed in the end out again.
func (r *requests) disown(e *bench.Ended, ttft time.Duration) {
	r.ttft.remove(bench.Millis(ttft))
	if due, ok := e.DueTTFT(); ok {
		r.dueTTFT.remove(bench.Millis(due))
	}
}

// end books a request; what another load may have slowed or sped up, since it did not end within the level, is no measure of its speed.
func (r *requests) end(e *bench.Ended, good, within bool, seed uint64) {
	f := &r.facts
	f.Ended[min(e.Outcome, bench.NumOutcomes-1)]++
	f.Cached += e.Counts.Cached
	if e.Marks.Connected.OK && !e.Reused {
		f.NewConnections++
	}
	f.Malformed += e.Counts.Malformed
	r.connect.addIf(connectOf(e))
	r.handshake.addIf(handshakeOf(e))
	if e.Outcome.Failed() {
		f.Wasted += e.Counts.Output
		if e.Marks.FirstToken.OK || e.Counts.Input > 0 {
			f.Wasted += promptTokens(e)
		}
	}
	if e.Outcome != bench.OK {
		if stay, ok := e.Marks.Ended.Since(e.Marks.Started); ok && !e.Outcome.Withdrawn() {
			r.failing.add(bench.Millis(stay))
		}
		return
	}
	f.PromptTokens += promptTokens(e)
	f.AnswerTokens += e.Counts.Output
	countPrompt(f, e)
	if good {
		f.Good++
	}
	if e.Burst {
		f.Bursts++
	}
	r.ttfa.addOf(e, bench.TTFA)
	r.e2e.addOf(e, bench.E2E)
	r.dueE2E.addIf(dueE2EOf(e))
	if within {
		r.tpot.addOf(e, bench.TPOT)
		r.tps.addOf(e, bench.TPS)
	}
	if s, ok := sampleOf(e); ok {
		r.sample.offer(s, seed)
	}
}

// measured are the facts with their distributions.
func (r *requests) measured() bench.Facts {
	f := r.facts
	f.TTFT, f.TTFA, f.E2E, f.TPOT, f.TPS = r.ttft.sketch(), r.ttfa.sketch(), r.e2e.sketch(), r.tpot.sketch(), r.tps.sketch()
	f.Connect, f.Handshake = r.connect.sketch(), r.handshake.sketch()
	f.DueTTFT, f.DueE2E = r.dueTTFT.sketch(), r.dueE2E.sketch()
	return f
}

func (r *requests) rest() {
	for _, d := range []*dist{&r.ttft, &r.ttfa, &r.e2e, &r.tpot, &r.tps, &r.connect, &r.handshake, &r.dueTTFT, &r.dueE2E, &r.failing} {
		d.rest()
	}
}

// take counts another level's requests in.
func (r *requests) take(o *requests, seed uint64) {
	r.facts.Add(&o.facts)
	r.regraded, r.reckoned = r.regraded || o.regraded, r.reckoned || o.reckoned
	r.ttft.addSketch(o.ttft.sketch())
	r.ttfa.addSketch(o.ttfa.sketch())
	r.e2e.addSketch(o.e2e.sketch())
	r.tpot.addSketch(o.tpot.sketch())
	r.tps.addSketch(o.tps.sketch())
	r.connect.addSketch(o.connect.sketch())
	r.handshake.addSketch(o.handshake.sketch())
	r.dueTTFT.addSketch(o.dueTTFT.sketch())
	r.dueE2E.addSketch(o.dueE2E.sketch())
	r.failing.addSketch(o.failing.sketch())
	for _, s := range o.sample.kept {
		r.sample.offer(s, seed)
	}
}

// measure is what one request says of a metric, in the metric's unit: its own TPOT for ITL, its own speed for TPS.
func measure(e *bench.Ended, m bench.Metric) (float64, bool) {
	var d time.Duration
	var ok bool
	switch m {
	case bench.TTFT:
		d, ok = e.TTFT()
	case bench.TTFA:
		d, ok = e.TTFA()
	case bench.E2E:
		d, ok = e.E2E()
	case bench.ITL, bench.TPOT:
		return e.TPOT()
	case bench.TPS:
		return e.Speed()
	}
	return bench.Millis(d), ok
}

// connectOf is what a request's new connection took until TCP stood, in ms; handshakeOf what TLS took on top.
func connectOf(e *bench.Ended) (float64, bool) {
	return bench.Millis(e.Connect.DNS + e.Connect.TCP), e.Connect.TCP > 0
}

func handshakeOf(e *bench.Ended) (float64, bool) {
	return bench.Millis(e.Connect.TLS), e.Connect.TLS > 0
}

// dueOf is a first token's latency from the instant at which its request should have gone, in ms; dueE2EOf that of a whole request.
func dueOf(f *bench.FirstToken) (float64, bool) {
	return bench.Millis(f.At - f.Scheduled.At), f.Scheduled.OK
}

func dueE2EOf(e *bench.Ended) (float64, bool) {
	d, ok := e.DueE2E()
	return bench.Millis(d), ok
}

// countPrompt counts the prompt of a request that ended ok in, if both its asked length and the server's count of it are known.
func countPrompt(f *bench.Facts, e *bench.Ended) {
	if e.Counts.Input > 0 && e.Prompt.InputTokens > 0 {
		f.AskedTokens += e.Prompt.InputTokens
		f.CountedTokens += e.Counts.Input
		f.Counted++
	}
}

// addOf adds what a request says of a metric, if anything.
func (d *dist) addOf(e *bench.Ended, m bench.Metric) { d.addIf(measure(e, m)) }

func (d *dist) addIf(v float64, ok bool) {
	if ok {
		d.add(v)
	}
}

// good tells whether a request kept every promise that can be asked of a single one. What it has no measure for it cannot break.
func good(e *bench.Ended, thresholds []bench.Threshold) bool {
	if e.Outcome != bench.OK {
		return false
	}
	for _, t := range thresholds {
		if v, ok := measure(e, t.Metric); ok && t.Broken(v) {
			return false
		}
	}
	return true
}
