package bench

import "time"

// Facts are what was counted over a span of time. Facts of several spans add up (see Add).
type Facts struct {
	// Sent is how many requests started; Ended how many ended, by outcome. Unsent is how many arrivals found no room and were dropped (open loop).
	Sent, Unsent int              `json:",omitzero"`
	Ended        [NumOutcomes]int `json:",omitzero"`
	// Good is how many of the requests that ended ok met every threshold. A request is held to the promises in force when it ended: Ungraded are those of
	// the owed ones (see Tally.Owed) that were held to others than those in force now, over UngradedSeconds of active time. They are in no goodput, since what
	// is left of them is counts. Apart are those of the ended and unsent ones that belong to no level (see
	// NoLevel).
	Good, Ungraded  int     `json:",omitzero"`
	UngradedSeconds float64 `json:",omitzero"`
	Apart           Apart   `json:",omitzero"`
	// In and Out are tokens as they were seen: prompt tokens at the first token, output tokens as they arrived. InFix and OutFix are the
	// differences found when the server's usage came, booked in the span in which it came; either sign.
	In, Out, InFix, OutFix int `json:",omitzero"`
	// Cached is how many prompt tokens the server took from its prefix cache; Wasted how many tokens belonged to requests that failed.
	Cached, Wasted int `json:",omitzero"`
	// DecodeTokens are the tokens after each stream's first chunk as they were seen, DecodeFix the difference found at a stream's end (as OutFix),
	// DecodeSeconds the stream-seconds since that chunk.
	DecodeTokens, DecodeFix, DecodeSeconds float64 `json:",omitzero"`
	// DecodeSpare are the stream-seconds in DecodeSeconds of streams that failed in the end, at most 0: what failed is in no latency.
	DecodeSpare float64 `json:",omitzero"`
	// InFlight and Held are slot-seconds: the integral over time of the requests in flight, and of the slots held after failures. Stay are the seconds
	// that the requests which ended had been in flight, those before the span too.
	InFlight, Held, Stay float64 `json:",omitzero"`
	// Stalls are chunk gaps over the stall limit; Late tokens that were booked a second late; Malformed events that could not be read.
	Stalls, Late, Malformed int `json:",omitzero"`
	// NewConnections is how many requests opened a connection, Bursts how many came in one burst (see Ended.Burst).
	NewConnections, Bursts int `json:",omitzero"`
	// PromptTokens counts the prompt tokens of requests that ended ok (by the server where it says), AnswerTokens their output.
	PromptTokens, AnswerTokens int `json:",omitzero"`
	// AskedTokens and CountedTokens are the prompt lengths, as asked and by the server, of the requests that ended ok of which the server counted the prompt;
	// Counted is how many those are.
	AskedTokens, CountedTokens, Counted int `json:",omitzero"`
	// Chars are output characters (code points of generated text) as they arrived.
	Chars int `json:",omitzero"`
	// Strained is how many seconds the client was Busy, and Saturated.
	Strained [2]int `json:",omitzero"`
	// TTFT, TTFA, E2E and TPOT are in ms, one sample a request; TPS in tokens per second, one a stream; Gap in ms, one a chunk; ITL in ms,
	// one a token. Connect and Handshake are in ms, one sample a new connection: look-up and TCP, and TLS where it is used.
	TTFT, TTFA, ITL, Gap, TPS, E2E, TPOT, Connect, Handshake Sketch `json:",omitzero"`
	// Lag is how late a request was handed over, DueTTFT and DueE2E its latencies from the instant at which it should have gone; in ms, open loop only.
	Lag, DueTTFT, DueE2E Sketch `json:",omitzero"`
	// Server is what the server told of itself; nil where it tells nothing.
	Server *ServerFacts `json:",omitzero"`
}

// Add counts another span's facts in.
func (f *Facts) Add(o *Facts) {
	f.Sent += o.Sent
	f.Unsent += o.Unsent
	for i, n := range o.Ended {
		f.Ended[i] += n
	}
	f.Good += o.Good
	f.Ungraded += o.Ungraded
	f.UngradedSeconds += o.UngradedSeconds
	f.Apart.OK += o.Apart.OK
	f.Apart.Failed += o.Apart.Failed
	f.Apart.Unsent += o.Apart.Unsent
	f.In += o.In
	f.Out += o.Out
	f.InFix += o.InFix
	f.OutFix += o.OutFix
	f.Cached += o.Cached
	f.Wasted += o.Wasted
	f.DecodeTokens += o.DecodeTokens
	f.DecodeFix += o.DecodeFix
	f.DecodeSeconds += o.DecodeSeconds
	f.DecodeSpare += o.DecodeSpare
	f.InFlight += o.InFlight
	f.Held += o.Held
	f.Stay += o.Stay
	f.Stalls += o.Stalls
	f.Late += o.Late
	f.Malformed += o.Malformed
	f.NewConnections += o.NewConnections
	f.Bursts += o.Bursts
	f.PromptTokens += o.PromptTokens
	f.AnswerTokens += o.AnswerTokens
	f.AskedTokens += o.AskedTokens
	f.CountedTokens += o.CountedTokens
	f.Counted += o.Counted
	f.Chars += o.Chars
	for i, n := range o.Strained {
		f.Strained[i] += n
	}
	f.TTFT = Merge(f.TTFT, o.TTFT)
	f.TTFA = Merge(f.TTFA, o.TTFA)
	f.ITL = Merge(f.ITL, o.ITL)
	f.Gap = Merge(f.Gap, o.Gap)
	f.TPS = Merge(f.TPS, o.TPS)
	f.E2E = Merge(f.E2E, o.E2E)
	f.TPOT = Merge(f.TPOT, o.TPOT)
	f.Connect = Merge(f.Connect, o.Connect)
	f.Handshake = Merge(f.Handshake, o.Handshake)
	f.Lag = Merge(f.Lag, o.Lag)
	f.DueTTFT = Merge(f.DueTTFT, o.DueTTFT)
	f.DueE2E = Merge(f.DueE2E, o.DueE2E)
	f.Server = f.Server.plus(o.Server)
}

// Ungrade takes the verdicts on single requests back, over so much active time: the promises have changed.
func (f *Facts) Ungrade(active time.Duration) {
	f.Good, f.Ungraded, f.UngradedSeconds = 0, f.Tally().Owed(), active.Seconds()
}

// Tokens are the tokens processed, prompt and output, corrections included.
func (f *Facts) Tokens() int { return f.In + f.Out + f.InFix + f.OutFix }

// Apart are requests that were sent while the target was down or warmed up: they are counted, and in no share.
type Apart struct{ OK, Failed, Unsent int }

// Add counts a request that has ended, if it belongs to no level.
func (a *Apart) Add(e *Ended) {
	switch {
	case e.Level != NoLevel:
	case e.Outcome == OK:
		a.OK++
	case e.Outcome.Failed():
		a.Failed++
	}
}

// Tally counts requests by what became of them. Sent = OK + Failed + Limited + Cancelled + in flight, always, over a whole run.
type Tally struct {
	Sent, OK, Failed, Limited, Cancelled int `json:",omitzero"`
	// Unsent are arrivals that were dropped; they are not in Sent.
	Unsent int `json:",omitzero"`
	// Apart are those of OK, Failed and Unsent that are in no share.
	Apart Apart `json:",omitzero"`
	// By counts the ended ones by outcome.
	By [NumOutcomes]int `json:",omitzero"`
}

// Tally sums the outcomes up.
func (f *Facts) Tally() Tally {
	t := Tally{Sent: f.Sent, Unsent: f.Unsent, By: f.Ended, Apart: f.Apart}
	for o, n := range f.Ended {
		switch o := Outcome(o); {
		case o == OK:
			t.OK += n
		case o == RateLimited:
			t.Limited += n
		case o.Withdrawn():
			t.Cancelled += n
		default:
			t.Failed += n
		}
	}
	return t
}

// Add counts another tally in.
func (t *Tally) Add(o Tally) {
	t.Sent += o.Sent
	t.OK += o.OK
	t.Failed += o.Failed
	t.Limited += o.Limited
	t.Cancelled += o.Cancelled
	t.Unsent += o.Unsent
	t.Apart.OK += o.Apart.OK
	t.Apart.Failed += o.Apart.Failed
	t.Apart.Unsent += o.Apart.Unsent
	for i, n := range o.By {
		t.By[i] += n
	}
}

// Judged is how many requests shares are of: those that succeeded or failed, but for those that are apart.
func (t Tally) Judged() int { return t.OK + t.Failed - t.Apart.OK - t.Apart.Failed }

// Missed are the requests of which a promise holds that it was broken, whatever its metric: those that failed, and arrivals that were never sent.
func (t Tally) Missed() Missed { return Missed{t.Failed - t.Apart.Failed, t.Unsent - t.Apart.Unsent} }

// Owed is how many requests promises are of: those that are judged, and those that were never sent.
func (t Tally) Owed() int { return t.Judged() + t.Missed().Unsent }

// ErrorShare is failed ÷ (succeeded + failed) in percent; absent before either.
func (t Tally) ErrorShare() Value { return share(t.Failed-t.Apart.Failed, t.Judged(), 100) }

// Bucket is the facts of one span of the run: a second, or more for what is long past. It never changes.
type Bucket struct {
	// Start is the span's first instant, a whole second; Span its length; Active the part of it in which the run was sending (not paused,
	// the target not down).
	Start, Span, Active time.Duration `json:",omitzero"`
	// Target is the load that was set at its end, Level the level in force then (-1 before the first).
	Target Setpoint `json:",omitzero"`
	Level  int      `json:",omitzero"`
	Facts
}

// End is the first instant after the bucket.
func (b *Bucket) End() time.Duration { return b.Start + b.Span }

// Join is one bucket in place of several that follow one another; the last one's load and level stand. It panics on none.
func Join(buckets []*Bucket) *Bucket {
	first, last := buckets[0], buckets[len(buckets)-1]
	out := &Bucket{Start: first.Start, Span: last.End() - first.Start, Target: last.Target, Level: last.Level}
	for _, b := range buckets {
		out.Active += b.Active
		out.Facts.Add(&b.Facts)
	}
	return out
}
