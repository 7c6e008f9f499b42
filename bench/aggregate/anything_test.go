package aggregate

import (
	"math/rand/v2"
	"time"

	"redline/bench"
)

// chaos makes batches in which everything happens that a fold knows of, far more often than in a run.
type chaos struct {
	*rand.Rand
	now   time.Duration
	level int
	load  bench.Setpoint
	id    uint64
}

// anything are the batches of so many seconds of chaos.
func anything(seed uint64, seconds int) []*bench.Batch {
	c := &chaos{Rand: rand.New(rand.NewPCG(seed, 7))}
	var out []*bench.Batch
	for i := range seconds {
		out = append(out, c.batch(i))
	}
	return out
}

func (c *chaos) odds(n int) bool { return c.IntN(n) == 0 }

func (c *chaos) batch(i int) *bench.Batch {
	if c.odds(200) {
		c.now += time.Duration(c.IntN(500)) * sec // a jump of time
	}
	b := &bench.Batch{Start: c.now, Span: sec, Active: sec, PerEvent: 1 + float64(c.IntN(3))/2, Source: bench.FromUsage}
	switch {
	case c.odds(50):
		b.Active = 0
	case c.odds(50):
		b.Active = 300 * ms
	case c.odds(100):
		b.Span = time.Duration(1+c.IntN(20)) * sec
		b.Active = b.Span
	}
	c.now += b.Span
	if i == 0 || c.odds(3) {
		c.move(b)
	}
	if c.odds(40) {
		c.oddEvent(b)
	}
	b.Target = c.load
	c.requests(b)
	c.corrections(b)
	c.rest(b)
	return b
}

// move begins, commits or reaches a level.
func (c *chaos) move(b *bench.Batch) {
	at := b.Start + time.Duration(c.IntN(900))*ms
	was := c.load
	c.level++
	c.load = bench.InFlight(1 + c.IntN(12))
	if c.odds(3) {
		c.load = bench.PerSecond(float64(1+c.IntN(60)) / 4)
	}
	cause := bench.Cause(c.IntN(int(bench.CauseTarget) + 1))
	if cause == bench.CauseNote {
		c.load = was
	}
	b.Events = append(b.Events, bench.Event{At: at, Kind: bench.EventOpen, Level: c.level, Cause: cause, From: was, To: c.load, Text: "a note"})
	if c.odds(9) {
		return // it stays on the move
	}
	b.Events = append(b.Events, bench.Event{At: at, Kind: bench.EventCommit, Level: c.level, To: c.load})
	for range 1 + c.IntN(2) {
		b.Events = append(b.Events, bench.Event{At: at + 10*ms, Kind: bench.EventReach, Level: c.level, N: c.IntN(2)})
	}
}

// oddEvent is one of those that come now and then.
func (c *chaos) oddEvent(b *bench.Batch) {
	e := bench.Event{At: b.Start, Kind: bench.EventWarn, Level: c.level, Text: "\"quoted\" <b> \u2028 word"}
	switch c.IntN(3) {
	case 0:
		e.Kind, e.Promise = bench.EventPromise, bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: float64(100 + c.IntN(900))}
		e.Dropped = c.odds(3)
	case 1:
		if c.odds(6) {
			e.Kind = bench.EventClear
			b.Events = append(b.Events, e)
			c.move(b)
			return
		}
	}
	b.Events = append(b.Events, e)
}

// requests lets some begin, answer and end.
func (c *chaos) requests(b *bench.Batch) {
	n := c.IntN(30)
	level := c.level - c.IntN(2)
	if c.odds(20) {
		level = bench.NoLevel
	}
	b.Starts = append(b.Starts, bench.Starts{Level: level, Sent: n})
	b.Facts.Sent = n + c.IntN(2)
	for i := range n {
		c.id++
		started := b.Start - time.Duration(c.IntN(3000))*ms
		e := answered(level, max(started, 0))
		e.ID, e.Load = c.id, c.load
		e.Marks.FirstToken.At += time.Duration(c.IntN(300)) * ms
		e.Marks.Ended = bench.MarkAt(b.Start + time.Duration(i)*ms)
		e.Marks.Connected, e.Reused = bench.MarkAt(e.Marks.Started.At), c.odds(2)
		e.Connect = bench.Connect{DNS: time.Duration(c.IntN(3)) * ms, TCP: time.Duration(c.IntN(9)) * ms, TLS: time.Duration(c.IntN(9)) * ms}
		e.Burst = c.odds(30)
		e.Counts.Output += c.IntN(40)
		if c.load.Mode == bench.Open {
			e.Scheduled = bench.MarkAt(max(e.Marks.Started.At-time.Duration(c.IntN(50))*ms, 0))
			e.Marks.Scheduled = e.Scheduled
		}
		b.FirstTokens = append(b.FirstTokens, bench.FirstToken{
			At: e.Marks.FirstToken.At, Started: e.Marks.Started.At, TTFT: e.Marks.FirstToken.At - e.Marks.Started.At, Level: level, Scheduled: e.Scheduled, InputTokens: 100})
		if c.odds(12) {
			e.Outcome = bench.Outcome(c.IntN(int(bench.NumOutcomes)))
			e.Message, e.Status, e.Head = "overloaded: come back later", 500+c.IntN(30), "<html>\x00\xff"
			e.RetryAfter = time.Duration(c.IntN(3)) * sec
		}
		b.Facts.Ended[e.Outcome]++
		b.Ended = append(b.Ended, e)
	}
	if c.load.Mode == bench.Open && c.odds(4) {
		b.Unsent = append(b.Unsent, bench.Unsent{At: b.Start, Level: level, N: 1 + c.IntN(5)})
		b.Facts.Unsent = b.Unsent[0].N
	}
}

// corrections puts earlier seconds right.
func (c *chaos) corrections(b *bench.Batch) {
	h := bench.NewHistogram()
	spread := func(n int) bench.Sketch {
		h.Reset()
		for range n {
			h.Add(c.ExpFloat64()*40, 1+c.IntN(3))
		}
		return h.Sketch()
	}
	f := &b.Facts
	f.ITL, f.Gap, f.Lag = spread(60), spread(60), spread(c.IntN(5))
	f.In, f.Out, f.Chars, f.Stalls = c.IntN(5000), c.IntN(5000), c.IntN(20000), c.IntN(2)
	f.DecodeTokens, f.DecodeSeconds, f.InFlight, f.Held, f.Stay = float64(c.IntN(900)), c.Float64()*20, c.Float64()*20, c.Float64(), c.Float64()*30
	if c.odds(3) {
		at := max(b.Start-time.Duration(1+c.IntN(900))*sec, 0)
		b.LateITL = append(b.LateITL, bench.SecondSketch{Start: at, Sketch: spread(5), Wrong: spread(3), WrongGap: spread(2), DecodeFix: c.NormFloat64() * 10, DecodeSpare: -c.Float64()})
	}
	if c.odds(3) {
		at := max(b.Start-time.Duration(c.IntN(4))*sec, 0)
		b.Fixes = append(b.Fixes, bench.TokenFix{First: at, Last: b.Start, In: c.IntN(9) - 4, Out: c.IntN(90) - 40})
		f.InFix, f.OutFix = b.Fixes[0].In, b.Fixes[0].Out
	}
	if c.odds(2) {
		s := &bench.ServerFacts{Scrapes: 1, TTFT: spread(4), ITL: spread(9), Queue: spread(2)}
		s.Gauges[bench.KVUsage] = bench.Amount{Sum: c.Float64(), Weight: 1, Max: c.Float64()}
		f.Server = s
	}
}

// rest is what is said of the client, the quotas and the server.
func (c *chaos) rest(b *bench.Batch) {
	if c.odds(5) {
		b.Quotas = []bench.Quota{{Name: string(rune('a' + c.IntN(3))), Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(float64(c.IntN(100))), At: b.Start}}
	}
	b.Health = bench.Health{CPU: c.Float64(), TimerLag: bench.Some(c.Float64())}
	if c.odds(9) {
		b.Health.Strain, b.Health.Why = bench.Strain(c.IntN(3)), "cpu 94%"
		b.Facts.Strained[0] = 1
	}
	b.Server = []bench.Scrape{{URL: "http://localhost/metrics", Engine: "vLLM", State: bench.ScrapeOK, At: bench.MarkAt(b.Start)}}
	b.Server[0].Values[bench.KVUsage] = bench.Some(c.Float64())
}
