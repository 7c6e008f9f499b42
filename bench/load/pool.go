package load

import (
	"math"
	"time"

	"redline/bench"
)

// pool is a quota of which the server tells, as it is believed to be at an instant.
type pool struct {
	// quota is the newest word, of the send with that order.
	quota bench.Quota
	order uint64
	// most is the limit; where the server does not say it, the most that was left since begun, when the quota was last taken to be whole.
	most  float64
	begun time.Duration
	// left is what is left at an instant, when all that is sent has been taken off.
	left float64
	at   time.Duration
	// whole is when it is whole again, all at once.
	whole time.Duration
	// steady: it refills as time goes, not all at once at its reset; known: its headers have shown which. earlier is the word that the newest is held
	// against, probes are the sends below the reserve that are to find out, and probed when the last of them went.
	steady, known bool
	earlier       bench.Quota
	probes        int
	probed        time.Duration
}

// newPool is a pool of which there is one word.
func newPool(q bench.Quota, order uint64) *pool {
	// Windows so short are counted anew each time by those who have them.
	return &pool{order: order, earlier: q, begun: q.At, known: q.Per <= 2*time.Second}
}

// see takes a word: since is what was sent after the request whose answer it is. Words of requests sent earlier than the one that spoke last are old,
// however late they come.
func (p *pool) see(q bench.Quota, order uint64, since float64) {
	if order < p.order {
		return
	}
	if q.Limit.OK && q.Limit.V <= 0 {
		q.Limit = bench.Value{}
	}
	if q.At-p.earlier.At >= p.apart() {
		p.compare(&q)
		p.earlier = q
	}
	q.Per = max(q.Per, p.quota.Per)
	switch {
	case q.Limit.OK:
		p.most = q.Limit.V
	case p.quota.Name == "" || q.At >= p.begun+p.quotaReset(&q):
		p.most, p.begun = q.Remaining.V, q.At
	default:
		p.most = max(p.most, q.Remaining.V)
	}
	p.quota, p.order = q, order
	p.left, p.at = q.Remaining.V-since, q.At
	p.whole = q.At + p.quotaReset(&q)
}

// apart is how far apart two words must be to say how the quota refills.
func (p *pool) apart() time.Duration {
	return min(max(p.earlier.Per/30, 100*time.Millisecond), 2*time.Second)
}

// compare learns how the quota refills. Its reset stays where it is while it is used up: all at once then. It moves on with each send: steadily.
func (p *pool) compare(q *bench.Quota) {
	if q.Per <= 2*time.Second || !q.Reset.OK || !p.earlier.Reset.OK || q.Remaining.V >= p.most || p.earlier.Remaining.V >= p.most {
		return
	}
	same := p.apart() / 2
	reset := p.earlier.At + p.earlier.Reset.At
	if q.At >= reset {
		return // it has been whole in between, either way
	}
	moved := q.At + q.Reset.At - reset
	switch {
	case q.Remaining.V > p.earlier.Remaining.V && q.At < reset-same, moved > same:
		p.steady, p.known = true, true
	case moved.Abs() <= same && q.Remaining.V <= p.earlier.Remaining.V:
		p.steady, p.known = false, true
	}
}

// quotaReset is how long after its word a quota is whole again. A reset of nothing beside a quota that is not whole is none: some servers always say so,
// or cut to whole seconds.
func (p *pool) quotaReset(q *bench.Quota) time.Duration {
	if q.Reset.OK && q.Reset.At >= shortestReserve {
		return q.Reset.At
	}
	return max(q.Per, time.Second)
}

// rate is what a steady refill brings a second: by the newest word, and never more than the whole quota in its period.
func (p *pool) rate() float64 {
	rate := p.most / max(p.quota.Per, time.Second).Seconds()
	if gone := p.most - p.quota.Remaining.V; gone > 0 {
		rate = min(rate, gone/p.quotaReset(&p.quota).Seconds())
	}
	return rate
}

// refill brings the pool up to an instant.
func (p *pool) refill(now time.Duration) {
	switch {
	case now <= p.at:
		return
	case p.steady:
		p.left = min(p.left+p.rate()*(now-p.at).Seconds(), p.most)
	case now >= p.whole:
		p.left, p.probes = p.most, 0
		per := max(p.quota.Per, time.Second)
		p.whole += ((now-p.whole)/per + 1) * per
	}
	p.at = now
}

// maxProbes is how many sends may go below the reserve to find out how a quota refills.
const maxProbes = 2

// wait is how long it takes until a need leaves the reserve whole; 0 if it does now, or if this send, below the reserve, is to find out how the quota
// refills (a probe). Of a quota that is smaller than its reserve and the need all has to be left. A quota of which nothing is known but that nothing is
// left is for the server to refuse.
func (p *pool) wait(now time.Duration, share, need float64) (wait time.Duration, probe bool) {
	lack := min(share*p.most+need, p.most) - p.left
	if p.most <= 0 || lack <= 0 {
		return 0, false
	}
	if p.steady {
		rate := max(p.rate(), 1e-9)
		return time.Duration(math.Ceil(min(lack/rate, time.Hour.Seconds()) * float64(time.Second))), false
	}
	wait = max(p.whole-now, shortestReserve)
	if p.known || !p.quota.Reset.OK || p.probes >= maxProbes {
		return wait, false
	}
	// A probe says something when it is apart from the word that it will be held against.
	early := max(p.earlier.At, p.probed) + p.apart() - now
	return min(wait, max(early, 0)), early <= 0
}
