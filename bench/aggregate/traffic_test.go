package aggregate

import (
	"math/rand/v2"
	"time"

	"redline/bench"
)

// traffic makes batches of a steady load: rate requests a second, whose latencies are spread as real ones are.
type traffic struct {
	*rand.Rand
	n, rate, level int
	id             uint64
}

func (c *traffic) batch() *bench.Batch {
	b := &bench.Batch{Start: time.Duration(c.n) * sec, Span: sec, Active: sec, PerEvent: 1, Source: bench.FromUsage}
	c.n++
	itl, gap := bench.NewHistogram(), bench.NewHistogram()
	b.Starts = []bench.Starts{{Level: c.level, Sent: c.rate}}
	b.Facts.Sent = c.rate
	for i := range c.rate {
		c.id++
		at := b.Start + time.Duration(i)*sec/time.Duration(c.rate)
		ttft := time.Duration((0.2 + 0.1*c.ExpFloat64()) * float64(sec))
		tokens, per := 50+c.IntN(400), 12+4*c.NormFloat64()
		for range tokens / 10 {
			g := max(per+2*c.NormFloat64(), 0.1)
			itl.Add(g, 10)
			gap.Add(g, 10)
		}
		e := answered(c.level, max(at-time.Duration(float64(tokens)*per)*ms-ttft, 0))
		e.ID = c.id
		e.Marks.FirstToken = bench.MarkAt(e.Marks.Started.At + ttft)
		e.Marks.FirstAnswer, e.Marks.LastToken = e.Marks.FirstToken, bench.MarkAt(max(at, e.Marks.FirstToken.At))
		e.Marks.Ended = bench.MarkAt(e.Marks.LastToken.At + ms)
		e.Counts.Output, e.Counts.Input = tokens, 400+c.IntN(300)
		b.FirstTokens = append(b.FirstTokens, bench.FirstToken{At: at, Started: at - ttft, TTFT: ttft, Level: c.level, InputTokens: 500})
		b.Facts.Ended[bench.OK]++
		b.Ended = append(b.Ended, e)
		b.Facts.Out += tokens
		b.Facts.In += 500
	}
	b.Facts.ITL, b.Facts.Gap = itl.Sketch(), gap.Sketch()
	b.Facts.InFlight, b.Facts.Stay, b.Facts.DecodeSeconds, b.Facts.DecodeTokens = 40.123, 40.2, 38.7, float64(b.Facts.Out)
	return b
}

// open begins a level.
func (c *traffic) open(b *bench.Batch) {
	c.level++
	b.Events = append(b.Events, open(b.Start, c.level, c.level, c.level+1), commit(b.Start, c.level, c.level+1), reach(b.Start, c.level))
}
