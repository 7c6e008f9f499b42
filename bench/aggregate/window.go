package aggregate

import (
	"time"

	"redline/bench"
)

// settleLag is the least time after reaching before facts of an instant count: so long do streams of the old load still colour them.
const settleLag = 2 * time.Second

// window is what a level measures by instants: the whole buckets inside the level from an instant on.
type window struct {
	from bench.Mark
	// frozen: from will not move any more.
	frozen   bool
	facts    bench.Facts
	active   time.Duration
	itl, lag dist
	server   serverDists
}

func (w *window) add(b *bench.Bucket) {
	counters := b.Facts
	counters.DropSketches()
	w.facts.Add(&counters)
	w.active += b.Active
	w.itl.addSketch(b.ITL)
	w.lag.addSketch(b.Lag)
	w.server.add(b.Server)
}

// windows are a level's three: from reaching on; from when tokens are its own; from when ends are its own, which is cut into batches too.
type windows struct {
	since, tokens, ends window
	batches             spans
}

// restart begins one of them anew.
func (w *windows) restart(one *window, from bench.Mark) {
	*one = window{from: from, frozen: one.frozen}
	if one == &w.ends {
		w.batches = spans{}
	}
}

// add counts a bucket in one of them in.
func (w *windows) add(one *window, b *bench.Bucket) {
	one.add(b)
	if one == &w.ends {
		w.batches.add(b)
	}
}

// each calls back with every window and the instant from which it should run, as far as is known.
func (l *level) each(s *State, yield func(w *window, from bench.Mark, samples int)) {
	ttft, e2e := s.median(&l.requests.ttft, &s.total.ttft), s.median(&l.requests.e2e, &s.total.e2e)
	yield(&l.since, l.after(bench.MarkAt(0)), bench.ReadySamples)
	if !e2e.OK {
		e2e = s.median(&l.requests.failing, &l.requests.failing)
	}
	if ttft.At = max(ttft.At, settleLag); l.stood {
		ttft, e2e = bench.MarkAt(0), bench.MarkAt(0)
	}
	yield(&l.tokens, l.after(ttft), l.requests.ttft.n())
	yield(&l.ends, l.after(e2e), l.requests.e2e.n())
}

// after is the first whole second a lag after reaching.
func (l *level) after(lag bench.Mark) bench.Mark {
	if !l.reached.OK || !lag.OK {
		return bench.Mark{}
	}
	at := l.reached.At + lag.At
	return bench.MarkAt((at + time.Second - 1) / time.Second * time.Second)
}

// median is the middle of a level's own distribution, from five samples on; else of the run's; else not known.
func (s *State) median(own, run *dist) bench.Mark {
	d := own
	if own.n() < bench.FewSamples {
		d = run
	}
	if d.n() < bench.FewSamples {
		return bench.Mark{}
	}
	return bench.MarkAt(time.Duration(d.sketch().Quantile(0.5).V * float64(time.Millisecond)))
}

// measure counts the newest bucket in. As long as the level's own median is young, the windows may still move; they are then counted
// again from the series, so that what they hold never depends on when the median became known.
func (l *level) measure(s *State, b *bench.Bucket) {
	l.each(s, func(w *window, from bench.Mark, samples int) {
		// What ends when nothing is sent any more says nothing of where the rates of the time before begin.
		w.frozen = w.frozen || w.from.OK && b.Active == 0
		moved := !w.frozen && from != w.from
		switch {
		case moved || l.recount:
			if w.frozen {
				from = w.from
			}
			l.restart(w, from)
			if from.OK {
				s.series.since(from.At, func(b *bench.Bucket) {
					if l.holds(b) {
						l.add(w, b)
					}
				})
			}
		case w.from.OK && b.Start >= w.from.At && l.holds(b):
			l.add(w, b)
		}
		w.frozen = w.frozen || w.from.OK && s.folded >= w.from.At && samples >= bench.ReadySamples
	})
	l.recount, l.dirty = false, true
}

// holds tells whether a bucket lies wholly inside the level, and the run was sending all of it.
func (l *level) holds(b *bench.Bucket) bool {
	return whole(b) && b.Start >= l.begin && (!l.ended.OK || b.End() <= l.ended.At)
}

// whole tells whether a bucket is at least a second, all of it active.
func whole(b *bench.Bucket) bool { return b.Span >= time.Second && b.Active == b.Span }
