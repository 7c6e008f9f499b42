// Package host serves HTTP for as long as a context lasts, and ends in order. It knows nothing of what is served.
package host

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

// Grace is how long running answers may go on once the server is told to end.
const Grace = time.Second

// Serve answers on the listener until the context ends, then gives running answers a second and cuts what is left: the contexts of their requests
// end. It returns nil then, else what broke the listener. The handlers may still be on their way out. A server serves once; its BaseContext,
// ReadHeaderTimeout and ErrorLog are set here.
func Serve(ctx context.Context, ln net.Listener, hs *http.Server) error {
	// Answers outlive ctx by the grace.
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	hs.BaseContext = func(net.Listener) context.Context { return base }
	hs.ReadHeaderTimeout = 10 * time.Second
	// Broken connections are the client's business, and the terminal may belong to a screen.
	hs.ErrorLog = log.New(io.Discard, "", 0)
	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	var err error
	select {
	case err = <-served:
		_ = hs.Close() // the listener is broken already, which is what the caller hears
	case <-ctx.Done():
		drain(hs)
		err = <-served
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving on %v: %w", ln.Addr(), err)
	}
	return nil
}

// drain closes the listener at once and the connections when they are idle or the grace is over.
func drain(hs *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), Grace)
	defer cancel()
	if hs.Shutdown(ctx) != nil {
		_ = hs.Close() // only a listener can fail here, and it is closed
	}
}
