package view

import (
	"fmt"
	"math"
	"slices"
	"time"

	"redline/bench"
	"redline/ui/chart"
	"redline/ui/layout"
	"redline/ui/style"
)

// serverBeside are the server's own times beside ours, both as means of the scope, and what lies between the two.
func (f *frame) serverBeside() section {
	s := section{title: "its clock beside ours, means of the " + f.st.Scope.String()}
	sf := f.scope.Server
	if f.Density <= layout.Small {
		s.title = "its clock beside ours"
	}
	for _, c := range []struct {
		name   string
		metric bench.Metric
		gauge  bench.Gauge
	}{{"TTFT", bench.TTFT, bench.ServerTTFT}, {"ITL", bench.ITL, bench.ServerITL}, {"E2E", bench.E2E, bench.ServerE2E}} {
		theirs := sf.Mean(c.gauge)
		if !f.gaugeTold(c.gauge) {
			continue
		}
		st := &f.scope.Stats[c.metric]
		ours := st.Mean
		if st.Readiness == bench.Absent {
			ours = bench.Value{}
		}
		parts := []ranked{{part{style.Dim, "ours "}, 0}, {part{style.FG, f.padded(inUnits(c.metric, ours), 6)}, 0}, {part{style.Dim, " its "}, 0},
			{part{style.FG, f.padded(inUnits(c.metric, theirs), 6)}, 0}}
		foreign := ""
		switch {
		case !sound(ours) || !sound(theirs):
		case theirs.V-ours.V > max(1, 0.05*ours.V):
			foreign = "its is more: it is not of the same requests"
		default:
			for i, p := range f.between(c.metric, ours.V, theirs.V) {
				parts = append(parts, ranked{p, 1 + i})
			}
		}
		f.fact(&s, c.name+" ms", parts...)
		f.say(&s, "", style.Warn, foreign)
	}
	if f.gaugeTold(bench.ServerQueue) {
		f.queued(&s)
	}
	f.tokensBeside(&s)
	if v := sf.Mean(bench.Accepted); sound(v) {
		f.say(&s, "drafts", style.FG, percent(bench.Some(100*v.V))+" of drafted tokens were kept (speculative decoding)")
	}
	if len(s.lines) == 0 {
		f.say(&s, "times", style.FG, "it tells none")
	}
	return s
}

// between is what lies between the two clocks: the network and whatever stands in between.
func (f *frame) between(m bench.Metric, ours, theirs float64) []part {
	diff := ours - theirs
	share := diff / max(ours, 1e-9)
	if m == bench.ITL && math.Abs(share) < 0.1 || diff < max(1, 0.02*ours) {
		return []part{{style.Good, " " + f.g.OK}, {style.Dim, " alike"}}
	}
	look := style.Dim
	if m == bench.TTFT && diff > max(20, 0.2*ours) {
		look = style.Warn
	}
	out := []part{{look, " " + inUnits(m, bench.Some(diff)) + " between (" + percent(bench.Some(100*share)) + ")"}}
	if m == bench.TTFT {
		out = append(out, part{look, ": network, gateway"})
	}
	return out
}

// queued is how long requests waited in its queue, on average and by the estimate of a histogram.
func (f *frame) queued(s *section) {
	sf := f.scope.Server
	q := sf.Mean(bench.ServerQueue)
	parts := []ranked{{part{style.Dim, "its  "}, 0}, {part{style.FG, f.padded(inUnits(bench.TTFT, q), 6)}, 0}}
	if sf != nil && sf.Queue.N >= bench.ReadySamples && resolves(sf.Queue, q) {
		parts = append(parts, ranked{part{style.Dim, " p95 "}, 1}, ranked{part{style.FG, "≈" + inUnits(bench.TTFT, sf.Queue.At(bench.P95))}, 1})
	}
	if t := sf.Mean(bench.ServerTTFT); sound(q) && sound(t) && t.V > 0 && q.V <= t.V {
		parts = append(parts, ranked{part{style.Dim, "  " + percent(bench.Some(100*q.V/t.V)) + " of its TTFT"}, 2})
	}
	f.fact(s, "queue ms", parts...)
}

// resolves tells whether a histogram's buckets are fine enough for its quantiles to mean anything: spread evenly over them, its samples have about the mean that the
// server sums up. The sketch's own sum is that of the server: its bins are what was spread.
func resolves(h bench.Sketch, mean bench.Value) bool {
	if h.N == 0 || !sound(mean) {
		return false
	}
	sum := 0.0
	for _, b := range h.Bins {
		sum += b.Value() * float64(b.Count)
	}
	return math.Abs(sum/float64(h.N)-mean.V) <= 0.3*mean.V
}

const (
	// agreeing is how far apart the two counts of tokens may be and still agree, leastCompared how much has to be measured before they are compared.
	agreeing      = 0.05
	leastCompared = 10 * time.Second
)

// tokensBeside are the tokens that the server generated beside those that came here, and those of prompts.
func (f *frame) tokensBeside(s *section) {
	for _, c := range []struct {
		name  string
		gauge bench.Gauge
		ours  bench.Value
	}{{"out tok/s", bench.GenerationRate, f.scope.OutputRate}, {"in tok/s", bench.PromptRate, perSecondOf(f.scope.PerMinuteIn)}} {
		theirs := f.scope.Server.Mean(c.gauge)
		if !f.gaugeTold(c.gauge) {
			continue
		}
		parts := []ranked{{part{style.Dim, "ours "}, 0}, {part{style.FG, f.padded(chart.Num4(c.ours), 6)}, 0}, {part{style.Dim, " its "}, 0}, {part{style.FG, f.padded(chart.Num4(theirs), 6)}, 0}}
		doubt := ""
		if c.gauge == bench.GenerationRate {
			p := f.agreement(c.ours, theirs)
			if p.look == style.Warn {
				doubt = p.text
			} else {
				parts = append(parts, ranked{p, 1})
			}
		} else if sound(c.ours) && sound(theirs) && f.scope.Span >= leastCompared && math.Abs(c.ours.V-theirs.V) <= agreeing*max(c.ours.V, theirs.V) {
			parts = append(parts, ranked{part{style.Good, " " + f.g.OK}, 1}, ranked{part{style.Dim, " agree"}, 1})
		}
		f.fact(s, c.name, parts...)
		f.say(s, "", style.Warn, doubt)
	}
}

// perSecondOf is a rate a minute by the second.
func perSecondOf(v bench.Value) bench.Value {
	v.V /= 60
	return v
}

// agreement is whether the server generated as many tokens as came here, and if not, why that may be.
func (f *frame) agreement(ours, theirs bench.Value) part {
	sf := f.scope.Server
	read := 0.0
	if sf != nil {
		read = sf.Gauges[bench.GenerationRate].Weight
	}
	running, inFlight := sf.Mean(bench.ServerRunning), f.scope.InFlight
	switch {
	case !sound(ours) || !sound(theirs):
		return part{style.Dim, ""}
	case f.scope.Span < leastCompared:
		return part{style.Dim, " too short to compare"}
	case read < 0.9*f.scope.Span.Seconds():
		return part{style.Dim, fmt.Sprintf(" read in %.0f of %.0f s", read, f.scope.Span.Seconds())}
	case math.Abs(ours.V-theirs.V) <= max(agreeing*max(ours.V, theirs.V), 1):
		return part{style.Good, " " + f.g.OK + " agree"}
	case f.countedLate(math.Abs(ours.V - theirs.V)):
		return part{style.Dim, " counted when ended"}
	case theirs.V < ours.V && len(f.s.Server) > 0 && !f.allRead():
		return part{style.Warn, "not all addresses are read"}
	case theirs.V < ours.V && f.s.Source == bench.FromEvents:
		return part{style.Warn, "we count events, not tokens"}
	case theirs.V < ours.V:
		return part{style.Warn, "fewer than came: does another server answer too?"}
	case sound(running) && sound(inFlight) && running.V > inFlight.V+max(1, 0.1*inFlight.V):
		return part{style.Warn, "others use this server"}
	case f.s.Source == bench.FromEvents:
		return part{style.Warn, "we count events, not tokens"}
	}
	return part{style.Warn, "more than came: others use it, or streams were cut"}
}

// countedLate tells whether two counts may be so far apart, in tokens a second, because the server counts the tokens of a request when it ends: those that are
// under way at the scope's begin or end are in one of the two only.
func (f *frame) countedLate(apart float64) bool {
	if !slices.ContainsFunc(f.s.Server, func(c bench.Scrape) bool { return c.Late }) {
		return false
	}
	each, inFlight := f.scope.AnswerTokens, f.scope.InFlight
	return !sound(each) || !sound(inFlight) || apart*f.scope.Span.Seconds() <= each.V*(inFlight.V+1)
}

// allRead tells whether every address of metrics is read.
func (f *frame) allRead() bool {
	for i := range f.s.Server {
		if f.s.Server[i].State != bench.ScrapeOK {
			return false
		}
	}
	return true
}

// serverGauges are the gauges with what they mean, where no lanes have room for it.
func (f *frame) serverGauges() section {
	s := section{title: "its gauges, in the " + f.st.Scope.String()}
	if f.Density == layout.List {
		s.title = "its gauges"
	}
	for _, i := range f.toldLanes() {
		l := &serverLanes[i]
		unit := ""
		if !l.share() && l.gauge != bench.ServerRunning && l.gauge != bench.ServerWaiting {
			unit = " " + l.unit
		}
		p := f.gaugeWord(l)
		parts := []part{{style.Strong, l.text(f.gaugeNow(l.gauge)) + unit}}
		if p.text != "" {
			parts = append(parts, part{p.look, ", " + p.text})
		}
		f.strung(&s, l.name, parts...)
	}
	return s
}
