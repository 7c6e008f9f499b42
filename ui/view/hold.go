package view

import (
	"time"

	"redline/bench"
)

// strainHold is how long the chip of a strained client stays after the last second that was: a verdict that comes and goes is read as one.
const strainHold = 3 * time.Second

// strain is the worst verdict on the client of now and of the last seconds, and its reason where that is known.
func (f *frame) strain() (worst bench.Strain, why string) {
	s := f.live
	if now := s.Health.Strain; now == bench.Busy || now == bench.Saturated {
		worst, why = now, s.Health.Why
	}
	for _, b := range within(s.Buckets, s.Folded-strainHold, s.Folded) {
		for i, n := range b.Strained {
			if was := bench.Busy + bench.Strain(i); n > 0 && was > worst {
				worst, why = was, ""
			}
		}
	}
	if worst != bench.Unstrained && why == "" {
		why = lastWhy(s, worst)
	}
	return worst, why
}

// lastWhy is the reason that was told of a verdict when it was last passed.
func lastWhy(s *bench.Snapshot, strain bench.Strain) string {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if e := &s.Events[i]; e.Kind == bench.EventBusy {
			if e.N == int(strain) {
				return e.Text
			}
			return ""
		}
	}
	return ""
}
