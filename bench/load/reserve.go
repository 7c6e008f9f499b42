package load

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

const (
	// longestReserve bounds one wait for a quota, so that better news is soon acted upon; shortestReserve keeps it from spinning.
	longestReserve  = time.Minute
	shortestReserve = 50 * time.Millisecond
	// sameReset is how far apart two words on the instant of a reset may be and still mean the same one; apart is how far apart two words must be for
	// that to say anything.
	sameReset = time.Second
	apart     = 2 * time.Second
)

// Reserve spares a share of each quota for others who use the same key: a send that would leave less than that waits. What the server's headers say
// counts; of a quota that only the operator named, what was sent in the trailing minute. All methods are safe for concurrent use; mu guards the rest.
//
// A quota refills steadily (most providers) or all at once at its reset. The first is assumed until the headers show the second, so that a send or
// two may go below the reserve.
type Reserve struct {
	share float64

	mu    sync.Mutex
	pools map[string]*pool
	// pending are the sends that have not been answered yet: what the headers say may lack them.
	pending sends
	// named are the operator's quotas; sent is what was sent in each of the last 60 seconds, for them.
	named []bench.Quota
	sent  [60]struct {
		second int
		sends
	}
}

// sends are so many requests, with their tokens at their largest.
type sends struct{ requests, in, out float64 }

func (s *sends) add(t *Ticket, times float64) {
	s.requests += times
	s.in += times * t.in
	s.out += times * t.out
}

// of is what they take from a quota.
func (s *sends) of(kind bench.QuotaKind) float64 {
	switch kind {
	case bench.QuotaTokens:
		return s.in + s.out
	case bench.QuotaInput:
		return s.in
	case bench.QuotaOutput:
		return s.out
	}
	return s.requests
}

// pool is a quota of which the server tells.
type pool struct {
	quota bench.Quota
	// most is the limit, or the most that was ever left where the server does not say the limit.
	most float64
	// atOnce: it refills at its reset, not steadily; known: its headers have shown which. earlier is the word that the newest is held against.
	atOnce, known bool
	earlier       bench.Quota
}

// Ticket is one send that the reserve knows of until the server has counted it.
type Ticket struct {
	in, out  float64
	answered bool
}

// NewReserve keeps a share, 0..1, of each quota; named are those that the operator gave, with their limits. A share of 0 never waits.
func NewReserve(share float64, named []bench.Quota) *Reserve {
	return &Reserve{share: share, named: named, pools: map[string]*pool{}}
}

// need is what a send takes from a quota.
func (t *Ticket) need(kind bench.QuotaKind) float64 {
	one := sends{1, t.in, t.out}
	return one.of(kind)
}

// Ask asks to send a prompt now. It is granted with a ticket, which must be given to Done once; else the wait until it is worth asking again, and the
// quota for whose sake.
func (r *Reserve) Ask(now time.Duration, p *bench.Prompt) (t *Ticket, wait time.Duration, why string) {
	t = &Ticket{in: float64(p.InputTokens), out: float64(p.MaxTokens)}
	if r.share <= 0 {
		return t, 0, ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(r.pools)) {
		p := r.pools[name]
		kind := p.quota.Kind
		if w := p.wait(now, r.share, t.need(kind), r.pending.of(kind)); w > wait {
			wait, why = w, r.reason(&p.quota, p.left(now), p.most)
		}
	}
	for i := range r.named {
		q := &r.named[i]
		if used, w := r.trailing(now, q, t.need(q.Kind)); w > wait {
			wait, why = w, r.reason(q, q.Limit.V-used, q.Limit.V)
		}
	}
	if wait > 0 {
		return nil, min(max(wait, shortestReserve), longestReserve), why
	}
	r.pending.add(t, 1)
	second := int(now / time.Second)
	c := &r.sent[second%len(r.sent)]
	if c.second != second {
		c.second, c.sends = second, sends{}
	}
	c.add(t, 1)
	return t, 0, ""
}

func (r *Reserve) reason(q *bench.Quota, left, of float64) string {
	return fmt.Sprintf("%s: %.0f of %.0f left, %.0f%% are kept for others", q.Unit(), max(left, 0), of, 100*r.share)
}

// See takes what the headers of a send's answer say. From then on the server has counted that send.
func (r *Reserve) See(t *Ticket, quotas []bench.Quota) {
	if r.share <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer(t)
	for _, q := range quotas {
		if !q.Remaining.OK {
			continue
		}
		p := r.pools[q.Name]
		if p == nil {
			p = &pool{quota: q, most: q.Remaining.V, earlier: q}
			r.pools[q.Name] = p
		}
		p.see(q)
	}
}

// Done ends a ticket, whatever became of its send.
func (r *Reserve) Done(t *Ticket) {
	if r.share <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer(t)
}

func (r *Reserve) answer(t *Ticket) {
	if !t.answered {
		t.answered = true
		r.pending.add(t, -1)
	}
}

// see takes a newer word on the quota.
func (p *pool) see(q bench.Quota) {
	old := p.quota
	if q.At < old.At {
		return
	}
	if q.At-p.earlier.At >= apart {
		p.compare(&q)
		p.earlier = q
	}
	q.Per = max(q.Per, old.Per)
	p.quota = q
	if p.most = max(p.most, q.Remaining.V); q.Limit.OK {
		p.most = q.Limit.V
	}
}

// compare learns how the quota refills. Its reset stays where it is while it is used up: all at once then. It moves on with each send: steadily.
func (p *pool) compare(q *bench.Quota) {
	if !q.Reset.OK || !p.earlier.Reset.OK || q.Remaining.V >= p.most || p.earlier.Remaining.V >= p.most {
		return
	}
	reset := p.earlier.At + p.earlier.Reset.At
	if q.At >= reset {
		return // it has been whole in between, either way
	}
	moved := q.At + q.Reset.At - reset
	switch {
	case q.Remaining.V > p.earlier.Remaining.V && q.At < reset-sameReset, moved > sameReset:
		p.atOnce, p.known = false, true
	case moved.Abs() <= sameReset && q.Remaining.V <= p.earlier.Remaining.V:
		p.atOnce, p.known = true, true
	}
}

// resets is how long after its word the quota is whole again.
func (p *pool) resets() time.Duration {
	if p.quota.Reset.OK {
		return p.quota.Reset.At
	}
	return p.quota.Per
}

// left is what is left of the quota now, as far as can be known.
func (p *pool) left(now time.Duration) float64 {
	since := max(now-p.quota.At, 0)
	left := p.quota.Remaining.V
	switch reset := p.resets(); {
	case since >= reset:
		left = p.most
	case !p.atOnce:
		left += (p.most - left) * float64(since) / float64(reset)
	}
	return min(left, p.most)
}

// wait is how long it takes until a need leaves the reserve whole, when what is pending has been taken; 0 if it does now. Of a quota that is smaller
// than its reserve and the need all has to be left.
func (p *pool) wait(now time.Duration, share, need, pending float64) time.Duration {
	want := min(share*p.most+need, p.most) + pending
	lack := want - p.left(now)
	if lack <= 0 {
		return 0
	}
	whole := max(p.quota.At+p.resets()-now, shortestReserve)
	gone := p.most - p.quota.Remaining.V
	if p.atOnce || gone <= 0 || !p.quota.Reset.OK {
		return whole
	}
	wait := time.Duration(math.Ceil(lack / gone * float64(p.quota.Reset.At)))
	if !p.known {
		// The next send finds out; until then there are few of them.
		wait = max(wait, sameReset)
	}
	return min(whole, wait)
}

// trailing is what was sent in the trailing minute, and how long it takes until enough of it is a minute old.
func (r *Reserve) trailing(now time.Duration, q *bench.Quota, need float64) (used float64, wait time.Duration) {
	second := int(now / time.Second)
	for i := range r.sent {
		if c := &r.sent[i]; second-c.second < len(r.sent) {
			used += c.of(q.Kind)
		}
	}
	over := used + need - (1-r.share)*q.Limit.V
	for age := len(r.sent) - 1; age >= 0 && over > 0 && used > 0; age-- {
		c := &r.sent[(second-age+2*len(r.sent))%len(r.sent)]
		if c.second != second-age {
			continue
		}
		if n := c.of(q.Kind); n > 0 {
			over -= n
			wait = time.Duration(c.second+len(r.sent))*time.Second - now
		}
	}
	return used, wait
}
