package client

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"time"
)

// reuseWaits are how long after an answer its connection is looked for in the pool, each after the one before; together they are as
// long as a drain may take.
var reuseWaits = [...]time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond}

// keeps tells whether the server lets the connection of an answer that just came be used again. Some (llama.cpp) promise it in
// their headers and close the connection with the answer's end all the same: the next request then races with that close, and is
// lost when it goes out too early. Where a server does so, each request has to have a connection of its own.
func (c *Client) keeps(ctx context.Context, t *target) bool {
	for _, wait := range reuseWaits {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return true
		}
		if reused, ok := c.reused(ctx, t); reused || !ok {
			return true
		}
	}
	return false
}

// reused asks for the model list, whatever the answer, and tells whether that took a connection from the pool. Its own connection is
// never put there.
func (c *Client) reused(ctx context.Context, t *target) (reused, ok bool) {
	ctx, cancel := context.WithTimeoutCause(ctx, modelsTime, errModels)
	defer cancel()
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
	u := endpoint(t.base, "/models")
	r := &http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: c.header(), Close: true}
	resp, err := c.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if err != nil {
		return false, false
	}
	_ = resp.Body.Close()
	return reused, true
}
