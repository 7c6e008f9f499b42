package engine

import (
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/health"
)

// gapLimit is how late a second may be before time itself is taken to have jumped; wallLimit how far wall and monotonic time may part.
const (
	gapLimit  = 2 * time.Second
	wallLimit = time.Second
)

// bookkeeper makes a batch of each second and folds it. It belongs to the control goroutine.
type bookkeeper struct {
	e    *Engine
	fold *aggregate.State
	// next is the start of the first second that is not folded yet.
	next time.Duration
	// told are the batches that the pilot has not seen, while telling.
	told    []*bench.Batch
	telling bool
	// unrecorded are the batches that the recorder, where there is one, has not been given.
	unrecorded []*bench.Batch
	// events wait for the batch of their second.
	events  []bench.Event
	targets []targetChange
	spans   []activeSpan
	// alive tells whether tokens came in the second that was folded last.
	alive   bool
	silence silence
	// burn is what the last minute amounts to per hour.
	burn bench.Value
	// lastTick and lastWall are the times of the last second's cut, on both clocks.
	lastTick time.Duration
	lastWall time.Time
	ticked   bool
}

type targetChange struct {
	at     time.Duration
	target bench.Setpoint
}

// activeSpan is a time in which the run was sending; to is absent while it lasts.
type activeSpan struct {
	from time.Duration
	to   bench.Mark
}

func newBookkeeper(e *Engine, fold *aggregate.State) *bookkeeper {
	b := &bookkeeper{e: e, fold: fold}
	e.folded.Store(fold.Snapshot())
	return b
}

// untilNext is the time until the next second may be cut.
func (b *bookkeeper) untilNext() time.Duration {
	return max(b.next+time.Second+grace-b.e.clock.Now(), 0)
}

func (b *bookkeeper) note(ev bench.Event) { b.events = append(b.events, ev) }

// fresh are the events that no batch holds yet.
func (b *bookkeeper) fresh() []bench.Event { return append([]bench.Event(nil), b.events...) }

func (b *bookkeeper) setTarget(at time.Duration, target bench.Setpoint) {
	b.targets = append(b.targets, targetChange{at, target})
}

func (b *bookkeeper) setActive(at time.Duration, active bool) {
	if n := len(b.spans); n > 0 && !b.spans[n-1].to.OK {
		if active {
			return
		}
		b.spans[n-1].to = bench.MarkAt(at)
		return
	}
	if active {
		b.spans = append(b.spans, activeSpan{from: at})
	}
}

// jump reports a gap in time since the last cut, and takes this cut's times.
func (b *bookkeeper) jump(now time.Duration) (time.Duration, bool) {
	wall := b.e.wall().Round(0)
	defer func() { b.lastTick, b.lastWall, b.ticked = now, wall, true }()
	if !b.ticked {
		return 0, false
	}
	mono, byWall := now-b.lastTick, wall.Sub(b.lastWall)
	if mono > gapLimit {
		return mono, true
	}
	if apart := byWall - mono; apart > wallLimit || apart < -wallLimit {
		return apart, true
	}
	return 0, false
}

// cutUntil folds every second that has ended, with its grace, by now; scrub takes from them what a gap in time has made untrue.
func (b *bookkeeper) cutUntil(now time.Duration, scrub func(*bench.Batch)) {
	cut := false
	for b.next+time.Second+grace <= now {
		b.cut(time.Second, scrub)
		cut = true
	}
	if cut {
		b.show()
	}
}

// cut folds the next second, or the run's last span.
func (b *bookkeeper) cut(span time.Duration, scrub func(*bench.Batch)) {
	start, end := b.next, b.next+span
	batch := b.e.meter.Cut(int(start / time.Second))
	batch.Start, batch.Span = start, span
	batch.Active = b.activeIn(start, end)
	batch.Target = b.targetAt(end)
	batch.Events = b.eventsBefore(end)
	if h := b.e.opt.Health; h != nil {
		batch.Health = h.Second(health.Traffic{Late: batch.Facts.Late, SendLag: batch.Facts.Lag.Quantile(bench.P99.Q())})
	}
	if g := b.e.opt.Gauges; g != nil {
		var told []bench.Event
		batch.Server, batch.Facts.Server, told = g.Second()
		batch.Events = b.behind(batch, told)
	}
	if scrub != nil {
		scrub(batch)
	}
	b.alive = batch.Facts.Out > 0
	b.silence.take(batch)
	b.fold.Fold(batch)
	if b.telling {
		b.told = append(b.told, batch)
	}
	if b.e.opt.Recorder != nil {
		b.unrecorded = append(b.unrecorded, batch)
	}
	b.next = start + time.Second
}

// record hands the recorder what has been folded, with what is shown now.
func (b *bookkeeper) record() {
	if len(b.unrecorded) > 0 {
		b.e.opt.Recorder.Seconds(b.unrecorded, b.e.Snapshot())
		b.unrecorded = nil
	}
}

// behind are a batch's events with those of others behind them, at instants in their order and in the batch.
func (b *bookkeeper) behind(batch *bench.Batch, told []bench.Event) []bench.Event {
	at := batch.Start
	if n := len(batch.Events); n > 0 {
		at = batch.Events[n-1].At
	}
	for _, ev := range told {
		at = min(max(ev.At, at), batch.Start+batch.Span)
		ev.At, ev.Level = at, b.e.levelNow()
		batch.Events = append(batch.Events, ev)
	}
	return batch.Events
}

func (b *bookkeeper) show() {
	s := b.fold.Snapshot()
	b.burn = burnOf(s, b.e.opt.Run.Prices)
	b.e.folded.Store(s)
}

// finish folds what is left when the run has ended at the given instant.
func (b *bookkeeper) finish(at time.Duration) {
	for b.next+time.Second <= at {
		b.cut(time.Second, nil)
	}
	for i := range b.events {
		b.events[i].At = min(b.events[i].At, at)
	}
	b.cut(max(at-b.next, time.Nanosecond)+1, nil)
	b.show()
}

func (b *bookkeeper) activeIn(start, end time.Duration) time.Duration {
	var sum time.Duration
	keep := b.spans[:0]
	for _, s := range b.spans {
		to := end
		if s.to.OK {
			to = min(to, s.to.At)
		}
		sum += max(to-max(s.from, start), 0)
		if !s.to.OK || s.to.At > end {
			keep = append(keep, s)
		}
	}
	b.spans = keep
	return sum
}

func (b *bookkeeper) targetAt(end time.Duration) bench.Setpoint {
	for len(b.targets) > 1 && b.targets[1].at < end {
		b.targets = b.targets[1:]
	}
	return b.targets[0].target
}

func (b *bookkeeper) eventsBefore(end time.Duration) []bench.Event {
	var now, later []bench.Event
	for _, ev := range b.events {
		// Order stands: once one event waits for the next second, those behind it wait too.
		if ev.At < end && len(later) == 0 {
			now = append(now, ev)
		} else {
			later = append(later, ev)
		}
	}
	b.events = later
	return now
}

// burnOf is what an hour costs: that of GPUs, or else what the last minute's tokens amount to, in currency where they have prices, else in tokens.
func burnOf(s *bench.Snapshot, p bench.Prices) bench.Value {
	if p.Hourly() > 0 {
		return bench.Some(p.Hourly())
	}
	var in, cached, out int
	var span time.Duration
	for i := len(s.Buckets) - 1; i >= 0 && span < time.Minute; i-- {
		b := s.Buckets[i]
		in += b.In + b.InFix
		cached += b.Cached
		out += b.Out + b.OutFix
		span += b.Span
	}
	if span < 5*time.Second {
		return bench.Value{}
	}
	perHour := float64(time.Hour) / float64(span)
	if p.Set() {
		return bench.Some(p.Tokens(float64(in), float64(cached), float64(out)) * perHour)
	}
	return bench.Some(float64(in+out) * perHour)
}
