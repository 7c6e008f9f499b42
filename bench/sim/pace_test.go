package sim

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestPacedStreamKeepsItsRate(t *testing.T) {
	inBubble(t, func(o *Options) { o.Pace = Pace{On: true, Rate: 20} }, func(t *testing.T, w *world) {
		w.t = t
		phases := map[time.Duration]bool{}
		began := time.Now()
		w.loop(50, 2, chat(ask{"max_tokens": 40}), func(v seen) {
			if len(v.tokens) != 40 || v.finish != "length" || !v.done || v.usage.Completion != 40 {
				t.Errorf("%d tokens, finish %q, done %v", len(v.tokens), v.finish, v.done)
				return
			}
			span := v.tokens[39].at.Sub(v.tokens[0].at)
			if want := 39 * 50 * time.Millisecond; span < want-2*time.Millisecond || span > want+2*time.Millisecond {
				t.Errorf("40 tokens within %v, not %v", span, want)
			}
			phases[v.tokens[0].at.Sub(began)%(50*time.Millisecond)/time.Millisecond] = true
		})
		if len(phases) < 30 {
			t.Errorf("100 streams begin in %d different milliseconds of 50", len(phases))
		}
		if g := w.server.gauges(); g.GenerationTokens != 4000 || g.Running != 0 {
			t.Errorf("%+v", g)
		}
	})
}

func TestPacedStreamEndsWithItsClient(t *testing.T) {
	inBubble(t, func(o *Options) { o.Pace, o.PaceTokens = Pace{On: true, Rate: 0.1}, 1000 }, func(t *testing.T, w *world) {
		ctx, leave := context.WithTimeout(t.Context(), 65*time.Second)
		defer leave()
		if v := w.read(ctx, chat(nil)); v.err == nil || len(v.tokens) < 5 {
			t.Errorf("%d tokens, %v", len(v.tokens), v.err)
		}
		synctest.Wait()
		if g := w.server.gauges(); g.Cancelled != 1 || g.Running != 0 || w.server.tally.inFlight.Load() != 0 {
			t.Errorf("%+v", g)
		}
	})
}

func TestFloodSendsAllItsTokensAtOnce(t *testing.T) {
	inBubble(t, func(o *Options) { o.Pace, o.PaceTokens = Pace{On: true}, 5000 }, func(t *testing.T, w *world) {
		v := w.read(t.Context(), chat(nil))
		if len(v.tokens) != 5000 || !v.done || time.Since(v.began) > time.Millisecond {
			t.Errorf("%d tokens in %v, done %v", len(v.tokens), time.Since(v.began), v.done)
		}
	})
}

func TestPaceReadsWhatItPrints(t *testing.T) {
	for text, want := range map[string]Pace{"off": {}, "": {}, "0": {On: true}, "20": {On: true, Rate: 20}, "0.5": {On: true, Rate: 0.5}} {
		var p Pace
		if err := p.Set(text); err != nil || p != want {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
		var back Pace
		if err := back.Set(p.String()); err != nil || back != p {
			t.Errorf("%q does not round-trip: %+v, %v", text, back, err)
		}
	}
	for _, text := range []string{"-1", "NaN", "Inf", "0.01", "20000", "fast"} {
		if new(Pace).Set(text) == nil {
			t.Errorf("%q is a pace", text)
		}
	}
}
