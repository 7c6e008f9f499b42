package script

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
)

// output takes an answer's packets. Its errors all mean that the client has gone.
type output interface {
	begin(a *Answer, h http.Header) error
	packet(b []byte) error
	end(how end) error
}

// body is an answer that net/http frames.
type body struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func (o *body) begin(a *Answer, h http.Header) error {
	for name, values := range h {
		o.w.Header()[name] = values // a nil value keeps net/http from adding its own
	}
	if a.frame == frameClose {
		o.w.Header().Set("Transfer-Encoding", "identity")
	}
	o.w.WriteHeader(a.status)
	return o.rc.Flush()
}

func (o *body) packet(b []byte) error {
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.rc.Flush()
}

func (o *body) end(how end) error {
	if how != endClose {
		drop(o.w, how == endReset)
	}
	return nil
}

// drop closes the connection of an answer under it; over HTTP/2, where there is none of its own, it resets the stream.
func drop(w http.ResponseWriter, reset bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	sever(c, reset)
}

// sever closes a connection, or resets it where the connection knows how.
func sever(c net.Conn, reset bool) {
	if reset {
		switch c := c.(type) {
		case interface{ SetLinger(int) error }:
			_ = c.SetLinger(0)
		case interface{ Abort() }:
			c.Abort()
		}
	}
	_ = c.Close()
}

// raw is the connection itself.
type raw struct {
	c net.Conn
	// ctx ends when the client has gone.
	ctx     context.Context
	gone    chan struct{}
	cancel  context.CancelFunc
	release func() bool
}

func hijack(ctx context.Context, w http.ResponseWriter) (*raw, error) {
	c, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, fmt.Errorf("taking over the connection: %w", err)
	}
	o := &raw{c: c, gone: make(chan struct{})}
	o.ctx, o.cancel = context.WithCancel(ctx)
	// A client that neither reads nor leaves must not hold up the server's end, and net/http no longer closes this connection.
	o.release = context.AfterFunc(ctx, func() { _ = c.Close() })
	go o.watch(rw.Reader)
	return o, nil
}

// watch notices that the client has gone, which net/http no longer does.
func (o *raw) watch(r *bufio.Reader) {
	defer close(o.gone)
	_, _ = io.Copy(io.Discard, r)
	o.cancel()
}

func (o *raw) shut() {
	o.release()
	_ = o.c.Close()
	<-o.gone
	o.cancel()
}

func (o *raw) begin(a *Answer, h http.Header) error {
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.0 %d %s\r\n", a.status, http.StatusText(a.status))
	_ = h.Write(&head) // a buffer takes everything
	head.WriteString("\r\n")
	return o.packet(head.Bytes())
}

func (o *raw) packet(b []byte) error {
	_, err := o.c.Write(b)
	return err
}

func (o *raw) end(how end) error {
	sever(o.c, how == endReset)
	return nil
}

// packed compresses what goes to another output.
type packed struct {
	to   output
	zip  *gzip.Writer
	buf  bytes.Buffer
	held bool
}

func newPacked(to output, held bool) *packed {
	o := &packed{to: to, held: held}
	o.zip = gzip.NewWriter(&o.buf)
	return o
}

func (o *packed) begin(a *Answer, h http.Header) error {
	h.Set("Content-Encoding", "gzip")
	return o.to.begin(a, h)
}

func (o *packed) packet(b []byte) error {
	_, _ = o.zip.Write(b) // a buffer takes everything
	if o.held {
		return nil
	}
	_ = o.zip.Flush()
	return o.pass()
}

func (o *packed) pass() error {
	defer o.buf.Reset()
	return o.to.packet(o.buf.Bytes())
}

func (o *packed) end(how end) error {
	_ = o.zip.Close()
	if err := o.pass(); err != nil {
		return err
	}
	return o.to.end(how)
}
