package sim

import (
	"sync"
	"time"

	"redline/bench/sim/model"
)

// answer is the mailbox between engine and handler: the engine never waits for a client, so tokens pile up here as
// their instants, at most as many as the answer is long.
type answer struct {
	id       model.ID
	accepted time.Time
	// planned is the length the answer will have in tokens.
	planned int
	// cached is how much of the prompt came from the prefix cache; it holds once there is a token.
	cached int
	// last is the previous token's instant; the engine's own.
	last time.Time
	// wake holds one element when there is something new.
	wake chan struct{}

	// mu guards what follows.
	mu     sync.Mutex
	tokens []time.Time
	ended  bool
	reason model.Reason
}

func newAnswer(id model.ID, accepted time.Time) *answer {
	return &answer{id: id, accepted: accepted, wake: make(chan struct{}, 1)}
}

// put adds a token.
func (a *answer) put(at time.Time) {
	a.mu.Lock()
	a.tokens = append(a.tokens, at)
	a.mu.Unlock()
	a.ring()
}

// end says that the last token is in.
func (a *answer) end(why model.Reason) {
	a.mu.Lock()
	a.ended, a.reason = true, why
	a.mu.Unlock()
	a.ring()
}

func (a *answer) ring() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// take moves the new tokens into buf, and tells whether they are the last ones.
func (a *answer) take(buf []time.Time) (tokens []time.Time, ended bool, why model.Reason) {
	a.mu.Lock()
	defer a.mu.Unlock()
	buf = append(buf[:0], a.tokens...)
	a.tokens = a.tokens[:0]
	return buf, a.ended, a.reason
}
