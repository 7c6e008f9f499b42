package engine

import (
	"context"
	"testing"
	"time"

	"redline/bench"
)

func TestSleepWhileTheTargetIsDownKeepsTheShares(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(8)}, func(t *testing.T, r *run) {
		r.after(10 * time.Second)
		r.server.fail.Store(int32(bench.Refused)) // the lid closes: no network
		r.after(60 * time.Second)
		r.wantState(bench.Down)
		for range 4 {
			r.server.slept.Add(int64(time.Hour))
			r.after(8 * time.Second)
		}
		r.server.fail.Store(int32(bench.OK))
		r.after(20 * time.Second)
		r.wantState(bench.Running)
		s := r.Snapshot()
		w := bench.Window(s.Buckets[len(s.Buckets)-60:])
		if e := w.Tally.ErrorShare(); e.V < 0 || w.Goodput.V > 100 {
			t.Errorf("last 60 s: errors %.1f %%, goodput %.1f %%; failed %d, apart %d", e.V, w.Goodput.V, w.Tally.Failed, w.Tally.Apart.Failed)
		}
		for _, b := range s.Buckets {
			if y := b.Tally(); y.Apart.Failed > y.Failed {
				t.Errorf("second at %v: %d failed apart, of %d failed", b.Start, y.Apart.Failed, y.Failed)
			}
		}
	})
}

// breaking lets every second stream of a server break after 1.2 s.
type breaking struct{ *server }

func (b breaking) Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended {
	if r.ID%2 == 0 {
		return b.server.Send(ctx, r, obs)
	}
	brief, cancel := context.WithTimeout(ctx, 1200*time.Millisecond)
	defer cancel()
	e := b.server.Send(brief, r, obs)
	if e.Outcome == bench.Cancelled && ctx.Err() == nil {
		e.Outcome, e.Message, e.Counts.Source, e.Counts.Output = bench.StreamError, "broke", bench.FromPart, e.Counts.Events
	}
	return e
}

func TestSleepAmongBrokenStreamsKeepsTheIdentities(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, r *run) {
		r.Engine.sender = breaking{r.server}
		r.server.gap = 50 * time.Millisecond
		r.post(bench.Set{N: 8})
		r.after(20 * time.Second)
		for range 20 {
			r.server.slept.Add(int64(time.Hour))
			r.after(7300 * time.Millisecond)
		}
		s := r.Snapshot()
		bad := 0
		for _, b := range s.Buckets {
			if b.DecodeSeconds+b.DecodeSpare < -1e-6 {
				if bad++; bad == 1 {
					t.Errorf("second at %v: %.2f stream-seconds of decoding", b.Start, b.DecodeSeconds+b.DecodeSpare)
				}
			}
		}
		if tps, itl := s.Total.Stats[bench.TPS].Mean.V, s.Total.Stats[bench.ITL].Mean.V; tps > 1.02*1000/itl {
			t.Errorf("TPS %.2f, 1000/ITL %.2f (%d seconds are negative)", tps, 1000/itl, bad)
		}
		if v := s.Total.AnswerTokens.V; v > 39.01 {
			t.Errorf("%.1f answer tokens a request, each that ended well has 39", v)
		}
	})
}

func TestQuotasOfPreflightAreNoSend(t *testing.T) {
	inBubble(t, Options{Run: bench.Run{QuotaReserve: 0.5, Max: 100}}, func(t *testing.T, r *run) {
		r.Engine.Quotas([]bench.Quota{{Name: "requests", Per: time.Minute, Limit: bench.Some(10), Remaining: bench.Some(10)}})
		r.server.tokens.Store(1000)
		r.post(bench.Set{N: 8})
		r.after(2 * time.Second)
		if n := r.server.sent.Load(); n > 5 {
			t.Errorf("%d sent of 10 with half to be kept, want 5", n)
		}
	})
}

func TestWhatTheBudgetRefusesIsInNoQuota(t *testing.T) {
	rpm, _ := bench.ParseThreshold("rpm<=60")
	inBubble(t, Options{Load: bench.InFlight(16), BudgetTokens: 500, Run: bench.Run{QuotaReserve: 0.5, Thresholds: []bench.Threshold{rpm}}}, func(t *testing.T, r *run) {
		for range 2 {
			r.after(time.Second)
			r.post(bench.Answer{ID: r.Snapshot().Ask.ID, Yes: true})
		}
		r.after(10 * time.Second)
		if s := r.Snapshot(); s.State == bench.Running && r.server.sent.Load() < 25 && s.Held == 16 {
			t.Errorf("%d sent, all 16 slots wait for the quota: 30 may go in a minute", r.server.sent.Load())
		}
	})
}
