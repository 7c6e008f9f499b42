package script

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"redline/bench/sim/host"
)

// Serve answers on the listener until the context ends, then gives running answers a second, cuts what is left, and returns when every
// goroutine of the server has ended; nil then, else what broke the listener. A server serves once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	err := host.Serve(ctx, ln, &http.Server{
		Handler: s,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, linkKey{}, &link{c: c})
		},
	})
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.wg.Wait()
	return err
}

// link is a connection that may be closed while it is idle.
type link struct {
	c     net.Conn
	turns atomic.Int64
}

type linkKey struct{}

// linkOf is the connection of a request; one without a connection outside of Serve.
func linkOf(r *http.Request) *link {
	if l, ok := r.Context().Value(linkKey{}).(*link); ok {
		return l
	}
	return &link{}
}

func (l *link) begin() { l.turns.Add(1) }

// closeAfter closes the connection unless another request comes on it in time; 0 leaves it open.
func (l *link) closeAfter(d time.Duration) {
	if d == 0 || l.c == nil {
		return
	}
	turn := l.turns.Load()
	time.AfterFunc(d, func() {
		if l.turns.Load() == turn {
			_ = l.c.Close() // it may have gone already
		}
	})
}
