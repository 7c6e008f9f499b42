package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestServerThatShedsLoadIsNotDown(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(16)}, func(t *testing.T, r *run) {
		r.server.tokens.Store(5)
		for range 12 {
			r.server.fail.Store(int32(bench.OK))
			r.after(5 * time.Second)
			r.server.fail.Store(int32(bench.Overloaded))
			r.after(5 * time.Second)
		}
		s := r.Snapshot()
		if n := r.count(bench.EventDown); n > 0 || len(s.Levels) != 1 {
			t.Fatalf("down %d times, %d levels", n, len(s.Levels))
		}
		real := float64(s.Total.Tally.OK) / 2
		if got := s.Total.Stats[bench.RPM].Mean.V; got < 0.95*real || got > 1.05*real {
			t.Fatalf("RPM %.0f, really %.0f", got, real)
		}
	})
}

func TestServerThatOnlySays503IsDownAfterAWhile(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.server.fail.Store(int32(bench.Overloaded))
		r.after(25 * time.Second)
		r.wantState(bench.Down)
		r.server.fail.Store(int32(bench.OK))
		r.after(16 * time.Second)
		r.wantState(bench.Running)
	})
}

func TestServerThatAnswersAnErrorIsNotDown(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(4)}, func(t *testing.T, r *run) {
		r.after(5 * time.Second)
		r.server.fail.Store(int32(bench.Refused))
		r.after(10 * time.Second)
		r.wantState(bench.Down)
		r.server.fail.Store(int32(bench.ServerError))
		r.after(60 * time.Second)
		r.wantState(bench.Running)
		if n := r.count(bench.EventUp); n != 1 {
			t.Fatalf("up %d times", n)
		}
		rpm := r.Snapshot().Level().Stats[bench.RPM]
		if !rpm.Mean.OK || rpm.Mean.V != 0 || rpm.Readiness != bench.Ready {
			t.Fatalf("RPM of a server that answers nothing well: %+v, want 0", rpm)
		}
	})
}

func TestPromptsCutWhileTheyAreReadAreSpent(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8), BudgetTokens: 20000}, func(t *testing.T, r *run) {
		for range 100 {
			r.post(bench.Set{N: 8})
			r.after(100 * time.Millisecond)
			r.post(bench.Cancel{})
		}
		s := r.Snapshot()
		sent := int(r.server.sent.Load())
		if s.Spend.In != sent*64 || s.State != bench.Paused || s.Spend.In+s.Spend.Out > 20000 {
			t.Fatalf("%d prompts of 64 tokens sent, %d spent of 20000, %v", sent, s.Spend.In, s.State)
		}
	})
}

func TestStreamThatIgnoresMaxTokensIsCut(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(2)}, func(t *testing.T, r *run) {
		r.server.tokens.Store(1 << 40)
		r.after(3 * time.Minute)
		s := r.Snapshot()
		if n := s.Total.Tally.By[bench.StreamError]; n < 2 || s.LastError != errOverrun.Error() {
			t.Fatalf("%d cut, last error %q", n, s.LastError)
		}
		// 64 tokens were asked for: twice that and the slack is what a stream may bring, eight times while nothing is known of the server's counting.
		if most := int(s.Total.Tally.Sent) * (overrunUnknown*64 + slack + 1); s.Spend.Out > most {
			t.Fatalf("%d tokens out of %d streams", s.Spend.Out, s.Total.Tally.Sent)
		}
	})
}

func TestTargetThatHasJustComeBackIsNotCalledDownByOldFailures(t *testing.T) {
	var o outage
	failed := func(started, ended time.Duration) *bench.Ended {
		e := &bench.Ended{Outcome: bench.TimeoutConnect}
		e.Marks.Started, e.Marks.Ended = bench.MarkAt(started), bench.MarkAt(ended)
		return e
	}
	for i := range 5 {
		e := failed(time.Second, time.Duration(11+i)*time.Second)
		if o.take(e, 0); o.is(e) != (i >= downAfter-1) {
			t.Fatalf("after %d failures: down %v", i+1, o.is(e))
		}
	}
	// A first token at 16 s: what began before it says nothing about now.
	for i := range 5 {
		e := failed(10*time.Second, time.Duration(17+i)*time.Second)
		if o.take(e, 16*time.Second); o.is(e) {
			t.Fatal("down again by requests from before the return")
		}
	}
	e := failed(17*time.Second, 30*time.Second)
	for range downAfter {
		o.take(e, 16*time.Second)
	}
	if !o.is(e) {
		t.Fatal("new failures do not count")
	}
}

func TestGatewayWithNothingBehindItIsNoTarget(t *testing.T) {
	for status, want := range map[int]bool{502: true, 504: true, 500: false, 501: false, 429: false} {
		var o outage
		down := false
		for i := range downAfter {
			e := &bench.Ended{Outcome: bench.ServerError, Status: status}
			at := time.Duration(i+1) * time.Second
			e.Marks.Started, e.Marks.Ended = bench.MarkAt(at), bench.MarkAt(at+time.Millisecond)
			o.take(e, 0)
			down = o.is(e)
		}
		if down != want {
			t.Errorf("%d answers of HTTP %d: down %v, want %v", downAfter, status, down, want)
		}
	}
}
