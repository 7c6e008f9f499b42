package view

import (
	"math"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/style"
)

const (
	// kvNearlyFull is the share of a KV cache from which on requests are thrown out before long.
	kvNearlyFull = 0.9
	// queueing is how many waiting requests on average are a queue; fewer are those that have just come.
	queueing = 0.5
)

// gaugeWord is what a gauge means, in a sentence: where it was greatest, what it is capped by, at which loads it was there at all.
func (f *frame) gaugeWord(l *serverLane) part {
	switch l.gauge {
	case bench.ServerRunning:
		return f.runningWord()
	case bench.ServerWaiting:
		return f.waitingWord()
	case bench.Preemptions:
		return f.preemptionWord()
	case bench.KVUsage:
		return f.cacheWord(l)
	case bench.PrefixHits:
		if v := f.scope.Server.Mean(l.gauge); sound(v) && v.V >= 0.01 {
			return part{style.Dim, percent(bench.Some(100*v.V)) + " of prompt tokens reused"}
		}
		return part{style.Dim, "prompts are computed whole"}
	case bench.GPUPower:
		if w, t := f.scope.Server.Mean(l.gauge), f.scope.Server.Mean(bench.GenerationRate); sound(w) && sound(t) && t.V >= 1 {
			return part{style.Dim, chart.Num(bench.Some(w.V/t.V)) + " J a generated token"}
		}
	case bench.GPUMemory:
		if free := f.gaugeNow(bench.GPUMemoryFree); sound(free) {
			return part{style.Dim, l.text(free) + " GiB free"}
		}
	}
	return part{style.Dim, f.peakWord(l)}
}

// peakWord says at which load a gauge was greatest.
func (f *frame) peakWord(l *serverLane) string {
	most, at := f.peak(l.gauge)
	if at == nil {
		return ""
	}
	unit := ""
	if !l.share() {
		unit = " " + l.unit
	}
	return "peak " + l.text(bench.Some(most)) + unit + " at " + named(at.Load)
}

// peak is the greatest reading of a gauge, and the level in which it was; nil where none has told it.
func (f *frame) peak(g bench.Gauge) (most float64, at *bench.Level) {
	for _, l := range f.s.Levels {
		if v := l.Server.Max(g); sound(v) && (at == nil || v.V > most) {
			most, at = v.V, l
		}
	}
	return most, at
}

// cacheWord is how full the KV cache was, and whether requests waited for it.
func (f *frame) cacheWord(l *serverLane) part {
	now, waiting := f.scope.Server.Mean(l.gauge), f.scope.Server.Mean(bench.ServerWaiting)
	switch {
	case sound(now) && now.V >= 0.95 && sound(waiting) && waiting.V >= queueing:
		return part{style.Warn, "full: requests wait for it"}
	case sound(now) && now.V >= kvNearlyFull:
		return part{style.Warn, "nearly full; " + f.peakWord(l)}
	}
	return part{style.Dim, f.peakWord(l)}
}

// runningWord is what keeps the batch from being larger, or whose requests are in it.
func (f *frame) runningWord() part {
	sf := f.scope.Server
	running, waiting, ours := sf.Mean(bench.ServerRunning), sf.Mean(bench.ServerWaiting), f.scope.InFlight
	most, cap := sf.Max(bench.ServerRunning), f.batchSize()
	if !sound(running) {
		return part{style.Dim, ""}
	}
	queued := sound(waiting) && waiting.V >= queueing
	switch {
	case sound(cap) && cap.V >= 1 && sound(most) && most.V >= cap.V && queued:
		return part{style.Warn, "capped at " + amount(cap.V) + " by the server"}
	case queued && sound(cap) && running.V < 0.9*cap.V:
		return part{style.Warn, "queue, yet " + amount(cap.V-running.V) + " of " + amount(cap.V) + " are free"}
	case queued && sound(most) && running.V >= 0.9*most.V:
		return part{style.Warn, "capped at " + amount(most.V) + " by the server"}
	case !sound(ours):
		return part{style.Dim, ""}
	}
	all := running.V
	if sound(waiting) {
		all += waiting.V
	}
	switch extra := all - ours.V; {
	case extra > max(2, 0.15*ours.V):
		return part{style.Warn, amount(extra) + " not ours: others use it"}
	case extra < -max(2, 0.25*ours.V):
		return part{style.Dim, amount(ours.V) + " are ours, some on the way"}
	}
	return part{style.Dim, "all are ours"}
}

// waitingWord is at which loads there was a queue.
func (f *frame) waitingWord() part {
	var with, without []bench.Setpoint
	for _, l := range f.s.Levels {
		v := l.Server.Mean(bench.ServerWaiting)
		switch {
		case !sound(v) || l.Load.N <= 0:
		case v.V >= queueing:
			with = appendLoad(with, l.Load)
		default:
			without = appendLoad(without, l.Load)
		}
	}
	least, most := math.Inf(1), 0.0
	for _, l := range with {
		least = min(least, l.N)
	}
	for _, l := range without {
		most = max(most, l.N)
	}
	now := f.scope.Server.Mean(bench.ServerWaiting)
	look := style.Dim
	if sound(now) && now.V >= queueing {
		look = style.Warn
	}
	switch {
	case len(with)+len(without) == 0:
		return part{style.Dim, ""}
	case len(with) == 0:
		return part{look, "no lasting queue at any load so far"}
	case len(without) == 0 && len(with) > 1:
		return part{look, "a queue at every load"}
	case len(with) == 1:
		if f.level != nil && with[0] == f.level.Load && look == style.Warn {
			return part{look, "queue only at this load, " + named(with[0])}
		}
		return part{look, "queue only while load was " + named(with[0])}
	case least > most:
		at := bench.Setpoint{Mode: with[0].Mode, N: least}
		return part{look, "queue from load " + named(at) + " on"}
	}
	return part{look, "queue at " + count(len(with)) + " of " + count(len(with)+len(without)) + " loads"}
}

func appendLoad(all []bench.Setpoint, l bench.Setpoint) []bench.Setpoint {
	for _, o := range all {
		if o == l {
			return all
		}
	}
	return append(all, l)
}

// preemptionWord is how many requests were thrown out of the batch, and when last.
func (f *frame) preemptionWord() part {
	var last *bench.Level
	for _, l := range f.s.Levels {
		if l.Server != nil && l.Server.Gauges[bench.Preemptions].Sum >= 0.5 {
			last = l
		}
	}
	if last == nil {
		if f.s.Total.Server != nil && f.s.Total.Server.Gauges[bench.Preemptions].Sum >= 0.5 {
			return part{style.Dim, amount(f.s.Total.Server.Gauges[bench.Preemptions].Sum) + " between levels"}
		}
		return part{style.Dim, "none so far"}
	}
	n := amount(last.Server.Gauges[bench.Preemptions].Sum)
	if last == f.level {
		return part{style.Warn, n + " thrown out at this load"}
	}
	return part{style.Dim, n + " at " + named(last.Load) + ", none since"}
}
