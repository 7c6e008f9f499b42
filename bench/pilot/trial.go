package pilot

import (
	"time"

	"redline/bench"
)

const (
	// leastSettle and mostSettle bound that; the latter is also how long the first ends are waited for.
	leastSettle = 2 * time.Second
	mostSettle  = 2 * time.Minute
	// refill is how long after a load was lowered the server may still limit requests: its quota was used up by the load before.
	refill = 65 * time.Second
	// blunt is a share of requests beyond their limit, and bluntly how many standard errors below what was seen: a load so far beyond the redline is left at once, settled or not.
	blunt   = 0.5
	bluntly = 2
	// leastBlunt is how many requests that takes, at least.
	leastBlunt = 20
	// A load at which the worst of so many requests is within that part of the limit is passed by: it is not what the redline rests on, and low loads
	// yield few requests. In the closed loop each slot has to have had one.
	clear = 10
	far   = 0.6
	// A backlog goes down as long as fewer are in flight, by drainPart, than so many mean times in flight before, or leastDrained seconds.
	drained      = 1
	leastDrained = 8
	drainPart    = 0.05
	// generations is how many times the requests in flight a cap in requests is at least.
	generations = 3
	// leastCap is how many mean times in flight a cap is at least: before, next to none have ended that began since.
	leastCap = 2
	// strained is how many seconds the client may be busy in a trial before that is what was measured, if they are one in strainedPart at least. The first time
	// it may be a burst of something else on its machine: after so many seconds of calm, waited for up to mostStrained, the trial begins to count anew.
	strained     = 3
	strainedPart = 4
	calm         = 5
	mostStrained = 30 * time.Second
	// mostMute is for how many seconds a lowered load waits for ends of which none comes.
	mostMute = 300
)

// noAnswer is what stops a load at which nothing has ended, well or not.
const noAnswer = "no answer"

// busy is what a trial says of a client that could not keep up.
const busy = "client busy"

// pace is how a trial of a loop goes, in mean times in flight.
type pace struct {
	// settle is how long after its load came into force a trial begins to count: what began together at the change has mostly parted by then, and what was queued
	// before is served.
	settle float64
	// span is how long what a verdict rests on must have begun over, confirmed that of one that confirms.
	span, confirmed float64
}

// paces are those of the loops. In the open one the number in flight is free: it swings about its mean, and back ever more slowly the nearer the rate is to what the
// server can do.
var paces = [...]pace{bench.Closed: {3, 3, 5}, bench.Open: {3, 8, 16}}

// trial is one load being tried, in one level:
//
//	state    | input                                                | next
//	reaches  | the load is in force (EventReach of its level)       | settles
//	settles  | so many mean times in flight have passed since; at   | counts
//	         | once where it has been in force for as long before   |
//	settles  | the same, and no request was near a limit            | decided: kept, a little later
//	settles, | most requests are far beyond their limit; the server | decided: broke
//	counts   | limits requests                                      |
//	settles, | the client is busy, for the first time               | strained
//	counts   | the client is busy once more                         | decided: broke
//	strained | the client has kept up for a while                   | counts, from nothing
//	strained | it has not for too long                              | decided: broke
//	counts   | the sequential test of every promise has ended       | decided
//	counts   | the cap, in time or requests                         | decided by what was seen, roughly
//	counts   | the newest requests found no target                  | counts, until it answers or the run knows that it is down
//	any      | another level begins (a note, a pause that ended)    | reaches, in that one, from nothing
//
// As it begins to count, so does its level: what is shown of the level is then what the trial judges.
type trial struct {
	load     bench.Setpoint
	promises []bench.Threshold
	confirms bool
	rises    bool
	risk     risk
	// lowered: the load was higher before, so that what a quota's limit does at first is that load's doing.
	lowered bool
	// steady: the load was in force before, and had settled.
	steady bool
	cap    time.Duration
	// near is how many times as long as else a trial of the open loop that confirms holds its load (see nearness).
	near        float64
	capRequests int
	pastLimits  bool

	level          int
	begin, reached bench.Mark
	requests       *requests
	// rested is when it had settled, from the first whole second that counts; absent before.
	rested, from bench.Mark
	// stay and stays are the time in flight of requests that ended since the load was in force, and their number, those of a trial of the same load just before
	// included; ended is that of this one's alone.
	stay         time.Duration
	stays, ended int
	// crowd is how many requests are in flight, crowds those of each second since the load was in force.
	crowd  int
	crowds []int
	// mute is for how many seconds nothing has ended while what is too much in flight was waited for.
	mute int
	// busy counts seconds in which the client was, of those watched; limited is when the server last limited a request.
	busy, watched int
	// late counts those in which it was by too little to touch a promise, lag is the worst of them.
	late     int
	lag      bench.Value
	limited  bench.Mark
	vanished vanished
	// strained is when the client was busy for too long for the first time, quiet how many seconds it has kept up since.
	strained bench.Mark
	quiet    int
}

// take takes in a second, in the level that is in force.
func (t *trial) take(s *Second) {
	if t.requests == nil || t.level != s.Level {
		// Before anything is measured the level in force is none, and a trial's is as well.
		if !t.steady || t.level != 0 {
			t.steady, t.stay, t.stays = false, 0, 0
		}
		t.level, t.reached, t.rested, t.from = s.Level, bench.Mark{}, bench.Mark{}, bench.Mark{}
		t.requests = newRequests(t.level, t.promises)
		t.crowds, t.ended, t.mute, t.busy, t.watched, t.limited, t.strained = nil, 0, 0, 0, 0, bench.Mark{}, bench.Mark{}
		t.late, t.lag, t.vanished = 0, bench.Value{}, false
	}
	for _, b := range s.Batches {
		t.batch(b)
	}
	if t.tooBusy() && !t.strained.OK {
		t.strained, t.from, t.quiet = bench.MarkAt(t.requests.folded), bench.Mark{}, 0
	}
	if t.reached.OK && !t.from.OK {
		t.settle()
	}
}

// tooBusy tells whether it is the client that was measured.
func (t *trial) tooBusy() bool { return t.busy >= strained && t.oftenBusy() }

// oftenBusy tells whether the client was busy for a good part of the time.
func (t *trial) oftenBusy() bool { return t.busy > 0 && strainedPart*t.busy >= t.watched }

func (t *trial) batch(b *bench.Batch) {
	for _, e := range b.Events {
		if e.Kind == bench.EventReach && e.Level == t.level && e.N == 0 {
			t.reached, t.rested, t.from = bench.MarkAt(e.At), bench.Mark{}, bench.Mark{}
		}
	}
	t.requests.take(b)
	t.vanished.take(b.Ended)
	if !t.reached.OK {
		if t.mute++; len(b.Ended) > 0 || b.Active == 0 {
			t.mute = 0
		}
		return
	}
	if b.Span > 0 {
		t.crowd = int(b.Facts.InFlight / b.Span.Seconds())
		t.crowds = append(t.crowds, t.crowd)
	}
	if b.Start >= t.reached.At {
		t.quiet++
		t.watched++
		switch h := &b.Health; {
		case h.Strain < bench.Busy:
		case untouched(h, t.promises):
			t.late++
			if lag := lateness(h); !t.lag.OK || lag.V > t.lag.V {
				t.lag = lag
			}
		default:
			t.busy, t.quiet = t.busy+1, 0
		}
	}
	for i := range b.Ended {
		e := &b.Ended[i]
		if e.Outcome == bench.RateLimited && e.Level == t.level {
			t.limited = bench.MarkAt(e.Marks.Ended.At)
		}
		if d, ok := e.E2E(); ok && e.Outcome == bench.OK && e.Marks.Ended.At >= t.reached.At {
			t.stay += d
			t.stays++
			t.ended++
		}
	}
}

// settle looks whether what the change of the load has stirred up is over.
func (t *trial) settle() {
	since := t.reached.At
	if t.limited.OK && t.lowered && !t.pastLimits {
		since = max(since, t.limited.At) // what the load above has left of the quota is gone by then
	}
	wait := mostSettle
	switch {
	case t.steady:
		wait = 0
	case t.stays >= bench.FewSamples:
		wait = min(max(t.times(t.pace().settle), leastSettle), mostSettle)
	}
	now := t.requests.folded
	if now < since+wait || t.strained.OK && t.quiet < calm || now < since+mostSettle && t.drains() {
		return
	}
	if !t.rested.OK {
		t.rested = bench.MarkAt(now)
	}
	if !t.strained.OK && now < t.rested.At+max(t.times(leastCap), time.Second) && t.mayPass() {
		return
	}
	t.from = bench.MarkAt((now + time.Second - 1) / time.Second * time.Second)
	if t.strained.OK {
		t.busy, t.watched, t.late, t.lag = 0, 0, 0, bench.Value{}
	}
}

// drains tells whether what the load above has left in flight still goes down. Requests wait behind it, though those that come now would not make it.
func (t *trial) drains() bool {
	long := max(int(drained*t.times(1).Seconds()), leastDrained)
	if t.load.Mode == bench.Closed || !t.lowered || t.steady {
		return false
	}
	if len(t.crowds) < 2*long {
		return true
	}
	before, after := 0, 0
	for i, n := range t.crowds[len(t.crowds)-2*long:] {
		if i < long {
			before += n
		} else {
			after += n
		}
	}
	return float64(after) < (1-drainPart)*float64(before)
}

// mayPass tells whether all requests since the load was in force were so far within every promise that nothing more need be known of it.
func (t *trial) mayPass() bool {
	if t.oftenBusy() {
		return false
	}
	for i, p := range t.promises {
		if p.Metric == bench.Errors {
			continue
		}
		if !single(p) || t.confirms || t.load.Mode == bench.Open && !t.rises {
			return false
		}
		all := t.requests.judged(t.second(), i)
		if count(all, p.Floor).over > 0 || strain(p, worst(all, p.Floor)) > far {
			return false
		}
	}
	return true
}

func (t *trial) pace() pace { return paces[t.load.Mode&1] }

// times is so many times the mean time in flight; 0 where that is not known.
func (t *trial) times(n float64) time.Duration {
	if t.stays == 0 {
		return 0
	}
	return time.Duration(n * float64(t.stay) / float64(t.stays))
}

func (t *trial) second() int {
	if t.from.OK {
		return int(t.from.At / time.Second)
	}
	return int((t.reached.At + time.Second - 1) / time.Second)
}
