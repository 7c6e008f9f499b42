package aggregate

import (
	"time"

	"redline/bench"
)

const (
	// patience is how long after reaching a level may take to be ready, in active time.
	patience = time.Minute
	// hidden is the share of unfinished requests above which a level's E2E says only how long the short ones took, and of first tokens that came
	// too late above which its TTFT is that of another load.
	hidden = 0.20
	// rateTime is how long rates must have been measured.
	rateTime = 5 * time.Second
	// unmet is the share of a level's arrivals that may be unsent before what is measured is another load's.
	unmet = 0.02
	// generations is how many times the mean time in flight they must have been measured: answers to requests that began together come together.
	generations = 2
)

// summary is what the level amounts to: each number from the requests or the window that it belongs to.
func (l *level) summary(s *State) bench.Summary {
	requests := l.requests.measured()
	sum := bench.Summarise(&requests, 0)
	l.tally(&sum)
	l.pace(&sum, &requests)
	l.rates(&sum)
	sum.Server = l.told()
	l.regraded(&sum)
	l.hide(&sum)
	e2e := &sum.Stats[bench.E2E]
	if e2e.Readiness == bench.Ready && !l.ends.past(s.folded) {
		e2e.Readiness = bench.Few
	}
	sum.DueE2E.Readiness = min(sum.DueE2E.Readiness, e2e.Readiness)
	if !l.ended.OK {
		l.estimate(&sum, s)
	}
	return sum
}

// told is what the server has told of itself since tokens are the level's own; before that, and where no token comes, since its load was reached.
func (l *level) told() *bench.ServerFacts {
	w := &l.tokens
	if w.facts.Server == nil {
		w = &l.since
	}
	return w.server.with(w.facts.Server)
}

// hide takes away what a level that ended before its requests did cannot know: they were served under the load that came after it. Speeds and TPOT
// are of the requests that ended within the level; of E2E only the short ones would be left.
func (l *level) hide(sum *bench.Summary) {
	gone := func(stats ...*bench.Stat) {
		for _, st := range stats {
			*st = bench.Stat{N: st.N}
		}
	}
	if n := l.unfinished(); n > 0 && float64(n) > hidden*float64(l.sent-l.earlier) {
		gone(&sum.Stats[bench.E2E], &sum.DueE2E)
	}
	if float64(l.tardy) > hidden*float64(sum.Stats[bench.TTFT].N+l.tardy) {
		gone(&sum.Stats[bench.TTFT], &sum.Stats[bench.TTFA], &sum.DueTTFT)
	}
}

// tally counts all of the level's requests, those before reaching too; shares are of the others alone.
func (l *level) tally(sum *bench.Summary) {
	all := bench.Facts{Sent: l.sent, Unsent: l.unsent, Ended: l.by}
	sum.Counted, sum.Tally = sum.Tally, all.Tally()
	since := &l.since
	sum.Span, sum.Strained, sum.Lag = since.active, since.facts.Strained, bench.Distribution(since.lag.sketch())
	if l.load.Mode == bench.Open {
		sum.ArrivalsOf(&since.facts, since.active)
	}
}

// pace is what the tokens say.
func (l *level) pace(sum *bench.Summary, requests *bench.Facts) {
	facts := l.tokens.facts
	facts.ITL, facts.TPS = l.tokens.itl.sketch(), requests.TPS
	// Promises on the pace are of the same requests as all others.
	facts.Ended, facts.Apart, facts.Unsent, facts.TTFT = requests.Ended, requests.Apart, requests.Unsent, requests.TTFT
	of := bench.Summarise(&facts, l.tokens.active)
	sum.OutputRate, sum.Chars, sum.Stalls = of.OutputRate, of.Chars, of.Stalls
	sum.Stats[bench.ITL], sum.Stats[bench.TPS] = of.Stats[bench.ITL], of.Stats[bench.TPS]
	if tps := &sum.Stats[bench.TPS]; tps.Readiness == bench.Ready && !tps.Mean.OK {
		tps.Readiness = bench.Few
	}
}

// rates is what the ends say, and what Little's law makes of them.
func (l *level) rates(sum *bench.Summary) {
	of := bench.Summarise(&l.ends.facts, l.ends.active)
	sum.RPS, sum.PerMinuteIn, sum.PerMinuteOut, sum.GoodPerMinute = of.RPS, of.PerMinuteIn, of.PerMinuteOut, of.GoodPerMinute
	sum.InFlight, sum.Residence = of.InFlight, of.Residence
	rpm, tpm := of.Stats[bench.RPM], of.Stats[bench.TPM]
	facts := &l.ends.facts
	stay := facts.MeanStay()
	if l.load.Mode == bench.Closed {
		whole := facts.EdgeFactor(l.ends.active)
		for _, v := range []*bench.Value{&rpm.Mean, &sum.RPS, &sum.GoodPerMinute} {
			v.V *= whole
		}
	}
	batches := coarse(l.batches.full, stay)
	rpm.Half = half(batches, func(f *bench.Facts) float64 { return float64(f.Ended[bench.OK]) })
	tpm.Half = half(batches, func(f *bench.Facts) float64 { return float64(f.Tokens()) })
	for _, st := range []*bench.Stat{&rpm, &tpm} {
		if st.Readiness == bench.Ready && l.ends.active < generations*stay {
			st.Readiness = bench.Few
		}
	}
	sum.Stats[bench.RPM], sum.Stats[bench.TPM] = rpm, tpm
}

// past tells whether a window has begun by an instant.
func (w *window) past(now time.Duration) bool { return w.from.OK && now >= w.from.At }

// estimate says for each number that is not ready how long it will take about.
func (l *level) estimate(sum *bench.Summary, s *State) {
	now := s.folded
	// One answer takes about so long, and load ÷ that is about the rate at which they come, until this level has shown its own.
	answer := s.median(&l.requests.e2e, &s.total.e2e)
	for m := range sum.Stats {
		stat := &sum.Stats[m]
		if stat.Readiness == bench.Ready {
			stat.Need = 0
			continue
		}
		seconds, have := l.since.active.Seconds(), stat.N
		var least time.Duration
		switch m := bench.Metric(m); m {
		case bench.ITL, bench.TPS:
			least = l.tokens.left(time.Second, now)
			if m == bench.ITL {
				seconds = l.tokens.active.Seconds()
			}
		case bench.RPM, bench.TPM:
			least = l.ends.left(max(rateTime, generations*l.ends.facts.MeanStay()), now)
			seconds, have = l.ends.active.Seconds(), l.ends.facts.Completions()
		case bench.E2E:
			least = l.ends.left(0, now)
		}
		stat.Wait = least
		switch need := float64(stat.Need); {
		case need == 0:
		case have < bench.FewSamples && l.pending(answer) > 0:
			stat.Wait = max(least, time.Duration(need/l.pending(answer)*float64(time.Second)))
		case have > 1 && seconds > 0:
			stat.Wait = max(least, time.Duration(need*seconds/float64(have)*float64(time.Second)))
		default:
			stat.Wait = 0
		}
	}
}

// pending is about how many requests a second the load makes, if one takes so long; 0 where that is not known.
func (l *level) pending(answer bench.Mark) float64 {
	switch {
	case l.load.Mode == bench.Open:
		return l.load.N
	case answer.OK && answer.At > 0:
		return l.load.N / answer.At.Seconds()
	}
	return 0
}

// left is how long it takes until a window has lasted so long; 0 if it is not known when it begins.
func (w *window) left(long, now time.Duration) time.Duration {
	if !w.from.OK {
		return 0
	}
	return max(w.from.At+long-now, 0)
}

// short tells what keeps the load that was set from being in force: what is measured then is another load's.
func (l *level) short() bench.Shortfall {
	f := &l.since.facts
	switch {
	case l.load.Mode == bench.Closed && f.Held > hidden*float64(l.load.Slots())*l.since.active.Seconds():
		return bench.SlotsHeld
	case l.load.Mode == bench.Open && float64(f.Unsent) > unmet*float64(f.Sent+f.Unsent):
		return bench.ArrivalsUnsent
	}
	return bench.InFull
}

// settle moves the level on by what its numbers say.
func (l *level) settle(sum *bench.Summary, now time.Duration) {
	short := l.short() != bench.InFull
	if l.state == bench.Settled && !l.ended.OK && short {
		l.state, l.readyAt = bench.Unsettled, bench.Mark{}
	}
	if l.state != bench.Settles || l.ended.OK {
		return
	}
	for _, m := range bench.Lanes {
		if sum.Stats[m].Readiness != bench.Ready || short {
			if l.since.active >= patience {
				l.state = bench.Unsettled
			}
			return
		}
	}
	l.state, l.readyAt = bench.Settled, bench.MarkAt(now)
}
