package aggregate

import (
	"slices"
	"time"

	"redline/bench"
)

// State is a run up to its last folded second. It reads no clock and draws no chance: the same batches give the same state. It is not
// safe for concurrent use; its snapshots are.
type State struct {
	run *bench.Run
	// folded is the end of the last folded second, counted the end of the one before while a second is being folded.
	folded, counted time.Duration
	// cleared is the start of the first second that is not forgotten (see clear), 0 where nothing is; forgotten are the requests that had ended before.
	cleared   time.Duration
	forgotten bench.Tally
	series    series
	minute    minute
	levels    []*level
	total     total
	log       eventLog
	outages   bench.Outages
	failures  [bench.NumOutcomes]group
	unsent    group
	told      []promise
	// promised are the promises that the run began with, once they were changed.
	promised []bench.Threshold
	changed  bool

	lastError string
	// broken is the newest request of each class that failed or was limited; quotas are the newest of each name.
	broken   [bench.NumOutcomes]*bench.Ended
	quotas   []bench.Quota
	perEvent float64
	source   bench.Source
	health   bench.Health
	server   []bench.Scrape
	// strained is the verdict on the client that was told last, eased when it was last as bad as that.
	strained bench.Strain
	eased    time.Duration
	lapses   [2]bench.Lapse

	scratch *bench.Histogram
	shown   *bench.Snapshot
}

// NewState is a run before its first second.
func NewState(run *bench.Run) *State {
	return &State{run: run, series: newSeries(), told: make([]promise, len(run.Thresholds)), scratch: bench.NewHistogram()}
}

// Fold adds one second. Batches come in their order: one without a span, or that starts before the end of the last, was folded already
// and is left out. The batch is not changed, and nothing of it that could change later is kept.
func (s *State) Fold(b *bench.Batch) {
	if b.Span <= 0 || b.Start < s.folded {
		return
	}
	s.shown = nil
	s.counted, s.folded = s.folded, b.Start+b.Span
	s.perEvent, s.source, s.server = b.PerEvent, b.Source, append([]bench.Scrape(nil), b.Server...)
	s.quotas = mergeQuotas(s.quotas, b.Quotas)
	s.minute.add(b)
	for _, e := range b.Events {
		s.event(e)
	}
	if l := s.present(); l != nil && l.cause == bench.CauseProfile && l.state == bench.Moving {
		l.load, l.dirty = b.Target, true // on the way from one plateau to the next
	}
	bucket := s.bucket(b)
	s.leave(b, bucket)
	s.correct(b, bucket)
	s.disown(b, bucket)
	s.series.add(bucket)
	s.total.add(bucket)
	s.book(b)
	for _, l := range slices.Backward(s.levels) {
		if l.ended.OK && l.ended.At <= b.Start && !l.recount {
			break
		}
		l.measure(s, bucket)
	}
	s.derive(b)
	s.tidy()
}

// sketch is what a function puts into an empty histogram.
func (s *State) sketch(fill func(*bench.Histogram)) bench.Sketch {
	s.scratch.Reset()
	fill(s.scratch)
	return s.scratch.Sketch()
}

// correct brings the buckets and levels of earlier seconds up to what is known of them now. What belongs to a second without a bucket (this one, or
// there was none) goes into this second's.
func (s *State) correct(b *bench.Batch, now *bench.Bucket) {
	for i := range b.LateITL {
		late := &b.LateITL[i]
		if late.Start < s.cleared {
			continue // its second is forgotten
		}
		rest := amends{*late}
		merge := func(old *bench.Bucket) *bench.Bucket { return rest.make(s, old) }
		first := rest
		bucket := s.series.late(late.Start, merge)
		if bucket == nil {
			*now = *rest.make(s, now)
			continue
		}
		// What was told late was booked in one of the next seconds; what is long past lies in ten.
		for at := late.Start + time.Second; rest.left() && at < now.Start && at < late.Start+lookOn; at += time.Second {
			s.series.late(at, merge)
		}
		s.total.itl.correct(late)
		if rest.left() {
			before := rest
			*now = *rest.make(s, now)
			s.total.itl.addSketch(taken(before.Wrong, rest.Wrong)) // they are not in the total yet
		}
		s.total.facts.DecodeFix += late.DecodeFix
		s.total.facts.DecodeSpare += late.DecodeSpare
		l := s.levelAt(late.Start)
		if l == nil || !l.tokens.from.OK || bucket.Start < l.tokens.from.At || !l.holds(bucket) {
			continue
		}
		l.tokens.itl.correct(late)
		l.tokens.facts.DecodeFix += late.DecodeFix
		l.tokens.facts.DecodeSpare += late.DecodeSpare
		l.batches.late(late.Start, func(old *bench.Bucket) *bench.Bucket { again := first; return again.make(s, old) })
		l.dirty = true
	}
}

// disown takes the latencies of first tokens of requests that failed in the end out of the buckets in which they came. (Their levels do it themselves.)
func (s *State) disown(b *bench.Batch, now *bench.Bucket) {
	for i := range b.Ended {
		e := &b.Ended[i]
		ttft, ok := e.TTFT()
		if !ok || !e.Outcome.Broken() || e.Level == bench.NoLevel || e.Marks.FirstToken.At < s.cleared {
			continue
		}
		due, open := e.DueTTFT()
		without := func(b *bench.Bucket) *bench.Bucket {
			fresh := *b
			fresh.TTFT = s.sketch(func(h *bench.Histogram) { h.AddSketch(b.TTFT); h.Remove(bench.Millis(ttft)) })
			if open {
				fresh.DueTTFT = s.sketch(func(h *bench.Histogram) { h.AddSketch(b.DueTTFT); h.Remove(bench.Millis(due)) })
			}
			return &fresh
		}
		// A token that was booked late is in one of the next seconds.
		for at := e.Marks.FirstToken.At; at < now.End() && at < e.Marks.FirstToken.At+(depth+1)*time.Second; at += time.Second {
			if at >= now.Start {
				*now = *without(now)
				break
			}
			before := uint64(0)
			if found := s.series.late(at, func(b *bench.Bucket) *bench.Bucket { before = b.TTFT.N; return without(b) }); found != nil && found.TTFT.N < before {
				if s.total.ttft.remove(bench.Millis(ttft)); open {
					s.total.dueTTFT.remove(bench.Millis(due))
				}
				break
			}
		}
	}
}

// book gives the requests of a second to their levels.
func (s *State) book(b *bench.Batch) {
	unnamed := b.Facts.Sent
	for _, n := range b.Starts {
		unnamed -= n.Sent
		if l := s.level(n.Level); l != nil {
			l.start(n.Sent)
		}
	}
	if l := s.present(); l != nil && unnamed != 0 {
		l.start(unnamed)
	}
	for i := range b.Unsent {
		if l := s.level(b.Unsent[i].Level); l != nil {
			l.drop(&b.Unsent[i])
		}
	}
	for i := range b.FirstTokens {
		if l := s.level(b.FirstTokens[i].Level); l != nil {
			l.first(&b.FirstTokens[i])
		}
	}
	for i := range b.Ended {
		e := &b.Ended[i]
		if l := s.level(e.Level); l != nil {
			l.request(e, good(e, s.run.Thresholds))
		}
	}
}
