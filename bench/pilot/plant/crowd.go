package plant

import (
	"math"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
	"redline/bench/load"
	"redline/bench/sim/model"
)

// refusal is how long the server takes to refuse a request.
const refusal = 20 * time.Millisecond

// crowd is who asks the server.
type crowd struct {
	nextID model.ID
	flying map[model.ID]*request
	// running is how many are in flight, those that are being refused among them; those are in the order in which their answers come.
	running int
	refused []refused
	// held are the slots that wait after failures.
	held []held
	// arrival is when the next request of the open loop comes; streak the failures in a row there.
	arrival time.Duration
	streak  int
}

// request is one that the engine works on.
type request struct {
	bench.Request
	probe             *aggregate.Probe
	sent, first, last time.Duration
	// told is when the stream's last chunk was told, gathered how many tokens have come since.
	told             time.Duration
	tokens, gathered int
	older            bool
}

type refused struct {
	*request
	at     time.Duration
	ended  bench.Ended
	streak int
}

type held struct {
	until  time.Duration
	streak int
}

// next is the instant at which something comes that is not a token.
func (p *Plant) next() time.Duration {
	at := p.arrival
	if len(p.refused) > 0 {
		at = min(at, p.refused[0].at)
	}
	for i := range p.held {
		at = min(at, p.held[i].until)
	}
	return at
}

// come does what is due.
func (p *Plant) come() {
	for len(p.refused) > 0 && p.refused[0].at <= p.now {
		r := p.refused[0]
		p.refused = p.refused[1:]
		r.probe.End(r.ended)
		p.leave(r.request)
		p.hold(&r.ended, r.streak)
	}
	open := p.load.Mode == bench.Open
	for p.arrival <= p.now {
		p.arrival += p.gap(p.load.N)
		if p.running+len(p.held) >= p.o.Max {
			p.meter.Unsent(p.now, p.level)
			continue
		}
		p.send(0)
	}
	slots := p.load.Slots()
	for i := 0; i < len(p.held); {
		switch over := !open && p.running+len(p.held) > slots; {
		case over || open && p.held[i].until <= p.now:
			p.unhold(i)
		case p.held[i].until <= p.now:
			streak := p.held[i].streak
			p.unhold(i)
			p.send(streak)
		default:
			i++
		}
	}
	for !open && p.running+len(p.held) < slots {
		p.send(0)
	}
	p.reach()
}

func (p *Plant) unhold(i int) {
	p.held = slices.Delete(p.held, i, i+1)
	p.meter.Held(p.now, -1)
}

// hold holds the slot of a request that failed.
func (p *Plant) hold(e *bench.Ended, streak int) {
	if p.load.Mode == bench.Open {
		p.streak++
		streak = p.streak
	} else {
		streak++
	}
	p.held = append(p.held, held{until: p.now + load.HoldFor(e, streak, p.chance), streak: streak})
	p.meter.Held(p.now, 1)
}

// leave takes a request that has ended out of those in flight.
func (p *Plant) leave(r *request) {
	p.running--
	if r.older {
		p.older--
	}
}

// rerate begins another rate: what is left of the wait for the next arrival is stretched to it.
func (p *Plant) rerate(to bench.Setpoint) {
	switch {
	case to.Mode != bench.Open || to.N <= 0:
		p.arrival = never
	case p.arrival == never:
		p.arrival = p.now + p.gap(to.N)
	default:
		p.arrival = p.now + time.Duration(float64(p.arrival-p.now)*p.load.N/to.N)
	}
}

// gap draws the time to the next arrival of independent users.
func (p *Plant) gap(rate float64) time.Duration {
	return max(time.Duration(p.gaps.ExpFloat64()/rate*float64(time.Second)), 1)
}

// send sends a request now, of a slot that has failed so often in a row.
func (p *Plant) send(streak int) {
	p.nextID++
	length := max(int(float64(p.o.Prompt)*math.Exp(p.o.Sigma*p.prompts.NormFloat64()-p.o.Sigma*p.o.Sigma/2)), 1)
	r := &request{sent: p.now, Request: bench.Request{
		ID: uint64(p.nextID), Level: p.level, Load: p.load, Prompt: bench.Prompt{InputTokens: length, MaxTokens: p.o.MaxTokens},
	}}
	if p.load.Mode == bench.Open {
		r.Scheduled = bench.MarkAt(p.now)
	}
	p.running++
	r.probe = p.meter.Probe(&r.Request, p.now)
	if e, no := p.refuse(r); no {
		p.refused = append(p.refused, refused{r, p.now + refusal, e, streak})
		return
	}
	if err := p.model.Submit(p.now, model.Job{ID: p.nextID, PromptTokens: length, MaxTokens: p.o.MaxTokens}); err != nil {
		panic(err) // the options ask for more than the engine's context holds
	}
	p.flying[p.nextID] = r
}

// refuse tells whether the server answers with a failure, and with which.
func (p *Plant) refuse(r *request) (bench.Ended, bool) {
	e := bench.Ended{Request: r.Request, Marks: bench.Marks{Scheduled: r.Scheduled, Started: bench.MarkAt(p.now), Ended: bench.MarkAt(p.now + refusal)}}
	if wait := p.bucket.take(p.now); wait > 0 {
		e.Outcome, e.Status, e.RetryAfter, e.Message = bench.RateLimited, 429, wait.Truncate(time.Second)+time.Second, "too many requests"
		return e, true
	}
	if p.o.Fail > 0 && p.chance.Float64() < p.o.Fail {
		e.Outcome, e.Status, e.Message = bench.ServerError, 500, "internal error"
		return e, true
	}
	return e, false
}

// bucket is a limit of requests that fills steadily; one that never fills is none.
type bucket struct {
	perSecond, level, most float64
	at                     time.Duration
}

// take takes one request's place, or tells how long it is until there is one.
func (b *bucket) take(now time.Duration) time.Duration {
	if b.perSecond == 0 {
		return 0
	}
	b.level = min(b.most, b.level+(now-b.at).Seconds()*b.perSecond)
	b.at = now
	if b.level < 1 {
		return time.Duration((1 - b.level) / b.perSecond * float64(time.Second))
	}
	b.level--
	return 0
}
