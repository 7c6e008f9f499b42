package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
)

// Observer is told of a request's start (the instant of the hand-over to the transport, Marks.Started), of the quotas in its answer's
// headers if there are any, and of each chunk as it comes, on the goroutine of its stream: it must not wait.
type Observer = bench.Observer

// Tap is an Observer that is also shown the bytes of each read of a stream with their instant, before the chunk that they make up: for comparing
// instants with what the server says. It must not keep the bytes.
type Tap interface {
	Observer
	Bytes(b []byte, at time.Duration)
}

// Client sends requests to one endpoint. All its methods are safe for concurrent use.
type Client struct {
	opt       Options
	clock     atomic.Pointer[bench.Clock]
	transport atomic.Pointer[http.Transport]
	// streams carries requests where HTTP/2 is asked for; else nil.
	streams *streams
	// hosts are the kept addresses; nil where a proxy resolves the name, or there is none.
	hosts   *hosts
	headers headers
	redact  redactor
	// target is where and how requests go; only Preflight replaces it.
	target atomic.Pointer[target]
	// trip is the shortest round trip to the server, as far as known; 0 if it is not.
	trip atomic.Int64
	// proxy is before the endpoint, nil if none; host is the endpoint's name.
	proxy *url.URL
	host  string
	// named is the protocol that a pasted path named, where it is another than asked for.
	named string

	// life ends with Close; everything the client started is counted in owned.
	life  context.Context
	end   context.CancelCauseFunc
	owned sync.WaitGroup

	// idle is how long connections are kept, and the transports that kept them longer.
	idle struct {
		sync.Mutex
		time time.Duration
		old  []*http.Transport
	}
	watch watch
	door  door
}

// New is a client for an endpoint. It connects to nothing. The error names the option that is wrong.
func New(opt Options) (*Client, error) {
	base, api, named, err := parseURL(opt.URL)
	if err != nil {
		return nil, err
	}
	if opt.API >= bench.NumAPIs {
		return nil, fmt.Errorf("protocol %d is unknown", opt.API)
	}
	c := &Client{opt: opt, host: base.Hostname(), headers: newHeaders(opt, base), proxy: proxyOf(&opt, base)}
	c.door = newDoor()
	c.redact = newRedactor(secretsOf(opt, base, c.proxy)...)
	if named && api != opt.API {
		c.named = fmt.Sprintf("the URL names %s, but requests go to %s: --api %s asks in the other protocol", wires[api].path, wires[opt.API].path, api)
	}
	clock := opt.Clock
	if clock.Start().IsZero() {
		clock = bench.NewClock(time.Now())
	}
	c.Restart(clock)
	t, err := newTarget(form{base: base, api: opt.API, model: opt.Model, extra: opt.Extra, tokensField: opt.MaxTokensField})
	if err != nil {
		return nil, err
	}
	c.target.Store(t)
	c.life, c.end = context.WithCancelCause(context.Background())
	c.connects()
	return c, nil
}

// connects makes what connections need.
func (c *Client) connects() {
	resolve := c.opt.Resolve
	if resolve == nil && c.opt.Dial == nil {
		resolve = lookUp
	}
	if _, err := netip.ParseAddr(c.host); err != nil && c.proxy == nil && resolve != nil {
		c.hosts = newHosts(c.host, c.opt.Rotate, resolve)
	}
	c.idle.time = idleConn
	t := c.newTransport(idleConn)
	c.transport.Store(t)
	if c.speaks2() {
		c.streams = &streams{c: c, transport: t}
	}
}

// speaks2 tells whether HTTP/2 is asked for and can be: without TLS a proxy on the way understands only HTTP/1.1.
func (c *Client) speaks2() bool {
	return c.opt.HTTP2 && (c.proxy == nil || c.target.Load().base.Scheme == "https")
}

// Restart puts the instants of all later requests on another clock, so that a run may begin after its preflight. No request may be in flight.
func (c *Client) Restart(clock bench.Clock) { c.clock.Store(&clock) }

// now is the present instant.
func (c *Client) now() time.Duration { return c.clock.Load().Now() }

// URL is the base URL in use, fit to print.
func (c *Client) URL() string { return shown(c.target.Load().base) }

// Model is the model in use.
func (c *Client) Model() string { return c.target.Load().model }

var errClosed = errors.New("client closed")

// Close cancels all requests in flight, closes the connections, and waits for everything the client started. A Send after it
// ends at once as cancelled.
func (c *Client) Close() {
	c.watch.close()
	c.end(errClosed)
	c.owned.Wait()
	if c.streams != nil {
		c.streams.close()
	}
	c.idle.Lock()
	defer c.idle.Unlock()
	for _, t := range append(c.idle.old, c.transport.Load()) {
		t.CloseIdleConnections()
	}
}
