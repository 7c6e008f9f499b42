package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// grace is how long running answers may go on once the server is told to end.
const grace = time.Second

// Serve answers on the listener until the context ends, then gives running answers a second, cuts what is left, and
// returns when every goroutine of the server has ended; nil then, else what broke the listener. A server serves once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	// Answers outlive ctx by the grace.
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	hs := &http.Server{
		Handler:           s.Handler(),
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: 10 * time.Second,
		// HTTP/2 in plain text, so that a client can be tried with it.
		Protocols: new(http.Protocols),
		// Broken connections are the client's business, and the terminal may belong to a screen.
		ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.tally.connections.Add(1)
			}
		},
	}
	hs.Protocols.SetHTTP1(true)
	hs.Protocols.SetUnencryptedHTTP2(true)
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	var err error
	select {
	case err = <-served:
		_ = hs.Close() // the listener is broken already, which is what the caller hears
	case <-ctx.Done():
		s.drain(hs)
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

// drain closes the listener at once and the connections when they are idle or the grace is over.
func (s *Server) drain(hs *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if hs.Shutdown(ctx) != nil {
		_ = hs.Close() // only a listener can fail here, and it is closed
	}
}
