package report

import "redline/bench"

// Begun is a snapshot as it can be told. A run that has not begun has no facts; it gets empty ones, so that it is told as one that has sent nothing. The
// original stays as it is.
func Begun(s *bench.Snapshot) *bench.Snapshot {
	out := *s
	if out.Run == nil {
		out.Run = &bench.Run{}
	}
	if s.Rivals != nil {
		rivals := *s.Rivals
		rivals.Of = make([]*bench.Snapshot, len(s.Rivals.Of))
		for i, of := range s.Rivals.Of {
			rivals.Of[i] = Begun(of)
		}
		out.Rivals = &rivals
	}
	return &out
}
