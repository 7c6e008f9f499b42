package aggregate

import (
	"testing"
	"time"

	"redline/bench"
)

func TestPromiseNearItsLimitIsNotToldEverySecond(t *testing.T) {
	limit := bench.Threshold{Metric: bench.TTFT, At: bench.P95, Limit: 500}
	s := NewState(&bench.Run{Thresholds: []bench.Threshold{limit}})
	l := &level{id: 1}
	for second := range 60 {
		s.folded = time.Duration(second) * time.Second
		l.verdicts = []bench.Verdict{{Threshold: limit, Value: bench.Some(500), Known: true, Broken: second%2 == 0}}
		s.promises(l)
	}
	events := s.log.copy()
	if n := len(events); n < 2 || n > 7 {
		t.Fatalf("a minute at the limit told %d events, want a few", n)
	}
	for i := 1; i < len(events); i++ {
		if events[i].Kind == events[i-1].Kind {
			t.Fatalf("%v told twice in a row", events[i].Kind)
		}
	}
}
