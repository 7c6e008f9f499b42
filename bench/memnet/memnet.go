// Package memnet is a network in memory, for tests in virtual time: its connections buffer like sockets and block on conditions only, so that
// the clock of a test bubble runs on while both ends wait. What is made in a bubble must be closed in it.
package memnet

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
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

// Conn is one end of an in-memory connection.
type Conn struct{ in, out *half }

// Pipe is a connection without a listener: its two ends.
func Pipe() (here, there *Conn) {
	a, b := newHalf(), newHalf()
	return &Conn{a, b}, &Conn{b, a}
}

type address struct{}

func (address) Network() string { return "tcp" }
func (address) String() string  { return "192.0.2.1:80" }

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) { return c.in.read(p) }

// Write implements net.Conn; it waits while the other end's buffer is full.
func (c *Conn) Write(p []byte) (int, error) { return c.out.write(p) }

// Close implements net.Conn.
func (c *Conn) Close() error { c.in.end(false); c.out.end(false); return nil }

// LocalAddr implements net.Conn.
func (c *Conn) LocalAddr() net.Addr { return address{} }

// RemoteAddr implements net.Conn.
func (c *Conn) RemoteAddr() net.Addr { return address{} }

// SetDeadline implements net.Conn, for reads.
func (c *Conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { c.in.setDeadline(t); return nil }

// SetWriteDeadline implements net.Conn and does nothing.
func (c *Conn) SetWriteDeadline(_ time.Time) error { return nil }

// Abort resets the connection under both ends' hands.
func (c *Conn) Abort() { c.out.end(true); c.in.end(true) }

// Listener hands the server ends of dialled connections to whoever accepts them.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	dials  atomic.Int32
}

// Listen is a network of one listener.
func Listen() *Listener {
	return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Dials is how many connections were asked for.
func (l *Listener) Dials() int { return int(l.dials.Load()) }

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener; later dials are refused.
func (l *Listener) Close() error { l.once.Do(func() { close(l.closed) }); return nil }

// Addr implements net.Listener.
func (l *Listener) Addr() net.Addr { return address{} }

// Dial connects to the listener, whatever the address; it has the form of http.Transport.DialContext.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	l.dials.Add(1)
	here, there := Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
