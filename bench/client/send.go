package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"sync"
	"time"

	"redline/bench"
	"redline/bench/ratelimit"
	"redline/bench/stream"
)

const (
	// readSize is how much of an answer is read at once: several socket buffers of tokens, none the less little memory.
	readSize = 8 << 10
	// maxErrorBody bounds what is read of an error's body.
	maxErrorBody = 64 << 10
	// errorBodyTime bounds the wait for the rest of an error's body: its status is known.
	errorBodyTime = 3 * time.Second
	// staleTries bounds the connections tried while each turns out to have been closed by the server before the request.
	staleTries = 8
	// maxHints bounds the answers of kind 1xx before the one that counts.
	maxHints = 100
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
	// body is the head of an error's body; moved is where a redirect points, and schemes are those of authentication that are offered.
	body    string
	moved   *url.URL
	schemes []string
	// encoding is the compression, which nobody asked for.
	encoding string
	// protocol is the version of HTTP that the server answered with, conn the connection.
	protocol string
	conn     *conn
	// closes: the server says that it closes the connection; tail is how the body ended.
	closes bool
	tail   *tail
	// failed is the transport's error where no answer came.
	failed error
	// proxied: the failure is the proxy's. shortened: connections are kept for less time from now on.
	proxied, shortened bool
}

// Send sends a request and reads its answer to the end. It returns once the answer is complete, not when the server ends the
// body; obs, unless nil, is told of each chunk meanwhile. It never fails: what went wrong is the outcome. Cancelling ctx ends the
// request as cancelled (see ErrInterrupted), with what it had by then.
func (c *Client) Send(ctx context.Context, req bench.Request, obs Observer) bench.Ended {
	ended, _ := c.send(ctx, c.target.Load(), req, obs, nil)
	return ended
}

// send is Send to a target. Whoever wants to know how the body ends gives a tail.
func (c *Client) send(ctx context.Context, t *target, req bench.Request, obs Observer, end *tail) (ended bench.Ended, a answer) {
	ended.Request = req
	now := c.now()
	ended.Marks.Scheduled = req.Scheduled
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
	if err := c.door.enter(ctx, c.life); err != nil {
		cancel(nil)
		ended.Outcome, ended.Message = c.cancelled(err)
		ended.Marks.Ended = bench.MarkAt(c.now())
		return ended, a
	}
	f.door.Store(&c.door)
	defer f.connect()
	f.started = c.now()
	ended.Marks.Started, ended.Marks.Ended = bench.MarkAt(f.started), bench.MarkAt(f.started)
	if !c.enter(f) {
		cancel(nil)
		ended.Outcome, ended.Message = bench.Cancelled, errClosed.Error()
		return ended, a
	}
	defer c.leave(f)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	defer stop()
	if obs != nil {
		obs.Started(f.started)
	}
	resp, err := c.roundTrip(r, f)
	for tries := 1; err != nil && closedIdle(err) && tries < staleTries; tries++ {
		resp, err = c.roundTrip(c.request(life, f, t, body), f)
	}
	if err != nil {
		ended.Outcome, ended.Message = c.roundTripError(life, f, err)
		ended.Marks.Ended = bench.MarkAt(c.now())
		a.failed, a.proxied = err, ofProxy(err)
	} else {
		if f.hints.Load() > 0 { // the transport tells of the first byte only, which was a hint's
			stamp(&f.headers, c.now())
		}
		c.receive(life, f, resp, &ended, obs, &a)
	}
	f.fill(&ended)
	if life.Err() != nil {
		c.doubt(f, context.Cause(life))
	}
	a.conn, a.tail = f.conn.Load(), end
	c.release(resp, f, end)
	return ended, a
}

// receive takes an answer, once its headers have come.
func (c *Client) receive(ctx context.Context, f *flight, resp *http.Response, ended *bench.Ended, obs Observer, a *answer) {
	ended.Status, a.protocol, a.closes = resp.StatusCode, resp.Proto, resp.Close
	if obs != nil {
		if quotas := ratelimit.Read(resp.Header, c.host, time.Now(), c.now()); len(quotas) > 0 {
			obs.Quotas(quotas)
		}
	}
	ended.Header = c.redact.head(resp.Header)
	a.shortened = c.heed(resp.Header)
	a.encoding = compressed(resp.Header)
	switch {
	case resp.StatusCode/100 != 2:
		c.refused(ctx, f.cancel, resp, ended, a)
	case a.encoding != "":
		ended.Outcome, ended.Message = bench.Malformed, fmt.Sprintf("the answer is compressed (%s), which nobody asked for", a.encoding)
		ended.Marks.Ended = bench.MarkAt(c.now())
	default:
		c.read(ctx, f, resp, ended, obs)
	}
}

// fill writes what is known of the exchange into a request's facts.
func (f *flight) fill(e *bench.Ended) {
	m := &e.Marks
	m.Connected, m.Written, m.Headers, e.Reused = mark(&f.connected), mark(&f.written), mark(&f.headers), f.reused.Load()
	if k := f.conn.Load(); k != nil && !e.Reused {
		e.Connect = k.took
		e.Connect.TLS = time.Duration(f.secured.Load())
	}
}

func (c *Client) request(ctx context.Context, f *flight, t *target, body []byte) *http.Request {
	trace := &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			stamp(&f.connected, c.now())
			f.connect()
			f.reused.Store(info.Reused)
			f.conn.Store(made(info.Conn))
		},
		TLSHandshakeStart: func() { stamp(&f.handshake, c.now()) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			took := c.now() - time.Duration(f.handshake.Load()-1)
			if f.secured.Add(int64(took)); err == nil && c.tunnels() {
				c.travelled(took)
			}
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { stamp(&f.written, c.now()) },
		GotFirstResponseByte: func() { stamp(&f.headers, c.now()) },
		Got1xxResponse:       func(int, textproto.MIMEHeader) error { return f.hint() },
	}
	r := &http.Request{
		Method: http.MethodPost, URL: t.url, Host: c.headers.hostOf(t.url),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        c.headers.post,
		Close:         t.single,
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
	}
	if !c.headers.repeats {
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	return r.WithContext(httptrace.WithClientTrace(ctx, trace))
}

// read reads a stream until its answer is complete.
func (c *Client) read(ctx context.Context, f *flight, resp *http.Response, ended *bench.Ended, obs Observer) {
	rd := readers.Get().(*reader)
	defer readers.Put(rd)
	p := &rd.parser
	p.Reset(stream.Options{Started: f.started, Stall: c.opt.Stall, Clean: c.redact.clean, KeepAnswer: ended.Prompt.KeepAnswer})
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
	ear, _ := obs.(bench.Listener)
	listens := false
	hear := func() {
		if !listens {
			return
		}
		if text, begins := p.Heard(); len(text) > 0 {
			ear.Text(text, begins)
		}
	}
	tap, _ := obs.(Tap)
	var at time.Duration
	var err error
	for err == nil && !p.Done() {
		var n int
		n, err = resp.Body.Read(rd.buf[:])
		at = c.now()
		if n > 0 {
			stamp(&f.last, at)
			if tap != nil {
				tap.Bytes(rd.buf[:n], at)
			}
			if ear != nil && ear.Listens() != listens {
				listens = !listens
				p.Listen(listens)
			}
			chunk, ok := p.Feed(rd.buf[:n], at)
			hear()
			tell(chunk, ok)
		}
	}
	chunk, ok := p.Close(at, err)
	hear()
	tell(chunk, ok)
	p.Fill(ended)
	p.Reset(stream.Options{}) // the gaps belong to ended now
	// What was cut on this side is no fault of the server's; that it does not look like a stream may be, but nobody knows how it goes on.
	if ctx.Err() != nil && (ended.Outcome == bench.Truncated || ended.Outcome == bench.NotStreaming && err != io.EOF) {
		ended.Outcome, ended.Message = c.cancelled(context.Cause(ctx))
	}
}

// release gives the connection back for reuse: the body is read to its end, elsewhere, since the answer's end need not wait
// for it.
func (c *Client) release(resp *http.Response, f *flight, end *tail) {
	if resp == nil {
		f.drop()
		f.cancel(nil)
		end.set(0, io.ErrUnexpectedEOF)
		return
	}
	began := c.now()
	c.owned.Add(1) // never from zero: the request itself is still counted
	go func() {
		defer c.owned.Done()
		defer f.drop()
		timer := time.AfterFunc(end.patience(), func() { f.cancel(errDrain) })
		_, err := io.CopyN(io.Discard, resp.Body, maxErrorBody)
		timer.Stop()
		end.set(c.now()-began, err)
		_ = resp.Body.Close()
		f.cancel(nil)
	}()
}
