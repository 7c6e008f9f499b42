package engine

import (
	"slices"
	"time"

	"redline/bench"
)

// promise puts a threshold in force, or takes one away. What it is held to is for the fold to say; here it bounds the sends only where it is a quota.
func (c *control) promise(m bench.Promise) {
	t := m.Threshold
	if read, err := bench.ParseThreshold(t.String()); c.ending || err != nil || read != t {
		return
	}
	at := slices.IndexFunc(c.promises, t.Same)
	was, text := bench.Threshold{}, t.String()
	if at >= 0 {
		was = c.promises[at]
	}
	switch {
	case m.Drop && at < 0, !m.Drop && at >= 0 && was == t:
		return
	case m.Drop:
		t, text = was, was.String()+" dropped"
	case at >= 0:
		text += ", was " + was.String()
	}
	c.promises = bench.WithPromise(c.promises, t, m.Drop)
	c.e.reserve.Name(namedQuotas(c.promises))
	c.event(bench.Event{Kind: bench.EventPromise, Promise: t, Dropped: m.Drop, Text: text})
}

// askClear asks before what was measured is forgotten: nothing brings it back.
func (c *control) askClear() {
	if c.ending || c.cleanAt.OK {
		return
	}
	c.drop()
	if c.ask != nil {
		c.event(bench.Event{Kind: bench.EventWarn, Text: "answer the open question before anything is forgotten"})
		return
	}
	c.pose(question{Ask: bench.Ask{Forgets: true, Text: "forget all that was measured so far?"}, light: true, place: nowhere, yes: c.forget})
}

// forget lets what was measured be forgotten. Measuring goes by whole seconds: the next one is the first of the new ones.
func (c *control) forget() {
	if c.ending || c.cleanAt.OK {
		return
	}
	now := c.e.clock.Now()
	c.cleanAt = bench.MarkAt((now/time.Second + 1) * time.Second)
	c.clean.Reset(c.cleanAt.At - now)
}

// clear forgets what was measured, in the fold and request by request, and goes on in a new level. Requests, spend, quotas, bounds and the history of loads stay as they are.
func (c *control) clear() {
	at := c.cleanAt.At
	c.cleanAt = bench.Mark{}
	if c.ending {
		return
	}
	if !c.between() {
		c.commit()
	}
	c.event(bench.Event{At: at, Kind: bench.EventClear})
	c.e.book.forget(at)
	if c.state == bench.Running {
		c.openAtOnce(bench.CauseClear, c.committed)
	}
}
