package pilot

import (
	"cmp"
	"slices"
	"time"

	"redline/bench"
)

// sight is what is known of a request, or of a whole promise, so far.
type sight uint8

const (
	// unseen: it still runs. Absent: it can say nothing of the promise, and is in no share.
	unseen sight = iota
	absent
	within
	beyond
)

// request is one that started in a trial's level, once anything has come of it.
type request struct {
	started time.Duration
	// first is its first token, value its metric of each promise where that is known, seen how it does by each.
	first bench.Mark
	ended bool
	// failed tells that it did, withdrawn that it was we who ended it, or a limit of the server's.
	failed, withdrawn bool
	value             []bench.Value
	seen              []sight
}

// cohort are the requests that started in one second.
type cohort struct {
	second int
	// sent is how many did, unsent how many arrivals were dropped.
	sent, unsent int
	requests     []*request
	sorted       bool
}

// requests are those of one level, by the second of their start. They are judged in that order, since short answers end first: a share of those that have
// ended would be one of short answers.
type requests struct {
	level    int
	promises []bench.Threshold
	// cohorts are in order of time, without gaps.
	cohorts []*cohort
	// folded is the end of the last second.
	folded time.Duration
	// longest is the longest time that any has taken.
	longest time.Duration
}

func newRequests(level int, promises []bench.Threshold) *requests {
	return &requests{level: level, promises: promises}
}

// in is the cohort of an instant; nil before the first.
func (r *requests) in(at time.Duration) *cohort {
	second := int(at / time.Second)
	if len(r.cohorts) == 0 {
		r.cohorts = append(r.cohorts, &cohort{second: second})
	}
	first := r.cohorts[0].second
	if second < first {
		return nil
	}
	for len(r.cohorts) <= second-first {
		r.cohorts = append(r.cohorts, &cohort{second: first + len(r.cohorts)})
	}
	return r.cohorts[second-first]
}

// take takes in what a second says of the level's requests.
func (r *requests) take(b *bench.Batch) {
	r.folded = b.Start + b.Span
	for _, s := range b.Starts {
		if s.Level == r.level {
			r.in(b.Start).sent += s.Sent
		}
	}
	for _, u := range b.Unsent {
		if u.Level == r.level {
			if c := r.in(u.At); c != nil {
				c.unsent += u.N
			}
		}
	}
	for i := range b.FirstTokens {
		if f := &b.FirstTokens[i]; f.Level == r.level {
			r.first(f)
		}
	}
	for i := range b.Ended {
		if e := &b.Ended[i]; e.Level == r.level && e.Marks.Started.OK {
			r.end(e)
		}
	}
}

func (r *requests) add(started time.Duration) *request {
	c := r.in(started)
	if c == nil {
		return nil
	}
	q := &request{started: started, value: make([]bench.Value, len(r.promises)), seen: make([]sight, len(r.promises))}
	c.requests, c.sorted = append(c.requests, q), false
	return q
}

// first takes in a first token: what is promised of it is known then.
func (r *requests) first(f *bench.FirstToken) {
	q := r.add(f.Started)
	if q == nil {
		return
	}
	q.first = bench.MarkAt(f.At)
	for i, t := range r.promises {
		if t.Metric == bench.TTFT {
			q.see(i, t, bench.Millis(f.TTFT))
		}
	}
}

func (q *request) see(i int, t bench.Threshold, v float64) {
	if q.value[i], q.seen[i] = bench.Some(v), within; t.Broken(v) {
		q.seen[i] = beyond
	}
}

// end takes in a request that has ended. One that failed has broken every promise, whatever it had shown before; one that we ended, or the server's limit of requests, none.
func (r *requests) end(e *bench.Ended) {
	q := r.known(e)
	if q == nil {
		if q = r.add(e.Marks.Started.At); q == nil {
			return
		}
	}
	q.ended, q.failed, q.withdrawn = true, e.Outcome.Failed(), e.Outcome != bench.OK && !e.Outcome.Failed()
	if e.Marks.Ended.OK {
		r.longest = max(r.longest, e.Marks.Ended.At-e.Marks.Started.At)
	}
	for i, t := range r.promises {
		switch {
		case q.failed:
			q.seen[i] = beyond
		case q.withdrawn:
			q.seen[i] = absent
		default:
			if v, ok := measure(e, t.Metric); ok {
				q.see(i, t, v)
			} else {
				q.seen[i] = absent
			}
		}
	}
}

// known is the request whose first token was taken in: requests carry no names there, but two that began and answered at the same instants are alike.
func (r *requests) known(e *bench.Ended) *request {
	c := r.in(e.Marks.Started.At)
	if c == nil || !e.Marks.FirstToken.OK {
		return nil
	}
	for _, q := range c.requests {
		if !q.ended && q.started == e.Marks.Started.At && q.first == e.Marks.FirstToken {
			return q
		}
	}
	return nil
}

// single tells whether a promise is one that a single request keeps or breaks, and measure its metric of one that ended well.
func single(t bench.Threshold) bool {
	switch t.Metric {
	case bench.TTFT, bench.TTFA, bench.TPS, bench.E2E, bench.TPOT:
		return true
	}
	return false
}

func measure(e *bench.Ended, m bench.Metric) (float64, bool) {
	var d time.Duration
	var ok bool
	switch m {
	case bench.TTFT:
		d, ok = e.TTFT()
	case bench.TTFA:
		d, ok = e.TTFA()
	case bench.E2E:
		d, ok = e.E2E()
	case bench.TPOT:
		return e.TPOT()
	case bench.TPS:
		return e.Speed()
	}
	return bench.Millis(d), ok
}

// late is from when on a request that is still unseen has broken a promise; false for one that only its end can tell.
func late(t bench.Threshold) (time.Duration, bool) {
	switch t.Metric {
	case bench.TTFT, bench.TTFA, bench.E2E:
		return time.Duration(t.Limit * float64(time.Millisecond)), true
	}
	return 0, false
}

// slack is how much longer than any before it a request may run before it is no longer waited for: it would hold up all that began later.
const slack = 3

// judged are the requests that began from a second on, held against a promise, up to the first second of whose requests some still run. A request that runs
// beyond its limit has broken it.
func (r *requests) judged(from int, i int) (out []outcome) {
	t := r.promises[i]
	limit, ages := late(t)
	for _, c := range r.cohorts {
		if c.second < from {
			continue
		}
		age := r.folded - time.Duration(c.second+1)*time.Second
		if age < 0 {
			break
		}
		c.sort()
		running := c.sent
		for _, q := range c.requests {
			if q.seen[i] != unseen {
				running--
			}
		}
		over := 0
		switch {
		case running <= 0:
		case ages && age >= limit:
			over = running
		case age < slack*r.longest+5*time.Second || r.longest == 0:
			return out
		}
		for _, q := range c.requests {
			switch q.seen[i] {
			case within, beyond:
				out = append(out, outcome{q.value[i], q.seen[i] == beyond})
			}
		}
		for range over + c.unsent {
			out = append(out, outcome{over: true})
		}
	}
	return out
}

func (c *cohort) sort() {
	if !c.sorted {
		slices.SortStableFunc(c.requests, func(a, b *request) int { return cmp.Compare(a.started, b.started) })
		c.sorted = true
	}
}

// failures counts, among those that began from a second on, the ones that failed or were never sent, and all that are known.
func (r *requests) failures(from int) (missed, all int) {
	for _, c := range r.cohorts {
		if c.second < from {
			continue
		}
		missed, all = missed+c.unsent, all+c.unsent
		for _, q := range c.requests {
			if q.ended && !q.withdrawn {
				all++
				if q.failed {
					missed++
				}
			}
		}
	}
	return missed, all
}
