package view

import (
	"time"

	"redline/bench"
)

// strainHold is how long the chip of a strained client stays after the last second that was: a verdict that comes and goes is read as one.
const strainHold = 3 * time.Second

// strain is the worst verdict on the client of now and of the last seconds, with the reason of the newest second that was as bad.
func (f *frame) strain() (worst bench.Strain, why string) {
	s := f.live
	if now := s.Health.Strain; now == bench.Busy || now == bench.Saturated {
		worst, why = now, s.Health.Why
	}
	for i, l := range s.Lapses {
		if was := bench.Busy + bench.Strain(i); was > worst && l.At.OK && s.Folded-l.At.At < strainHold {
			worst, why = was, l.Why
		}
	}
	return worst, why
}
