package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
)

// Observer is told of a request's start (the instant of the hand-over to the transport, Marks.Started) and of each chunk as it comes, on the
// goroutine of its stream: it must not wait.
type Observer = bench.Observer

// Client sends requests to one endpoint. All its methods are safe for concurrent use.
type Client struct {
	opt       Options
	clock     atomic.Pointer[bench.Clock]
	transport *http.Transport
	redact    redactor
	// target is where and how requests go; only Preflight replaces it.
	target atomic.Pointer[target]

	// life ends with Close; everything the client started is counted in owned.
	life  context.Context
	end   context.CancelCauseFunc
	owned sync.WaitGroup

	watch watch
}

// New is a client for an endpoint. It connects to nothing. The error names the option that is wrong.
func New(opt Options) (*Client, error) {
	base, err := ParseURL(opt.URL)
	if err != nil {
		return nil, err
	}
	c := &Client{opt: opt, redact: newRedactor(secretsOf(opt, base)...)}
	clock := opt.Clock
	if clock.Start().IsZero() {
		clock = bench.NewClock(time.Now())
	}
	c.Restart(clock)
	t, err := newTarget(base, opt.Model, opt.MaxTokensField, opt.Extra)
	if err != nil {
		return nil, err
	}
	c.target.Store(t)
	c.life, c.end = context.WithCancelCause(context.Background())
	c.transport = c.newTransport()
	return c, nil
}

// secretsOf are all values that must not be shown.
func secretsOf(opt Options, base *url.URL) []string {
	secrets := []string{opt.Key.reveal()}
	for _, s := range opt.Secrets {
		secrets = append(secrets, s.reveal())
	}
	for name, values := range opt.Header {
		name = strings.ToLower(name)
		for _, mark := range []string{"auth", "key", "token", "secret", "cookie", "password"} {
			if strings.Contains(name, mark) {
				for _, v := range values {
					scheme, rest, ok := strings.Cut(v, " ")
					if secrets = append(secrets, v); ok && !strings.ContainsAny(scheme, "=;") {
						secrets = append(secrets, rest)
					}
				}
				break
			}
		}
	}
	if base.User != nil {
		password, _ := base.User.Password()
		secrets = append(secrets, password)
	}
	for name, values := range base.Query() {
		if name != versionParam {
			secrets = append(secrets, values...)
		}
	}
	return secrets
}

// Restart puts the instants of all later requests on another clock, so that a run may begin after its preflight. No request may be in flight.
func (c *Client) Restart(clock bench.Clock) { c.clock.Store(&clock) }

// now is the present instant.
func (c *Client) now() time.Duration { return c.clock.Load().Now() }

// URL is the base URL in use, fit to print.
func (c *Client) URL() string { return shown(c.target.Load().base) }

// Model is the model in use.
func (c *Client) Model() string { return c.target.Load().model }

// Proxy is the proxy that the environment puts before the endpoint, fit to print; false if there is none.
func (c *Client) Proxy() (string, bool) {
	if c.transport.Proxy == nil {
		return "", false
	}
	u, err := c.transport.Proxy(&http.Request{URL: c.target.Load().base})
	if err != nil || u == nil {
		return "", false
	}
	return shown(u), true
}

var errClosed = errors.New("client closed")

// Close cancels all requests in flight, closes the connections, and waits for everything the client started. A Send after it
// ends at once as cancelled.
func (c *Client) Close() {
	c.watch.close()
	c.end(errClosed)
	c.owned.Wait()
	c.transport.CloseIdleConnections()
}

// own counts something that Close has to wait for; false when the client is closed. Whoever got true calls c.owned.Done.
func (c *Client) own() bool {
	c.watch.Lock()
	defer c.watch.Unlock()
	if c.watch.closed {
		return false
	}
	c.owned.Add(1)
	return true
}
