package aggregate

import (
	"math"
	"slices"

	"redline/bench"
)

// promise puts a change of the promises in force. Snapshots that are handed out keep their Run; those that follow have another. All levels are judged
// anew, for a verdict rests on their numbers, which a promise does not touch.
//
// Goodput is another matter: a request was held to the promises of its time, and then only counted. What a level still has one by one is held to the new
// ones: all of its requests up to the size of its sample, and an even draw beyond that. The seconds of the series, and the run, have counts alone:
// their verdicts on single requests are taken back (see bench.Facts.Ungrade), so that the goodput of a window and of the run is that of the requests since
// the change. The second in which it fell has its requests one by one, and is held to the new promises as a whole.
func (s *State) promise(e *bench.Event) {
	was := s.run.Thresholds
	if !s.changed {
		s.changed, s.promised = true, was
	}
	s.rerun(bench.WithPromise(was, e.Promise, e.Dropped))
	told := make([]promise, len(s.run.Thresholds))
	for i, t := range s.run.Thresholds {
		if j := slices.IndexFunc(was, t.Same); j >= 0 {
			// What was told of the old limit is what a verdict on the new one differs from, at once.
			told[i] = promise{broken: s.told[j].broken}
			if was[j] == t {
				told[i] = s.told[j]
			}
		}
	}
	s.told = told
	for _, l := range s.levels {
		l.regrade(s.run.Thresholds)
	}
	s.series.regrade()
	s.total.regrade()
}

// rerun goes on with another Run, which has these promises.
func (s *State) rerun(thresholds []bench.Threshold) {
	run := *s.run
	if run.Thresholds = thresholds; len(thresholds) == 0 {
		run.Thresholds = nil
	}
	s.run = &run
}

// regrade holds the level's requests to other promises.
func (l *level) regrade(thresholds []bench.Threshold) {
	l.requests.regrade(thresholds)
	for _, w := range []*window{&l.since, &l.tokens, &l.ends} {
		w.facts.Ungrade(w.active)
	}
	l.batches.regrade()
	l.dirty = true
}

func (r *requests) regrade(thresholds []bench.Threshold) {
	ok := r.facts.Ended[bench.OK]
	if r.facts.Tally().Owed() == 0 {
		return
	}
	r.regraded = true
	if r.sample.offered != ok {
		// Some of them were never in the sample: it speaks for itself alone.
		r.facts.Ungrade(0)
		return
	}
	kept := 0
	for i := range r.sample.kept {
		if !slices.ContainsFunc(thresholds, r.sample.kept[i].Breaks) {
			kept++
		}
	}
	r.reckoned = ok > len(r.sample.kept)
	r.facts.Good, r.facts.Ungraded = kept, 0
	if r.reckoned {
		r.facts.Good = int(math.Round(float64(kept) / float64(len(r.sample.kept)) * float64(ok)))
	}
}

// regraded sets what the level's goodput rests on once the promises have changed. The seconds before count for nothing in the rate of good requests: it is
// reckoned from the share of all of the level's, where that is known.
func (l *level) regraded(sum *bench.Summary) {
	r := &l.requests
	if !r.regraded {
		return
	}
	sum.GoodputRough, sum.GoodRateRough = r.reckoned, true
	if ok, rpm := r.facts.Ended[bench.OK], sum.Stats[bench.RPM].Mean; ok > 0 && r.facts.Ungraded == 0 && rpm.OK {
		sum.GoodPerMinute = bench.Some(rpm.V * float64(r.facts.Good) / float64(ok))
	}
}

// regrade takes the verdicts on single requests back, in copies of the buckets that are kept: others may hold the ones before.
func (s *series) regrade() {
	for i := range s.tiers {
		regradeAll(s.tiers[i].buckets)
	}
}

func (s *spans) regrade() {
	regradeAll(s.full)
	if s.growing != nil {
		s.growing = ungraded(s.growing)
	}
}

func regradeAll(buckets []*bench.Bucket) {
	for i, b := range buckets {
		buckets[i] = ungraded(b)
	}
}

func ungraded(b *bench.Bucket) *bench.Bucket {
	out := *b
	out.Ungrade(b.Active)
	return &out
}

func (t *total) regrade() {
	t.facts.Ungrade(t.active)
	t.live.Ungrade(t.lasted)
	t.open.Ungrade(t.opened)
}
