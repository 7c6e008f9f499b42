package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

// TestADrainTailChangesNoRate: what ends after the last request was sent is counted, and its latencies too, but it is no part of any pace.
func TestADrainTailChangesNoRate(t *testing.T) {
	for _, mode := range []bench.Mode{bench.Closed, bench.Open} {
		for _, c := range []struct{ seconds, n int }{{3, 10}, {6, 10}, {30, 10}, {3, 2}} {
			seconds, n := c.seconds, c.n
			s := newScript()
			to := bench.Setpoint{Mode: mode, N: 10}
			s.second(events(bench.Event{Kind: bench.EventOpen, Level: 1, Cause: bench.CauseStart, To: to}, reach(0, 1)), steady(1, n))
			for s.n < seconds {
				s.second(steady(1, n))
			}
			// Sending stops within a second.
			before := s.second(steady(1, n), func(b *bench.Batch) { b.Active = 400 * ms })
			s.pause = true
			var after *bench.Snapshot
			for tail := range 20 {
				after = s.second(func(b *bench.Batch) {
					// Long answers end one by one, each as late as the drain lets it.
					e := answered(1, time.Duration(seconds-1)*sec)
					e.Marks.LastToken = bench.MarkAt(b.Start + 900*ms)
					e.Marks.Ended = e.Marks.LastToken
					b.Ended, b.Facts.Ended[bench.OK], b.Facts.Out, b.Facts.OutFix, b.Facts.InFlight = []bench.Ended{e}, 1, 100, 7, float64(20-tail)
					b.FirstTokens = []bench.FirstToken{{At: b.Start, Started: time.Duration(seconds-1) * sec, TTFT: b.Start - time.Duration(seconds-1)*sec, Level: 1}}
				})
			}
			for what, c := range map[string]struct{ was, is *bench.Summary }{
				"level": {&before.Level().Summary, &after.Level().Summary}, "run": {&before.Total, &after.Total},
			} {
				if c.was.Span != c.is.Span || c.was.RPS != c.is.RPS || c.was.OutputRate != c.is.OutputRate || c.was.InFlight != c.is.InFlight {
					t.Errorf("%v, %d s: the %s's rates were %v, %v, %v in %v and are %v, %v, %v in %v", mode, seconds, what,
						c.was.RPS, c.was.OutputRate, c.was.InFlight, c.was.Span, c.is.RPS, c.is.OutputRate, c.is.InFlight, c.is.Span)
				}
				for _, m := range []bench.Metric{bench.RPM, bench.TPM} {
					if c.was.Stats[m].Mean != c.is.Stats[m].Mean || c.was.Stats[m].Half != c.is.Stats[m].Half {
						t.Errorf("%v, %d s: the %s's %v was %v and is %v", mode, seconds, what, m, c.was.Stats[m].Mean, c.is.Stats[m].Mean)
					}
				}
				for _, m := range []bench.Metric{bench.TTFT, bench.E2E} {
					if got := c.is.Stats[m].N - c.was.Stats[m].N; got != 20 {
						t.Errorf("%v, %d s: the %s has %d more of %v, want the twenty of the tail", mode, seconds, what, got, m)
					}
				}
			}
		}
	}
}

func TestWarmUpIsTrafficAndInNoShare(t *testing.T) {
	s := newScript("ttft.p95<=2s", "errors<=1%")
	warm := func(b *bench.Batch) {
		b.Active = 0
		steady(bench.NoLevel, 5)(b)
		failed := over(b.Start, b.Start+ms, bench.ServerError)
		failed.Level = bench.NoLevel
		b.Ended = append(b.Ended, failed)
		b.Facts.Ended[bench.ServerError]++
		b.Facts.Apart.Failed++
		b.Facts.Apart.OK += b.Facts.Ended[bench.OK]
		b.Facts.Chars = 44
		dropped(bench.NoLevel, 3)(b)
	}
	for range 4 {
		s.second(warm)
	}
	snap := s.s.Snapshot()
	if y := snap.Total.Tally; len(snap.Levels) != 0 || y.Sent != 20 || y.OK != 15 || y.Failed != 4 || y.Unsent != 12 || y.Owed() != 0 {
		t.Errorf("%d levels, %+v", len(snap.Levels), y)
	}
	if sum := snap.Total; sum.Goodput.OK || sum.Stats[bench.TTFT].N != 0 || sum.Stats[bench.RPM].Mean.OK || sum.Missed.All() != 0 || sum.Chars.OK {
		t.Errorf("the warm-up is in the numbers: goodput %v, TTFT %+v, RPM %+v, missed %+v", sum.Goodput, sum.Stats[bench.TTFT], sum.Stats[bench.RPM], sum.Missed)
	}
	s.second(opened(4*sec, 1, 10), steady(1, 10))
	l := s.second(steady(1, 10)).Level()
	if l.Tally.Sent != 20 || l.Tally.Failed != 0 || l.Missed.All() != 0 || l.Begin != 4*sec {
		t.Errorf("the level after it: %+v", l.Tally)
	}
}

func TestStrainIsCountedAndTold(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	strain := func(strain bench.Strain, why string) func(*bench.Batch) {
		return func(b *bench.Batch) { b.Health = bench.Health{Strain: strain, Why: why} }
	}
	for _, h := range []func(*bench.Batch){strain(bench.Busy, "cpu 91%"), strain(bench.Busy, "cpu 92%"), strain(bench.Saturated, "late 40 ms"), strain(bench.Unstrained, "")} {
		s.second(steady(1, 10), h)
	}
	s.second(events(open(5*sec, 2, 10, 20), commit(5*sec, 2, 20), reach(5*sec, 2)), strain(bench.Saturated, "late 50 ms"))
	snap := s.second(strain(bench.Saturated, "late 50 ms"))
	if want := [2]bench.Lapse{{At: bench.MarkAt(3 * sec), Why: "cpu 92%"}, {At: bench.MarkAt(snap.Folded), Why: "late 50 ms"}}; snap.Lapses != want {
		t.Errorf("the newest seconds of each kind are %+v, want %+v", snap.Lapses, want)
	}
	if snap.Strained != [2]int{2, 3} || snap.Levels[0].Strained != [2]int{2, 1} || snap.Levels[1].Strained != [2]int{0, 2} || snap.Total.Strained != snap.Strained {
		t.Errorf("strained %v, by level %v and %v", snap.Strained, snap.Levels[0].Strained, snap.Levels[1].Strained)
	}
	if w := bench.Window(snap.Buckets[2:4]); w.Strained != [2]int{1, 1} {
		t.Errorf("a window: %v", w.Strained)
	}
	for range 11 {
		snap = s.second(strain(bench.Unstrained, ""))
	}
	var told []bench.Event
	for _, e := range snap.Events {
		if e.Kind == bench.EventBusy {
			told = append(told, bench.Event{N: e.N, Text: e.Text})
		}
	}
	// That it was well for a second is no news: it comes and goes.
	want := []bench.Event{{N: 1, Text: "cpu 91%"}, {N: 2, Text: "late 40 ms"}, {N: 0, Text: "keeps up again"}}
	if len(told) != len(want) {
		t.Fatalf("told %+v", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %+v, want %+v", told[i], want[i])
		}
	}
}

// TestWhatAJumpMakesVoidLeavesTheRestAsItWas: the records have the last word on the outcomes, and on nothing else.
func TestWhatAJumpMakesVoidLeavesTheRestAsItWas(t *testing.T) {
	s := newScript()
	snap := s.second(dropped(bench.NoLevel, 3), func(b *bench.Batch) {
		e := answered(bench.NoLevel, 0)
		e.Outcome = bench.Interrupted
		b.Ended, b.Facts.Ended[bench.OK], b.Facts.Counted, b.Facts.Apart.OK = []bench.Ended{e}, 1, 1, 1
	})
	if y := snap.Total.Tally; y.Apart != (bench.Apart{Unsent: 3}) || y.OK != 0 || y.Cancelled != 1 || snap.Total.CountedTokens.OK {
		t.Errorf("%+v", y)
	}
}
