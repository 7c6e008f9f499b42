package engine

import (
	"slices"
	"time"

	"redline/bench"
)

// second folds what has ended, and looks whether time itself has jumped (suspend, sleep).
func (c *control) second() {
	now := c.e.clock.Now()
	before := c.book.lastTick
	span, jumped := c.book.jump(now)
	if !jumped {
		c.book.cutUntil(now, nil)
		c.silent()
		c.overdue()
		c.unpaid()
		c.consult()
		return
	}
	c.e.interrupt(before, now)
	c.event(bench.Event{At: now, Kind: bench.EventGap, Span: span})
	if c.state == bench.Running {
		c.commit()
		c.book.setActive(before, false)
		c.book.setActive(now, true)
		c.openAtOnce(bench.CauseGap, c.committed)
	}
	scrubbed := map[uint64]bool{}
	c.book.cutUntil(now, func(b *bench.Batch) {
		scrub(b, before, now)
		for i := range b.Ended {
			scrubbed[b.Ended[i].ID] = true
		}
	})
	// The journal says of each request what the numbers do.
	c.e.book.void(scrubbed)
	c.consult()
}

// unpaid stops at a budget that time alone has used up: there may be no send for long that would be refused.
func (c *control) unpaid() {
	if c.sending() && c.e.ledger.exhausted() {
		c.refused(overBudget)
	}
}

// scrub takes from a batch what spans a gap in time between two instants.
func scrub(b *bench.Batch, from, until time.Duration) {
	kept := b.FirstTokens[:0]
	for _, f := range b.FirstTokens {
		if f.Started >= until {
			kept = append(kept, f)
		}
	}
	b.FirstTokens = kept
	// What is put right of the seconds before the gap is right.
	b.LateITL = slices.DeleteFunc(b.LateITL, func(late bench.SecondSketch) bool { return late.Start+time.Second > from })
	b.Facts.Gap, b.Facts.ITL, b.Facts.Lag = bench.Sketch{}, bench.Sketch{}, bench.Sketch{}
	b.Facts.Server = nil
	b.Facts.DecodeTokens, b.Facts.DecodeFix, b.Facts.DecodeSeconds, b.Facts.DecodeSpare, b.Facts.Stalls = 0, 0, 0, 0, 0
	for i := range b.Ended {
		void(&b.Ended[i])
	}
}

// void makes a request interrupted: nothing that it measured is true.
func void(e *bench.Ended) {
	if e.Outcome.Withdrawn() {
		return
	}
	e.Outcome = bench.Interrupted
	e.Marks = bench.Marks{Started: e.Marks.Started, Ended: e.Marks.Ended}
	e.Message = "time jumped while it ran"
}

// finish books the rest when every slot and the collector are gone, and shows the run as done.
func (c *control) finish() {
	now := c.e.clock.Now()
	why := c.why
	c.book.setActive(now, false)
	c.e.ledger.close(now)
	c.event(bench.Event{At: now, Kind: bench.EventEnd, Text: why})
	c.book.finish(now)
	c.moving, c.ask = bench.Mark{}, nil
	c.noDeadline()
	c.endWindow()
	c.tail.Span, c.tail.Finished = now-c.tail.Began.At, max(c.running-c.tail.Cut, 0)
	c.state, c.since, c.why = bench.Done, now, why
	c.publish(now)
	c.book.record()
}
