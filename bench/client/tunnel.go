package client

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// passage is the time that a proxy has for its part of making a connection: from the end of the dial until it has answered. Nothing else
// bounds that part by the connect limit: the transport gives it a minute, or, to a SOCKS proxy, as long as it likes.
type passage struct {
	timer *time.Timer
	late  atomic.Bool
	// err is for whoever reads then.
	err error
}

// limit gives a proxy its time for a connection that was just made to it.
func (k *conn) limit(proxy *url.URL, within time.Duration) {
	k.passage = &passage{err: &proxyError{proxy: shown(proxy), text: "nothing within the connect limit"}}
	k.passage.timer = time.AfterFunc(within, func() {
		k.passage.late.Store(true)
		_ = k.Conn.Close()
	})
}

// through says that the proxy has answered.
func (k *conn) through() {
	if k != nil && k.passage != nil {
		k.passage.timer.Stop()
	}
}

// late is the error of a connection whose proxy did not answer in time, else err.
func (k *conn) late(err error) error {
	if err != nil && k.passage != nil && k.passage.late.Load() {
		return k.passage.err
	}
	return err
}

// watched is a request whose dials can be found again once the proxy has answered them.
func (c *Client) watched(r *http.Request) *http.Request {
	if !c.tunnels() || c.opt.Limits.Connect <= 0 {
		return r
	}
	ctx := r.Context()
	here, ok := ctx.Value(dialled{}).(*dialledConn)
	if !ok {
		here = new(dialledConn)
		ctx = context.WithValue(ctx, dialled{}, here)
	}
	if strings.HasPrefix(c.proxy.Scheme, "socks") {
		// Of a SOCKS proxy's answer the transport tells nobody: what comes next is the handshake with the server, or the request.
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			TLSHandshakeStart: func() { here.Load().through() },
			GotConn:           func(info httptrace.GotConnInfo) { made(info.Conn).through() },
		})
	}
	return r.WithContext(ctx)
}
