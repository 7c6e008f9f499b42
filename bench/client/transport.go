package client

import (
	"context"
	"net"
	"net/http"
	"time"
)

const (
	// idleConn is how long a connection is kept for reuse: below the 5 s after which uvicorn closes it, so that no request meets
	// a connection that is closing.
	idleConn = 4 * time.Second
	// connBuffer is the size of each of a connection's two buffers, in bytes.
	connBuffer = 4 << 10
)

// newTransport is a transport for measuring: HTTP/1.1 only (on a shared HTTP/2 connection requests wait for one another and
// their bytes are stamped late), no compression (gzip holds tokens back), a pool that fits all requests in flight.
func (c *Client) newTransport() *http.Transport {
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	t := &http.Transport{
		Protocols:              &protocols,
		DisableCompression:     true,
		DialContext:            c.dial,
		MaxIdleConnsPerHost:    2 * max(c.opt.Concurrency, 1),
		IdleConnTimeout:        idleConn,
		TLSHandshakeTimeout:    c.opt.Limits.Connect,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         connBuffer,
		WriteBufferSize:        connBuffer,
	}
	if c.opt.TLS != nil {
		t.TLSClientConfig = c.opt.TLS.Clone()
	}
	if !c.opt.NoProxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// dial makes a connection within the connect limit. The transport may let a dial outlive its request, so that it is owned here
// and ends with the client.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if !c.own() {
		return nil, errClosed
	}
	defer c.owned.Done()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(c.life, func() { cancel(errClosed) })
	defer stop()
	if limit := c.opt.Limits.Connect; limit > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeoutCause(ctx, limit, errConnect)
		defer done()
	}
	dial := c.opt.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	conn, err := dial(ctx, network, address)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return conn, err
}
