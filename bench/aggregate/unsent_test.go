package aggregate

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
)

// opened begins a level of the open loop.
func opened(at time.Duration, level int, rate float64) func(*bench.Batch) {
	return events(
		bench.Event{At: at, Kind: bench.EventOpen, Level: level, Cause: bench.CauseMode, From: bench.InFlight(1), To: bench.PerSecond(rate)},
		reach(at, level))
}

// dropped is a second in which n arrivals of a level were dropped.
func dropped(level, n int) func(*bench.Batch) {
	return func(b *bench.Batch) {
		b.Facts.Unsent += n
		b.Unsent = append(b.Unsent, bench.Unsent{At: b.Start + 500*ms, Level: level, N: n})
		if level == bench.NoLevel {
			b.Facts.Apart.Unsent += n
		}
	}
}

func TestAnOpenLevelThatDropsArrivalsIsNotSettled(t *testing.T) {
	for _, c := range []struct {
		sentence string
		// drops is how many of a hundred and some arrivals a second are dropped, for so many seconds from one on.
		drops, from, seconds int
		at20, at70           bench.Settling
		short                bench.Shortfall
	}{
		{"all are sent", 0, 0, 0, bench.Settled, bench.Settled, bench.InFull},
		{"two in a hundred may be dropped", 2, 0, 70, bench.Settled, bench.Settled, bench.InFull},
		{"three may not, and it never settles", 3, 0, 70, bench.Settles, bench.Unsettled, bench.ArrivalsUnsent},
		{"a few at the beginning weigh less and less", 20, 0, 2, bench.Settled, bench.Settled, bench.InFull},
		{"what had settled comes loose", 20, 30, 40, bench.Settled, bench.Unsettled, bench.ArrivalsUnsent},
	} {
		s := newScript()
		s.second(opened(0, 1, 100), steady(1, 98))
		for s.n < 70 {
			drops := 0
			if s.n >= c.from && s.n < c.from+c.seconds {
				drops = c.drops
			}
			l := s.second(steady(1, 98), dropped(1, drops)).Level()
			if s.n == 20 && l.State != c.at20 {
				t.Errorf("%s: %v after 20 s, want %v", c.sentence, l.State, c.at20)
			}
		}
		l := s.s.Snapshot().Level()
		if l.State != c.at70 || l.Short != c.short {
			t.Errorf("%s: %v after 70 s, short %v; want %v, %v", c.sentence, l.State, l.Short, c.at70, c.short)
		}
	}
}

func TestDropsBeforeTheLoadWasReachedBreakNoPromise(t *testing.T) {
	s := newScript("ttft.p95<=2s", "errors<=1%")
	s.second(opened(0, 1, 100), steady(1, 10), dropped(1, 400))
	// The hand moves on: the level is reached anew.
	s.second(events(reach(1500*ms, 1)), steady(1, 10), func(b *bench.Batch) {
		b.Facts.Unsent = 50
		b.Unsent = []bench.Unsent{{At: 1499 * ms, Level: 1, N: 49}, {At: 1500 * ms, Level: 1, N: 1}}
	})
	for s.n < 30 {
		s.second(steady(1, 10))
	}
	l := s.s.Snapshot().Level()
	if l.Tally.Unsent != 450 || l.Missed.Unsent != 1 || l.State != bench.Settled {
		t.Errorf("%d unsent, %d of them missed, %v; want 450, 1, settled", l.Tally.Unsent, l.Missed.Unsent, l.State)
	}
	if v := l.Verdicts[0]; !v.Known || v.Broken || v.Beyond {
		t.Errorf("TTFT: %+v", v)
	}
	if v := l.Verdicts[1]; !v.Known || v.Broken || v.Missed.Unsent != 1 {
		t.Errorf("errors: %+v", v)
	}
}

func TestUnsentArrivalsBreakEveryPromiseAndAreTold(t *testing.T) {
	s := newScript("ttft.p95<=2s", "tps.p5>=1", "e2e.p95<=2s")
	s.second(opened(0, 1, 20), steady(1, 10))
	for s.n < 12 {
		s.second(steady(1, 10), dropped(1, 10))
	}
	snap := s.second(steady(1, 10), dropped(bench.NoLevel, 7))
	l := snap.Level()
	for _, v := range l.Verdicts {
		if !v.Known || !v.Broken || v.Missed.Unsent != 110 {
			t.Errorf("%v: %+v", v.Threshold, v)
		}
	}
	if v := l.Verdicts[2]; !v.Beyond || v.Value.OK {
		t.Errorf("nearly half was never sent: %+v", v)
	}
	// All answers were good.
	if n := float64(l.Stats[bench.E2E].N); l.Goodput.V != 100*n/(n+110) {
		t.Errorf("goodput %v of %v answers", l.Goodput, n)
	}
	if y := snap.Total.Tally; y.Unsent != 117 || y.Apart.Unsent != 7 || snap.Total.Missed.Unsent != 110 {
		t.Errorf("the run: %+v", y)
	}
	var got []int
	var text []string
	for _, e := range snap.Events {
		switch e.Kind {
		case bench.EventUnsent:
			got = append(got, e.N)
		case bench.EventBroken:
			text = append(text, e.Text)
		}
	}
	// From 1.5 s on for five seconds, and then, since it goes on, from 6.5 s on for ten.
	if len(got) != 2 || got[0] != 50 || got[1] != 67 {
		t.Errorf("told %v, want groups of 50 and 67", got)
	}
	if len(text) == 0 || !strings.HasSuffix(text[0], " unsent)") {
		t.Errorf("told %q", text)
	}
}

func TestMeterGroupsWhatIsDroppedTogether(t *testing.T) {
	m := NewMeter(2, 0)
	for _, d := range []struct {
		at    time.Duration
		level int
	}{{100 * ms, 1}, {105 * ms, 1}, {110 * ms, 1}, {111 * ms, 1}, {112 * ms, 2}, {113 * ms, bench.NoLevel}, {1200 * ms, 2}, {90 * ms, 1}} {
		m.Unsent(d.at, d.level)
	}
	b := m.Cut(0)
	want := []bench.Unsent{{At: 90 * ms, Level: 1, N: 1}, {At: 100 * ms, Level: 1, N: 3}, {At: 111 * ms, Level: 1, N: 1}, {At: 112 * ms, Level: 2, N: 1},
		{At: 113 * ms, Level: bench.NoLevel, N: 1}}
	if len(b.Unsent) != len(want) || b.Facts.Unsent != 7 || b.Facts.Apart.Unsent != 1 {
		t.Fatalf("%+v, %d in all, %+v", b.Unsent, b.Facts.Unsent, b.Facts.Apart)
	}
	for i := range want {
		if b.Unsent[i] != want[i] {
			t.Errorf("group %d is %+v, want %+v", i, b.Unsent[i], want[i])
		}
	}
	if b = m.Cut(1); b.Facts.Unsent != 1 || len(b.Unsent) != 1 {
		t.Errorf("the second after: %+v", b.Unsent)
	}
}

func TestLagIsKnownAsRequestsStart(t *testing.T) {
	m := NewMeter(1, 0)
	r := request(1, 1)
	r.Scheduled = bench.MarkAt(100 * ms)
	p := m.Probe(r, -1)
	p.Started(140 * ms)
	p.Started(150 * ms) // the transport says it again: the lag moves
	early := request(2, 1)
	early.Scheduled = bench.MarkAt(300 * ms)
	m.Probe(early, 299*ms)
	warm := request(3, bench.NoLevel)
	warm.Scheduled = bench.MarkAt(100 * ms)
	m.Probe(warm, 900*ms)
	m.Probe(request(4, 1), 500*ms)
	b := m.Cut(0)
	if lag := b.Facts.Lag; lag.N != 2 || lag.Sum < 49.7 || lag.Sum > 50.3 {
		t.Errorf("lag %+v, want one of 50 ms and one of none", lag)
	}
	p.Started(160 * ms)
	p.Chunk(bench.Chunk{At: 1100 * ms, First: true, TTFT: 940 * ms, Events: 1, Chars: 4})
	p.Chunk(bench.Chunk{At: 1200 * ms, Gap: 100 * ms, Events: 1, Chars: 3})
	e := over(160*ms, 1300*ms, bench.OK)
	p.End(e)
	b = m.Cut(1)
	if b.Facts.Lag.N != 0 || b.Facts.Chars != 7 {
		t.Errorf("a start that moves when its second is cut: lag %+v, %d characters", b.Facts.Lag, b.Facts.Chars)
	}
	if f := b.FirstTokens[0]; f.Scheduled != bench.MarkAt(100*ms) || b.Ended[0].Marks.Scheduled != f.Scheduled {
		t.Errorf("scheduled: %+v and %+v", f, b.Ended[0].Marks)
	}
}

func TestPromptsAreComparedWhereTheServerCounted(t *testing.T) {
	m := NewMeter(1, 0)
	for i, c := range []struct {
		asked, server int
		outcome       bench.Outcome
	}{{100, 110, bench.OK}, {200, 230, bench.OK}, {300, 0, bench.OK}, {0, 55, bench.OK}, {400, 440, bench.Truncated}} {
		r := &bench.Request{ID: uint64(i), Level: 1, Prompt: bench.Prompt{InputTokens: c.asked}}
		p := m.Probe(r, 0)
		e := over(0, 500*ms, c.outcome)
		e.Request, e.Counts = *r, bench.Counts{Source: bench.FromUsage, Input: c.server, Output: 1}
		p.End(e)
	}
	b := m.Cut(0)
	if f := b.Facts; f.Counted != 2 || f.AskedTokens != 300 || f.CountedTokens != 340 {
		t.Errorf("%d counted, %d for %d asked; want 2, 340 for 300", f.Counted, f.CountedTokens, f.AskedTokens)
	}
	b.Active, b.Events = b.Span, []bench.Event{{Kind: bench.EventOpen, Level: 1, Cause: bench.CauseStart, To: bench.InFlight(5)}, reach(0, 1)}
	s := NewState(&bench.Run{})
	s.Fold(b)
	for what, sum := range map[string]*bench.Summary{"level": &s.Snapshot().Level().Summary, "run": &s.Snapshot().Total} {
		if sum.AskedTokens != bench.Some(150) || sum.CountedTokens != bench.Some(170) {
			t.Errorf("%s: asked %v, counted %v; want 150 and 170", what, sum.AskedTokens, sum.CountedTokens)
		}
	}
}
