package report

import (
	"time"

	"redline/bench"
)

// Progress is how much of a run is over, 0..1, by the nearest of its ends: its profile, its duration, its requests. ok is false where it has none of them.
func Progress(s *bench.Snapshot) (done float64, ok bool) {
	if s.Run == nil {
		return 0, false
	}
	take := func(part, whole float64) {
		if whole > 0 {
			done, ok = max(done, min(max(part/whole, 0), 1)), true
		}
	}
	if f := s.Following; f != nil && f.Profile != nil {
		take(f.At.Seconds(), f.Profile.Length().Seconds())
	}
	take(Elapsed(s).Seconds(), s.Run.Duration.Seconds())
	take(float64(ended(s)), float64(s.Run.Requests))
	return done, ok
}

// Elapsed is how long the run has been measured: since its first level began, and until it stopped sending.
func Elapsed(s *bench.Snapshot) time.Duration {
	if len(s.Levels) == 0 {
		return 0
	}
	until := s.At
	if s.Tail.Began.OK {
		until = min(until, s.Tail.Began.At)
	}
	return max(until-s.Levels[0].Begin, 0)
}

// ended is how many requests have ended that were measured: those of the warm-up are not.
func ended(s *bench.Snapshot) int {
	t := s.Total.Tally
	n := t.Sent - unfinished(t) + s.Forgotten.Sent
	return max(n-s.Run.Warmup, 0)
}
