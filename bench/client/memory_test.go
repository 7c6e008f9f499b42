package client

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// half is one direction of an in-memory connection: a bounded buffer that blocks on conditions only, so that the clock of a test
// bubble runs on while both ends wait.
type half struct {
	mu       sync.Mutex
	change   *sync.Cond
	buf      bytes.Buffer
	closed   bool
	reset    bool
	deadline time.Time
	timer    *time.Timer
}

const halfSize = 64 << 10

func newHalf() *half {
	h := &half{}
	h.change = sync.NewCond(&h.mu)
	return h
}

func (h *half) expired() bool { return !h.deadline.IsZero() && !time.Now().Before(h.deadline) }

func (h *half) read(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		switch {
		case h.reset:
			return 0, &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
		case h.expired():
			return 0, os.ErrDeadlineExceeded
		case h.buf.Len() > 0:
			n, _ := h.buf.Read(p)
			h.change.Broadcast()
			return n, nil
		case h.closed:
			return 0, io.EOF
		}
		h.change.Wait()
	}
}

func (h *half) write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for done := 0; ; {
		if h.closed || h.reset {
			return done, &net.OpError{Op: "write", Net: "tcp", Err: os.NewSyscallError("write", syscall.EPIPE)}
		}
		n := min(len(p)-done, halfSize-h.buf.Len())
		h.buf.Write(p[done : done+n])
		h.change.Broadcast()
		if done += n; done == len(p) {
			return done, nil
		}
		h.change.Wait()
	}
}

func (h *half) end(reset bool) {
	h.mu.Lock()
	h.closed, h.reset = true, h.reset || reset
	if h.timer != nil {
		h.timer.Stop()
	}
	h.change.Broadcast()
	h.mu.Unlock()
}

func (h *half) setDeadline(t time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer != nil {
		h.timer.Stop()
	}
	h.deadline = t
	if !t.IsZero() && time.Now().Before(t) {
		h.timer = time.AfterFunc(time.Until(t), h.change.Broadcast)
	}
	h.change.Broadcast()
}

// conn is one end of an in-memory connection.
type conn struct{ in, out *half }

type address struct{}

func (address) Network() string { return "tcp" }
func (address) String() string  { return "192.0.2.1:80" }

func (c *conn) Read(p []byte) (int, error)         { return c.in.read(p) }
func (c *conn) Write(p []byte) (int, error)        { return c.out.write(p) }
func (c *conn) Close() error                       { c.in.end(false); c.out.end(false); return nil }
func (c *conn) LocalAddr() net.Addr                { return address{} }
func (c *conn) RemoteAddr() net.Addr               { return address{} }
func (c *conn) SetDeadline(t time.Time) error      { return c.SetReadDeadline(t) }
func (c *conn) SetReadDeadline(t time.Time) error  { c.in.setDeadline(t); return nil }
func (c *conn) SetWriteDeadline(_ time.Time) error { return nil }

// abort resets the connection under the other end's hands.
func (c *conn) abort() { c.out.end(true); c.in.end(true) }

// listener hands the server ends of dialled connections to an http.Server.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	dials  atomic.Int32
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}
func (l *listener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *listener) Addr() net.Addr { return address{} }

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	l.dials.Add(1)
	a, b := newHalf(), newHalf()
	select {
	case l.conns <- &conn{b, a}:
		return &conn{a, b}, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve is a client of a handler over in-memory connections; both end with the test. In a bubble everything is made inside it.
func serve(t testing.TB, handler http.HandlerFunc, change func(*Options)) (*Client, *listener) {
	t.Helper()
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	var served sync.WaitGroup
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1) // never from zero: Serve still runs
		defer served.Done()
		// Only once the body is read does the server notice that the client has gone.
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler(w, r)
	})}
	served.Go(func() { _ = server.Serve(l) })
	opt := Options{URL: "http://192.0.2.1/v1", Model: "m", Key: NewSecret(testKey), Concurrency: 4, Version: "test", NoProxy: true, Dial: l.dial}
	if change != nil {
		change(&opt)
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		_ = server.Close()
		served.Wait()
	})
	return c, l
}

const testKey = `sk-"te&st"/0123456789`
