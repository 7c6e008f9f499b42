package client

import (
	"context"
	"net/http/httptrace"
	"time"
)

// reuseWait is how long after an answer's end its connection is looked for in the pool: a server that closes it with the end has done so by
// then.
const reuseWait = 50 * time.Millisecond

// keep finds out whether connections serve more than one request, and gives each its own where they do not. Some servers (llama.cpp) promise
// it in their headers and close the connection with the answer's end all the same: the next request then races with that close, and is
// lost when it goes out too early. Others end the body so late that nobody waits for it, and it is the client who gives the connection up.
func (x *probe) keep(a *answer) {
	if x.t.single || x.c.streams != nil { // HTTP/2 keeps connections
		return
	}
	select {
	case <-a.tail.known:
	case <-x.ctx.Done():
		return
	}
	const each = "every request makes a new connection, and TTFT holds that"
	single := func(f *form) { f.single = true }
	defer func() {
		if x.t.single { // those of the preflight are no measure of what follows
			x.c.transport.Load().CloseIdleConnections()
		}
	}()
	switch late, open := a.tail.late(); {
	case open:
		x.change(single, "the server had not ended an answer's body %s after its last event, and its connection is given up after %s: %s", tailTime, drainTime, each)
	case late:
		x.change(single, "the server ends an answer's body %s after its last event, and its connection is given up after %s: %s",
			a.tail.took.Round(10*time.Millisecond), drainTime, each)
	case x.keeps(a):
	case a.closes || a.conn != nil && a.conn.left.Load():
		x.change(single, "the server closes each connection after its answer: %s", each)
	default:
		x.change(single, "no connection can be used again after an answer: %s", each)
	}
}

// keeps tells whether the connection of an answer can be used again.
func (x *probe) keeps(a *answer) bool {
	// A connection that was just thrown away, for the shorter time that the server names, cannot be found again. A deployment has no list to
	// ask for.
	if a.shortened || deployment(x.t.base) != "" {
		return true
	}
	select {
	case <-time.After(reuseWait):
	case <-x.ctx.Done():
		return true
	}
	reused, ok := x.c.reused(x.ctx, x.t)
	return reused || !ok
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
