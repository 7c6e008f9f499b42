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
	series          series
	levels          []*level
	total           total
	log             eventLog
	failures        [bench.NumOutcomes]failures
	told            []promise

	lastError string
	// broken is the newest request of each class that failed or was limited; quotas are the newest of each name.
	broken   [bench.NumOutcomes]*bench.Ended
	quotas   []bench.Quota
	perEvent float64
	source   bench.Source
	health   bench.Health

	scratch *bench.Histogram
	shown   *bench.Snapshot
}

// total is the whole run.
type total struct {
	facts  bench.Facts
	active time.Duration
	// live are the facts of the seconds that were active all through, for rates.
	live                            bench.Facts
	lasted                          time.Duration
	ttft, ttfa, itl, tps, e2e, tpot dist
	connect, handshake              dist
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
	s.perEvent, s.source = b.PerEvent, b.Source
	s.quotas = mergeQuotas(s.quotas, b.Quotas)
	for _, e := range b.Events {
		s.event(e)
	}
	bucket := s.bucket(b)
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

// bucket is the second as it will be shown.
func (s *State) bucket(b *bench.Batch) *bench.Bucket {
	out := &bench.Bucket{
		Start: b.Start, Span: b.Span, Active: min(max(b.Active, 0), b.Span), Target: b.Target, Level: -1, Facts: b.Facts,
	}
	if l := s.present(); l != nil {
		out.Level = l.id
	}
	out.Good = 0
	out.TTFT = s.sketch(func(h *bench.Histogram) {
		for i := range b.FirstTokens {
			if b.FirstTokens[i].Level == bench.NoLevel {
				continue
			}
			h.Add(bench.Millis(b.FirstTokens[i].TTFT), 1)
		}
	})
	each := func(of func(*bench.Ended) (float64, bool)) bench.Sketch {
		return s.sketch(func(h *bench.Histogram) {
			for i := range b.Ended {
				if v, ok := of(&b.Ended[i]); ok && b.Ended[i].Level != bench.NoLevel {
					h.Add(v, 1)
				}
			}
		})
	}
	well := func(m bench.Metric) bench.Sketch {
		return each(func(e *bench.Ended) (float64, bool) {
			if e.Outcome != bench.OK {
				return 0, false
			}
			return measure(e, m)
		})
	}
	out.TTFA, out.E2E, out.TPOT, out.TPS = well(bench.TTFA), well(bench.E2E), well(bench.TPOT), well(bench.TPS)
	out.Connect, out.Handshake = each(connectOf), each(handshakeOf)
	s.recount(out, b.Ended)
	return out
}

// recount counts what ended from the records: they have the last word on the outcomes, since a jump of time may have made some of them void.
func (s *State) recount(out *bench.Bucket, ended []bench.Ended) {
	var n bench.Facts
	for i := range ended {
		e := &ended[i]
		n.Ended[min(e.Outcome, bench.NumOutcomes-1)]++
		if e.Level != bench.NoLevel && good(e, s.run.Thresholds) {
			n.Good++
		}
		n.Apart.Add(e)
		if e.Outcome == bench.OK {
			n.PromptTokens += promptTokens(e)
			n.AnswerTokens += e.Counts.Output
			if e.Burst {
				n.Bursts++
			}
		}
	}
	out.Good = n.Good
	if len(ended) != out.Completions() || n.Ended == out.Ended {
		return
	}
	out.Ended, out.Apart, out.Bursts = n.Ended, n.Apart, n.Bursts
	out.PromptTokens, out.AnswerTokens = n.PromptTokens, n.AnswerTokens
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
		l.ends.spans.late(late.Start, func(old *bench.Bucket) *bench.Bucket { again := first; return again.make(s, old) })
		l.dirty = true
	}
}

// disown takes the times to first token of requests that failed in the end out of the buckets in which they came. (Their levels do it themselves.)
func (s *State) disown(b *bench.Batch, now *bench.Bucket) {
	for i := range b.Ended {
		e := &b.Ended[i]
		ttft, ok := e.TTFT()
		if !ok || !e.Outcome.Broken() || e.Level == bench.NoLevel {
			continue
		}
		without := func(b *bench.Bucket) *bench.Bucket {
			fresh := *b
			fresh.TTFT = s.sketch(func(h *bench.Histogram) { h.AddSketch(b.TTFT); h.Remove(bench.Millis(ttft)) })
			return &fresh
		}
		// A token that was booked late is in one of the next seconds.
		for at := e.Marks.FirstToken.At; at < now.End() && at < e.Marks.FirstToken.At+(depth+1)*time.Second; at += time.Second {
			if at >= now.Start {
				now.TTFT = without(now).TTFT
				break
			}
			before := uint64(0)
			if found := s.series.late(at, func(b *bench.Bucket) *bench.Bucket { before = b.TTFT.N; return without(b) }); found != nil && found.TTFT.N < before {
				s.total.ttft.remove(bench.Millis(ttft))
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

func (t *total) add(b *bench.Bucket) {
	counters := b.Facts
	counters.DropSketches()
	t.facts.Add(&counters)
	t.active += b.Active
	if b.Whole() {
		t.live.Add(&counters)
		t.lasted += b.Active
	}
	t.ttft.addSketch(b.TTFT)
	t.ttfa.addSketch(b.TTFA)
	t.itl.addSketch(b.ITL)
	t.tps.addSketch(b.TPS)
	t.e2e.addSketch(b.E2E)
	t.tpot.addSketch(b.TPOT)
	t.connect.addSketch(b.Connect)
	t.handshake.addSketch(b.Handshake)
}

func (t *total) summary() bench.Summary {
	f := t.facts
	f.TTFT, f.TTFA, f.ITL = t.ttft.sketch(), t.ttfa.sketch(), t.itl.sketch()
	f.TPS, f.E2E, f.TPOT = t.tps.sketch(), t.e2e.sketch(), t.tpot.sketch()
	f.Connect, f.Handshake = t.connect.sketch(), t.handshake.sketch()
	out := bench.Summarise(&f, t.active)
	out.RatesOf(&t.live, t.lasted)
	return out
}
