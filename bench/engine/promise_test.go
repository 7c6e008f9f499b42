package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func threshold(t *testing.T, text string) bench.Threshold {
	t.Helper()
	th, err := bench.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func kinds(s *bench.Snapshot, kind bench.EventKind) (out []bench.Event) {
	for _, e := range s.Events {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

func TestAPromiseChangesWhileTheRunGoesOn(t *testing.T) {
	ttft := threshold(t, "ttft.p95<=100ms")
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{Thresholds: []bench.Threshold{ttft}}}, func(t *testing.T, r *run) {
		r.after(20 * time.Second)
		if s := r.Snapshot(); !s.Level().Verdicts[0].Broken {
			t.Fatalf("%+v", s.Level().Verdicts)
		}
		levels := len(r.Snapshot().Levels)
		easy := threshold(t, "ttft.p95<=250ms")
		// The same again, what there is not, and what is no promise at all count for nothing.
		r.post(bench.Promise{Threshold: easy}, bench.Promise{Threshold: easy}, bench.Promise{Threshold: threshold(t, "rpm<=5"), Drop: true}, bench.Promise{}, bench.Promise{Threshold: bench.Threshold{Metric: bench.TTFT, At: bench.P5, Limit: 3}})
		r.after(2 * time.Second)
		s := r.Snapshot()
		if v := s.Level().Verdicts; len(v) != 1 || v[0].Broken || v[0].Threshold != easy || s.Run.Thresholds[0] != easy {
			t.Errorf("%+v, want the new one kept", v)
		}
		told := kinds(s, bench.EventPromise)
		if len(told) != 1 || told[0].Text != "ttft.p95<=250ms, was ttft.p95<=100ms" || told[0].Promise != easy || len(s.Levels) != levels {
			t.Errorf("told %+v, %d levels", told, len(s.Levels))
		}
		if g := s.Level().Goodput; g != bench.Some(100) {
			t.Errorf("goodput %v", g)
		}
		r.post(bench.Promise{Threshold: bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 1}, Drop: true})
		r.after(2 * time.Second)
		s = r.Snapshot()
		if told := kinds(s, bench.EventPromise); len(s.Run.Thresholds) != 0 || len(told) != 2 || told[1].Text != "ttft.p95<=250ms dropped" {
			t.Errorf("%v, told %+v", s.Run.Thresholds, told)
		}
	})
}

func TestAQuotaThatChangesIsKept(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{QuotaReserve: 0.5}}, func(t *testing.T, r *run) {
		r.post(bench.Promise{Threshold: threshold(t, "rpm<=40")})
		r.after(59 * time.Second)
		if n := r.Snapshot().Total.Tally.Sent; n < 20 || n > 28 {
			t.Errorf("%d sent, want half of 40 and what was in flight", n)
		}
		r.post(bench.Promise{Threshold: threshold(t, "rpm<=40"), Drop: true})
		before := r.Snapshot().Total.Tally.Sent
		r.after(2 * time.Minute)
		if n := r.Snapshot().Total.Tally.Sent - before; n < 100 {
			t.Errorf("%d sent in two minutes without a quota", n)
		}
	})
}

func TestClearAsksAndForgets(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(30 * time.Second)
		r.post(bench.Add{N: 4})
		r.after(30 * time.Second)
		before := r.Snapshot()
		r.post(bench.Clear{})
		ask := r.Snapshot().Ask
		if ask == nil || ask.Load {
			t.Fatalf("asked %+v", ask)
		}
		r.post(bench.Answer{ID: ask.ID})
		r.after(3 * time.Second)
		if s := r.Snapshot(); len(s.Levels) != 2 || s.Ask != nil {
			t.Fatalf("forgot without a yes")
		}
		r.post(bench.Clear{})
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.after(5 * time.Second)
		s := r.Snapshot()
		if len(s.Levels) != 1 || s.Level().Cause != bench.CauseClear || s.Level().Load != bench.InFlight(12) || !s.Level().Reached.OK {
			t.Fatalf("levels %+v", s.Levels)
		}
		if s.Events[0].Kind != bench.EventClear || s.Buckets[0].Start != s.Events[0].At || len(s.Buckets) > 5 {
			t.Errorf("first event %v at %v, %d buckets from %v", s.Events[0].Kind, s.Events[0].At, len(s.Buckets), s.Buckets[0].Start)
		}
		if s.Spend.Out <= before.Spend.Out || s.CanUndo != before.CanUndo || s.Minute.Attempts < before.Minute.Attempts {
			t.Errorf("spend %+v, undo %d, minute %+v: those stay", s.Spend, s.CanUndo, s.Minute)
		}
		r.after(time.Second - (s.At % time.Second) + 150*time.Millisecond)
		checkTally(t, r.Snapshot(), 12)
		j, tally := r.Journal(false), r.Snapshot().Total.Tally
		if ended := len(j.Ended) + j.Gone; ended < tally.OK || ended > tally.Sent || tally.OK < 10 || j.Ended[0].Marks.Ended.At < s.Events[0].At {
			t.Errorf("%d requests are listed from %v on, of %+v since %v", ended, j.Ended[0].Marks.Ended.At, tally, s.Events[0].At)
		}
		r.after(30 * time.Second)
		if l := r.Snapshot().Level(); l.State != bench.Settled {
			t.Errorf("the new level is %v", l.State)
		}
		r.post(bench.Undo{})
		r.want(8, 12)
	})
}

func TestClearInAPauseLeavesNothingBehind(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(30 * time.Second)
		r.post(bench.Pause{})
		r.after(10 * time.Second)
		r.post(bench.Clear{})
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		r.after(3 * time.Second)
		if s := r.Snapshot(); s.Level() != nil || s.Total.Tally.Sent != 0 {
			t.Errorf("level %v, %+v", s.Level(), s.Total.Tally)
		}
		if j := r.Journal(false); len(j.Ended)+j.Gone > 0 {
			t.Errorf("%d requests are listed, and %d more counted", len(j.Ended), j.Gone)
		}
		r.post(bench.Resume{})
		r.after(20 * time.Second)
		if s := r.Snapshot(); len(s.Levels) != 1 || s.Level().Cause != bench.CauseResume || s.Total.Tally.Sent == 0 {
			t.Errorf("levels %+v", s.Levels)
		}
	})
}

// TestAChangeOfTheLoadWithdrawsTheQuestion: who goes on driving has not said yes.
func TestAChangeOfTheLoadWithdrawsTheQuestion(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.post(bench.Clear{}, bench.Add{N: 1})
		if s := r.Snapshot(); s.Ask != nil {
			t.Errorf("asked %+v", s.Ask)
		}
	})
}

func TestRequestsBoundTheRunAcrossAClear(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4), Run: bench.Run{Requests: 40}}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.post(bench.Clear{})
		r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		<-r.Done()
		if s := r.Snapshot(); s.Total.Tally.Sent >= 40 || r.works[0].ended.Load() != 40 {
			t.Errorf("%d sent since, %d in all", s.Total.Tally.Sent, r.works[0].ended.Load())
		}
	})
}

func TestWhatAClearForgetsIsCounted(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), Run: bench.Run{Prices: bench.Prices{Input: 1, Output: 1}}}, func(t *testing.T, r *run) {
		perRequest := func(s *bench.Snapshot) float64 { return s.Spend.Cost.V / float64(s.Total.Tally.OK+s.Forgotten.OK) }
		r.after(5 * time.Minute)
		first := r.Snapshot()
		if first.Cleared.OK || first.Forgotten.Sent != 0 {
			t.Errorf("cleared at %v, %+v forgotten", first.Cleared, first.Forgotten)
		}
		r.fail.Store(int32(bench.ServerError))
		r.after(10 * time.Second)
		for range 2 {
			before := r.Snapshot()
			r.post(bench.Clear{})
			r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
			r.after(15 * time.Second)
			s := r.Snapshot()
			known := before.Forgotten
			known.Add(before.Total.Tally)
			if f := s.Forgotten; s.Cleared.At != s.Buckets[0].Start || f.Sent != f.OK+f.Failed || f.OK != known.OK || f.Failed < known.Failed || f.Failed > known.Failed+8 {
				t.Errorf("cleared at %v, forgotten are %+v; known before it were %+v", s.Cleared, f, known)
			}
			all := s.Total.Tally
			all.Add(s.Forgotten)
			if sent := int(r.server.sent.Load()); all.Sent > sent || all.Sent < sent-8 {
				t.Errorf("%+v of %d that were sent", all, sent)
			}
		}
		r.fail.Store(int32(bench.OK))
		r.after(time.Minute)
		if was, is := perRequest(first), perRequest(r.Snapshot()); is > 1.2*was || is < 0.8*was {
			t.Errorf("a request costs %v, and after the clear %v", was, is)
		}
	})
}

// terse is a server that counts ten tokens in each prompt.
type terse struct{ server }

func (p *terse) Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended {
	e := p.server.Send(ctx, r, obs)
	e.Counts.Input = 10
	return e
}

// long are prompts that are taken for 4,000 tokens.
type long struct{ prompts }

func (p *long) Next(time.Duration) (bench.Prompt, bool) {
	return bench.Prompt{Text: "say it", InputTokens: 4000, Counted: 4000, MaxTokens: 200}, true
}

// What was counted before a clear, and proves wrong after it, is put right where it is: nowhere any more.
func TestCorrectionsOfForgottenTokensAreForgottenToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := bench.NewClock(time.Now())
		s := &terse{}
		s.clock, s.gap = clock, 100*time.Millisecond
		s.ttft.Store(int64(200 * time.Millisecond))
		s.tokens.Store(120)
		e := New(Options{Load: bench.InFlight(8), Run: bench.Run{Max: 64}}, clock, s, []Prompts{&long{}}, nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = e.Run(t.Context())
		}()
		time.Sleep(8500 * time.Millisecond)
		e.Post(bench.Clear{})
		synctest.Wait()
		e.Post(bench.Answer{ID: e.Snapshot().Ask.ID, Yes: true})
		for range 6 {
			time.Sleep(20 * time.Second)
			synctest.Wait()
			x := e.Snapshot()
			total, level := x.Total.Stats[bench.TPM], x.Level().Stats[bench.TPM]
			if total.N < 0 || !total.Mean.OK || total.Mean.V < 0.8*level.Mean.V || total.Mean.V > 1.2*level.Mean.V {
				t.Errorf("at %v: the run since the clear has %d tokens, %v a minute; its only level %v", x.At, total.N, total.Mean, level.Mean)
			}
		}
		e.Post(bench.Kill{})
		<-done
	})
}
