package engine

import (
	"testing"
	"time"

	"redline/bench"
)

func TestRateOfAnswersThatComeInWaves(t *testing.T) {
	// Six requests begin together and take 5 s each, so that they end together: 72 a minute, whenever one looks.
	inBubble(t, Options{Load: bench.InFlight(6)}, func(t *testing.T, r *run) {
		r.server.tokens.Store(49)
		r.after(8 * time.Second)
		for range 30 {
			r.after(time.Second)
			rpm := r.Snapshot().Level().Stats[bench.RPM]
			if rpm.Readiness == bench.Ready && (rpm.Mean.V < 65 || rpm.Mean.V > 79) {
				t.Fatalf("at %v: RPM %.1f ±%.1f and called ready, want 72", r.Snapshot().At, rpm.Mean.V, rpm.Half.V)
			}
		}
		if rpm := r.Snapshot().Level().Stats[bench.RPM]; rpm.Readiness != bench.Ready || rpm.Mean.V < 70 || rpm.Mean.V > 74 {
			t.Errorf("RPM %+v after 38 s, want 72, ready", rpm)
		}
	})
}

func TestRateOfAServerThatStandsStillGainsNothingByWhatWaits(t *testing.T) {
	inBubble(t, Options{Load: bench.InFlight(10)}, func(t *testing.T, r *run) {
		r.server.tokens.Store(19)
		r.after(20 * time.Second)
		r.server.ttft.Store(int64(5 * time.Minute))
		r.after(30 * time.Second)
		s := r.Snapshot()
		l := s.Level()
		var ended int
		for _, b := range s.Buckets {
			if b.Start >= 3*time.Second {
				ended += b.Ended[bench.OK]
			}
		}
		counted := float64(ended) / (s.Folded - 3*time.Second).Minutes()
		if got := l.Stats[bench.RPM].Mean.V; got > 1.15*counted {
			t.Errorf("RPM %.1f, counted %.1f: a server that stands still is given the work of those that wait", got, counted)
		}
	})
}
