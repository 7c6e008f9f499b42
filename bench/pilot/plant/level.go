package plant

import (
	"time"

	"redline/bench"
)

// longestBacklog bounds the wait for what was in flight before a rate was lowered, as in the engine.
const longestBacklog = 2 * time.Minute

// levels is what a plant tells of its load.
type levels struct {
	load, was bench.Setpoint
	level     int
	events    []bench.Event
	// waits: the load is not in force yet. backlog is how many were in flight when the wait for them began, older how many of those still are.
	waits          bool
	since          time.Duration
	backlog, older int
}

func (p *Plant) event(e bench.Event) {
	e.At = p.now
	p.events = append(p.events, e)
}

// Set puts a load in force at this instant, in a level of its own: what is above it drains.
func (p *Plant) Set(to bench.Setpoint, cause bench.Cause) {
	to = to.Round()
	p.rerate(to)
	p.was, p.load = p.load, to
	p.level++
	p.event(bench.Event{Kind: bench.EventOpen, Level: p.level, Cause: cause, From: p.was, To: to})
	p.event(bench.Event{Kind: bench.EventCommit, Level: p.level, Cause: cause, From: p.was, To: to})
	p.waits, p.since = true, p.now
	p.await()
	p.come()
}

// await begins to wait for what is in flight now.
func (p *Plant) await() {
	p.backlog, p.older = p.running, p.running
	for _, r := range p.flying {
		r.older = true
	}
	for i := range p.refused {
		p.refused[i].older = true
	}
}

// reach tells when the load is in force: in the closed loop as soon as so many are in flight or held, in the open one at once, or when what was in flight
// before a lower rate has ended, and the requests after it find no backlog that still falls.
func (p *Plant) reach() {
	if !p.waits {
		return
	}
	switch {
	case p.load.Mode == bench.Closed:
		if p.running+len(p.held) != p.load.Slots() {
			return
		}
	case p.was.Mode == bench.Open && p.was.N <= p.load.N, p.now-p.since >= longestBacklog:
	case p.older > 0:
		return
	case p.running <= p.backlog*4/5 && p.backlog-p.running >= 4:
		p.await()
		return
	}
	p.waits = false
	p.event(bench.Event{Kind: bench.EventReach, Level: p.level, To: p.load})
}
