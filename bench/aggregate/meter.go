package aggregate

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// Stall is the chunk gap from which on a gap is a stall where nothing else is said.
const Stall = time.Second

// Meter counts what all streams do, second by second. Its probes may be used from many goroutines at once.
type Meter struct {
	stall  time.Duration
	shards []shard
	learnt learnt
	late   late
	quotas quotas

	// cutting guards what follows: only Cut uses it.
	cutting              sync.Mutex
	cut                  int
	spare                *cell
	sum                  *cell
	flight, held, decode running
}

// NewMeter is a meter with so many shards, at least 1 (twice the number of processors is plenty); a gap above stall is a stall
// (Stall if it is not positive).
func NewMeter(shards int, stall time.Duration) *Meter {
	if stall <= 0 {
		stall = Stall
	}
	m := &Meter{stall: stall, shards: make([]shard, max(shards, 1)), late: newLate(), cut: -1, spare: newCell(), sum: newCell()}
	for i := range m.shards {
		m.shards[i].cut = -1
		for j := range m.shards[i].cells {
			m.shards[i].cells[j] = newCell()
		}
	}
	return m
}

// Learn tells how many tokens an event of this target holds, as seen before the run, and where its counts come from. From
// bench.FromEvents with 1 the meter takes events for tokens at once.
func (m *Meter) Learn(perEvent float64, source bench.Source) { m.learnt.tell(perEvent, source) }

// PerEvent is how many tokens an event holds as learned so far, 0 if nothing was learned, and where counts come from.
func (m *Meter) PerEvent() (float64, bench.Source) { return m.learnt.perEvent() }

// Held books that the number of slots held after failures changed by delta at an instant.
func (m *Meter) Held(at time.Duration, delta int) {
	s := &m.shards[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	c, end, _ := s.at(at)
	c.held.add(delta, at, end)
}

// Unsent books that an arrival of a level found no room at an instant, and was dropped.
func (m *Meter) Unsent(at time.Duration, level int) {
	s := &m.shards[0]
	s.mu.Lock()
	defer s.mu.Unlock()
	c, _, _ := s.at(at)
	c.drop(bench.Unsent{At: at, Level: level, N: 1})
}

// Cut takes everything up to the end of a second (0 is the run's first) out of the shards. It is called once a second, a grace after the
// second's end; what comes later for that second is booked in the next one. If seconds were left out, the batch spans them all. The
// caller fills in Active, Target, Events and Health, and shortens the last batch's Span. Cutting a second again gives an empty batch of
// no span.
func (m *Meter) Cut(second int) *bench.Batch {
	m.cutting.Lock()
	defer m.cutting.Unlock()
	b := &bench.Batch{Start: time.Duration(second+1) * time.Second}
	if second <= m.cut {
		b.PerEvent, b.Source = m.learnt.perEvent()
		return b
	}
	b.Start = time.Duration(m.cut+1) * time.Second
	b.Span = time.Duration(second-m.cut) * time.Second
	m.sum.reset()
	for i := range m.shards {
		m.drain(&m.shards[i], second)
	}
	b.LateITL = m.late.take(m.cut, second, m.sum)
	b.Quotas = m.quotas.take()
	m.cut = second
	m.sum.fill(b)
	b.Facts.InFlight = m.flight.over(b.Span, m.sum.flight)
	b.Facts.Held = m.held.over(b.Span, m.sum.held)
	b.Facts.DecodeSeconds = m.decode.over(b.Span, m.sum.decode)
	b.PerEvent, b.Source = m.learnt.perEvent()
	return b
}

// drain swaps a shard's cells up to a second for empty ones and sums them up; the shard is locked for the swaps only.
func (m *Meter) drain(s *shard, second int) {
	end := time.Duration(second+1) * time.Second
	for next := m.cut + 1; next <= min(second, m.cut+depth); next++ {
		s.mu.Lock()
		taken := s.cells[next%depth]
		s.cells[next%depth] = m.spare
		if s.cut = next; next == m.cut+depth {
			s.cut = second
		}
		s.mu.Unlock()
		m.sum.take(taken, end-time.Duration(next+1)*time.Second)
		taken.reset()
		m.spare = taken
	}
}

// take adds another cell, whose second ended the given time before this one's.
func (c *cell) take(o *cell, before time.Duration) {
	c.facts.Add(&o.facts)
	c.gap.AddHistogram(o.gap)
	c.itl.AddHistogram(o.itl)
	c.lag.AddHistogram(o.lag)
	c.flight.take(o.flight, before)
	c.held.take(o.held, before)
	c.decode.take(o.decode, before)
	for _, s := range o.starts {
		c.start(s.Level, s.Sent)
		c.facts.Sent -= s.Sent // facts.Add counted it
	}
	c.unsent = append(c.unsent, o.unsent...)
	c.firsts = append(c.firsts, o.firsts...)
	c.fixes = append(c.fixes, o.fixes...)
	c.ended = append(c.ended, o.ended...)
}

func (g *integral) take(o integral, before time.Duration) {
	g.net += o.net
	g.area += o.area + time.Duration(o.net)*before
}

// fill moves the cell's content into a batch, in the order of instants.
func (c *cell) fill(b *bench.Batch) {
	b.Facts = c.facts
	b.Facts.Gap, b.Facts.ITL, b.Facts.Lag = c.gap.Sketch(), c.itl.Sketch(), c.lag.Sketch()
	b.Starts = slices.Clone(c.starts)
	b.Unsent = slices.Clone(c.unsent)
	b.FirstTokens = slices.Clone(c.firsts)
	b.Ended = slices.Clone(c.ended)
	b.Fixes = slices.Clone(c.fixes)
	slices.SortFunc(b.Starts, func(a, b bench.Starts) int { return cmp.Compare(a.Level, b.Level) })
	slices.SortFunc(b.Unsent, func(a, b bench.Unsent) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Level, b.Level)) })
	slices.SortFunc(b.FirstTokens, func(a, b bench.FirstToken) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Started, b.Started), cmp.Compare(a.Level, b.Level))
	})
	slices.SortFunc(b.Ended, func(a, b bench.Ended) int {
		return cmp.Or(cmp.Compare(a.Marks.Ended.At, b.Marks.Ended.At), cmp.Compare(a.ID, b.ID))
	})
}
