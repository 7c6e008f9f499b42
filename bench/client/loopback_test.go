package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"redline/bench"
)

// These use real sockets, and no time.

func local(t *testing.T, opt Options) *Client {
	t.Helper()
	opt.Model, opt.NoProxy = "m", true
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestLoopbackStream(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, token, stop, usageEnd, doneLine) }))
	defer server.Close()
	c := local(t, Options{URL: server.URL})
	for range 3 {
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK || e.Counts.Output != 3 || !e.Marks.Written.OK {
			t.Errorf("%v %q %+v", e.Outcome, e.Message, e.Counts)
		}
	}
}

// A server that closes each connection after its answer, without a word, races with the next request for it. A request that lost the
// race before it went out is sent on another connection; one that had gone out met a stale connection, or, where this machine was slow to say so,
// a reset.
func TestLoopbackServerClosesIdleConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		nc, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		body := token + stop + doneLine
		_, _ = fmt.Fprintf(nc, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		_ = nc.Close()
	}))
	defer server.Close()
	c := local(t, Options{URL: server.URL})
	for range 200 {
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK && e.Outcome != bench.Stale && e.Outcome != bench.Reset {
			t.Fatalf("%v %q", e.Outcome, e.Message)
		}
	}
}

func TestLoopbackRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	_ = l.Close()
	c := local(t, Options{URL: "http://" + l.Addr().String()})
	if e := c.Send(context.Background(), request, nil); e.Outcome != bench.Refused {
		t.Errorf("%v %q", e.Outcome, e.Message)
	}
	if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "nothing listens at http://127.0.0.1") {
		t.Error(err)
	}
}

func TestLoopbackTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 {
			t.Errorf("protocol %s", r.Proto)
		}
		say(w, token, stop, doneLine)
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()

	stranger := local(t, Options{URL: server.URL})
	if e := stranger.Send(context.Background(), request, nil); e.Outcome != bench.TLS {
		t.Errorf("unknown authority: %v %q", e.Outcome, e.Message)
	}
	if _, err := stranger.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "signed by nobody who is known here") {
		t.Error(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	friend := local(t, Options{URL: server.URL, TLS: &tls.Config{RootCAs: pool}})
	if e := friend.Send(context.Background(), request, nil); e.Outcome != bench.OK {
		t.Errorf("known authority: %v %q", e.Outcome, e.Message)
	}
}

func TestLoopbackPlainServerForHTTPS(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	c := local(t, Options{URL: strings.Replace(server.URL, "http:", "https:", 1)})
	if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "write http:// instead") {
		t.Error(err)
	}
}

func TestUnknownHost(t *testing.T) {
	c := local(t, Options{URL: "http://no-such-host.invalid/v1", Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "no-such-host.invalid", IsNotFound: true}}
	}})
	if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "host name no-such-host.invalid") {
		t.Error(err)
	}
}

func TestProxyIsNamed(t *testing.T) {
	c := local(t, Options{URL: "http://10.1.2.3/v1"})
	if proxy, ok := c.Proxy(); ok {
		t.Errorf("proxy %s though none is to be used", proxy)
	}
}
