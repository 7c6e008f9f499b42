package client

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"redline/bench"
)

const (
	// idleConn is how long a connection is kept for reuse: below the 5 s after which uvicorn closes it, so that no request meets
	// a connection that is closing.
	idleConn = 4 * time.Second
	// connBuffer is the size of each of a connection's two buffers, in bytes.
	connBuffer = 4 << 10
)

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// conn is a connection that knows what making it took, and whether the other side has ended it.
type conn struct {
	net.Conn
	took bench.Connect
	left atomic.Bool
	// now gives the instants of what is read, and heard is the last; nil where several requests never share the connection.
	now   func() time.Duration
	heard atomic.Int64
	// passage is the proxy's time; nil where no proxy connects any further.
	passage *passage
}

func (k *conn) Read(b []byte) (int, error) {
	n, err := k.Conn.Read(b)
	if n > 0 && k.now != nil {
		stamp(&k.heard, k.now())
	}
	if err != nil && (err == io.EOF || isAny(err, resetErrors)) {
		k.left.Store(true)
	}
	return n, k.late(err)
}

func (k *conn) Close() error {
	k.through()
	return k.Conn.Close()
}

func (k *conn) Write(b []byte) (int, error) {
	n, err := k.Conn.Write(b)
	return n, k.late(err)
}

// made finds the connection that the client made below what the transport put over it.
func made(nc net.Conn) *conn {
	for {
		switch c := nc.(type) {
		case *conn:
			return c
		case *tls.Conn:
			nc = c.NetConn()
		default:
			return nil
		}
	}
}

// newTransport is a transport for measuring: HTTP/1.1 unless asked otherwise (on a shared HTTP/2 connection requests wait for one another
// and their bytes are stamped late), no compression (gzip holds tokens back), a pool that fits all requests in flight.
func (c *Client) newTransport(idle time.Duration) *http.Transport {
	t := &http.Transport{
		Protocols:              new(http.Protocols),
		DisableCompression:     true,
		DialContext:            c.dial,
		MaxIdleConnsPerHost:    2 * max(c.opt.Concurrency, 1),
		IdleConnTimeout:        idle,
		TLSHandshakeTimeout:    c.opt.Limits.Connect,
		MaxResponseHeaderBytes: 256 << 10,
		ReadBufferSize:         connBuffer,
		WriteBufferSize:        connBuffer,
		OnProxyConnectResponse: c.proxyConnected,
	}
	two, plain := c.speaks2(), c.target.Load().base.Scheme == "http"
	t.Protocols.SetHTTP1(!two || !plain)
	t.Protocols.SetHTTP2(two)
	t.Protocols.SetUnencryptedHTTP2(two && plain)
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingWait}
	if c.opt.TLS != nil {
		t.TLSClientConfig = c.opt.TLS.Clone()
	}
	t.Proxy = proxies(&c.opt)
	return t
}

// roundTrip sends a request on a connection of its pool, and says in f which it was.
func (c *Client) roundTrip(r *http.Request, f *flight) (*http.Response, error) {
	if c.streams != nil {
		return c.streams.roundTrip(r, f)
	}
	return c.transport.Load().RoundTrip(c.watched(r))
}

// doubt gives up the connections that a request which was ended on this side speaks against. Those that were idle over a gap in time are
// lost more often than not: the other side has not slept.
func (c *Client) doubt(f *flight, cause error) {
	if c.streams != nil {
		c.streams.doubt(f, cause)
	}
	if outcome, _ := c.cancelled(cause); outcome == bench.Interrupted {
		c.transport.Load().CloseIdleConnections()
	}
}

// heed keeps idle connections for less than the server says that it does. What is longer than ours anyway changes nothing.
func (c *Client) heed(h http.Header) (shorter bool) {
	if len(h["Keep-Alive"]) == 0 {
		return false
	}
	seconds, ok := keepAlive(h.Get("Keep-Alive"))
	if !ok {
		return false
	}
	idle := max(seconds-time.Second, seconds/2)
	c.idle.Lock()
	defer c.idle.Unlock()
	if idle >= c.idle.time || c.streams != nil {
		return false
	}
	c.idle.time = idle
	// A transport cannot be changed while it is in use. What the old one still carries ends well, and is closed then.
	old := c.transport.Swap(c.newTransport(idle))
	c.idle.old = append(c.idle.old, old)
	old.CloseIdleConnections()
	return true
}

// keepAlive is the timeout of a Keep-Alive header.
func keepAlive(text string) (time.Duration, bool) {
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "timeout") {
			continue
		}
		n, err := strconv.ParseUint(strings.Trim(value, ` "`), 10, 32)
		return time.Duration(n) * time.Second, err == nil && n > 0
	}
	return 0, false
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
	f := &flight{cancel: cancel}
	f.over.Store(true)
	c.watch.put(f)
	defer f.drop()
	if limit := c.opt.Limits.Connect; limit > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeoutCause(ctx, limit, errConnect)
		defer done()
	}
	nc, err := c.reach(ctx, network, address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, err
	}
	if limit := c.opt.Limits.Connect; limit > 0 && c.tunnels() {
		nc.limit(c.proxy, limit)
	}
	if here, ok := ctx.Value(dialled{}).(*dialledConn); ok {
		here.Store(nc)
	}
	return nc, nil
}

// reach connects to an address, by the addresses that are kept of its host if it is the target's.
func (c *Client) reach(ctx context.Context, network, address string) (*conn, error) {
	dial := c.opt.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	var took bench.Connect
	began := c.now()
	var nc net.Conn
	host, port, err := net.SplitHostPort(address)
	if err == nil && c.hosts.serves(host) {
		var list []netip.Addr
		known := c.hosts.count() > 0
		if list, err = c.hosts.addresses(ctx); err != nil {
			return nil, err
		}
		if found := c.now(); !known {
			took.DNS, began = found-began, found
		}
		nc, err = c.hosts.dial(ctx, dial, network, port, list)
	} else {
		nc, err = dial(ctx, network, address)
	}
	if err != nil {
		return nil, err
	}
	if took.TCP = c.now() - began; !c.tunnels() {
		c.travelled(took.TCP)
	}
	if c.opt.Watch != nil {
		nc = c.opt.Watch(nc)
	}
	k := &conn{Conn: nc, took: took}
	if c.streams != nil {
		k.now = c.now
	}
	return k, nil
}
