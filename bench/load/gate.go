// Package load owns the setpoint: how many requests may be in flight, who gets a slot, how long a slot is held after a failure, and how
// far one burst may raise the load. It knows nothing of what a slot does with its turn.
package load

import (
	"context"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// Hooks are told what the gate does, outside its lock, from the goroutine that caused it.
type Hooks struct {
	// Reached says that in flight + held has come to the target, for the first time since the target or Await was set; of the closed loop only.
	Reached func(at time.Duration)
	// Held says that a slot began (+1) or ended (−1) to be held.
	Held func(at time.Duration, delta int)
}

// Gate is the valve of both loops. Its target is the load of the closed loop, in which a slot that ends its turn begins the next; in the open loop
// it is the most that may be in flight, and each slot has one turn. A slot is free, running or held:
//
//	state    | input                         | next
//	free     | Enter, running + held < target | running
//	running  | Leave(0), room, open, closed loop | running (the next request)
//	running  | Leave(d > 0), room             | held for d (Wait)
//	running  | Leave, no room, gate closed, open loop; Quit | free
//	held     | d is over, open, closed loop   | running
//	held     | d is over, otherwise           | free
//	held     | target lowered                 | free, newest first, before any running one would be missed
//
// Lowering never cuts a running slot. In flight never exceeds the target once those above it have left. All methods are safe for
// concurrent use; mu guards every field.
type Gate struct {
	clock bench.Clock
	hooks Hooks

	mu      sync.Mutex
	target  int
	running int
	// started is how many of the running slots have handed their request over.
	started int
	held    []*Hold
	open    bool
	// flight is what a turn that begins now runs under.
	flight context.Context
	// loop: the loop is closed.
	loop bool
	// awaiting: Reached has not been told since the last change.
	awaiting bool
	// idle is closed when nothing runs and nothing is held; made on demand.
	idle chan struct{}
}

// Hold is one slot's wait after a failure.
type Hold struct {
	until time.Duration
	why   string
	// evict is closed when the slot is let go before its time.
	evict chan struct{}
}

// Load is the gate at one moment.
type Load struct {
	Target, Running, Held int
	Open                  bool
	// HeldBy and HeldNext are the reason and the end of the hold that ends first.
	HeldBy   string
	HeldNext bench.Mark
}

// NewGate is a closed gate with target 0, of a closed loop.
func NewGate(clock bench.Clock, hooks Hooks) *Gate {
	return &Gate{clock: clock, hooks: hooks, loop: true, flight: context.Background()}
}

// Load reads the gate.
func (g *Gate) Load() Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	l := Load{Target: g.target, Running: g.running, Held: len(g.held), Open: g.open}
	for _, h := range g.held {
		if !l.HeldNext.OK || h.until < l.HeldNext.At {
			l.HeldNext, l.HeldBy = bench.MarkAt(h.until), h.why
		}
	}
	return l
}

// Resize sets the target, at least 0. Held slots above it are let go at once, the newest first.
func (g *Gate) Resize(target int) {
	g.mu.Lock()
	g.target = max(target, 0)
	g.release(g.running + len(g.held) - g.target)
	g.awaiting = true
	g.settle(g.clock.Now())
}

// SetMode closes or opens the loop and sets the target that goes with it. Slots that run are in either loop alike.
func (g *Gate) SetMode(m bench.Mode, target int) {
	g.mu.Lock()
	g.loop = m == bench.Closed
	g.target = max(target, 0)
	g.release(g.running + len(g.held) - g.target)
	g.awaiting = true
	g.settle(g.clock.Now())
}

// Release lets all held slots go at once: a drain has nothing to wait for in them.
func (g *Gate) Release() {
	g.mu.Lock()
	g.release(len(g.held))
	g.settle(g.clock.Now())
}

// release lets up to n held slots go, the newest first; mu is held.
func (g *Gate) release(n int) {
	for ; n > 0 && len(g.held) > 0; n-- {
		last := len(g.held) - 1
		close(g.held[last].evict)
		g.held = g.held[:last]
	}
}

// Await asks for Reached to be told again, at once if the target is met.
func (g *Gate) Await() {
	g.mu.Lock()
	g.awaiting = true
	g.settle(g.clock.Now())
}

// SetOpen opens the gate, or closes it: nobody enters a closed gate, running slots finish, held ones leave when their time is over.
func (g *Gate) SetOpen(open bool) {
	g.mu.Lock()
	g.open = open
	g.awaiting = open
	g.settle(g.clock.Now())
}

// Fly sets what turns that begin from now on run under. To cut all that run, lower the target or close the gate, set another flight, and cancel the one
// before: whoever has got its turn by then has got it with that one.
func (g *Gate) Fly(flight context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.flight = flight
}

// Enter takes a free slot if there is room: it is then running, under the flight that is returned; nil if there is none.
func (g *Gate) Enter() context.Context {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.room() {
		return nil
	}
	g.running++
	return g.flight
}

// Started says that a running slot has handed its request over at that instant.
func (g *Gate) Started(at time.Duration) {
	g.mu.Lock()
	g.started++
	// The request that completes the load is not yet one under it.
	g.settle(at + 1)
}

// Leave ends a running slot's turn; handed tells whether Started was called for it. With a wait the slot is held for a reason, in a word or two: the caller then has to Wait
// for the hold that is returned. Else the slot is running again, under the flight that is returned; without one it is free and its goroutine must end.
func (g *Gate) Leave(handed bool, wait time.Duration, why string) (again context.Context, held *Hold) {
	g.mu.Lock()
	g.running--
	if handed {
		g.started--
	}
	now := g.clock.Now()
	switch {
	case !g.room():
	case wait <= 0:
		if g.loop {
			again = g.flight
			g.running++
		}
	default:
		held = &Hold{until: now + wait, why: why, evict: make(chan struct{})}
		g.held = append(g.held, held)
	}
	g.settle(now)
	if held != nil {
		g.hooks.Held(now, +1)
	}
	return again, held
}

// Quit frees a running slot whose turn came to nothing; it is not taken again before the next Enter.
func (g *Gate) Quit() {
	g.mu.Lock()
	g.running--
	g.settle(g.clock.Now())
}

// Wait waits for the end of a hold; the slot is then running again, under the flight that is returned. Without one it is free.
func (g *Gate) Wait(ctx context.Context, h *Hold) context.Context {
	timer := time.NewTimer(h.until - g.clock.Now())
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-h.evict:
	}
	g.mu.Lock()
	var again context.Context
	if i := slices.Index(g.held, h); i >= 0 {
		g.held = slices.Delete(g.held, i, i+1)
		if ctx.Err() == nil && g.loop && g.room() {
			again = g.flight
			g.running++
		}
	}
	now := g.clock.Now()
	g.settle(now)
	g.hooks.Held(now, -1)
	return again
}

// Idle returns a channel that is closed once nothing runs and nothing is held.
func (g *Gate) Idle() <-chan struct{} {
	g.mu.Lock()
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	idle := g.idle
	g.settle(g.clock.Now())
	return idle
}

// room tells whether one more slot may run; mu is held.
func (g *Gate) room() bool { return g.open && g.running+len(g.held) < g.target }

// settle unlocks mu, having told those who wait for what has come true.
func (g *Gate) settle(at time.Duration) {
	if g.idle != nil && g.running == 0 && len(g.held) == 0 {
		close(g.idle)
		g.idle = nil
	}
	reached := g.awaiting && g.loop && g.open && g.started == g.running && g.running+len(g.held) == g.target
	if reached {
		g.awaiting = false
	}
	g.mu.Unlock()
	if reached {
		g.hooks.Reached(at)
	}
}
