package aggregate

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

// plan is a randomised run in virtual time: what its requests do, at which instants, and what the control says of the load.
type plan struct {
	steps  []step
	events []bench.Event
	// whole are the requests by number.
	whole map[int]*bench.Ended
	// drops are the arrivals that are not sent, in order; told is how many of them the meter knows.
	drops []bench.Unsent
	told  int
	over  time.Duration
	// single: every chunk holds one event of one token, and every request ends well.
	single bool
}

// step is something that one request does at an instant; it is told to the meter when that instant has come, or after the cut of its
// second if it is slow.
type step struct {
	at      time.Duration
	request int
	slow    bool
	chunk   *bench.Chunk
	ended   *bench.Ended
}

func newPlan(seed uint64, length time.Duration, single bool) *plan {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &plan{single: single, whole: map[int]*bench.Ended{}}
	load, level, id := 0, 0, 0
	free := []time.Duration{}
	set := bench.Setpoint{}
	for at := time.Duration(0); at < length; {
		level++
		load = 1 + rng.IntN(12)
		// Every third load is one of the open loop, so that the mode changes there and back.
		was, to, cause := set, bench.InFlight(load), bench.CauseLoad
		if level%3 == 0 {
			to = bench.PerSecond(float64(load) / 2)
		}
		if set = to; was.Mode != to.Mode {
			cause = bench.CauseMode
		}
		if level == 1 {
			cause = bench.CauseStart
		}
		p.events = append(p.events,
			bench.Event{At: at, Kind: bench.EventOpen, Level: level, Cause: cause, From: was, To: to},
			bench.Event{At: at + 250*time.Millisecond, Kind: bench.EventCommit, Level: level, To: to},
			bench.Event{At: at + 300*time.Millisecond, Kind: bench.EventReach, Level: level, To: to})
		for len(free) < load {
			free = append(free, at)
		}
		free = free[:load]
		next := at + time.Duration(20+rng.IntN(40))*time.Second
		for i := range free {
			for t := max(free[i], at); t < next; {
				id++
				t = p.request(rng, id, level, to, t) + time.Duration(rng.IntN(int(50*time.Millisecond)))
				free[i] = t
			}
		}
		if to.Mode == bench.Open {
			p.drop(rng, level, at, next-3*time.Second)
		}
		at = next
	}
	slices.SortStableFunc(p.steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	p.over = p.steps[len(p.steps)-1].at
	return p
}

// drop plans arrivals of a level that are not sent, now and then of none.
func (p *plan) drop(rng *rand.Rand, level int, from, to time.Duration) {
	for at := from; at < to; at += 37 * time.Millisecond {
		if rng.IntN(40) > 0 {
			continue
		}
		u := bench.Unsent{At: at, Level: level, N: 1}
		if rng.IntN(9) == 0 {
			u.Level = bench.NoLevel
		}
		p.drops = append(p.drops, u)
	}
}

// request plans one request and returns its end.
func (p *plan) request(rng *rand.Rand, id, level int, load bench.Setpoint, at time.Duration) time.Duration {
	e := &bench.Ended{
		Request: bench.Request{ID: uint64(id), Level: level, Load: load, Prompt: bench.Prompt{InputTokens: 100 + rng.IntN(400)}},
		Marks:   bench.Marks{Started: bench.MarkAt(at), Connected: bench.MarkAt(at)}, Reused: rng.IntN(3) > 0,
	}
	if load.Mode == bench.Open {
		e.Scheduled = bench.MarkAt(max(at-time.Duration(id%40)*time.Millisecond, 0))
		e.Marks.Scheduled = e.Scheduled
	}
	p.whole[id] = e
	p.steps = append(p.steps, step{at: at, request: id})
	t := at + time.Duration(rng.IntN(int(900*time.Millisecond)))
	chunks := 1 + rng.IntN(80)
	if !p.single && rng.IntN(8) == 0 {
		chunks = 0
	}
	for i := range chunks {
		c := &bench.Chunk{At: t, First: i == 0, Events: 1}
		if !p.single {
			c.Events += rng.IntN(4)
		}
		c.Chars = 3 * c.Events
		if c.First {
			c.TTFT = t - at
			e.Marks.FirstChunk, e.Marks.FirstToken, e.Marks.FirstAnswer = bench.MarkAt(t), bench.MarkAt(t), bench.MarkAt(t)
			e.Counts.FirstEvents = c.Events
		} else {
			c.Gap = t - e.Marks.LastToken.At
			e.Gaps.Add(c.Gap, c.Events)
		}
		e.Marks.LastToken = bench.MarkAt(t)
		e.Counts.Events += c.Events
		e.Counts.Chunks++
		p.steps = append(p.steps, step{at: t, request: id, chunk: c, slow: rng.IntN(50) == 0 && !p.single})
		// Whole microseconds, as a GapList keeps them.
		t += time.Duration(1+rng.IntN(120_000)) * time.Microsecond
	}
	if p.end(rng, e); chunks > 0 {
		t = e.Marks.LastToken.At + time.Duration(rng.IntN(int(20*time.Millisecond)))
	}
	e.Marks.Ended = bench.MarkAt(t)
	p.steps = append(p.steps, step{at: t, request: id, ended: e, slow: rng.IntN(30) == 0 && !p.single})
	return t
}

// end gives the request its outcome and its counts.
func (p *plan) end(rng *rand.Rand, e *bench.Ended) {
	c := &e.Counts
	c.Source, c.Input, c.Output = bench.FromUsage, e.Prompt.InputTokens+rng.IntN(9), c.Events
	switch {
	case p.single:
	case c.Chunks == 0:
		e.Outcome, c.Output = []bench.Outcome{bench.RateLimited, bench.ServerError, bench.Refused}[rng.IntN(3)], 0
	case rng.IntN(6) == 0:
		e.Outcome, c.Source = []bench.Outcome{bench.Truncated, bench.StreamError, bench.Cancelled}[rng.IntN(3)], bench.FromPart
		c.Output = 3*c.Events + 1
	default:
		c.Hidden = rng.IntN(30)
		c.Output = 3*c.Events + rng.IntN(5) + c.Hidden
	}
}

// run is a plan on its way through a meter.
type run struct {
	plan   *plan
	meter  *Meter
	probes map[int]*Probe
	// since and until are the starts and ends told so far; in and out the usage of those that ended.
	since, until []time.Duration
	in, out      int
	by           [bench.NumOutcomes]int
	late         []step
	// set is the load in force.
	set bench.Setpoint
}

// second tells the meter one second's steps from several goroutines and cuts it.
func (r *run) second(n int) *bench.Batch {
	to := time.Duration(n+1) * time.Second
	now := r.late
	r.late = nil
	for ; len(r.plan.steps) > 0 && r.plan.steps[0].at < to; r.plan.steps = r.plan.steps[1:] {
		if s := r.plan.steps[0]; s.slow {
			r.late = append(r.late, s)
		} else if slices.ContainsFunc(r.late, func(l step) bool { return l.request == s.request }) {
			r.late = append(r.late, s) // what follows a slow step is slow too
		} else {
			now = append(now, s)
		}
	}
	r.tell(now)
	for p := r.plan; p.told < len(p.drops) && p.drops[p.told].At < to; p.told++ {
		r.meter.Unsent(p.drops[p.told].At, p.drops[p.told].Level)
	}
	b := r.meter.Cut(n)
	b.Active = b.Span
	for ; len(r.plan.events) > 0 && r.plan.events[0].At < to; r.plan.events = r.plan.events[1:] {
		b.Events = append(b.Events, r.plan.events[0])
		r.set = r.plan.events[0].To
	}
	b.Target = r.set
	return b
}

func (r *run) tell(steps []step) {
	const workers = 4
	lanes := [workers][]step{}
	for _, s := range steps {
		lanes[s.request%workers] = append(lanes[s.request%workers], s)
		switch {
		case s.ended != nil:
			r.until = append(r.until, s.at)
			r.by[s.ended.Outcome]++
			r.in += s.ended.Counts.Input
			r.out += s.ended.Counts.Output
		case s.chunk == nil:
			r.since = append(r.since, s.at)
		}
		if r.probes[s.request] == nil {
			r.probes[s.request] = r.meter.Probe(&r.plan.whole[s.request].Request, -1)
		}
	}
	var wg sync.WaitGroup
	for _, lane := range lanes {
		wg.Go(func() {
			for _, s := range lane {
				p := r.probes[s.request]
				switch {
				case s.ended != nil:
					p.End(*s.ended)
				case s.chunk != nil:
					p.Chunk(*s.chunk)
				default:
					p.Started(s.at)
				}
			}
		})
	}
	wg.Wait()
}
