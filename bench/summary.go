package bench

import "time"

// FewSamples and ReadySamples are the counts from which a number is shown with "~", and from which it is believed.
const (
	FewSamples   = 5
	ReadySamples = 20
)

// ReadyBy is the readiness of a number by its samples alone.
func ReadyBy(samples int) Readiness {
	switch {
	case samples < FewSamples:
		return Absent
	case samples < ReadySamples:
		return Few
	}
	return Ready
}

// Summarise is what facts gathered over a span of active time amount to. Readiness goes by the number of samples alone: whether they
// belong to one load is for the level that they come from to say. A span of 0 has no rates.
func Summarise(f *Facts, span time.Duration) Summary {
	tally := f.Tally()
	s := Summary{
		Span: span, Tally: tally, Counted: tally, Goodput: share(f.Good, tally.Owed()-f.Ungraded, 100), Ungraded: f.Ungraded, Stalls: f.Stalls,
		PromptTokens: share(f.PromptTokens, tally.OK, 1), AnswerTokens: share(f.AnswerTokens, tally.OK, 1),
		CountedTokens: share(f.CountedTokens, f.Counted, 1), AskedTokens: share(f.AskedTokens, f.Counted, 1), Strained: f.Strained,
		Lag: Distribution(f.Lag), DueTTFT: Distribution(f.DueTTFT), DueE2E: Distribution(f.DueE2E), Chars: rate(float64(f.Chars), span, time.Second),
		Server: f.Server, Wasted: f.Wasted, Cached: f.Cached, NewConnections: share(f.NewConnections, f.Completions(), 1),
		Connect: Distribution(f.Connect), Handshake: Distribution(f.Handshake), Malformed: f.Malformed, Bursts: share(f.Bursts, tally.OK, 1),
	}
	s.Stats[TTFT], s.Stats[TTFA] = Distribution(f.TTFT), Distribution(f.TTFA)
	s.Stats[ITL], s.Stats[TPS] = Distribution(f.ITL), Speeds(f)
	s.Stats[E2E], s.Stats[TPOT] = Distribution(f.E2E), Distribution(f.TPOT)
	s.Stats[Errors] = errorStat(tally)
	s.miss(f)
	s.Stats[RPM], s.Stats[TPM] = rateStat(tally.OK, f.Completions(), span), rateStat(f.Tokens(), f.Completions(), span)
	s.RPS, s.OutputRate = rate(float64(tally.OK), span, time.Second), rate(float64(f.Out), span, time.Second)
	s.PerMinuteIn, s.PerMinuteOut = rate(float64(f.In+f.InFix), span, time.Minute), rate(float64(f.Out+f.OutFix), span, time.Minute)
	s.GoodPerMinute = rate(float64(f.Good), f.graded(span), time.Minute)
	s.InFlight = rate(f.InFlight, span, time.Second)
	// Little's law: the time that all requests together spent in flight, by those that came to an end in it.
	if n := f.Completions(); n > 0 {
		s.Residence = Some(max(f.InFlight, 0) / float64(n))
	}
	return s
}

// Window is what several buckets together amount to, over their active time; for the scope that an operator chooses on screen.
func Window(buckets []*Bucket) Summary {
	var sum, live, open Facts
	var span, lasted, opened time.Duration
	sketches := make([]Sketch, 0, len(buckets))
	gather := func(of func(*Facts) Sketch) Sketch {
		sketches = sketches[:0]
		for _, b := range buckets {
			sketches = append(sketches, of(&b.Facts))
		}
		return Merge(sketches...)
	}
	for _, b := range buckets {
		span += b.Active
		counters := b.Facts
		counters.DropSketches()
		sum.Add(&counters)
		if b.Whole() {
			live.Add(&counters)
			lasted += b.Active
		}
		if b.Opened() {
			open.Add(&counters)
			opened += b.Active
		}
	}
	// All at once, for each merge costs a histogram.
	sum.TTFT = gather(func(f *Facts) Sketch { return f.TTFT })
	sum.TTFA = gather(func(f *Facts) Sketch { return f.TTFA })
	sum.ITL = gather(func(f *Facts) Sketch { return f.ITL })
	sum.Gap = gather(func(f *Facts) Sketch { return f.Gap })
	sum.TPS = gather(func(f *Facts) Sketch { return f.TPS })
	sum.E2E = gather(func(f *Facts) Sketch { return f.E2E })
	sum.TPOT = gather(func(f *Facts) Sketch { return f.TPOT })
	sum.Connect = gather(func(f *Facts) Sketch { return f.Connect })
	sum.Handshake = gather(func(f *Facts) Sketch { return f.Handshake })
	sum.Lag = gather(func(f *Facts) Sketch { return f.Lag })
	sum.DueTTFT = gather(func(f *Facts) Sketch { return f.DueTTFT })
	sum.DueE2E = gather(func(f *Facts) Sketch { return f.DueE2E })
	if sum.Server != nil {
		ofServer := func(of func(*ServerFacts) Sketch) Sketch {
			return gather(func(f *Facts) Sketch {
				if f.Server == nil {
					return Sketch{}
				}
				return of(f.Server)
			})
		}
		server := *sum.Server
		server.TTFT = ofServer(func(f *ServerFacts) Sketch { return f.TTFT })
		server.ITL = ofServer(func(f *ServerFacts) Sketch { return f.ITL })
		server.Queue = ofServer(func(f *ServerFacts) Sketch { return f.Queue })
		sum.Server = &server
	}
	out := Summarise(&sum, span)
	out.RatesOf(&live, lasted)
	out.ArrivalsOf(&open, opened)
	return out
}

// RatesOf takes the summary's rates from facts of their own: those of spans that were active all through. What ends in a pause or a drain is counted,
// but it is not the pace of anything.
func (s *Summary) RatesOf(f *Facts, span time.Duration) {
	of := Summarise(f, span)
	s.Stats[RPM], s.Stats[TPM] = of.Stats[RPM], of.Stats[TPM]
	s.RPS, s.OutputRate, s.Chars, s.PerMinuteIn, s.PerMinuteOut = of.RPS, of.OutputRate, of.Chars, of.PerMinuteIn, of.PerMinuteOut
	s.GoodPerMinute, s.InFlight, s.Residence = of.GoodPerMinute, of.InFlight, of.Residence
}

// ArrivalsOf takes what was offered, and what of it was achieved, from facts of spans in which the open loop was sending so long.
func (s *Summary) ArrivalsOf(f *Facts, span time.Duration) {
	s.Offered, s.Achieved = rate(float64(f.Sent+f.Unsent), span, time.Second), rate(float64(f.Sent), span, time.Second)
}

// graded is the part of a span in which requests were held to the promises in force; 0 while that is too little for a rate.
func (f *Facts) graded(span time.Duration) time.Duration {
	left := span - time.Duration(f.UngradedSeconds*float64(time.Second))
	if f.UngradedSeconds > 0 && left < FewSamples*time.Second {
		return 0
	}
	return left
}

// MeanStay is the mean time in flight of the requests that ended; 0 without any.
func (f *Facts) MeanStay() time.Duration {
	n := f.Completions()
	if n == 0 {
		return 0
	}
	return time.Duration(f.Stay / float64(n) * float64(time.Second))
}

// EdgeFactor is by how much more, or less, requests were served in a span than ended in it, as a factor. What ended may have begun before the span, and at
// its end some are half done: where answers come in waves, a count of ends is off by up to a wave at each edge. By Little's law the slot-seconds in the
// span beyond those of the requests that ended are work on such; it counts for at most one request a slot, so that a server that stands still gains
// nothing by requests that wait. That is of the closed loop alone: the open loop has no waves of its own making, and requests that pile up there before
// a server that is asked too much are no work of it.
func (f *Facts) EdgeFactor(span time.Duration) float64 {
	n := float64(f.Completions())
	if n == 0 || f.Stay <= 0 || span <= 0 {
		return 1
	}
	slots := f.InFlight / span.Seconds()
	edge := (f.InFlight - f.Stay) / f.Stay * n
	return 1 + min(max(edge, -slots, -n), slots)/n
}

// Whole tells whether the run was sending all through the bucket.
func (b *Bucket) Whole() bool { return b.Active > 0 && b.Active == b.Span }

// Opened tells whether the open loop was sending all through the bucket, but for the moment in which a run begins.
func (b *Bucket) Opened() bool {
	return b.Target.Mode == Open && b.Active > 0 && b.Active >= b.Span-b.Span/20
}

// Completions is how many requests ended, whatever their outcome.
func (f *Facts) Completions() int {
	n := 0
	for _, ended := range f.Ended {
		n += ended
	}
	return n
}

// DropSketches leaves the counters alone.
func (f *Facts) DropSketches() {
	none := Sketch{}
	f.TTFT, f.TTFA, f.ITL, f.Gap, f.TPS, f.E2E, f.TPOT = none, none, none, none, none, none, none
	f.Connect, f.Handshake = none, none
	f.Lag, f.DueTTFT, f.DueE2E = none, none, none
	if f.Server != nil {
		counters := *f.Server
		counters.TTFT, counters.ITL, counters.Queue = none, none, none
		f.Server = &counters
	}
}

// Distribution is a sketch as a statistic, its readiness by its samples alone.
func Distribution(s Sketch) Stat {
	return Stat{
		N: int(s.N), Readiness: ReadyBy(int(s.N)), Need: max(0, ReadySamples-int(s.N)), Mean: s.Mean(),
		P50: s.Quantile(P50.Q()), P95: s.Quantile(P95.Q()), P99: s.Quantile(P99.Q()), Max: s.Quantile(Max.Q()),
		P5: s.Quantile(P5.Q()), P1: s.Quantile(P1.Q()),
	}
}

// Speeds is the decode speed of one stream: percentiles over the streams that ended, and the mean over all stream-seconds, those of
// streams that still run too. With a mean of ReadySamples tokens it is Few before any stream has ended.
func Speeds(f *Facts) Stat {
	s := Distribution(f.TPS)
	tokens := f.DecodeTokens + f.DecodeFix
	if s.Mean = (Value{}); f.DecodeSeconds+f.DecodeSpare > 0 && tokens > 0 {
		s.Mean = Some(tokens / (f.DecodeSeconds + f.DecodeSpare))
	}
	if s.Readiness == Absent && s.Mean.OK && tokens >= ReadySamples {
		s.Readiness = Few
	}
	return s
}

// rateStat is n per minute; it needs five requests that ended, in any way (a rate of 0 is a finding too), and five seconds.
func rateStat(n, completed int, span time.Duration) Stat {
	s := Stat{N: n, Need: max(0, FewSamples-completed), Mean: rate(float64(n), span, time.Minute)}
	switch {
	case !s.Mean.OK || max(n, completed) < FewSamples:
	case completed < FewSamples || span < FewSamples*time.Second:
		s.Readiness = Few
	default:
		s.Readiness = Ready
	}
	return s
}

func errorStat(t Tally) Stat {
	n := t.Judged()
	return Stat{N: n, Readiness: ReadyBy(n), Need: max(0, ReadySamples-n), Mean: t.ErrorShare()}
}

// rate is n per so long. Below 0 it is absent: then most of it are corrections of what was counted before the span.
func rate(n float64, span, per time.Duration) Value {
	if span <= 0 || n < 0 {
		return Value{}
	}
	return Some(n * float64(per) / float64(span))
}

func share(n, of int, times float64) Value {
	if of <= 0 {
		return Value{}
	}
	return Some(times * float64(n) / float64(of))
}
