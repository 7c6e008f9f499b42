package aggregate

import (
	"math"
	"testing"
	"time"

	"redline/bench"
)

const ms = time.Millisecond

func request(id uint64, level int) *bench.Request {
	return &bench.Request{ID: id, Level: level, Prompt: bench.Prompt{InputTokens: 100}}
}

// over is an end at an instant, of a request that started at another.
func over(started, ended time.Duration, o bench.Outcome) bench.Ended {
	return bench.Ended{Outcome: o, Marks: bench.Marks{Started: bench.MarkAt(started), Ended: bench.MarkAt(ended)}}
}

func near6(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestSlotSecondsAreExactInAnyOrder(t *testing.T) {
	type change struct {
		at  time.Duration
		end bool
	}
	for _, c := range []struct {
		// why says what the row shows.
		why  string
		tell [3][]change
		want [3]float64
	}{
		{"a request inside one second counts its own length",
			[3][]change{{{200 * ms, false}, {700 * ms, true}}}, [3]float64{0.5, 0, 0}},
		{"one that runs on fills the seconds between",
			[3][]change{{{200 * ms, false}}, {}, {{2500 * ms, true}}}, [3]float64{0.8, 1, 0.5}},
		{"an end that is told a second late takes back what was too much",
			[3][]change{{{0, false}}, {}, {{1750 * ms, true}}}, [3]float64{1, 1, -0.25}},
		{"a start that is told late is made up for",
			[3][]change{{}, {{600 * ms, false}}, {{2000 * ms, true}}}, [3]float64{0, 1.4, 0}},
		{"what is stamped ahead of its second waits for it",
			[3][]change{{{1500 * ms, false}, {1600 * ms, true}}}, [3]float64{0, 0.1, 0}},
	} {
		m := NewMeter(1, 0)
		p := m.Probe(request(1, 1), -1)
		for second, changes := range c.tell {
			for _, ch := range changes {
				if ch.end {
					p.End(bench.Ended{Outcome: bench.OK, Marks: bench.Marks{Ended: bench.MarkAt(ch.at)}})
				} else {
					p.Started(ch.at)
				}
			}
			near6(t, c.why, m.Cut(second).Facts.InFlight, c.want[second])
		}
	}
}

func TestCutMayLeaveSecondsOut(t *testing.T) {
	m := NewMeter(2, 0)
	m.Probe(request(1, 1), 500*ms)
	m.Held(250*ms, 2)
	b := m.Cut(9)
	if b.Start != 0 || b.Span != 10*time.Second {
		t.Errorf("batch of %v from %v, want 10s from 0", b.Span, b.Start)
	}
	near6(t, "in flight", b.Facts.InFlight, 9.5)
	near6(t, "held", b.Facts.Held, 19.5)
	b = m.Cut(10)
	near6(t, "in flight in the next second", b.Facts.InFlight, 1)
	if b := m.Cut(10); b.Span != 0 || b.Facts.InFlight != 0 || b.Start != 11*time.Second {
		t.Errorf("the same second again: %+v, want nothing", b)
	}
}

func TestStartMoves(t *testing.T) {
	m := NewMeter(1, 0)
	p := m.Probe(request(1, 4), 100*ms)
	p.Started(300 * ms)
	p.End(over(400*ms, 900*ms, bench.OK))
	b := m.Cut(0)
	near6(t, "in flight", b.Facts.InFlight, 0.5)
	if b.Facts.Sent != 1 || len(b.Starts) != 1 || b.Starts[0] != (bench.Starts{Level: 4, Sent: 1}) {
		t.Errorf("sent %d, starts %v; want one, of level 4", b.Facts.Sent, b.Starts)
	}
}

func TestEndWithoutStartWasSent(t *testing.T) {
	m := NewMeter(1, 0)
	m.Probe(request(1, 1), -1).End(bench.Ended{Outcome: bench.Cancelled, Marks: bench.Marks{Ended: bench.MarkAt(ms)}})
	b := m.Cut(0)
	if b.Facts.Sent != 1 || b.Facts.Ended[bench.Cancelled] != 1 || b.Facts.InFlight != 0 {
		t.Errorf("%+v, want one sent, one cancelled, no time in flight", b.Facts)
	}
}

func TestLateChunksAreBookedInTheNextSecond(t *testing.T) {
	m := NewMeter(1, time.Second)
	m.Learn(1, bench.FromUsage)
	p := m.Probe(request(1, 1), 0)
	p.Chunk(bench.Chunk{At: 500 * ms, First: true, TTFT: 500 * ms, Events: 1})
	m.Cut(0)
	p.Chunk(bench.Chunk{At: 990 * ms, Gap: 490 * ms, Events: 1})
	p.Chunk(bench.Chunk{At: 2500 * ms, Gap: 1510 * ms, Events: 1})
	b := m.Cut(1)
	if b.Facts.Out != 1 || b.Facts.Late != 1 || b.Facts.Gap.N != 1 || b.Facts.ITL.N != 1 {
		t.Errorf("%+v, want the late chunk alone", b.Facts)
	}
	if b = m.Cut(2); b.Facts.Stalls != 1 || b.Facts.Late != 0 {
		t.Errorf("%+v, want a stall and nothing late", b.Facts)
	}
}

func TestTokensComeOutAsTheUsageSays(t *testing.T) {
	type chunk struct{ events, tokens int }
	for _, c := range []struct {
		why      string
		learn    float64
		source   bench.Source
		chunks   []chunk
		counts   bench.Counts
		outcome  bench.Outcome
		out, fix int
		itl      int
		wasted   int
	}{
		{"nothing known: events, and the usage puts it right", 0, bench.FromEvents, []chunk{{1, 0}, {2, 0}},
			bench.Counts{Source: bench.FromUsage, Input: 120, Output: 9, Events: 3, FirstEvents: 1}, bench.OK, 3, 6, 6, 0},
		{"with a learned ratio the first count is nearly right", 2.5, bench.FromUsage, []chunk{{1, 0}, {1, 0}, {2, 0}},
			bench.Counts{Source: bench.FromUsage, Input: 120, Output: 11, Events: 4, FirstEvents: 1}, bench.OK, 10, 1, 8, 0},
		{"continuous usage is right at once; a count that was left out comes with the next", 2.5, bench.FromUsage,
			[]chunk{{1, 3}, {1, 0}, {1, 5}},
			bench.Counts{Source: bench.FromContinuous, Input: 120, Output: 8, Events: 3, FirstEvents: 1}, bench.OK, 8, 0, 5, 0},
		{"hidden reasoning is billed but weighs nothing", 1, bench.FromUsage, []chunk{{1, 0}, {1, 0}},
			bench.Counts{Source: bench.FromUsage, Input: 120, Output: 42, Hidden: 40, Events: 2, FirstEvents: 1}, bench.OK, 2, 40, 1, 0},
		{"hidden reasoning does not weigh late samples either", 3, bench.FromUsage, []chunk{{1, 0}, {1, 0}},
			bench.Counts{Source: bench.FromUsage, Input: 120, Output: 46, Hidden: 40, Events: 2, FirstEvents: 1}, bench.OK, 6, 40, 3, 0},
		{"without usage events are tokens", 1, bench.FromEvents, []chunk{{1, 0}, {3, 0}},
			bench.Counts{Source: bench.FromEvents, Output: 4, Events: 4, FirstEvents: 1}, bench.OK, 4, 0, 3, 0},
		{"a failed stream's tokens are traffic, and wasted", 1, bench.FromUsage, []chunk{{1, 0}, {1, 0}},
			bench.Counts{Source: bench.FromPart, Input: 120, Output: 5, Events: 2, FirstEvents: 1}, bench.Truncated, 2, 3, 0, 125},
	} {
		m := NewMeter(1, 0)
		if c.learn > 0 {
			m.Learn(c.learn, c.source)
		}
		p := m.Probe(request(1, 1), 0)
		e := over(0, 900*ms, c.outcome)
		e.Counts = c.counts
		e.Marks.FirstChunk = bench.MarkAt(100 * ms)
		for i, ch := range c.chunks {
			at := time.Duration(i+1) * 100 * ms
			p.Chunk(bench.Chunk{At: at, First: i == 0, TTFT: at, Gap: 100 * ms, Events: ch.events, Tokens: ch.tokens})
			if i > 0 {
				e.Gaps.Add(100*ms, ch.events)
			}
			e.Marks.LastToken = bench.MarkAt(at)
		}
		p.End(e)
		f := m.Cut(0).Facts
		if f.Out != c.out || f.OutFix != c.fix || int(f.ITL.N) != c.itl || f.Wasted != c.wasted {
			t.Errorf("%s: out %d%+d, %d latencies, %d wasted; want %d%+d, %d, %d",
				c.why, f.Out, f.OutFix, f.ITL.N, f.Wasted, c.out, c.fix, c.itl, c.wasted)
		}
		if c.counts.Input > 0 && (f.In != 100 || f.InFix != 20) {
			t.Errorf("%s: prompt %d%+d, want 100+20", c.why, f.In, f.InFix)
		}
	}
}

func TestLateLatenciesGoToTheirOwnSeconds(t *testing.T) {
	m := NewMeter(1, 0)
	p := m.Probe(request(1, 1), 0)
	e := over(0, 2600*ms, bench.OK)
	e.Counts = bench.Counts{Source: bench.FromUsage, Output: 7, Events: 4, FirstEvents: 1, Chunks: 4}
	e.Marks.FirstChunk, e.Marks.LastToken = bench.MarkAt(500*ms), bench.MarkAt(2500*ms)
	for _, gap := range []time.Duration{200 * ms, 800 * ms, 1000 * ms} {
		e.Gaps.Add(gap, 1)
	}
	p.Chunk(bench.Chunk{At: 500 * ms, First: true, TTFT: 500 * ms, Events: 1})
	p.Chunk(bench.Chunk{At: 700 * ms, Gap: 200 * ms, Events: 1})
	m.Cut(0)
	p.Chunk(bench.Chunk{At: 1500 * ms, Gap: 800 * ms, Events: 1})
	m.Cut(1)
	p.Chunk(bench.Chunk{At: 2500 * ms, Gap: 1000 * ms, Events: 1})
	p.End(e)
	b := m.Cut(2)
	// 7 tokens over 4 events: 1.75 each, so 2, 2 (3.5 → 4), 1 (5.25 → 5), 2; the first chunk's have no gap.
	if len(b.LateITL) != 2 || b.LateITL[0].Start != 0 || b.LateITL[1].Start != time.Second {
		t.Fatalf("late seconds %+v, want 0 and 1", b.LateITL)
	}
	near6(t, "second 0", b.LateITL[0].Sketch.Sum, 200)
	near6(t, "second 1", b.LateITL[1].Sketch.Sum, 800)
	near6(t, "second 2", b.Facts.ITL.Sum, 1000)
	if got := [3]uint64{b.LateITL[0].Sketch.N, b.LateITL[1].Sketch.N, b.Facts.ITL.N}; got != [3]uint64{2, 1, 2} {
		t.Errorf("samples %v, want 2, 1 and 2", got)
	}
	if w, source := m.PerEvent(); w != 1.75 || source != bench.FromUsage {
		t.Errorf("learned %v from %v, want 1.75 from usage", w, source)
	}
}

func TestDecodeSecondsRunFromFirstChunkToLastToken(t *testing.T) {
	for _, c := range []struct {
		why     string
		outcome bench.Outcome
		want    float64
	}{
		{"an answer decodes until its last token, not its drain", bench.OK, 0.3},
		{"a stream that failed kept its reader waiting until it ended", bench.Stalled, 0.8},
	} {
		m := NewMeter(1, 0)
		p := m.Probe(request(1, 1), 0)
		p.Chunk(bench.Chunk{At: 100 * ms, First: true, TTFT: 100 * ms, Events: 1})
		p.Chunk(bench.Chunk{At: 400 * ms, Gap: 300 * ms, Events: 1})
		e := over(0, 900*ms, c.outcome)
		e.Marks.LastToken = bench.MarkAt(400 * ms)
		p.End(e)
		p.Chunk(bench.Chunk{At: 950 * ms, Gap: 550 * ms, Events: 1})
		f := m.Cut(0).Facts
		near6(t, c.why, f.DecodeSeconds, c.want)
		if f.Out != 2 {
			t.Errorf("%s: %d tokens, want 2: nothing counts after the end", c.why, f.Out)
		}
	}
}

func BenchmarkChunk(b *testing.B) {
	m := NewMeter(4, 0)
	m.Learn(1, bench.FromUsage)
	p := m.Probe(request(1, 1), 0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Chunk(bench.Chunk{At: time.Duration(i), Gap: 20 * ms, Events: 1})
	}
}

func BenchmarkChunkParallel(b *testing.B) {
	m := NewMeter(8, 0)
	m.Learn(1, bench.FromUsage)
	id := make(chan uint64, 1024)
	for i := range uint64(1024) {
		id <- i
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		p := m.Probe(request(<-id, 1), 0)
		for i := 0; pb.Next(); i++ {
			p.Chunk(bench.Chunk{At: time.Duration(i), Gap: 20 * ms, Events: 1})
		}
	})
}

func TestChunkAllocatesNothing(t *testing.T) {
	m := NewMeter(1, 0)
	p := m.Probe(request(1, 1), 0)
	if n := testing.AllocsPerRun(1000, func() { p.Chunk(bench.Chunk{At: ms, Gap: ms, Events: 3, Tokens: 7}) }); n != 0 {
		t.Errorf("%v allocations a chunk", n)
	}
}

// BenchmarkCut is a second of 10,240 chunks with its cut.
func BenchmarkCut(b *testing.B) {
	m := NewMeter(8, 0)
	m.Learn(1, bench.FromUsage)
	probes := make([]*Probe, 256)
	for i := range probes {
		probes[i] = m.Probe(request(uint64(i), 1), 0)
	}
	b.ReportAllocs()
	for second := 0; b.Loop(); second++ {
		for i, p := range probes {
			for j := range 40 {
				p.Chunk(bench.Chunk{At: time.Duration(second)*time.Second + time.Duration(j)*ms, Gap: time.Duration(10+i%40) * ms, Events: 1})
			}
		}
		m.Cut(second)
	}
}
