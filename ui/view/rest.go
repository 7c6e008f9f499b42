package view

import (
	"time"

	"redline/bench"
)

// resting tells whether nothing happens and nothing will before somebody asks for it: nothing is sent, and nothing is in flight. A target that is down is tried
// again and again, and at load 0 a level is measured: there time goes on.
func resting(s *bench.Snapshot) bool {
	return s.InFlight < 1 && (s.State == bench.Waiting || s.State == bench.Paused || s.State == bench.Done)
}

// Edge is the right end of the lanes and of Heat: the end of the newest second, and while the run rests that of the last one in which anything was, so that
// the picture stands still; 0 where nothing was. What is shown once the run goes on has the gap in it.
func Edge(s *bench.Snapshot) time.Duration {
	if !resting(s) {
		return s.Folded
	}
	for i := len(s.Buckets) - 1; i >= 0; i-- {
		if b := s.Buckets[i]; eventful(b) {
			return min(b.End(), s.Folded)
		}
	}
	return 0
}

// eventful tells whether a bucket has anything to show.
func eventful(b *bench.Bucket) bool {
	return b.Active > 0 || b.InFlight > 0 || b.Sent > 0 || b.Completions() > 0
}

// rested is the edge of a fold in which the run rests: however long it does, its seconds are looked through once.
type rested struct {
	fold fold
	edge time.Duration
}

// edgeOf is Edge, found once a second.
func (v *Screen) edgeOf(s *bench.Snapshot) time.Duration {
	if !resting(s) {
		return s.Folded
	}
	if is := foldOf(s); v.rested.fold != is {
		v.rested = rested{is, Edge(s)}
	}
	return v.rested.edge
}

// over is the span that ends at the edge. What happened last before a rest is shown, though its column will never be full.
func (f *frame) over(window time.Duration, cells int) span {
	sp := over(window, f.edge, cells)
	if resting(f.s) {
		sp.first = int((f.edge+sp.width-1)/sp.width) - sp.count
	}
	return sp
}

// moment is the instant that the age of a level is told by: a rest does not make it older.
func (f *frame) moment() time.Duration {
	if resting(f.s) {
		return f.edge
	}
	return f.s.At
}

// edgeWord is what the time axis calls its right end.
func (f *frame) edgeWord() string {
	switch {
	case !resting(f.s):
	case f.s.State == bench.Paused:
		return "paused"
	case f.s.State == bench.Done:
		return "end"
	}
	return "now"
}
