package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
)

// dialled is the key under which a context holds a *dialledConn: there a dial leaves the connection that it made.
type dialled struct{}

type dialledConn = atomic.Pointer[conn]

// streams is the pool of connections where HTTP/2 is asked for. The transport's own pool sends several requests on a connection before the
// server has said how many it takes at once, and holds those that are then refused back for a second and more: a wait inside the client that
// would pass for the server's. Here a connection that has not answered yet carries one request, one that is full takes none, and whoever
// finds no room makes another.
type streams struct {
	c         *Client
	transport *http.Transport

	mu     sync.Mutex
	open   []*shared
	closed bool
}

const (
	// pingAfter is how long nothing has to come on a connection before its server is asked for a sign of life, and pingWait how long that
	// may take: long enough for a server whose one thread computes a prompt meanwhile.
	pingAfter = 15 * time.Second
	pingWait  = 45 * time.Second
	// silence is how long nothing has to come on a connection before a request that is over a limit speaks against it.
	silence = sweep
)

// shared is a connection for several requests at once.
type shared struct {
	*http.ClientConn
	conn *conn
	// answered: the server has answered on it, so that its settings are known; used: it has been given a request; doubted: it may be lost, and
	// is given no more of them.
	answered, used, doubted bool
	idle                    *time.Timer
}

// roundTrip sends a request on a connection with room for it.
func (s *streams) roundTrip(r *http.Request, f *flight) (*http.Response, error) {
	h, reused, err := s.take(r)
	if err != nil {
		return nil, err
	}
	stamp(&f.connected, s.c.now())
	f.connect()
	f.reused.Store(reused)
	f.conn.Store(h.conn)
	f.shared = h
	resp, err := h.RoundTrip(r)
	if err == nil {
		s.mu.Lock()
		h.answered = true
		s.mu.Unlock()
	}
	return resp, err
}

// take reserves room for a request on an open connection, or on a new one.
func (s *streams) take(r *http.Request) (h *shared, reused bool, err error) {
	s.mu.Lock()
	s.open = slices.DeleteFunc(s.open, func(h *shared) bool { return h.Err() != nil })
	for _, h := range s.open {
		room := h.InFlight() == 0 || h.answered && h.Available() > 0
		if room && !h.doubted && !r.Close && h.Reserve() == nil {
			reused, h.used = h.used, true
			s.mu.Unlock()
			return h, reused, nil
		}
	}
	s.mu.Unlock()
	return s.dial(r)
}

// dial makes a connection, and reserves room on it.
func (s *streams) dial(r *http.Request) (*shared, bool, error) {
	var here dialledConn
	ctx := s.c.watched(r.WithContext(context.WithValue(r.Context(), dialled{}, &here))).Context()
	cc, err := s.transport.NewClientConn(ctx, r.URL.Scheme, hostPort(r.URL))
	if err != nil {
		return nil, false, err
	}
	here.Load().through()
	if err := cc.Reserve(); err != nil {
		_ = cc.Close()
		return nil, false, err
	}
	h := &shared{ClientConn: cc, conn: here.Load(), used: true}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = cc.Close()
		return nil, false, errClosed
	}
	h.idle = time.AfterFunc(idleConn, func() { s.expire(h) })
	// The hook may run under the pool's lock, and so touches the timer only.
	cc.SetStateHook(func(cc *http.ClientConn) {
		if cc.Err() == nil && cc.InFlight() == 0 {
			h.idle.Reset(idleConn)
		}
	})
	s.open = append(s.open, h)
	return h, false, nil
}

// doubt takes the connection of a request that was ended on this side out of the pool where the end says that it may be lost: a way that
// forgets a connection (an address translation, a balancer that failed over) says nothing to either end, and every later request would be
// lost on it too. Its other requests go on: theirs is to find out, or the ping's. After a gap in time all connections are doubted.
func (s *streams) doubt(f *flight, cause error) {
	var limit *limitError
	if !errors.As(cause, &limit) || f.shared == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if limit.outcome == bench.Interrupted {
		for _, h := range s.open {
			h.doubted = true
		}
		return
	}
	if k := f.shared.conn; k != nil && s.c.now() >= time.Duration(max(k.heard.Load(), f.connected.Load(), f.written.Load()))+silence {
		f.shared.doubted = true
	}
}

// expire closes a connection that nobody has used for a while.
func (s *streams) expire(h *shared) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.InFlight() > 0 {
		return // its end sets the timer anew
	}
	s.open = slices.DeleteFunc(s.open, func(other *shared) bool { return other == h })
	_ = h.Close()
}

// close closes all connections.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, h := range s.open {
		h.idle.Stop()
		_ = h.Close()
	}
	s.open = nil
}
