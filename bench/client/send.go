package client

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"redline/bench"
	"redline/bench/stream"
)

const (
	// readSize is how much of an answer is read at once: several socket buffers of tokens, none the less little memory.
	readSize = 8 << 10
	// maxErrorBody bounds what is read of an error's body.
	maxErrorBody = 64 << 10
	// staleTries bounds the connections tried while each turns out to have been closed by the server before the request.
	staleTries = 8
	// drainTime is how long the end of a body is waited for after the answer's end, so that its connection can be reused.
	drainTime = 500 * time.Millisecond
)

// reader is what reading one answer needs; it is used again and again.
type reader struct {
	parser stream.Parser
	buf    [readSize]byte
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// answer is what Preflight wants to know beyond the facts of a request.
type answer struct {
	fault stream.Fault
	// body is the head of an error's body.
	body string
	// encoding is the Content-Encoding, which nobody asked for.
	encoding string
}

// Send sends a request and reads its answer to the end. It returns once the answer is complete, not when the server ends the
// body; obs, unless nil, is told of each chunk meanwhile. It never fails: what went wrong is the outcome. Cancelling ctx ends the
// request as cancelled (see ErrInterrupted), with what it had by then.
func (c *Client) Send(ctx context.Context, req bench.Request, obs Observer) bench.Ended {
	ended, _ := c.send(ctx, c.target.Load(), req, obs)
	return ended
}

func (c *Client) send(ctx context.Context, t *target, req bench.Request, obs Observer) (ended bench.Ended, a answer) {
	ended.Request = req
	now := c.now()
	ended.Marks.Started, ended.Marks.Ended = bench.MarkAt(now), bench.MarkAt(now)
	body, err := t.body(req.Prompt)
	if err != nil {
		ended.Outcome, ended.Message = bench.ClientError, "request body: "+err.Error()
		return ended, a
	}
	// The request must be able to outlive ctx by its drain, so that it hears of ctx without being its child.
	life, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	f := &flight{cancel: cancel}
	r := c.request(life, f, t, body)
	f.started = c.now()
	ended.Marks.Started, ended.Marks.Ended = bench.MarkAt(f.started), bench.MarkAt(f.started)
	if !c.enter(f) {
		cancel(nil)
		ended.Outcome, ended.Message = bench.Cancelled, errClosed.Error()
		return ended, a
	}
	defer c.leave(f)
	stopClose := context.AfterFunc(c.life, func() { cancel(errClosed) })
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer stop()
	if obs != nil {
		obs.Started(f.started)
	}
	resp, err := c.transport.RoundTrip(r)
	for tries := 1; err != nil && closedIdle(err) && tries < staleTries; tries++ {
		resp, err = c.transport.RoundTrip(c.request(life, f, t, body))
	}
	if err != nil {
		ended.Outcome, ended.Message = c.roundTripError(life, f, err)
		ended.Marks.Ended = bench.MarkAt(c.now())
	} else {
		ended.Status = resp.StatusCode
		a.encoding = resp.Header.Get("Content-Encoding")
		if resp.StatusCode/100 == 2 {
			c.read(life, f, resp, &ended, obs)
		} else {
			a.fault, a.body = c.refused(resp, &ended)
		}
	}
	m := &ended.Marks
	m.Connected, m.Written, m.Headers, ended.Reused = mark(&f.connected), mark(&f.written), mark(&f.headers), f.reused.Load()
	c.release(resp, cancel, stopClose)
	return ended, a
}

func (c *Client) request(ctx context.Context, f *flight, t *target, body []byte) *http.Request {
	trace := &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			stamp(&f.connected, c.now())
			f.reused.Store(info.Reused)
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { stamp(&f.written, c.now()) },
		GotFirstResponseByte: func() { stamp(&f.headers, c.now()) },
	}
	r := &http.Request{
		Method: http.MethodPost, URL: endpoint(t.base, "/chat/completions"), Host: t.base.Host,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        c.header(),
		Close:         t.single,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		GetBody:       func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	return r.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// header are the headers of every request.
func (c *Client) header() http.Header {
	h := c.opt.Header.Clone()
	if h == nil {
		h = make(http.Header, 6)
	}
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", "redline/"+c.opt.Version)
	}
	if !c.opt.Key.Empty() && h.Get("Authorization") == "" {
		h.Set("Authorization", "Bearer "+c.opt.Key.reveal())
	}
	return h
}

// read reads a stream until its answer is complete.
func (c *Client) read(ctx context.Context, f *flight, resp *http.Response, ended *bench.Ended, obs Observer) {
	rd := readers.Get().(*reader)
	defer readers.Put(rd)
	p := &rd.parser
	p.Reset(stream.Options{Started: f.started, Stall: c.opt.Stall, Clean: c.redact.clean})
	tell := func(chunk bench.Chunk, ok bool) {
		if !ok {
			return
		}
		if chunk.First {
			f.begun.Store(true)
		}
		if obs != nil {
			obs.Chunk(chunk)
		}
	}
	var at time.Duration
	var err error
	for err == nil && !p.Done() {
		var n int
		n, err = resp.Body.Read(rd.buf[:])
		at = c.now()
		if n > 0 {
			stamp(&f.last, at)
			tell(p.Feed(rd.buf[:n], at))
		}
	}
	tell(p.Close(at, err))
	p.Fill(ended)
	p.Reset(stream.Options{}) // the gaps belong to ended now
	if ctx.Err() != nil && ended.Outcome == bench.Truncated {
		ended.Outcome, ended.Message = c.cancelled(context.Cause(ctx))
	}
}

// release gives the connection back for reuse: the body is read to its end, elsewhere, since the answer's end need not wait
// for it.
func (c *Client) release(resp *http.Response, cancel context.CancelCauseFunc, stopClose func() bool) {
	if resp == nil {
		stopClose()
		cancel(nil)
		return
	}
	c.owned.Add(1) // never from zero: the request itself is still counted
	go func() {
		defer c.owned.Done()
		defer stopClose()
		timer := time.AfterFunc(drainTime, func() { cancel(errDrain) })
		_, _ = io.CopyN(io.Discard, resp.Body, maxErrorBody)
		timer.Stop()
		_ = resp.Body.Close()
		cancel(nil)
	}()
}
