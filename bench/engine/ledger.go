package engine

import (
	"sync"

	"redline/bench"
)

// ledger counts what the run spends and refuses what would go over its limits. Before a send the most that the request may use is reserved;
// when it has ended the reservation gives way to what it did use, whatever its outcome. Safe for concurrent use.
type ledger struct {
	prices bench.Prices

	mu sync.Mutex
	// budget and tokens are the limits in force (0: none); budgetStep and tokensStep what a yes adds to them.
	budget, budgetStep float64
	tokens, tokensStep int
	in, out            int
	heldIn, heldOut    int
	// sent of at most requests (0: no limit) that are counted.
	sent, requests int
}

func newLedger(o *Options) *ledger {
	return &ledger{prices: o.Run.Prices, budget: o.Budget, budgetStep: o.Budget, tokens: o.BudgetTokens, tokensStep: o.BudgetTokens,
		requests: o.Run.Requests}
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
	l.mu.Lock()
	defer l.mu.Unlock()
	if counted && l.requests > 0 && l.sent >= l.requests {
		return noMoreRequests
	}
	in, out := l.in+l.heldIn+p.InputTokens, l.out+l.heldOut+p.MaxTokens
	if l.tokens > 0 && in+out > l.tokens {
		return overBudget
	}
	if l.budget > 0 && l.cost(in, out) > l.budget {
		return overBudget
	}
	if counted {
		l.sent++
	}
	l.heldIn += p.InputTokens
	l.heldOut += p.MaxTokens
	return granted
}

// settle books what a request has used. Where the server did not count the prompt, the asked length stands, unless the server refused the
// request or never got it: what was cut while the server read the prompt has been paid for.
func (l *ledger) settle(e *bench.Ended) {
	in := e.Counts.Input
	if in == 0 && (e.Status/100 == 2 || e.Status == 0 && e.Marks.Written.OK) {
		in = e.Prompt.InputTokens
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heldIn -= e.Prompt.InputTokens
	l.heldOut -= e.Prompt.MaxTokens
	l.in += in
	l.out += e.Counts.Output
}

// book adds tokens that were used outside the run's requests.
func (l *ledger) book(in, out int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.in += in
	l.out += out
}

// extend allows as much again as was allowed at first, from what is spent and reserved now.
func (l *ledger) extend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	in, out := l.in+l.heldIn, l.out+l.heldOut
	if l.tokens > 0 {
		l.tokens = max(l.tokens, in+out) + l.tokensStep
	}
	if l.budget > 0 {
		l.budget = max(l.budget, l.cost(in, out)) + l.budgetStep
	}
}

func (l *ledger) cost(in, out int) float64 {
	return (float64(in)*l.prices.Input + float64(out)*l.prices.Output) / 1e6
}

// spend is the present state, without the burn.
func (l *ledger) spend() bench.Spend {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := bench.Spend{In: l.in, Out: l.out, Reserved: l.heldIn + l.heldOut, Budget: l.budget, BudgetTokens: l.tokens}
	if l.prices.Set() {
		s.Cost = bench.Some(l.cost(l.in, l.out))
	}
	return s
}
