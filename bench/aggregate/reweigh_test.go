package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

// merging is a stream of a server that puts five tokens into each event, every 100 ms, and says so only in its usage.
func merging(m *Meter, id uint64, from time.Duration) (end func()) {
	r := bench.Request{ID: id, Level: 1, Prompt: bench.Prompt{InputTokens: 10, MaxTokens: 100}}
	p := m.Probe(&r, from)
	e := bench.Ended{Request: r}
	e.Marks.Started = bench.MarkAt(from)
	at := from + 200*time.Millisecond
	for i := range 20 {
		c := bench.Chunk{At: at, Events: 1, First: i == 0}
		if i == 0 {
			c.TTFT = at - from
			e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(at), bench.MarkAt(at)
			e.Counts.FirstEvents = 1
		} else {
			c.Gap = 100 * time.Millisecond
			e.Gaps.Add(c.Gap, 1)
		}
		p.Chunk(c)
		e.Marks.LastToken = bench.MarkAt(at)
		e.Counts.Chunks++
		e.Counts.Events++
		at += 100 * time.Millisecond
	}
	e.Marks.Ended = bench.MarkAt(at)
	e.Counts.Source, e.Counts.Output, e.Counts.Input = bench.FromUsage, 100, 10
	return func() { p.End(e) }
}

func TestLatenciesAreTakenBackWhenUsageProvesTheirWeightWrong(t *testing.T) {
	for name, endAt := range map[string]int{
		"the stream ends in the second of its last tokens": 2,
		"its seconds were folded long before it ends":      4,
	} {
		t.Run(name, func(t *testing.T) {
			m := NewMeter(1, 0)
			m.Learn(1, bench.FromUsage)
			s := NewState(&bench.Run{})
			var ends []func()
			for i := range 32 {
				ends = append(ends, merging(m, uint64(i+1), 0))
			}
			for second := range 6 {
				if second == endAt {
					for _, end := range ends {
						end()
					}
				}
				b := m.Cut(second)
				b.Active = b.Span
				s.Fold(b)
			}
			total := s.Snapshot().Total
			itl, tps := total.Stats[bench.ITL], total.Stats[bench.TPS]
			if itl.P50.V < 19 || itl.P50.V > 21 || itl.P99.V > 21 || itl.N != 32*95 {
				t.Errorf("ITL p50 %.1f, p99 %.1f ms of %d samples; want 20 ms of %d", itl.P50.V, itl.P99.V, itl.N, 32*95)
			}
			if tps.P50.V < 49 || tps.P50.V > 51 || tps.Mean.V < 49 || tps.Mean.V > 51 {
				t.Errorf("TPS p50 %.1f, mean %.1f; want 50", tps.P50.V, tps.Mean.V)
			}
		})
	}
}

func TestTouchedLevelHidesWhatAnotherLoadDid(t *testing.T) {
	s := NewState(&bench.Run{})
	fold := func(second int, events []bench.Event, firsts []bench.FirstToken) {
		at := time.Duration(second) * time.Second
		s.Fold(&bench.Batch{Start: at, Span: time.Second, Active: time.Second, Events: events, FirstTokens: firsts,
			Starts: []bench.Starts{{Level: 1, Sent: len(firsts)}}, Facts: bench.Facts{Sent: len(firsts)}})
	}
	open := func(level int, at time.Duration, load int) []bench.Event {
		return []bench.Event{{At: at, Kind: bench.EventOpen, Level: level, To: bench.InFlight(load)}, {At: at, Kind: bench.EventCommit, Level: level, To: bench.InFlight(load)},
			{At: at, Kind: bench.EventReach, Level: level, To: bench.InFlight(load)}}
	}
	fold(0, open(1, 0, 200), nil)
	fold(1, open(2, time.Second, 0), nil)
	var firsts []bench.FirstToken
	for i := range 40 {
		started := time.Duration(i) * 20 * time.Millisecond
		firsts = append(firsts, bench.FirstToken{At: 20 * time.Second, Started: started, TTFT: 20*time.Second - started, Level: 1})
	}
	for second := 2; second < 20; second++ {
		fold(second, nil, nil)
	}
	fold(20, nil, firsts)
	if ttft := s.Snapshot().Levels[0].Stats[bench.TTFT]; ttft.Readiness != bench.Absent || ttft.P50.OK {
		t.Fatalf("a level of one second shows TTFT %+v of tokens that came 19 s after it", ttft)
	}
}

func TestSpeedOfALevelHoldsNoTokensOfTheOneBefore(t *testing.T) {
	m := NewMeter(1, 0)
	m.Learn(1, bench.FromUsage)
	s := NewState(&bench.Run{})
	var ends []func()
	for i := range 24 {
		ends = append(ends, merging(m, uint64(i+1), 0))
	}
	second := func(n int, events ...bench.Event) {
		b := m.Cut(n)
		b.Active, b.Events = b.Span, events
		s.Fold(b)
	}
	open := func(level int, at time.Duration) []bench.Event {
		return []bench.Event{{At: at, Kind: bench.EventOpen, Level: level, To: bench.InFlight(24), Cause: bench.CauseLoad},
			{At: at, Kind: bench.EventCommit, Level: level, To: bench.InFlight(24)}, {At: at, Kind: bench.EventReach, Level: level, To: bench.InFlight(24)}}
	}
	second(0, open(1, 0)...)
	second(1)
	second(2, open(2, 2*time.Second)...)
	for _, end := range ends {
		end()
	}
	for n := 3; n < 12; n++ {
		second(n)
	}
	// All tokens came before the second level began to measure: it has no speed of theirs.
	if tps := s.Snapshot().Levels[1].Stats[bench.TPS]; tps.Mean.OK {
		t.Errorf("the second level's TPS is %+v", tps)
	}
	if tps := s.Snapshot().Total.Stats[bench.TPS]; tps.Mean.V < 49 || tps.Mean.V > 51 {
		t.Errorf("the run's TPS is %.1f, want 50", tps.Mean.V)
	}
}

func TestThinnedGapsTakeNothingBack(t *testing.T) {
	m := NewMeter(1, 0)
	m.Learn(1, bench.FromUsage)
	s := NewState(&bench.Run{})
	r := bench.Request{ID: 1, Level: 1, Prompt: bench.Prompt{InputTokens: 10, MaxTokens: 10000}}
	p := m.Probe(&r, 0)
	e := bench.Ended{Request: r}
	e.Marks.Started = bench.MarkAt(0)
	at := 10 * time.Millisecond
	for i := range 6000 {
		c := bench.Chunk{At: at, Events: 1, First: i == 0, TTFT: at}
		if i == 0 {
			e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(at), bench.MarkAt(at)
			e.Counts.FirstEvents = 1
		} else {
			c.Gap = time.Duration(1+4*(i%2)) * time.Millisecond
			e.Gaps.Add(c.Gap, 1)
		}
		p.Chunk(c)
		at += time.Duration(1+4*((i+1)%2)) * time.Millisecond
	}
	e.Marks.LastToken, e.Marks.Ended = bench.MarkAt(at), bench.MarkAt(at)
	e.Counts.Source, e.Counts.Output, e.Counts.Events, e.Counts.Chunks = bench.FromUsage, 9000, 6000, 6000
	p.End(e)
	for n := range 25 {
		b := m.Cut(n)
		b.Active = b.Span
		s.Fold(b)
	}
	if itl := s.Snapshot().Total.Stats[bench.ITL]; itl.N > 9000 {
		t.Errorf("%d latencies of 9000 tokens", itl.N)
	}
}

func TestFewRequestsDoNotDecideOnErrors(t *testing.T) {
	limit := bench.Threshold{Metric: bench.Errors, At: bench.Mean, Limit: 1}
	of := bench.Facts{}
	of.Ended[bench.OK] = 1
	one := bench.Summarise(&of, time.Second)
	if v := limit.Judge(&one); v.Known || !v.Value.OK {
		t.Errorf("one request decides on errors: %+v", v)
	}
	of.Ended[bench.OK] = 20
	many := bench.Summarise(&of, time.Second)
	if v := limit.Judge(&many); !v.Known || v.Broken {
		t.Errorf("twenty requests do not: %+v", v)
	}
}

func TestRunRateLeavesOutWhatWasNotSending(t *testing.T) {
	s := NewState(&bench.Run{})
	for n := range 20 {
		b := &bench.Batch{Start: time.Duration(n) * time.Second, Span: time.Second}
		if b.Facts.Ended[bench.OK] = 2; n < 10 {
			b.Active = time.Second
		}
		s.Fold(b)
	}
	if rpm := s.Snapshot().Total.Stats[bench.RPM].Mean.V; rpm != 120 {
		t.Errorf("RPM %.0f with ten seconds of draining, want 120", rpm)
	}
	if y := s.Snapshot().Total.Tally; y.OK != 40 {
		t.Errorf("%d ok, want all 40", y.OK)
	}
}
