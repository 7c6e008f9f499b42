package engine

import "sync"

// Purse is the budget of one run, or of several that spend together, each at its own prices. Safe for concurrent use.
type Purse struct {
	mu sync.Mutex
	// budget and tokens are the limits in force (0: none); budgetStep and tokensStep what a yes adds to them.
	budget, budgetStep float64
	tokens, tokensStep int
	// shut: one of several that spend from it was refused, so that all are, until one goes on.
	shut bool
	// of are the ledgers that spend from it; its lock is theirs.
	of []*ledger
}

// NewPurse is a purse with limits in currency and in tokens, 0 for none.
func NewPurse(budget float64, tokens int) *Purse {
	return &Purse{budget: budget, budgetStep: budget, tokens: tokens, tokensStep: tokens}
}

func (p *Purse) join(l *ledger) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of = append(p.of, l)
}

// committed is what is spent and reserved by all; the lock is held.
func (p *Purse) committed() (tokens int, cost float64) {
	for _, l := range p.of {
		tokens, cost = tokens+l.in+l.heldIn+l.out+l.heldOut, cost+l.cost(true)
	}
	return tokens, cost
}

// refuses tells whether what is spent and reserved is more than the limits allow, or was for another one that spends from it; the lock is held.
func (p *Purse) refuses() bool {
	if p.over() {
		p.shut = len(p.of) > 1
		return true
	}
	return p.shut
}

// open lets all ask again.
func (p *Purse) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shut = false
}

// over tells whether what is spent and reserved is more than the limits allow; the lock is held.
func (p *Purse) over() bool {
	if p.tokens == 0 && p.budget == 0 {
		return false
	}
	tokens, cost := p.committed()
	return p.tokens > 0 && tokens > p.tokens || p.budget > 0 && cost > p.budget
}

// extend allows as much again as was allowed at first, from what is spent and reserved now; the lock is held.
func (p *Purse) extend() {
	tokens, cost := p.committed()
	p.shut = false
	if p.tokens > 0 {
		p.tokens = max(p.tokens, tokens) + p.tokensStep
	}
	if p.budget > 0 {
		p.budget = max(p.budget, cost) + p.budgetStep
	}
}
