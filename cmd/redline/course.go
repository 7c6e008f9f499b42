package main

import (
	"fmt"
	"strconv"

	"redline/bench"
	"redline/ui/view"
)

// most is the greatest load that may be set in a mode, as bench.Setpoint.N.
func (s *settings) most(mode bench.Mode) float64 {
	if mode == bench.Open {
		return float64(s.maxRate)
	}
	return float64(s.max)
}

// steer makes the cruise that the run begins with, once it is known whether its load is a rate.
func (s *settings) steer(found *problems) {
	if s.cruise == "" {
		return
	}
	tell := func(why string) { found.add("cruise", s.cruise, why) }
	if s.seek.asked {
		tell("want no --cruise with find, which sets the load by itself")
	}
	if s.targets > 1 {
		tell("want one target with it: at each the promise has its edge at another load")
	}
	if s.profile != "" {
		tell("want no --profile with it, which sets the load by itself")
	}
	mode := s.loading.load().Mode
	c, err := bench.ParseCruise(s.cruise, bench.UsualCruise(bench.Threshold{}, mode, s.most(mode)), mode, s.promises())
	switch {
	case err != nil:
		tell(reason(err))
		return
	case c.Most > s.most(mode):
		tell(fmt.Sprintf("want at most %s, it comes to %s (raise %s)", strconv.FormatFloat(s.most(mode), 'f', -1, 64), bench.Setpoint{Mode: mode, N: c.Most}, view.BoundFlag(mode)))
		return
	}
	s.course = c
}
