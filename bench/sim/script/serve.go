package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// grace is how long running answers may go on once the server is told to end.
const grace = time.Second

// Serve answers on the listener until the context ends, then gives running answers a second, cuts what is left, and returns when every
// goroutine of the server has ended; nil then, else what broke the listener. A server serves once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	hs := &http.Server{
		Handler:     s,
		BaseContext: func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, linkKey{}, &link{c: c})
		},
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	var err error
	select {
	case err = <-served:
		_ = hs.Close() // the listener is broken already, which is what the caller hears
	case <-ctx.Done():
		graceful, done := context.WithTimeout(context.Background(), grace)
		if hs.Shutdown(graceful) != nil {
			_ = hs.Close() // only a listener can fail here, and it is closed
		}
		done()
		err = <-served
	}
	cut()
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.wg.Wait()
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving on %v: %w", ln.Addr(), err)
	}
	return nil
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
