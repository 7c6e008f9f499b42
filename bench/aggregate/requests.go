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
	// failing is how long the failed and limited ones were in flight, in ms: the only measure of time where nothing ends well.
	failing dist
	sample  reservoir
}

func (r *requests) first(f *bench.FirstToken) { r.ttft.add(bench.Millis(f.TTFT)) }

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
	if good {
		f.Good++
	}
	if e.Burst {
		f.Bursts++
	}
	r.ttfa.addOf(e, bench.TTFA)
	r.e2e.addOf(e, bench.E2E)
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
	return f
}

func (r *requests) rest() {
	for _, d := range []*dist{&r.ttft, &r.ttfa, &r.e2e, &r.tpot, &r.tps, &r.connect, &r.handshake, &r.failing} {
		d.rest()
	}
}

// take counts another level's requests in.
func (r *requests) take(o *requests, seed uint64) {
	r.facts.Add(&o.facts)
	r.ttft.addSketch(o.ttft.sketch())
	r.ttfa.addSketch(o.ttfa.sketch())
	r.e2e.addSketch(o.e2e.sketch())
	r.tpot.addSketch(o.tpot.sketch())
	r.tps.addSketch(o.tps.sketch())
	r.connect.addSketch(o.connect.sketch())
	r.handshake.addSketch(o.handshake.sketch())
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
