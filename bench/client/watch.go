package client

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
)

// limitError is the cause with which a request is ended for its own time.
type limitError struct {
	outcome bench.Outcome
	text    string
}

func (e *limitError) Error() string { return e.text }

var (
	errConnect       = &limitError{bench.TimeoutConnect, "no connection within its limit"}
	errFirst         = &limitError{bench.TimeoutFirst, "no token within the first-token limit"}
	errIdle          = &limitError{bench.Stalled, "no byte for longer than the idle limit"}
	errTotal         = &limitError{bench.TimeoutTotal, "not finished within the total limit"}
	errBody    error = &limitError{bench.OK, "the body of an error did not end in time"}
	errDrain   error = &limitError{bench.OK, "the server kept the connection busy after the answer's end"}

	// ErrInterrupted, as the cause of a cancelled context, ends a request as bench.Interrupted: it spanned a gap in time. Any
	// other cause ends it as bench.Cancelled.
	ErrInterrupted error = &limitError{bench.Interrupted, "spanned a gap in time"}
)

// sweep is how often the limits are looked at.
const sweep = 250 * time.Millisecond

// flight is what the sweeper and the transport's trace know of a request. Instants are stored plus one; 0 is "not yet".
type flight struct {
	started                     time.Duration
	last                        atomic.Int64 // instant of the last byte
	begun                       atomic.Bool  // the first token has come
	connected, written, headers atomic.Int64
	reused                      atomic.Bool
	// hints counts the answers of kind 1xx, which come before the one that is asked for.
	hints atomic.Int32
	// conn is the connection that carries it; handshake is when its TLS began, and secured how long that took.
	conn               atomic.Pointer[conn]
	handshake, secured atomic.Int64
	// shared is the same as conn in the pool of HTTP/2, else nil; only the request's own goroutine knows it.
	shared *shared
	cancel context.CancelCauseFunc
	// shard is where it is watched; over: it has no limits, or none any more.
	shard *shard
	over  atomic.Bool
	// door is what its connecting holds open; nil before and after.
	door atomic.Pointer[door]
}

// hint takes an answer of kind 1xx, of which the transport has told the first byte as if it were the answer's.
func (f *flight) hint() error {
	f.headers.Store(0)
	if f.hints.Add(1) > maxHints {
		return fmt.Errorf("more than %d answers of kind 1xx before the one that is asked for", maxHints)
	}
	return nil
}

func stamp(a *atomic.Int64, at time.Duration) { a.Store(int64(at) + 1) }

func mark(a *atomic.Int64) bench.Mark {
	if v := a.Load(); v > 0 {
		return bench.MarkAt(time.Duration(v - 1))
	}
	return bench.Mark{}
}

// watch holds the requests in flight and the dials. One sweeper serves the limits of all, so that a token costs no timer, only a stamp; it runs only
// while there are any. They lie in shards with a lock each: thousands of requests that begin at once would else wait for one another, as they do for
// the one lock of a context that is the parent of all.
type watch struct {
	// mu guards that nothing is counted in owned once closed is set.
	mu      sync.RWMutex
	closed  atomic.Bool
	running atomic.Bool
	next    atomic.Uint32
	shards  [16]shard
}

// shard is a part of what is watched.
type shard struct {
	sync.Mutex
	flights map[*flight]struct{}
}

// put watches a flight.
func (w *watch) put(f *flight) {
	f.shard = &w.shards[w.next.Add(1)%uint32(len(w.shards))]
	f.shard.Lock()
	if f.shard.flights == nil {
		f.shard.flights = make(map[*flight]struct{})
	}
	f.shard.flights[f] = struct{}{}
	f.shard.Unlock()
	if w.closed.Load() { // close may have looked here before
		f.cancel(errClosed)
	}
}

// drop watches a flight no longer.
func (f *flight) drop() {
	f.shard.Lock()
	delete(f.shard.flights, f)
	f.shard.Unlock()
}

// each calls do for all that is watched, with a part of it locked at a time, and tells how many there are.
func (w *watch) each(do func(f *flight)) (n int) {
	for i := range w.shards {
		s := &w.shards[i]
		s.Lock()
		n += len(s.flights)
		for f := range s.flights {
			do(f)
		}
		s.Unlock()
	}
	return n
}

// close ends all that is watched.
func (w *watch) close() {
	w.mu.Lock()
	w.closed.Store(true)
	w.mu.Unlock()
	w.each(func(f *flight) { f.cancel(errClosed) })
}

// own counts something that Close has to wait for; false when the client is closed. Whoever got true calls c.owned.Done.
func (c *Client) own() bool {
	c.watch.mu.RLock()
	defer c.watch.mu.RUnlock()
	if c.watch.closed.Load() {
		return false
	}
	c.owned.Add(1)
	return true
}

// enter registers a request; false when the client is closed.
func (c *Client) enter(f *flight) bool {
	if !c.own() {
		return false
	}
	c.watch.put(f)
	if l := c.opt.Limits; l.FirstToken+l.Idle+l.Total > 0 {
		c.sweeps()
	}
	return true
}

// leave says that a request has its answer. It is watched until its connection is given back, by drop.
func (c *Client) leave(f *flight) {
	f.over.Store(true)
	c.owned.Done()
}

// sweeps starts the sweeper if there is none. The caller is counted in owned.
func (c *Client) sweeps() {
	if !c.watch.running.Load() && c.watch.running.CompareAndSwap(false, true) {
		c.owned.Add(1)
		go c.sweeper()
	}
}

// sweeper looks at the limits of all requests in flight until there are none, or the client ends.
func (c *Client) sweeper() {
	defer c.owned.Done()
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		select {
		case <-c.life.Done():
			return
		case <-tick.C:
		}
		if c.sweepOnce() > 0 {
			continue
		}
		c.watch.running.Store(false)
		// Whoever came in between has seen a sweeper.
		if c.watch.each(func(*flight) {}) == 0 || !c.watch.running.CompareAndSwap(false, true) {
			return
		}
	}
}

// sweepOnce ends what is over a limit, and tells how much is watched.
func (c *Client) sweepOnce() int {
	now := c.now()
	return c.watch.each(func(f *flight) {
		if f.over.Load() {
			return
		}
		if err := over(&c.opt.Limits, f, now); err != nil {
			f.cancel(err)
		}
	})
}

// over is the limit that a request has passed, nil if none.
func over(l *bench.Limits, f *flight, now time.Duration) error {
	switch begun := f.begun.Load(); {
	case l.Total > 0 && now-f.started > l.Total:
		return errTotal
	case !begun && l.FirstToken > 0 && now-f.started > l.FirstToken:
		return errFirst
	case begun && l.Idle > 0 && now-time.Duration(f.last.Load()-1) > l.Idle:
		return errIdle
	}
	return nil
}
