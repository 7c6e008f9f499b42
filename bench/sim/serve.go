package sim

import (
	"context"
	"net"
	"net/http"

	"redline/bench/sim/host"
)

// Serve answers on the listener until the context ends, then gives running answers a second, cuts what is left, and
// returns when every goroutine of the server has ended; nil then, else what broke the listener. A server serves once.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	hs := &http.Server{
		Handler: s.Handler(),
		// HTTP/2 in plain text, so that a client can be tried with it.
		Protocols: new(http.Protocols),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.tally.connections.Add(1)
			}
		},
	}
	hs.Protocols.SetHTTP1(true)
	hs.Protocols.SetUnencryptedHTTP2(true)
	err := host.Serve(ctx, ln, hs)
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.wg.Wait()
	return err
}
