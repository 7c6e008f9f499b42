package aggregate

import (
	"fmt"
	"testing"
	"time"

	"redline/bench"
)

func TestOnlySoManyQuotasAreKept(t *testing.T) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	begin := time.Now()
	for i := range 60 { // a minute at 50 answers a second
		for a := range 50 {
			var q []bench.Quota
			for j := range 24 {
				q = append(q, bench.Quota{Name: fmt.Sprintf("%d-%d-%d", i, a, j), Per: time.Minute, Limit: bench.Some(100), Remaining: bench.Some(99)})
			}
			m.Quotas(q)
		}
		s.Fold(m.Cut(i))
	}
	if n := len(s.Snapshot().Quotas); n > 100 {
		t.Errorf("%d quotas are kept after a minute; keeping them took %v", n, time.Since(begin))
	}
}

// The first chunk comes without a running count, the later ones with one of 3 tokens.
func TestStreamCountedFromItsSecondChunkOn(t *testing.T) {
	for outcome, want := range map[bench.Outcome]int{bench.StreamError: 0, bench.OK: 57} {
		m, s := NewMeter(1, 0), NewState(&bench.Run{})
		m.Learn(1, bench.FromUsage)
		e := bench.Ended{Request: bench.Request{ID: 1, Level: 1}, Outcome: outcome}
		p := m.Probe(&e.Request, 0)
		e.Marks.Started = bench.MarkAt(0)
		for i := range 20 {
			c := bench.Chunk{At: time.Duration(i+1) * 30 * ms, Events: 1, First: i == 0}
			if c.First {
				c.TTFT, e.Counts.FirstEvents = c.At, 1
				e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(c.At), bench.MarkAt(c.At)
			} else {
				c.Gap, c.Tokens = 30*ms, 3
				e.Gaps.AddTokens(c.Gap, 1, 3)
			}
			p.Chunk(c)
			e.Marks.LastToken = bench.MarkAt(c.At)
			e.Counts.Chunks++
			e.Counts.Events++
		}
		e.Marks.Ended, e.Counts.Source, e.Counts.Output = e.Marks.LastToken, bench.FromContinuous, 60
		p.End(e)
		s.Fold(m.Cut(0))
		s.Fold(m.Cut(1))
		if itl := s.Snapshot().Total.Stats[bench.ITL]; itl.N != want {
			t.Errorf("%v: %d inter-token latencies of a stream of 19 gaps with 3 tokens each, want %d", outcome, itl.N, want)
		}
	}
}

// The slowest first token belongs to a request that fails.
func TestMeanStaysBetweenTheExtremesWhenTheyAreRemoved(t *testing.T) {
	snap := newScript().second(func(b *bench.Batch) {
		for i := range 30 {
			ttft := 200900 * time.Microsecond
			e := over(0, 950*ms, bench.OK)
			if i == 0 {
				ttft, e.Outcome = 900*ms, bench.Truncated
			}
			e.Level = 1
			e.Marks.FirstChunk, e.Marks.FirstToken, e.Marks.LastToken = bench.MarkAt(ttft), bench.MarkAt(ttft), bench.MarkAt(ttft)
			b.FirstTokens = append(b.FirstTokens, bench.FirstToken{At: ttft, TTFT: ttft, Level: 1})
			b.Ended = append(b.Ended, e)
			b.Facts.Ended[e.Outcome]++
			b.Facts.Sent++
		}
	})
	if st := snap.Total.Stats[bench.TTFT]; st.Mean.V > st.Max.V*(1+1e-9) {
		t.Errorf("%d first tokens of 200.9 ms: mean %.2f above max %.2f", st.N, st.Mean.V, st.Max.V)
	}
}

// failedStream books n one-token chunks a gap apart, told `late` after their instants, and a failure at the end; what may stay of it is nothing.
func failedStream(t *testing.T, n int, gap, late time.Duration) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	m.Learn(1, bench.FromUsage)
	e := bench.Ended{Request: bench.Request{ID: 1, Level: 1}, Outcome: bench.Stalled}
	e.Marks.Started = bench.MarkAt(0)
	p := m.Probe(&e.Request, 0)
	second := 0
	cutTo := func(told time.Duration) {
		for ; time.Duration(second+1)*sec+100*ms <= told; second++ { // the engine's grace
			b := m.Cut(second)
			b.Active = b.Span
			s.Fold(b)
		}
	}
	for i := range n {
		at := time.Duration(i)*gap + gap/2
		cutTo(at + late)
		c := bench.Chunk{At: at, Events: 1, First: i == 0}
		if c.First {
			c.TTFT, e.Counts.FirstEvents = at, 1
			e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(at), bench.MarkAt(at)
		} else {
			c.Gap = gap
			e.Gaps.Add(gap, 1)
		}
		p.Chunk(c)
		e.Marks.LastToken = bench.MarkAt(at)
		e.Counts.Chunks++
		e.Counts.Events++
	}
	e.Marks.Ended = bench.MarkAt(e.Marks.LastToken.At + sec/2)
	e.Counts.Source, e.Counts.Output = bench.FromPart, n
	cutTo(e.Marks.Ended.At + late)
	p.End(e)
	cutTo(e.Marks.Ended.At + 4*sec)
	snap := s.Snapshot()
	var sum bench.Facts
	negative := 0
	for _, b := range snap.Buckets {
		sum.Add(&b.Facts)
		if seconds, tokens := b.DecodeSeconds+b.DecodeSpare, b.DecodeTokens+b.DecodeFix; seconds < -1e-6 || tokens < -1e-6 {
			if negative++; negative == 1 {
				t.Errorf("bucket at %v: %.1f stream-seconds, %.1f decode tokens", b.Start, seconds, tokens)
			}
		}
	}
	if sum.ITL.N+sum.Gap.N > 0 {
		t.Errorf("of a failed stream %d inter-token latencies and %d gaps stay in the columns (in the run %d)", sum.ITL.N, sum.Gap.N, snap.Total.Stats[bench.ITL].N)
	}
}

func TestFailedStreamOfHalfAnHourLeavesNothing(t *testing.T)    { failedStream(t, 1800, time.Second, 0) }
func TestFailedStreamThatWasToldLateLeavesNothing(t *testing.T) { failedStream(t, 500, 20*ms, 150*ms) }
