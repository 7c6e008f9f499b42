package client

import (
	"context"
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
	ctx, cancel := context.WithTimeout(ctx, c.lateList().wait)
	defer cancel()
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
	r := c.list(httptrace.WithClientTrace(ctx, trace), t.base)
	r.Close = true
	resp, err := c.roundTrip(r, &flight{})
	if err != nil {
		return false, false
	}
	_ = resp.Body.Close()
	return reused, true
}
