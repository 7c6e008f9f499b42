package load

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"redline/bench"
)

const (
	// longestReserve bounds one wait for a quota, so that better news is soon acted upon; shortestReserve keeps it from spinning.
	longestReserve  = time.Minute
	shortestReserve = 50 * time.Millisecond
	// maxPools bounds the quotas that are followed: their names are the server's.
	maxPools = 32
)

// Reserve spares a share of each quota for others who use the same key: a send that would leave less than that waits. What the server's headers say
// counts; of a quota that only the operator named, what was sent in the trailing minute. All methods are safe for concurrent use; mu guards the rest.
//
// Each quota is a pool that is followed between two words of the server: sends take from it, time refills it. A word says what was left when its own
// request was counted, so that the sends after that one are still to be taken off; and output that is still being made may be counted only as it comes,
// so that it is taken at its largest until the request is over. A quota refills steadily (most providers) or all at once at its reset. The second is
// assumed until the headers show the first, and a send or two may go below the reserve to find out.
type Reserve struct {
	share float64

	mu sync.Mutex
	// pools are in the order of their names.
	pools []*pool
	// sent are all sends so far, running those that are not over.
	sent, running sends
	// named are the operator's quotas; minute is what was sent in each of the last 60 seconds, for them.
	named  []bench.Quota
	minute [60]struct {
		second int
		sends
	}
}

// sends are so many requests, with their tokens at their largest.
type sends struct{ requests, in, out float64 }

func (s *sends) add(o sends, times float64) {
	s.requests += times * o.requests
	s.in += times * o.in
	s.out += times * o.out
}

// of is what they take from a quota.
func (s sends) of(kind bench.QuotaKind) float64 {
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

// Ticket is one send that the reserve knows of.
type Ticket struct {
	need sends
	// upTo are all sends up to this one, itself included; order is its number, from 1.
	upTo   sends
	order  uint64
	second int
	over   bool
}

// NewReserve keeps a share, 0..1, of each quota; named are those that the operator gave, with their limits. A share of 0 never waits.
func NewReserve(share float64, named []bench.Quota) *Reserve {
	return &Reserve{share: share, named: named}
}

// Name puts other quotas of the operator in the place of those in force.
func (r *Reserve) Name(quotas []bench.Quota) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.named = quotas
}

// Ask asks to send a prompt now. It is granted with a ticket, which must be given to Done or Cancel once; else the wait until it is worth asking
// again, and the quota for whose sake.
func (r *Reserve) Ask(now time.Duration, p *bench.Prompt) (t *Ticket, wait time.Duration, why string) {
	t = &Ticket{need: sends{1, float64(p.InputTokens), float64(p.MaxTokens)}}
	if r.share <= 0 {
		return t, 0, ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var probed []*pool
	for _, p := range r.pools {
		p.refill(now)
		w, probe := p.wait(now, r.share, t.need.of(p.quota.Kind))
		if probe {
			probed = append(probed, p)
		}
		if w > wait {
			wait, why = w, r.reason(&p.quota, p.left, p.most)
		}
	}
	for i := range r.named {
		q := &r.named[i]
		if used, w := r.trailing(now, q, t.need.of(q.Kind)); w > wait {
			wait, why = w, r.reason(q, q.Limit.V-used, q.Limit.V)
		}
	}
	if wait > 0 {
		return nil, min(max(wait, shortestReserve), longestReserve), why
	}
	for _, p := range probed {
		p.probes++
		p.probed = now
	}
	r.take(now, t)
	return t, 0, ""
}

// take books a send.
func (r *Reserve) take(now time.Duration, t *Ticket) {
	for _, p := range r.pools {
		p.left -= t.need.of(p.quota.Kind)
	}
	r.sent.add(t.need, 1)
	r.running.add(t.need, 1)
	t.upTo, t.order = r.sent, uint64(r.sent.requests)
	t.second = int(now / time.Second)
	c := &r.minute[t.second%len(r.minute)]
	if c.second != t.second {
		c.second, c.sends = t.second, sends{}
	}
	c.add(t.need, 1)
}

func (r *Reserve) reason(q *bench.Quota, left, of float64) string {
	return fmt.Sprintf("%s: %.0f of %.0f left, %.0f%% are kept for others", q.Unit(), max(left, 0), of, 100*r.share)
}

// See takes what the headers of a send's answer say; without a ticket they are of a request before all sends.
func (r *Reserve) See(t *Ticket, quotas []bench.Quota) {
	if r.share <= 0 {
		return
	}
	if t == nil {
		t = &Ticket{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	since := r.sent
	since.add(t.upTo, -1)
	// Its own output, and that of those before it, may not be counted yet; what was sent since is among the running ones, or has been taken off.
	since.out = r.running.out
	for _, q := range quotas {
		if q.Remaining.OK {
			r.pool(q, t.order).see(q, t.order, since.of(q.Kind))
		}
	}
}

// pool is the pool of a quota; a new one takes the place of the one that was spoken of longest ago where there are too many.
func (r *Reserve) pool(q bench.Quota, order uint64) *pool {
	i, known := slices.BinarySearchFunc(r.pools, q.Name, func(p *pool, name string) int { return cmp.Compare(p.quota.Name, name) })
	if known {
		return r.pools[i]
	}
	p := newPool(q, order)
	r.pools = slices.Insert(r.pools, i, p)
	if len(r.pools) > maxPools {
		oldest := 0
		for j, other := range r.pools {
			if other != p && (r.pools[oldest] == p || other.quota.At < r.pools[oldest].quota.At) {
				oldest = j
			}
		}
		r.pools = slices.Delete(r.pools, oldest, oldest+1)
	}
	return p
}

// Done ends a ticket whose request has made so many output tokens.
func (r *Reserve) Done(t *Ticket, output int) {
	r.end(t, func() {
		unused := sends{out: max(t.need.out-float64(output), 0)}
		for _, p := range r.pools {
			p.left = min(p.left+unused.of(p.quota.Kind), p.most)
		}
	})
}

// Cancel ends a ticket whose request was never sent.
func (r *Reserve) Cancel(t *Ticket) {
	r.end(t, func() {
		for _, p := range r.pools {
			p.left = min(p.left+t.need.of(p.quota.Kind), p.most)
		}
		if c := &r.minute[t.second%len(r.minute)]; c.second == t.second {
			c.add(t.need, -1)
		}
	})
}

func (r *Reserve) end(t *Ticket, giveBack func()) {
	if r.share <= 0 || t.over {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t.over = true
	r.running.add(t.need, -1)
	giveBack()
}

// trailing is what was sent in the trailing minute, and how long it takes until enough of it is a minute old.
func (r *Reserve) trailing(now time.Duration, q *bench.Quota, need float64) (used float64, wait time.Duration) {
	second := int(now / time.Second)
	for i := range r.minute {
		if c := &r.minute[i]; second-c.second < len(r.minute) {
			used += c.of(q.Kind)
		}
	}
	over := used + need - (1-r.share)*q.Limit.V
	for age := len(r.minute) - 1; age >= 0 && over > 0 && used > 0; age-- {
		c := &r.minute[(second-age+2*len(r.minute))%len(r.minute)]
		if c.second != second-age {
			continue
		}
		if n := c.of(q.Kind); n > 0 {
			over -= n
			wait = time.Duration(c.second+len(r.minute))*time.Second - now
		}
	}
	return used, wait
}
