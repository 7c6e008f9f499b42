package aggregate

import (
	"strings"
	"testing"
	"time"

	"redline/bench"
)

const sec = time.Second

// script writes batches second by second.
type script struct {
	s *State
	n int
	// pause: the seconds are not active.
	pause bool
}

func newScript(thresholds ...string) *script {
	run := &bench.Run{}
	for _, text := range thresholds {
		t, err := bench.ParseThreshold(text)
		if err != nil {
			panic(err)
		}
		run.Thresholds = append(run.Thresholds, t)
	}
	return &script{s: NewState(run)}
}

// second folds one more second, filled in by the given functions.
func (c *script) second(fill ...func(b *bench.Batch)) *bench.Snapshot {
	b := &bench.Batch{Start: time.Duration(c.n) * sec, Span: sec, Active: sec}
	if c.pause {
		b.Active = 0
	}
	for _, f := range fill {
		f(b)
	}
	c.n++
	c.s.Fold(b)
	return c.s.Snapshot()
}

func events(events ...bench.Event) func(*bench.Batch) {
	return func(b *bench.Batch) { b.Events = append(b.Events, events...) }
}

func open(at time.Duration, level, from, to int) bench.Event {
	return bench.Event{At: at, Kind: bench.EventOpen, Level: level, Cause: bench.CauseLoad, From: bench.InFlight(from), To: bench.InFlight(to)}
}

func commit(at time.Duration, level, to int) bench.Event {
	return bench.Event{At: at, Kind: bench.EventCommit, Level: level, To: bench.InFlight(to)}
}

func reach(at time.Duration, level int) bench.Event {
	return bench.Event{At: at, Kind: bench.EventReach, Level: level}
}

// answered is a request that started at an instant, took 1 s, with its first token after 400 ms and 10 tokens after that.
func answered(level int, started time.Duration) bench.Ended {
	e := over(started, started+sec, bench.OK)
	e.Level = level
	e.Marks.FirstChunk, e.Marks.FirstToken = bench.MarkAt(started+400*ms), bench.MarkAt(started+400*ms)
	e.Marks.FirstAnswer, e.Marks.LastToken = e.Marks.FirstToken, bench.MarkAt(started+sec)
	e.Prompt.InputTokens = 100
	e.Counts = bench.Counts{Source: bench.FromUsage, Input: 100, Output: 11, Events: 11, FirstEvents: 1, Chunks: 11}
	return e
}

// steady is a second in which n requests of a level began, and n as old as a second ended with 11 tokens each.
func steady(level, n int) func(*bench.Batch) {
	return func(b *bench.Batch) {
		itl := bench.NewHistogram()
		itl.Add(60, 10*n)
		b.Facts.Sent += n
		b.Starts = append(b.Starts, bench.Starts{Level: level, Sent: n})
		b.Facts.In, b.Facts.Out = 100*n, 11*n
		b.Facts.ITL = itl.Sketch()
		b.Facts.InFlight = float64(n)
		b.Facts.DecodeTokens, b.Facts.DecodeSeconds = float64(10*n), 0.6*float64(n)
		for i := range n {
			at := b.Start + time.Duration(i)*ms
			b.FirstTokens = append(b.FirstTokens, bench.FirstToken{At: at + 400*ms, Started: at, TTFT: 400 * ms, Level: level})
			if b.Start >= sec {
				b.Ended = append(b.Ended, answered(level, at-sec))
				b.Facts.Ended[bench.OK]++
			}
		}
	}
}

func TestLevelsFollowEvents(t *testing.T) {
	start := []bench.Event{open(0, 1, 0, 4), commit(250*ms, 1, 4), reach(300*ms, 1)}
	for _, c := range []struct {
		why    string
		events []bench.Event
		// id, load and state are the present level's.
		id, load int
		state    bench.Settling
		reached  time.Duration
		levels   int
	}{
		{"a change of load moves until it is committed", []bench.Event{open(sec, 2, 4, 8)}, 2, 8, bench.Moving, -1, 2},
		{"further key presses move the same level on", []bench.Event{open(sec, 2, 4, 8), open(1100*ms, 2, 4, 12)}, 2, 12, bench.Moving, -1, 2},
		{"a committed level has still to reach its load",
			[]bench.Event{open(sec, 2, 4, 8), commit(1250*ms, 2, 8)}, 2, 8, bench.Reaching, -1, 2},
		{"reached while moving counts",
			[]bench.Event{open(sec, 2, 4, 8), reach(1100*ms, 2), commit(1250*ms, 2, 8)}, 2, 8, bench.Settles, 1100 * ms, 2},
		{"but not for a load that moved on",
			[]bench.Event{open(sec, 2, 4, 8), reach(1100*ms, 2), open(1200*ms, 2, 4, 9), commit(1450*ms, 2, 9)}, 2, 9, bench.Reaching, -1, 2},
		{"the last reach counts",
			[]bench.Event{open(sec, 2, 4, 8), commit(1250*ms, 2, 8), reach(1300*ms, 2), reach(1400*ms, 2)}, 2, 8, bench.Settles, 1400 * ms, 2},
		{"a note on a reached level is reached at once",
			[]bench.Event{{At: sec, Kind: bench.EventOpen, Level: 2, Cause: bench.CauseNote, From: bench.InFlight(4), To: bench.InFlight(4), Text: "x"}}, 2, 4, bench.Settles, sec, 2},
		{"a resume has its load at once but must reach it",
			[]bench.Event{{At: sec, Kind: bench.EventOpen, Level: 2, Cause: bench.CauseResume, From: bench.InFlight(4), To: bench.InFlight(4)}}, 2, 4, bench.Reaching, -1, 2},
		{"events of other levels are not this one's", []bench.Event{reach(sec, 7), commit(sec, 0, 3)}, 1, 4, bench.Settles, 300 * ms, 1},
		{"a level does not open twice", []bench.Event{open(sec, 2, 4, 8), open(sec, 1, 0, 9)}, 2, 8, bench.Moving, -1, 2},
		{"a committed level does not move", []bench.Event{open(sec, 1, 0, 9), commit(sec, 1, 9)}, 1, 4, bench.Settles, 300 * ms, 1},
	} {
		s := newScript()
		s.second(events(start...))
		snap := s.second(events(c.events...))
		l := snap.Level()
		if l.ID != c.id || l.Load != bench.InFlight(c.load) || l.State != c.state || len(snap.Levels) != c.levels {
			t.Errorf("%s: level %d at %v %v of %d; want %d at %d %v of %d", c.why, l.ID, l.Load, l.State, len(snap.Levels), c.id, c.load, c.state, c.levels)
		}
		if l.Reached.OK != (c.reached >= 0) || l.Reached.OK && l.Reached.At != c.reached {
			t.Errorf("%s: reached %v, want %v", c.why, l.Reached, c.reached)
		}
		if first := snap.Levels[0]; c.levels == 2 && (first.Ended != bench.MarkAt(sec)) {
			t.Errorf("%s: the old level ended %v, want 1s", c.why, first.Ended)
		}
	}
}

func TestLevelSettles(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(250*ms, 1, 10), reach(300*ms, 1)), steady(1, 10))
	for _, c := range []struct {
		why string
		// ready are the metrics that are ready when that second is folded.
		ready []bench.Metric
		state bench.Settling
	}{
		{"second 1: ten first tokens and ten answers of before reaching", nil, bench.Settles},
		{"second 2: twenty first tokens, ten answers; the run's median E2E is known, rates begin with second 2",
			[]bench.Metric{bench.TTFT}, bench.Settles},
		{"second 3: tokens count from 300 ms + 2 s, rounded up", []bench.Metric{bench.TTFT, bench.ITL, bench.TPS, bench.E2E}, bench.Settles},
		{"second 4", []bench.Metric{bench.ITL}, bench.Settles},
		{"second 5", []bench.Metric{bench.ITL}, bench.Settles},
		{"second 6: five whole seconds of rates", []bench.Metric{bench.TTFT, bench.ITL, bench.TPS, bench.RPM, bench.TPM}, bench.Settled},
	} {
		l := s.second(steady(1, 10)).Level()
		for _, m := range c.ready {
			if l.Stats[m].Readiness != bench.Ready {
				t.Errorf("%s: %v is not ready: %+v", c.why, m, l.Stats[m])
			}
		}
		if l.State != c.state {
			t.Errorf("%s: %v, want %v", c.why, l.State, c.state)
		}
	}
	l := s.second(steady(1, 10)).Level()
	near6(t, "ready at", l.ReadyAt.At.Seconds(), 7)
	near6(t, "RPM", l.Stats[bench.RPM].Mean.V, 600)
	near6(t, "its interval", l.Stats[bench.RPM].Half.V, 0)
	near6(t, "TPM", l.Stats[bench.TPM].Mean.V, 60*10*111)
	near6(t, "TPS", l.Stats[bench.TPS].Mean.V, 10/0.6)
	near6(t, "ITL", l.Stats[bench.ITL].Mean.V, 60)
	near6(t, "output rate", l.OutputRate.V, 110)
	near6(t, "in flight", l.InFlight.V, 10)
	near6(t, "residence", l.Residence.V, 1)
	near6(t, "goodput", l.Goodput.V, 100)
	if len(l.Batches) != 6 || l.Batches[0].Start != 2*sec {
		t.Errorf("%d spans from %v, want 6 from 2s", len(l.Batches), l.Batches[0].Start)
	}
	if len(l.Sample) != l.Stats[bench.E2E].N {
		t.Errorf("%d samples of %d requests", len(l.Sample), l.Stats[bench.E2E].N)
	}
}

func TestLevelSaysWhatIsMissing(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 1), commit(0, 1, 1), reach(0, 1)))
	s.second(steady(1, 1))
	l := s.second(steady(1, 1)).Level()
	// Two first tokens in three seconds: eighteen more take 27 s.
	if ttft := l.Stats[bench.TTFT]; ttft.N != 2 || ttft.Need != 18 || ttft.Wait != 27*sec || ttft.Readiness != bench.Absent {
		t.Errorf("%+v, want 18 to go, 27 s", ttft)
	}
}

func TestALevelThatIsMeasuredAnewUnderItsLoadHasAllWindowsAtOnce(t *testing.T) {
	for _, one := range []struct {
		n    int
		ends time.Duration
		why  string
	}{
		{1, 10 * sec, "what is in flight is the load's own"},
		{0, 11 * sec, "what is in flight may be another load's"},
	} {
		s := newScript("ttft.p95<=600ms")
		s.second(events(open(0, 1, 0, 4), commit(0, 1, 4), reach(0, 1)), steady(1, 4))
		for range 9 {
			s.second(steady(1, 4))
		}
		again := reach(10*sec, 1)
		again.N = one.n
		s.second(events(again), steady(1, 4))
		for range 8 {
			s.second(steady(1, 4))
		}
		l := s.second(steady(1, 4)).Level()
		if l.ID != 1 || l.Begin != 0 || l.Reached != bench.MarkAt(10*sec) || l.Tally.Sent != 80 || l.Stats[bench.TTFT].N != 40 {
			t.Errorf("%s: level %d begun %v, reached %v, %d sent, %d first tokens; want 80 sent, and 40 since it was measured anew", one.why, l.ID, l.Begin, l.Reached, l.Tally.Sent, l.Stats[bench.TTFT].N)
		}
		if got, want := s.s.present().ends.from, bench.MarkAt(one.ends); got != want {
			t.Errorf("%s: ends count from %v on, want %v", one.why, got, want)
		}
	}
}

func TestLevelIsUnsettledAfterAMinute(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 1), commit(0, 1, 1), reach(0, 1)))
	for s.n < 59 {
		s.second()
	}
	if l := s.s.Snapshot().Level(); l.State != bench.Settles {
		t.Errorf("after 59 s: %v, want settling", l.State)
	}
	s.pause = true
	for range 30 {
		s.second()
	}
	if l := s.s.Snapshot().Level(); l.State != bench.Settles || l.Span != 59*sec {
		t.Errorf("a pause counts: %v after %v", l.State, l.Span)
	}
	s.pause = false
	s.second()
	for range 120 {
		s.second(steady(1, 10))
	}
	if l := s.s.Snapshot().Level(); l.State != bench.Unsettled {
		t.Errorf("after 60 s and later numbers: %v, want unsettled for good", l.State)
	}
}

func TestRequestsBelongToTheLevelOfTheirStart(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 2), commit(0, 1, 2), reach(500*ms, 1)))
	s.second(events(open(1500*ms, 2, 2, 3), commit(1750*ms, 2, 3), reach(1750*ms, 2)), func(b *bench.Batch) {
		b.Facts.Sent = 3
		b.Starts = []bench.Starts{{Level: 1, Sent: 2}, {Level: 2, Sent: 1}}
	})
	snap := s.second(func(b *bench.Batch) {
		// One from before reaching, one from after it, one of the new level.
		b.Ended = []bench.Ended{answered(1, 400*ms), answered(1, 1400*ms), answered(2, 1900*ms)}
		for i := range b.Ended {
			b.Ended[i].Marks.Scheduled = bench.MarkAt(b.Ended[i].Marks.Started.At - 10*ms)
		}
		b.Facts.Ended[bench.OK] = 3
	})
	old, now := snap.Levels[0], snap.Levels[1]
	if old.Tally.OK != 2 || now.Tally.OK != 1 || now.Stats[bench.TTFA].N != 1 {
		t.Errorf("old %+v, new %+v", old.Tally, now.Tally)
	}
	if old.Stats[bench.TPOT].N != 0 || now.Stats[bench.TPOT].N != 1 || len(old.Sample) != 1 {
		t.Errorf("TPOT has %d and %d samples; want none of the old level, whose one request ended under the new load, and one of the new",
			old.Stats[bench.TPOT].N, now.Stats[bench.TPOT].N)
	}
	// Of the two that the old level sent, one ended at 1.4 s, before it did: half are unfinished, and E2E is hidden.
	if old.Unfinished != 1 || old.Stats[bench.E2E].Mean.OK {
		t.Errorf("unfinished %d, E2E %+v; want 1, hidden", old.Unfinished, old.Stats[bench.E2E])
	}
	if old.DueE2E.Mean.OK || now.DueE2E.Mean != bench.Some(1010) {
		t.Errorf("E2E since due %v and %v; want it hidden like E2E, and 1010 ms", old.DueE2E.Mean, now.DueE2E.Mean)
	}
}

func TestInstantsBelongToWholeSecondsOfTheLevel(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 10 {
		s.second(steady(1, 10))
	}
	snap := s.second(events(open(10*sec+500*ms, 2, 10, 20), commit(10750*ms, 2, 20), reach(11*sec-ms, 2)), steady(1, 10))
	// Tokens from 2 s on, rates from 1 s on; the second of the change is nobody's.
	if got := snap.Levels[0].Stats[bench.ITL].N; got != 8*100 {
		t.Errorf("the old level has %d latencies, want those of seconds 2 to 9", got)
	}
	if got := snap.Levels[0].Stats[bench.RPM].N; got != 9*10 {
		t.Errorf("the old level has %d ends, want those of seconds 1 to 9", got)
	}
	for s.n < 14 {
		snap = s.second(steady(2, 20))
	}
	if got := snap.Levels[1].Stats[bench.ITL].N; got != 200 {
		t.Errorf("the new level has %d latencies, want those of second 13", got)
	}
	if snap.Levels[1].Span != 3*sec {
		t.Errorf("the new level's span is %v, want 3 s", snap.Levels[1].Span)
	}
}

func TestChangeToldLateTakesBackWhatWasCounted(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 10 {
		s.second(steady(1, 10))
	}
	snap := s.second(events(open(9*sec+900*ms, 2, 10, 20)), steady(1, 10))
	if got := snap.Levels[0].Stats[bench.ITL].N; got != 7*100 {
		t.Errorf("%d latencies, want those of seconds 2 to 8", got)
	}
}

func TestLateLatenciesReachBucketAndLevel(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 6 {
		s.second(steady(1, 10))
	}
	before := s.s.Snapshot()
	h := bench.NewHistogram()
	h.Add(30, 7)
	snap := s.second(func(b *bench.Batch) {
		b.LateITL = []bench.SecondSketch{{Start: sec, Sketch: h.Sketch()}, {Start: 4 * sec, Sketch: h.Sketch()}}
	})
	if got := snap.Buckets[4].ITL.N; got != 107 {
		t.Errorf("bucket 4 has %d latencies, want 107", got)
	}
	if got := before.Buckets[4].ITL.N; got != 100 {
		t.Errorf("the bucket that was handed out has %d now", got)
	}
	// Second 1 lies before the level's tokens count.
	if got, want := snap.Level().Stats[bench.ITL].N, before.Level().Stats[bench.ITL].N+7; got != want {
		t.Errorf("the level has %d latencies, want %d", got, want)
	}
	if got := snap.Total.Stats[bench.ITL].N; got != 614 {
		t.Errorf("the run has %d latencies, want 614", got)
	}
	if got := snap.Level().Batches[3].ITL.N; got != 107 {
		t.Errorf("the level's span has %d latencies, want 107", got)
	}
}

func TestEventsFollowFromTheNumbers(t *testing.T) {
	s := newScript("ttft.p95<=300ms", "rpm<=10")
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	s.second(steady(1, 10))
	failed := func(n int) func(*bench.Batch) {
		return func(b *bench.Batch) {
			for range n {
				e := over(b.Start, b.Start+500*ms, bench.ServerError)
				e.Level, e.Message = 1, "boom"
				b.Ended = append(b.Ended, e)
			}
			b.Facts.Ended[bench.ServerError] += n
		}
	}
	s.second(failed(2))
	s.second(failed(1), func(b *bench.Batch) { b.Health = bench.Health{Strain: bench.Busy, Why: "cpu"} })
	for s.n < 8 {
		s.second()
	}
	snap := s.second(failed(1))
	var got []string
	for _, e := range snap.Events[3:] {
		got = append(got, e.Kind.String()+" "+e.Text+strings.Repeat("!", e.N))
	}
	want := "slo ttft.p95<=300ms (400 ms)|error boom!!!|client cpu!|error boom!"
	if strings.Join(got, "|") != want {
		t.Errorf("events %q, want %q", strings.Join(got, "|"), want)
	}
	if snap.LastError != "boom" {
		t.Errorf("last error %q", snap.LastError)
	}
	if v := snap.Level().Verdicts; len(v) != 2 || !v[0].Known || !v[0].Broken {
		t.Errorf("verdicts %+v", v)
	}
	if snap.Total.Goodput.V != 0 {
		t.Errorf("goodput %v: every TTFT was above its limit", snap.Total.Goodput)
	}
}

func TestMinuteTrails(t *testing.T) {
	s := newScript()
	for range 100 {
		s.second(func(b *bench.Batch) { b.Facts.Sent, b.Facts.In, b.Facts.OutFix = 2, 10, -1 })
	}
	if m := s.s.Snapshot().Minute; m != (bench.Use{Span: time.Minute, Attempts: 120, Tokens: 540}) {
		t.Errorf("%+v, want 120 attempts and 540 tokens in 1 m", m)
	}
}
