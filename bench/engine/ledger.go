package engine

import (
	"time"

	"redline/bench"
)

// ledger counts what the run spends and refuses what would go over its limits. Before a send the most that the request may use is reserved;
// when it has ended the reservation gives way to what it did use, whatever its outcome. Safe for concurrent use.
type ledger struct {
	prices bench.Prices
	// purse has the limits, and the lock for all that follows.
	purse *Purse
	// clock tells how long the GPUs have been paid for; until is when the run ended.
	clock bench.Clock
	until bench.Mark

	// in, cached and out are tokens that were used, cached those of in that came from the server's cache.
	in, cached, out int
	heldIn, heldOut int
	// sent of at most requests (0: no limit) that are counted.
	sent, requests int
}

func newLedger(o *Options, clock bench.Clock) *ledger {
	purse := o.Purse
	if purse == nil {
		purse = NewPurse(o.Budget, o.BudgetTokens)
	}
	l := &ledger{prices: o.Run.Prices, purse: purse, clock: clock, requests: o.Run.Requests}
	purse.join(l)
	return l
}

// verdict is the ledger's answer to a request for a send.
type verdict uint8

const (
	granted verdict = iota
	overBudget
	noMoreRequests
)

// reserve asks for one send; counted tells whether it is one of the run's requests, or of its warm-up.
func (l *ledger) reserve(p *bench.Prompt, counted bool) verdict {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	if counted && l.requests > 0 && l.sent >= l.requests {
		return noMoreRequests
	}
	l.heldIn += p.InputTokens
	l.heldOut += p.MaxTokens
	if l.purse.refuses() {
		l.heldIn -= p.InputTokens
		l.heldOut -= p.MaxTokens
		return overBudget
	}
	if counted {
		l.sent++
	}
	return granted
}

// settle books what a request has used. Where the server did not count the prompt, the asked length stands, unless the server refused the
// request or never got it: what was cut while the server read the prompt has been paid for.
func (l *ledger) settle(e *bench.Ended) {
	in := e.Counts.Input
	if in == 0 && (e.Status/100 == 2 || e.Status == 0 && e.Marks.Written.OK) {
		in = e.Prompt.InputTokens
	}
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	l.heldIn -= e.Prompt.InputTokens
	l.heldOut -= e.Prompt.MaxTokens
	l.in += in
	l.cached += min(e.Counts.Cached, in)
	l.out += e.Counts.Output
}

// book adds tokens that were used outside the run's requests.
func (l *ledger) book(in, out int) {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	l.in += in
	l.out += out
}

// extend allows as much again as was allowed at first, from what is spent and reserved now.
func (l *ledger) extend() {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	l.purse.extend()
}

// close ends the time that is paid for.
func (l *ledger) close(at time.Duration) {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	l.until = bench.MarkAt(at)
}

// exhausted tells whether the time that has passed has used the budget up, without one more request.
func (l *ledger) exhausted() bool {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	return l.prices.Hourly() > 0 && l.purse.over()
}

// cost is what is spent so far, with what is reserved if that is asked for; of what may be in the cache nothing is known beforehand. The lock is held.
func (l *ledger) cost(reserved bool) float64 {
	in, out := l.in, l.out
	if reserved {
		in, out = in+l.heldIn, out+l.heldOut
	}
	cost := l.prices.Tokens(float64(in), float64(l.cached), float64(out))
	if l.prices.Hourly() > 0 {
		lasted := l.until.At
		if !l.until.OK {
			lasted = l.clock.Now()
		}
		cost += l.prices.Over(lasted)
	}
	return cost
}

// spend is the present state, without the burn.
func (l *ledger) spend() bench.Spend {
	l.purse.mu.Lock()
	defer l.purse.mu.Unlock()
	s := bench.Spend{In: l.in, Out: l.out, Reserved: l.heldIn + l.heldOut, Budget: l.purse.budget, BudgetTokens: l.purse.tokens}
	if l.prices.Set() {
		s.Cost = bench.Some(l.cost(false))
	}
	return s
}
