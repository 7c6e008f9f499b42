package engine

import (
	"context"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/load"
)

const (
	// rest is how long the hand must rest before a burst of changes is committed.
	rest = 250 * time.Millisecond
	// warmLimit is how long a target that is back may take to finish a request before its numbers count all the same.
	warmLimit = 30 * time.Second
	// grace is how long after a second's end its last tokens may still come in.
	grace = 100 * time.Millisecond
)

// control decides. It belongs to one goroutine; nothing here is locked.
//
//	state    | input               | next
//	Waiting  | Resume, Toggle      | Warming if there is a warm-up, else Running, level 1
//	Running  | Pause, Toggle       | Paused
//	Running  | Drain               | Draining, then Paused when empty or at the deadline
//	Running  | gone                | Down
//	Down     | answered            | Warming
//	Warming  | warm, its limit     | Running, a new level (after the warm-up: level 1)
//	Warming  | gone                | Down
//	Down, Warming | Pause, Toggle  | Paused
//	Paused   | Resume, Toggle      | Running, a new level; Warming if the warm-up is not over
//	Draining | Resume, Toggle      | Running, a new level (not when the run is ending)
//	any      | Stop                | Draining, then Done when empty or at the deadline
//	any      | Kill                | Done
//
// The load can be set in every state; only in Running does a change open a level. Where it comes from is a table of its own (see pilotage).
type control struct {
	e   *Engine
	ctx context.Context

	state bench.RunState
	since time.Duration
	why   string
	// ending: this drain is the run's last. over: leave the loop. allSent: all that was to be sent is. bars: the server wants no more of the key, and nobody has
	// gone on since.
	ending, over, allSent, bars bool
	// taken is how many commands have been done; waiting are told of theirs when the next moment is shown.
	taken   int
	waiting []chan<- struct{}

	level int
	// noted is what was noted since the last level that stays began: the next one carries it.
	noted string
	// work is the workload in force; warmup: the run has not begun to measure.
	work                   int
	warmup                 bool
	target, committed, was bench.Setpoint
	changed                bench.Mark
	// waits is since when the level waits for what was in flight before it; lowered: the rate came down since the level began.
	waits   bench.Mark
	lowered bool
	// backlog is how many were in flight when that wait began.
	backlog int
	// moving is when the burst that has not rested began.
	moving  bench.Mark
	history load.History
	// place is where in the history the load that is set stands; nowhere while a burst has one of its own.
	place    int
	throttle *load.Throttle

	ask   *question
	askID int
	// posed: a question was put, or came to be as it is, by what is being done.
	posed bool

	// forbade is what the lock refused last, and when that was told.
	forbade refusal

	// lead is the profile in force, nil without one; pilot is what has the load in its place, ramping and cruising what pilots showed last.
	lead     *lead
	pilot    *pilotage
	ramping  *bench.Ramping
	cruising *bench.Cruising
	// met is the last level whose load came into force.
	met  int
	tail bench.Tail
	// running is how many requests ran when the drain of the end began.
	running int

	// rested, tick, deadline, duration, warmed, staged and clean are the control's alarms; idle is the gate's.
	rested, tick, deadline, duration, warmed, staged, clean *time.Timer
	deadlineAt                                              bench.Mark
	idle                                                    <-chan struct{}

	// promises are those in force.
	promises []bench.Threshold
	// cleanAt is the whole second from which on the run is measured anew; absent while nothing is to be forgotten.
	cleanAt bench.Mark

	// told is when the reserve of a quota was last spoken of; quiet since when no token has come.
	told, quiet bench.Mark

	book *bookkeeper
	fold *aggregate.State
}

// question is an open bench.Ask with what a yes does, and the place in the history that it would lead to. Light: any change of the load withdraws it. Budget:
// it asks for more to spend.
type question struct {
	bench.Ask
	place  int
	light  bool
	budget bool
	yes    func()
}

// nowhere is the place of a load that is not in the history.
const nowhere = -1

func newControl(e *Engine) *control {
	c := &control{
		e: e, state: bench.Waiting,
		target: e.opt.Load, committed: e.opt.Load, was: e.opt.Load, warmup: e.toWarm.Load() > 0,
		throttle: load.NewThrottle(), promises: e.opt.Run.Thresholds,
		fold: aggregate.NewState(&e.opt.Run),
	}
	if p := e.opt.Profile; p != nil {
		c.lead = newLead(p, c.target)
		c.target = c.lead.load(0)
		c.committed, c.was = c.target, c.target
	}
	c.history.Commit(c.target)
	c.place = c.history.Place()
	c.book = newBookkeeper(e, c.fold)
	c.book.setTarget(0, c.target)
	for _, t := range []**time.Timer{&c.rested, &c.tick, &c.deadline, &c.duration, &c.warmed, &c.staged, &c.clean} {
		*t = time.NewTimer(time.Hour)
		(*t).Stop()
	}
	c.putStage()
	return c
}

// loop runs until the run is over.
func (c *control) loop(ctx context.Context) {
	c.ctx = ctx
	defer c.stopAlarms()
	c.tick.Reset(c.book.untilNext())
	if !c.e.opt.Paused {
		c.begin()
	}
	c.publish(c.e.clock.Now())
	for !c.over {
		select {
		case <-ctx.Done():
			c.kill("cancelled")
		case <-c.e.mail.ready:
			for _, item := range c.e.mail.take() {
				if _, ok := item.(bench.Command); ok {
					c.taken++
				}
				c.take(item)
			}
		case <-c.rested.C:
			c.commit()
		case <-c.tick.C:
			c.second()
			c.tick.Reset(c.book.untilNext())
		case <-c.duration.C:
			c.stop("the duration is over")
		case <-c.deadline.C:
			c.expire()
		case <-c.warmed.C:
			c.warm()
		case <-c.staged.C:
			c.advance()
		case <-c.clean.C:
			c.clear()
		case <-c.idle:
			c.drained()
		}
		c.publish(c.e.clock.Now())
		c.book.record()
	}
}

func (c *control) stopAlarms() {
	for _, t := range []*time.Timer{c.rested, c.tick, c.deadline, c.duration, c.warmed, c.staged, c.clean} {
		t.Stop()
	}
}

// take does one command or message.
func (c *control) take(item any) {
	switch m := item.(type) {
	case bench.Add, bench.Times, bench.Set, bench.Undo, bench.Redo, bench.Flip, bench.Cancel:
		c.throttled(m)
	case bench.Locked:
		c.locked(m.Command)
	case bench.Remote:
		c.remote(m)
	case bench.Agreed:
		c.agreed(m.Command)
	case bench.Switch:
		c.askMode()
	case bench.NextWork:
		c.nextWork()
	case bench.Follow:
		c.follow(m.Profile)
	case bench.Seek:
		c.seek(m.Ramp)
	case bench.Steer:
		c.steer(m.Cruise)
	case bench.Pause:
		c.pause(m.Why)
	case bench.Resume:
		c.resume()
	case bench.Toggle:
		if c.sending() {
			c.pause("")
		} else {
			c.resume()
		}
	case bench.Drain:
		c.drain()
	case bench.Note:
		c.note(m.Text)
	case bench.Remark:
		c.event(bench.Event{Kind: bench.EventWarn, Text: m.Text})
	case bench.Promise:
		c.promise(m)
	case bench.Clear:
		c.askClear()
	case bench.Answer:
		c.answer(m)
	case bench.Stop:
		c.stop(m.Why)
	case bench.Kill:
		c.kill(m.Why)
	case bench.Match:
		c.match(m)
	case bench.Turn:
		c.turn(m)
	case bench.Forget:
		c.forget()
	default:
		c.hear(item)
	}
}

// event notes something that happened now (or at its own instant), in the present level unless it names one.
func (c *control) event(ev bench.Event) {
	if ev.At == 0 {
		ev.At = c.e.clock.Now()
	}
	if ev.Level == 0 {
		ev.Level = c.level
	}
	c.book.note(ev)
}

// enter changes the run's state. What is sent while the target is down or warms up belongs to no level.
func (c *control) enter(s bench.RunState, why string) {
	now := c.e.clock.Now()
	c.state, c.since, c.why = s, now, why
	c.book.setActive(now, s == bench.Running)
	c.e.down.Store(s == bench.Down)
	if s != bench.Warming {
		c.warmed.Stop()
		c.e.warmFrom.Store(0)
	}
	c.putStage()
	c.drive()
	c.keepTime()
}

// drive puts the load into force, as the state lets it: the gate's target and the rate of the open loop. While the target is down the open loop
// stands still, and one slot asks whether it is back, beside what still hangs.
func (c *control) drive() {
	now, most := c.e.clock.Now(), c.e.opt.Run.Max
	open, some := c.target.Mode == bench.Open, c.target.N > 0 || c.lead.ramps(now)
	rolls := open && some && c.sending() && c.state != bench.Down
	if !rolls {
		c.e.open.stop(now)
	}
	switch {
	case open && !some:
		c.e.gate.SetMode(bench.Open, 0)
	case open && c.state == bench.Down:
		if c.e.asking.Load() == 0 {
			c.e.gate.Release()
			c.e.gate.SetMode(bench.Closed, min(c.e.gate.Load().Running+1, most))
		}
	case open:
		c.e.gate.SetMode(bench.Open, most)
	default:
		c.e.gate.SetMode(bench.Closed, c.target.Slots())
	}
	c.e.gate.SetOpen(c.sending())
	switch {
	case !c.sending():
	case rolls:
		c.roll(now)
	default:
		c.e.pump(c.ctx)
	}
}

// sending tells whether the gate is open: the run sends, or tries to.
func (c *control) sending() bool {
	return c.state == bench.Running || c.state == bench.Down || c.state == bench.Warming
}

// open begins a level at this instant; requests that start from now on belong to it, and so does what was noted since the level before.
func (c *control) open(cause bench.Cause, from, to bench.Setpoint) {
	text := c.noted
	c.noted = ""
	c.begins(cause, from, to, text)
}

// openPassing begins what the profile does between two plateaus. It is shown only while it lasts: what was noted waits for a level that stays.
func (c *control) openPassing(from, to bench.Setpoint) { c.begins(bench.CauseProfile, from, to, "") }

func (c *control) begins(cause bench.Cause, from, to bench.Setpoint, text string) {
	c.level++
	c.putStage()
	c.event(bench.Event{Kind: bench.EventOpen, Level: c.level, Cause: cause, From: from, To: to, Work: c.work, Text: text})
}

// openAtOnce begins a level whose load does not move.
func (c *control) openAtOnce(cause bench.Cause, from bench.Setpoint) {
	if c.between() {
		c.moving = bench.MarkAt(c.e.clock.Now())
		c.openPassing(from, c.target)
		return
	}
	c.open(cause, from, c.target)
	c.event(bench.Event{Kind: bench.EventCommit, Cause: cause, From: from, To: c.target, Work: c.work})
	c.await(from)
}

// publish shows the control's side of the present moment.
func (c *control) publish(now time.Duration) {
	back, forward := c.history.Depth()
	g := bench.Gauges{
		At: now, State: c.state, Since: c.since, Why: c.why,
		Target: c.target, Moving: c.moving, Was: c.was, Changed: c.changed,
		CanUndo: back, CanRedo: forward, Deadline: c.deadlineAt, Work: c.work, Ramping: c.ramping, Cruising: c.cruising,
	}
	if c.lead != nil {
		g.Following = c.lead.show(now)
	}
	if c.state == bench.Running {
		g.Silent = c.quiet
	}
	if c.moving.OK {
		g.CanUndo = max(back, 1)
	}
	if c.ask != nil {
		ask := c.ask.Ask
		g.Ask = &ask
	}
	g.Spend.PerHour = c.book.burn
	c.e.live.Lock()
	c.e.live.gauges = g
	c.e.live.fresh = c.book.fresh()
	c.e.live.tail = c.tail
	c.e.live.Unlock()
	c.tellTaken()
	if c.e.opt.Watch != nil {
		c.e.opt.Watch(Standing{Gauges: g, Ending: c.ending || c.over, AllSent: c.allSent, Barred: c.bars && c.state == bench.Paused, Taken: c.taken})
	}
}
