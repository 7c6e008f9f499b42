package pilot

import (
	"fmt"
	"math"
	"time"

	"redline/bench"
)

// Cruise keeps one promise at its edge. Its life, epoch by epoch; an epoch is the time that a judgement takes:
//
//	state  | second                                          | next
//	-------|-------------------------------------------------|---------------------------------------------------------------
//	sees   | the run does not send                           | stands still; what was seen of the epoch is dropped
//	sees   | the target was down, or was started again       | sees; what was seen before is dropped, it was another server
//	sees   | the newest requests found no target             | stands still, until it answers
//	sees   | no token comes though they should               | stands still, unless what is awaited is late already; when they come
//	       |                                                 | again what was seen of the epoch is dropped
//	sees   | a limited request asks to wait                  | frozen, until then
//	sees   | too few requests began under the load and ended | sees
//	sees   | enough of them, or they are grossly late        | judges: moves the load by a step or stays, and sees the next epoch
//	frozen | the wait is over                                | sees
//	any    | the load is taken                               | over
//
// What an epoch says is not the count of its requests that broke the promise: see lookout.
type Cruise struct {
	cruise bench.Cruise
	mode   bench.Mode
	sight  *lookout

	// want is the load wanted, before it is rounded to what can be set; set is what was asked for.
	want float64
	set  bench.Setpoint
	// told is the load that the log told last.
	told bench.Setpoint
	// ceiling is the load that was too much for the server, 0 while none was.
	ceiling float64
	// gain is how the metric answers to the load.
	gain elasticity
	// sending was so at the last second, and silent; gone: the target was down since it last was. frozen until when the load must not move.
	sending, silent, gone bool
	vanished              vanished
	frozen                bench.Mark
	// kept and owed count all requests since it began.
	kept, owed int
	// past are the loads of the last epochs at the edge, away how many in a row were not there.
	past  []float64
	away  int
	shown bench.Cruising
}

// NewCruise is a cruise that is to begin in a mode; its errors are those of Cruise.Check.
func NewCruise(c bench.Cruise, mode bench.Mode) (*Cruise, error) {
	if err := c.Check(mode); err != nil {
		return nil, err
	}
	return &Cruise{cruise: c, mode: mode, sight: newLookout(c.Threshold, allowed(c.Threshold)), gain: newElasticity()}, nil
}

// Begin implements Pilot.
func (c *Cruise) Begin(now time.Duration, load bench.Setpoint) Order {
	if load.Mode != c.mode {
		load = bench.Setpoint{Mode: c.mode}
	}
	c.want = min(max(load.N, c.cruise.Least), c.cruise.Most)
	c.set = c.rounded(c.want)
	c.told, c.sending = c.set, true
	c.sight.begin(now, c.set)
	c.shown = bench.Cruising{Cruise: &c.cruise, Mode: c.mode, Began: now, Aim: c.sight.aim, From: load, To: c.set}
	return c.order(Order{Load: c.set, Level: true, Events: []bench.Event{{
		Kind: bench.EventCruise, N: bench.CruiseBegins, From: load, To: c.set,
		Text: fmt.Sprintf("cruise at %s begins, from %s to %s", c.cruise.Threshold, bench.Setpoint{Mode: c.mode, N: c.cruise.Least}, bench.Setpoint{Mode: c.mode, N: c.cruise.Most}),
	}}})
}

// Second implements Pilot.
func (c *Cruise) Second(s *Second) Order {
	for _, b := range s.Batches {
		c.count(b)
		c.sight.take(b)
		c.vanished.take(b.Ended)
	}
	c.sight.know(s.Snapshot)
	c.gone = c.gone || s.State == bench.Down || s.restarted()
	switch {
	case !s.Sending():
		c.sending = false
		return c.order(Order{Load: c.set})
	case c.gone:
		c.gone, c.sending, c.silent, c.vanished = false, true, false, false
		c.sight.forget(s.Now, c.set)
		c.gain.skip()
	case !c.sending || c.silent && !s.Silent.OK:
		// What was in flight before belongs to another time.
		c.sending, c.silent = true, false
		c.sight.anew(s.Now)
	}
	c.silent = s.Silent.OK
	if c.mode == bench.Closed && s.Load.N < c.set.N {
		// The engine's bounds are narrower than the cruise's.
		c.set, c.want = s.Load, s.Load.N
	}
	if c.freeze(s) || bool(c.vanished) || c.silent && !c.sight.awaitsLate(s.Now) || !c.sight.enough(s.Now) {
		return c.order(Order{Load: c.set})
	}
	return c.judge(s.Now)
}

// End implements Pilot.
func (c *Cruise) End(now time.Duration, why string) Order {
	c.shown.Ended, c.shown.Why, c.shown.Frozen = bench.MarkAt(now), why, bench.Mark{}
	return c.order(Order{Load: c.set, Over: true, Events: []bench.Event{{Kind: bench.EventCruise, N: bench.CruiseOver, To: c.set, Text: "cruise is over: " + why}}})
}

// order fills in what is shown, as a copy that never changes.
func (c *Cruise) order(o Order) Order {
	shown := c.shown
	o.Cruising = &shown
	return o
}

// count holds what has ended against the promise, each by itself.
func (c *Cruise) count(b *bench.Batch) {
	for i := range b.Unsent {
		if b.Unsent[i].Level != bench.NoLevel {
			c.owed += b.Unsent[i].N
		}
	}
	for i := range b.Ended {
		e := &b.Ended[i]
		if e.Level == bench.NoLevel || e.Outcome.Withdrawn() || e.Marks.Started.At < c.shown.Began {
			continue
		}
		v, ok := measure(e, perRequest(c.cruise.Threshold.Metric))
		if e.Outcome == bench.OK && !ok {
			continue
		}
		if c.owed++; e.Outcome == bench.OK && !c.cruise.Threshold.Broken(v) {
			c.kept++
		}
	}
	if c.owed > 0 {
		c.shown.Owed = c.owed
		c.shown.Kept = bench.Some(float64(c.kept) / float64(c.owed))
	}
}

// freeze tells whether the server has asked for a pause that is not over.
func (c *Cruise) freeze(s *Second) bool {
	for _, b := range s.Batches {
		for i := range b.Ended {
			// Those that come while it is frozen were sent by other slots, and would keep it so for ever.
			if e := &b.Ended[i]; e.Outcome == bench.RateLimited && e.RetryAfter > 0 && !c.frozen.OK {
				c.frozen = bench.MarkAt(e.Marks.Ended.At + min(e.RetryAfter, longestFreeze))
			}
		}
	}
	if c.frozen.OK && s.Now >= c.frozen.At {
		c.frozen = bench.Mark{}
	}
	c.shown.Frozen = c.frozen
	return c.frozen.OK
}

// longestFreeze bounds what a server can ask for.
const longestFreeze = time.Minute

// judge ends the epoch.
func (c *Cruise) judge(now time.Duration) Order {
	v := c.sight.look(now, c.set.N, &c.gain)
	c.shown.Epoch++
	c.shown.Share, c.shown.Worth = bench.Some(v.share), v.worth
	c.want = c.step(&v)
	to := c.set
	if v.gross || !c.stays() {
		to = c.rounded(c.want)
	}
	c.shown.Capacity, c.shown.Spread = meanAndSpread(c.past)
	c.sight.next(now, to)
	if to == c.set {
		return c.order(Order{Load: c.set})
	}
	from := c.set
	c.set = to
	c.shown.Moved, c.shown.From, c.shown.To = bench.MarkAt(now), from, to
	o := Order{Load: to, Level: worthTelling(c.told, to) || worthTelling(from, to)}
	if o.Level {
		o.Events = []bench.Event{{Kind: bench.EventCruise, N: bench.CruiseMoves, From: from, To: to, Text: fmt.Sprintf("cruise %s → %s: %.1f %% beyond %s", from, to, 100*v.share, c.cruise.Threshold)}}
		c.told = to
	}
	return c.order(o)
}

// capacityEpochs is how many epochs the capacity is the mean of, leastEpochs how many it takes.
const (
	capacityEpochs = 20
	leastEpochs    = 5
)

func meanAndSpread(v []float64) (mean, spread bench.Value) {
	if len(v) < leastEpochs {
		return bench.Value{}, bench.Value{}
	}
	var sum, squares float64
	for _, x := range v {
		sum += x
	}
	m := sum / float64(len(v))
	for _, x := range v {
		squares += (x - m) * (x - m)
	}
	return bench.Some(m), bench.Some(math.Sqrt(squares / float64(len(v))))
}

// worthTelling tells whether a load is so far from another, the one before or the one that was told, that it is worth a line of the log: more than a tenth.
func worthTelling(told, to bench.Setpoint) bool {
	return math.Abs(to.N-told.N) > told.N/10*(1+1e-9)
}

const (
	// In the closed loop a load stays that is nearer than nearEnough, as a logarithm, to the one wanted, or than nearSlots: each move begins a level, and one that
	// lasts says more.
	nearEnough = 0.05
	nearSlots  = 0.75
)

// stays tells whether the load that is set is near enough to the one wanted.
func (c *Cruise) stays() bool {
	if c.mode == bench.Open || c.want == c.cruise.Least || c.want == c.cruise.Most {
		return false
	}
	return math.Abs(math.Log(c.want/c.set.N)) < nearEnough || math.Abs(c.want-c.set.N) < nearSlots
}

// rounded is the nearest load that can be set within the bounds, on a grid, so that a cruise comes back to loads that it had: of 2 to 5 % for rates, and half of
// that for numbers in flight, which move by more than nearEnough anyway.
func (c *Cruise) rounded(n float64) bench.Setpoint {
	s := bench.Setpoint{Mode: c.mode, N: n}
	g := grid(n)
	if c.mode == bench.Closed {
		g = max(g/2, 1)
	}
	s.N = math.Round(n/g) * g
	s.N = min(max(s.Round().N, c.cruise.Least), c.cruise.Most)
	return s.Round()
}

// grid is the distance of the loads that are set near a load: 2 to 5 % of it.
func grid(n float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(n)))
	switch m := n / power; {
	case m < 2:
		return power / 20
	case m < 5:
		return power / 10
	}
	return power / 5
}
