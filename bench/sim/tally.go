package sim

import (
	"sync"
	"sync/atomic"
)

// tally counts what the server sees of its clients, whatever the engine does.
type tally struct {
	requests, inFlight, inFlightMax, connections atomic.Int64

	// mu guards refused, the error answers by status.
	mu      sync.Mutex
	refused map[int]uint64
}

// place is an accepted request's place in the count.
type place struct {
	tally *tally
	left  atomic.Bool
}

// enter counts a request in.
func (t *tally) enter() *place {
	t.requests.Add(1)
	n := t.inFlight.Add(1)
	for top := t.inFlightMax.Load(); n > top && !t.inFlightMax.CompareAndSwap(top, n); top = t.inFlightMax.Load() {
	}
	return &place{tally: t}
}

// leave counts it out, once. It is called before the answer's last bytes are written: a client that sends its next
// request on reading them must never be seen with one too many. Only a client that breaks off can be, until its broken
// connection is noticed.
func (p *place) leave() {
	if !p.left.Swap(true) {
		p.tally.inFlight.Add(-1)
	}
}

func (t *tally) refuse(status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused[status]++
}
