package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"redline/bench"
)

// proxyError is a proxy's refusal to connect to the target, or, without a status, that it did not answer in time.
type proxyError struct {
	proxy  string
	status int
	text   string
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s answers %s", e.proxy, e.text)
}

// outcome is the class of the refusal: credentials that the proxy wants are no matter of the network.
func (e *proxyError) outcome() bench.Outcome {
	switch e.status {
	case 0:
		return bench.TimeoutConnect
	case http.StatusProxyAuthRequired:
		return bench.Unauthorized
	}
	return bench.Network
}

// proxyConnected makes an error of what a proxy answers when it is asked to connect; the transport's own holds neither the status nor the
// word proxy.
func (c *Client) proxyConnected(ctx context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if here, ok := ctx.Value(dialled{}).(*dialledConn); ok {
		here.Load().through()
	}
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{shown(proxy), resp.StatusCode, resp.Status}
}

// ofProxy tells whether an error is one of the way to the proxy, or of its answer.
func ofProxy(err error) bool {
	var own *proxyError
	var op *net.OpError
	return errors.As(err, &own) || errors.As(err, &op) && (op.Op == "proxyconnect" || strings.HasPrefix(op.Op, "socks"))
}

// proxies is what finds the proxy of a request; nil where none is to be used.
func proxies(opt *Options) func(*http.Request) (*url.URL, error) {
	switch {
	case opt.NoProxy:
		return nil
	case opt.Proxy != nil:
		return opt.Proxy
	}
	return http.ProxyFromEnvironment
}

// proxyOf is the proxy before a URL; nil if there is none.
func proxyOf(opt *Options, base *url.URL) *url.URL {
	find := proxies(opt)
	if find == nil {
		return nil
	}
	u, err := find(&http.Request{URL: base})
	if err != nil {
		return nil
	}
	return u
}

// tunnels tells whether connections go through a proxy to the server, so that connecting says nothing of the way behind it.
func (c *Client) tunnels() bool {
	return c.proxy != nil && (c.target.Load().base.Scheme == "https" || strings.HasPrefix(c.proxy.Scheme, "socks"))
}

// Proxy is the proxy that the environment puts before the endpoint, fit to print; false if there is none.
func (c *Client) Proxy() (string, bool) {
	if c.proxy == nil {
		return "", false
	}
	return shown(c.proxy), true
}

// proxySentence is for failures that are the proxy's, or may be; else it is empty.
func (c *Client) proxySentence(at string, e *bench.Ended, a *answer) string {
	proxy, ok := c.Proxy()
	if !ok {
		return ""
	}
	const without = "set NO_PROXY, or use --no-proxy, to go without it"
	switch {
	case a.proxied && e.Outcome == bench.Unauthorized:
		return fmt.Sprintf("the proxy %s wants credentials (%s): write user and password into its URL, or %s", proxy, e.Message, without)
	case a.proxied && e.Outcome == bench.Refused:
		return fmt.Sprintf("nothing listens at the proxy %s: start it, or %s", proxy, without)
	case a.proxied && e.Outcome == bench.DNS:
		return fmt.Sprintf("the host name of the proxy %s does not resolve: check its spelling, or %s", proxy, without)
	case a.proxied && e.Outcome == bench.TimeoutConnect:
		return fmt.Sprintf("no connection to, or through, the proxy %s within the limit: check its host and port, or %s", proxy, without)
	case a.proxied:
		return fmt.Sprintf("the proxy %s does not reach %s (%s): check what it may reach, or %s", proxy, at, e.Message, without)
	case e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable || e.Status == http.StatusGatewayTimeout:
		return fmt.Sprintf("%s, or the proxy %s before it, fails (%s): look at the server's log, or %s", at, proxy, said(e), without)
	}
	return ""
}
