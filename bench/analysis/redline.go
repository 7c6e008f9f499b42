package analysis

import "redline/bench"

// Redline is what the last ramp found among levels of a kind; nil where it found nothing, or where the promises have become others since.
func Redline(s *bench.Snapshot, k Kind) *bench.Redline {
	r := s.Ramping
	if r == nil || r.Found == nil || r.Phase != bench.RampFound && r.Phase != bench.RampOpen {
		return nil
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Kind == bench.EventPromise && r.Ended.OK && e.At > r.Ended.At {
			return nil
		}
	}
	eras := Eras(s.Levels)
	for i, l := range s.Levels {
		if l.ID == r.Found.Level && k == (Kind{l.Load.Mode, l.Work, eras[i]}) {
			return r.Found
		}
	}
	return nil
}

// Against tells whether a ramp's redline contradicts levels of which the greatest load that keeps every promise is kept, and the least that breaks one broken; each
// is zero where there is none. A trial and its level need not be of the same requests, and a load may have been visited before or since.
func Against(r *bench.Redline, kept, broken bench.Setpoint) bool {
	return r != nil && (broken.N > 0 && broken.N <= r.Load.N || r.Above.N > 0 && kept.N >= r.Above.N)
}
