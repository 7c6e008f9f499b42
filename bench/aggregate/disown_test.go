package aggregate

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

// kept is what requests that did not fail must have left in the statistics.
type kept struct {
	firsts, gaps, failed int
	seconds              float64
}

func keptOf(p *plan) kept {
	var k kept
	for _, e := range p.whole {
		if e.Outcome.Broken() {
			if e.Marks.FirstToken.OK {
				k.failed++
			}
			continue
		}
		if !e.Marks.FirstToken.OK {
			continue
		}
		k.firsts++
		k.gaps += e.Counts.Chunks - 1
		till := e.Marks.Ended.At
		if e.Outcome == bench.OK {
			till = e.Marks.LastToken.At
		}
		k.seconds += (till - e.Marks.FirstChunk.At).Seconds()
	}
	return k
}

func TestWhatFailedIsInNoLatency(t *testing.T) {
	for seed := range uint64(3) {
		p := newPlan(seed, 2*time.Minute, false)
		for i := range p.steps {
			// What is told after its second is booked in a later one, where it is not looked for again.
			p.steps[i].slow = false
		}
		want := keptOf(p)
		if want.failed < 10 {
			t.Fatalf("seed %d: only %d requests failed after their first token", seed, want.failed)
		}
		s, m := NewState(testRun()), NewMeter(4, time.Second)
		drive(p, m, func(_ *run, b *bench.Batch) { s.Fold(b) })
		// The last corrections come with the second after the last end.
		snap := s.Snapshot()
		var sum bench.Facts
		for _, b := range snap.Buckets {
			sum.Add(&b.Facts)
		}
		if n := snap.Total.Stats[bench.TTFT].N; n != want.firsts || int(sum.TTFT.N) != want.firsts {
			t.Errorf("seed %d: %d times to first token in all, %d in the columns; want %d (and not the %d of failed requests)",
				seed, n, sum.TTFT.N, want.firsts, want.failed)
		}
		if int(sum.Gap.N) != want.gaps {
			t.Errorf("seed %d: %d chunk gaps, want %d", seed, sum.Gap.N, want.gaps)
		}
		if got := sum.DecodeSeconds + sum.DecodeSpare; math.Abs(got-want.seconds) > 1e-6*want.seconds {
			t.Errorf("seed %d: %.3f stream-seconds of decoding, want %.3f", seed, got, want.seconds)
		}
		levels := 0
		for _, l := range snap.Levels {
			levels += l.Stats[bench.TTFT].N
		}
		if levels == 0 || levels > want.firsts {
			t.Errorf("seed %d: %d times to first token in the levels, of %d", seed, levels, want.firsts)
		}
	}
}

// stream books a stream of n one-token events every 20 ms and returns its end with an outcome.
func stream(m *Meter, id uint64, n int, outcome bench.Outcome) (end func()) {
	r := bench.Request{ID: id, Level: 1, Prompt: bench.Prompt{InputTokens: 10, MaxTokens: n}}
	p := m.Probe(&r, 0)
	e := bench.Ended{Request: r, Outcome: outcome}
	e.Marks.Started = bench.MarkAt(0)
	for i := range n {
		at := time.Duration(i+1)*20*time.Millisecond + time.Duration(i)*700*time.Nanosecond
		c := bench.Chunk{At: at, Events: 1, First: i == 0}
		if c.First {
			c.TTFT = at
			e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(at), bench.MarkAt(at)
			e.Counts.FirstEvents = 1
		} else {
			c.Gap = at - e.Marks.LastToken.At
			e.Gaps.Add(c.Gap, 1)
		}
		p.Chunk(c)
		e.Marks.LastToken = bench.MarkAt(at)
		e.Counts.Chunks++
		e.Counts.Events++
	}
	e.Marks.Ended = bench.MarkAt(e.Marks.LastToken.At + 60*time.Second)
	e.Counts.Source, e.Counts.Output, e.Counts.Input = bench.FromUsage, n, 10
	if outcome.Broken() {
		e.Counts.Source = bench.FromPart
	}
	return func() { p.End(e) }
}

func TestAFailedStreamThatWasCountedAsItCameLeavesNothing(t *testing.T) {
	m, s := NewMeter(1, 0), NewState(&bench.Run{})
	book := func(id uint64, outcome bench.Outcome) {
		r := bench.Request{ID: id, Level: 1, Prompt: bench.Prompt{InputTokens: 10, MaxTokens: 100}}
		p := m.Probe(&r, 0)
		e := bench.Ended{Request: r, Outcome: outcome}
		e.Marks.Started = bench.MarkAt(0)
		for i := range 20 {
			at := time.Duration(i+1) * 30 * time.Millisecond
			// Every third chunk has no count of its own: the next one's holds its tokens.
			c := bench.Chunk{At: at, Events: 1, Tokens: 3, First: i == 0}
			if i%3 == 1 {
				c.Tokens = 0
			}
			if c.First {
				c.TTFT = at
				e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(at), bench.MarkAt(at)
			} else {
				c.Gap = 30 * time.Millisecond
				e.Gaps.AddTokens(c.Gap, 1, c.Tokens)
			}
			p.Chunk(c)
			e.Marks.LastToken = bench.MarkAt(at)
			e.Counts.Chunks++
			e.Counts.Events++
		}
		e.Marks.Ended, e.Counts.Source, e.Counts.Output = e.Marks.LastToken, bench.FromContinuous, 42
		p.End(e)
	}
	book(1, bench.OK)
	book(2, bench.StreamError)
	b := m.Cut(0)
	b.Active = b.Span
	s.Fold(b)
	total := s.Snapshot().Total
	if itl := total.Stats[bench.ITL]; itl.N != 36 {
		t.Errorf("%d inter-token latencies, want the 36 of the stream that ended well", itl.N)
	}
	if v := total.Stats[bench.TPS].Mean.V; v < 69 || v > 71 {
		t.Errorf("mean speed %.1f tok/s, want 40 tokens in 570 ms, 70", v)
	}
}

func TestAStalledStreamLeavesNothingInITLAndSpeed(t *testing.T) {
	m := NewMeter(1, 0)
	m.Learn(1, bench.FromUsage)
	s := NewState(&bench.Run{})
	var ends []func()
	for i := range 30 {
		outcome := bench.OK
		if i%3 == 0 {
			outcome = bench.Stalled
		}
		ends = append(ends, stream(m, uint64(i+1), 100, outcome))
	}
	for second := range 65 {
		if second == 62 {
			for _, end := range ends {
				end()
			}
		}
		b := m.Cut(second)
		b.Active = b.Span
		s.Fold(b)
	}
	total := s.Snapshot().Total
	if n := total.Stats[bench.ITL].N; n != 20*99 {
		t.Errorf("%d inter-token latencies, want the %d of the streams that ended well", n, 20*99)
	}
	if n := total.Stats[bench.TTFT].N; n != 20 {
		t.Errorf("%d times to first token, want 20", n)
	}
	if v := total.Stats[bench.TPS].Mean.V; v < 49 || v > 51 {
		t.Errorf("mean speed %.1f tok/s, want 50: a stalled stream's silence is in it", v)
	}
	if out := s.total.facts.Out + s.total.facts.OutFix; out != 3000 {
		t.Errorf("%d tokens out, want 3000: tokens of failed requests are traffic", out)
	}
}
