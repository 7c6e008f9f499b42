package workload

import "math"

// steady finds a server whose count does not depend on the prompt.
type steady struct {
	// low and high are the shortest and longest prompts of ours while every count was the same.
	low, high, same float64
	counts          int
	fixed           bool
}

// hear takes the server's count y of a prompt of x tokens of ours; it tells whether all counts are the same, and whether this is known just since now.
func (s *steady) hear(x, y float64) (fixed, since bool) {
	s.counts++
	if s.counts == 1 {
		s.low, s.high, s.same = x, x, y
	}
	if s.same != y {
		s.same, s.fixed = math.NaN(), false
		return false, false
	}
	s.low, s.high = min(s.low, x), max(s.high, x)
	// The same count for prompts that differ by a fifth is none of their lengths.
	if s.counts >= 3 && !s.fixed && s.high > 1.2*s.low+8 {
		s.fixed = true
		return true, true
	}
	return s.fixed, false
}
