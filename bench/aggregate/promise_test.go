package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

func promised(t *testing.T, text string) bench.Threshold {
	t.Helper()
	th, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func changed(at time.Duration, t bench.Threshold, drop bool) bench.Event {
	return bench.Event{At: at, Kind: bench.EventPromise, Level: 1, Promise: t, Dropped: drop, Text: t.String()}
}

// TestAChangedPromiseIsJudgedAnewEverywhere: every TTFT is 400 ms, so that a ceiling of 300 ms breaks and one of 500 ms keeps all.
func TestAChangedPromiseIsJudgedAnewEverywhere(t *testing.T) {
	s := newScript("ttft.p95<=300ms", "errors<=1%")
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 10 {
		s.second(steady(1, 10))
	}
	s.second(events(open(10*sec, 2, 10, 20), commit(10*sec, 2, 20), reach(10*sec, 2)), steady(2, 20))
	for s.n < 20 {
		s.second(steady(2, 20))
	}
	before := s.s.Snapshot()
	if l := before.Levels; !l[0].Verdicts[0].Broken || !l[1].Verdicts[0].Broken || before.Total.Goodput.V != 0 || l[1].Goodput.V != 0 {
		t.Fatalf("before: %+v", before.Total.Goodput)
	}
	easy := promised(t, "ttft.p95<=500ms")
	snap := s.second(events(changed(20*sec+500*ms, easy, false)), steady(2, 20))
	if before.Run.Thresholds[0].Limit != 300 || !before.Levels[0].Verdicts[0].Broken || before.Buckets[5].Ungraded != 0 {
		t.Error("a snapshot that was handed out has changed")
	}
	if len(snap.Run.Thresholds) != 2 || snap.Run.Thresholds[0] != easy {
		t.Errorf("promises %v", snap.Run.Thresholds)
	}
	for i, l := range snap.Levels {
		if v := l.Verdicts[0]; v.Broken || !v.Known || v.Threshold != easy {
			t.Errorf("level %d: %+v, want the new promise kept", l.ID, v)
		}
		if l.Goodput != bench.Some(100) || l.GoodputRough || !l.GoodRateRough || l.Ungraded != 0 {
			t.Errorf("level %d: goodput %v (rough %v, ungraded %d), want 100 of all its requests", l.ID, l.Goodput, l.GoodputRough, l.Ungraded)
		}
		near6(t, "its rate is that of its requests", l.GoodPerMinute.V, []float64{600, 1200}[i])
	}
	// Of the run only the requests of the second of the change are held to it.
	if snap.Total.Goodput != bench.Some(100) || snap.Total.Ungraded != 9*10+10*20 || snap.Total.GoodPerMinute.OK {
		t.Errorf("the run: %v, %d ungraded, rate %v; want 100%% of those since, and no rate yet", snap.Total.Goodput, snap.Total.Ungraded, snap.Total.GoodPerMinute)
	}
	if w := bench.Window(snap.Buckets[:20]); w.Goodput.OK || w.GoodPerMinute.OK {
		t.Errorf("a window before the change has a goodput of %v", w.Goodput)
	}
	told := snap.Events[len(snap.Events)-1]
	if told.Kind != bench.EventKept || told.Text != "ttft.p95<=500ms (400 ms)" {
		t.Errorf("told %v %q, want that it is kept", told.Kind, told.Text)
	}
	for s.n < 30 {
		snap = s.second(steady(2, 20))
	}
	near6(t, "the run's rate over the seconds since", snap.Total.GoodPerMinute.V, 1200)
	near6(t, "the window's", bench.Window(snap.Buckets[15:]).GoodPerMinute.V, 1200)

	snap = s.second(events(changed(30*sec, promised(t, "e2e.p95<=900ms"), false), changed(30*sec, easy, true)), steady(2, 20))
	if th := snap.Run.Thresholds; len(th) != 2 || th[0].Metric != bench.Errors || th[1].Metric != bench.E2E {
		t.Errorf("promises %v, want the errors and then E2E", th)
	}
	for _, l := range snap.Levels {
		if len(l.Verdicts) != 2 || l.Goodput != bench.Some(0) {
			t.Errorf("level %d: %d verdicts, goodput %v; want 2 and none of the answers of 1 s", l.ID, len(l.Verdicts), l.Goodput)
		}
	}
}

// TestALevelOfManyRequestsReckonsItsGoodput: beyond its sample the share is an estimate, and says so.
func TestALevelOfManyRequestsReckonsItsGoodput(t *testing.T) {
	s := newScript("ttft.p95<=300ms")
	s.second(events(open(0, 1, 0, 500), commit(0, 1, 500), reach(0, 1)))
	half := func(b *bench.Batch) {
		steady(1, 500)(b)
		for i := range b.Ended {
			if i%2 == 0 {
				b.Ended[i].Marks.FirstToken.At -= 200 * ms
			}
		}
	}
	for s.n < 12 {
		s.second(half)
	}
	near6(t, "counted", s.s.Snapshot().Level().Goodput.V, 50)
	l := s.second(events(changed(12*sec, promised(t, "ttft.p95<=250ms"), false)), half).Level()
	if !l.GoodputRough || l.Goodput.V < 45 || l.Goodput.V > 55 {
		t.Errorf("goodput %v, rough %v; want about 50, reckoned", l.Goodput, l.GoodputRough)
	}
	l = s.second(events(changed(13*sec, promised(t, "ttft.p95<=900ms"), false)), half).Level()
	near6(t, "all of a draw are all", l.Goodput.V, 100)
}

func TestAPromiseBeforeTheFirstRequestIsCountedAsUsual(t *testing.T) {
	s := newScript("ttft.p95<=300ms")
	s.second(events(changed(0, promised(t, "ttft.p95<=500ms"), false), open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 10 {
		s.second(steady(1, 10))
	}
	snap := s.s.Snapshot()
	if l := snap.Level(); l.Goodput != bench.Some(100) || l.GoodRateRough || snap.Total.Goodput != bench.Some(100) || snap.Total.Ungraded != 0 {
		t.Errorf("level %v, run %v, ungraded %d", l.Goodput, snap.Total.Goodput, snap.Total.Ungraded)
	}
}

// TestAChangeThatCannotBeHeldToCountsOnlyWhatFollows: a level whose requests are not all known one by one keeps to those since.
func TestAChangeThatCannotBeHeldToCountsOnlyWhatFollows(t *testing.T) {
	s := newScript("ttft.p95<=300ms")
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	for s.n < 10 {
		s.second(steady(1, 10))
	}
	s.s.levels[0].requests.sample.offered-- // as after two visits of one load were merged
	l := s.second(events(changed(10*sec, promised(t, "ttft.p95<=500ms"), false)), steady(1, 10)).Level()
	if l.Goodput != bench.Some(100) || l.Ungraded != 90 {
		t.Errorf("goodput %v, %d ungraded; want that of the last ten requests", l.Goodput, l.Ungraded)
	}
}

func TestClearForgetsWhatWasMeasured(t *testing.T) {
	s := newScript("ttft.p95<=300ms")
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10), func(b *bench.Batch) {
		b.Quotas = []bench.Quota{{Name: "requests", Limit: bench.Some(9)}}
	})
	for s.n < 20 {
		s.second(steady(1, 10), func(b *bench.Batch) {
			if b.Start == 19*sec {
				e := over(b.Start, b.Start+500*ms, bench.ServerError)
				e.Level, e.Message = 1, "boom"
				b.Ended = append(b.Ended, e)
				b.Facts.Ended[bench.ServerError]++
				b.Facts.Sent++
			}
		})
	}
	before := s.s.Snapshot()
	h := bench.NewHistogram()
	h.Add(30, 7)
	late := []bench.SecondSketch{{Start: 18 * sec, Sketch: h.Sketch()}}
	open2 := bench.Event{At: 20*sec + ms, Kind: bench.EventOpen, Level: 2, Cause: bench.CauseClear, From: bench.InFlight(10), To: bench.InFlight(10)}
	cleared := s.second(events(bench.Event{At: 20 * sec, Kind: bench.EventClear}, open2, reach(20*sec+2*ms, 2)), func(b *bench.Batch) {
		b.Facts.Sent, b.Starts, b.LateITL = 10, []bench.Starts{{Level: 2, Sent: 10}}, late
		for i := range 10 {
			// What was in flight ends in the new era, and one of them fails whose first token is forgotten.
			e := answered(1, 19*sec+time.Duration(i)*ms)
			if i == 0 {
				e.Outcome = bench.Truncated
			}
			b.Ended = append(b.Ended, e)
			b.Facts.Ended[e.Outcome]++
		}
	})
	if len(before.Events) < 4 || len(before.Buckets) != 20 || before.LastError != "boom" {
		t.Fatalf("before: %d events, %d buckets", len(before.Events), len(before.Buckets))
	}
	total := cleared.Total
	if y := total.Tally; y.Sent != 20 || y.OK != 9 || y.Failed != 1 || y.Sent-y.OK-y.Failed != 10 {
		t.Errorf("%+v, want 20 sent, those in flight among them", y)
	}
	if len(cleared.Buckets) != 1 || cleared.Buckets[0].Start != 20*sec || total.Span != sec || cleared.Buckets[0].ITL.N != 0 || total.Stats[bench.ITL].N != 0 {
		t.Errorf("%d buckets, span %v, %d latencies", len(cleared.Buckets), total.Span, total.Stats[bench.ITL].N)
	}
	if len(cleared.Levels) != 1 || cleared.Level().ID != 2 || cleared.Level().Cause != bench.CauseClear || cleared.Level().State != bench.Settles {
		t.Fatalf("levels %+v", cleared.Levels)
	}
	if l := cleared.Level(); l.Tally.Sent != 10 || l.Tally.OK != 0 || l.Stats[bench.E2E].N != 0 {
		t.Errorf("the level has %+v of the requests before it", l.Tally)
	}
	if e := cleared.Events[0]; e.Kind != bench.EventClear || cleared.EventsGone != len(before.Events) {
		t.Errorf("first event %v, %d gone, want the clear after %d", e.Kind, cleared.EventsGone, len(before.Events))
	}
	if cleared.Minute.Attempts != before.Minute.Attempts+10 || len(cleared.Quotas) != 1 {
		t.Errorf("%+v and %v: what the server counts stays", cleared.Minute, cleared.Quotas)
	}
	if cleared.Run == before.Run || cleared.LastError == "boom" {
		t.Errorf("the same run for whoever keeps its seconds, last error %q", cleared.LastError)
	}
	for s.n < 30 {
		s.second(steady(2, 10))
	}
	snap := s.s.Snapshot()
	if l := snap.Level(); l.State != bench.Settled || !l.Verdicts[0].Broken {
		t.Errorf("the new level is %v, %+v", l.State, l.Verdicts)
	}
	if n := len(snap.Buckets); n != 10 {
		t.Errorf("%d buckets, want 10", n)
	}
}

func TestClearWithoutALevelBeginsNone(t *testing.T) {
	s := newScript()
	s.second(events(open(0, 1, 0, 10), commit(0, 1, 10), reach(0, 1)), steady(1, 10))
	s.pause = true
	snap := s.second(events(bench.Event{At: sec, Kind: bench.EventClear}))
	if snap.Level() != nil || snap.Total.Tally.Sent != 10 {
		t.Errorf("level %v, %d sent", snap.Level(), snap.Total.Tally.Sent)
	}
	snap = s.second(events(bench.Event{At: 2 * sec, Kind: bench.EventOpen, Level: 2, Cause: bench.CauseResume, To: bench.InFlight(10)}))
	if snap.Level() == nil || snap.Level().ID != 2 {
		t.Errorf("no level after a resume")
	}
}
