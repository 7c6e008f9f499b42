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

// watch holds the requests in flight. One sweeper serves all their limits, so that a token costs no timer, only a stamp; it runs
// only while there are any.
type watch struct {
	sync.Mutex
	flights map[*flight]struct{}
	running bool
	closed  bool
}

func (w *watch) close() {
	w.Lock()
	w.closed = true
	w.Unlock()
}

// enter registers a request; false when the client is closed.
func (c *Client) enter(f *flight) bool {
	c.watch.Lock()
	defer c.watch.Unlock()
	if c.watch.closed {
		return false
	}
	c.owned.Add(1)
	if c.watch.flights == nil {
		c.watch.flights = make(map[*flight]struct{})
	}
	c.watch.flights[f] = struct{}{}
	l := c.opt.Limits
	if !c.watch.running && l.FirstToken+l.Idle+l.Total > 0 {
		c.watch.running = true
		c.owned.Add(1)
		go c.sweeper()
	}
	return true
}

func (c *Client) leave(f *flight) {
	c.watch.Lock()
	delete(c.watch.flights, f)
	c.watch.Unlock()
	c.owned.Done()
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
		if !c.sweepOnce() {
			return
		}
	}
}

func (c *Client) sweepOnce() bool {
	now := c.now()
	c.watch.Lock()
	defer c.watch.Unlock()
	for f := range c.watch.flights {
		if err := over(&c.opt.Limits, f, now); err != nil {
			f.cancel(err)
		}
	}
	c.watch.running = len(c.watch.flights) > 0
	return c.watch.running
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
