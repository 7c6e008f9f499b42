package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// through is a client behind a proxy.
func through(t *testing.T, proxy string, opt Options) *Client {
	t.Helper()
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	opt.Model, opt.Proxy = "m", func(*http.Request) (*url.URL, error) { return u, nil }
	opt.Resolve = func(context.Context, string) ([]netip.Addr, error) {
		t.Error("a name is looked up though the proxy resolves it")
		return nil, nil
	}
	c, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// tunnel is a proxy that connects everybody to one server.
func tunnel(t *testing.T, to string) *httptest.Server {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			t.Errorf("the proxy is asked to %s", r.Method)
		}
		back, err := net.Dial("tcp", to)
		if err != nil {
			t.Error(err)
			return
		}
		front, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(front, "HTTP/1.1 200 Connected\r\n\r\n")
		go func() {
			_, _ = io.Copy(back, front)
			_ = back.Close()
		}()
		_, _ = io.Copy(front, back)
		_ = front.Close()
	}))
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(proxy.Close)
	return proxy
}

func TestProxiesCarryRequests(t *testing.T) {
	ca := newAuthority(t)
	cert := ca.sign(t, &x509.Certificate{DNSNames: []string{"gpu.example"}})
	server := httptest.NewUnstartedServer(http.HandlerFunc(well))
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	proxy := tunnel(t, strings.TrimPrefix(server.URL, "https://"))
	for _, two := range []bool{false, true} {
		c := through(t, proxy.URL, Options{URL: "https://gpu.example", TLS: &tls.Config{RootCAs: ca.pool}, HTTP2: two})
		r, err := c.Preflight(context.Background(), request.Prompt)
		if err != nil || r.Proxy != proxy.URL || r.Address != strings.TrimPrefix(proxy.URL, "http://") || (r.Protocol == "HTTP/2") != two {
			t.Errorf("HTTP/2 %v: %v, %+v", two, err, r)
		}
		sendBeside(t, c, bench.OK)
	}
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "gpu.example" || r.Header.Get("Proxy-Authorization") != "Basic bWU6aHVudGVyMjI=" {
			t.Errorf("the proxy is asked for %s with %q", r.URL, r.Header)
		}
		well(w, r)
	}))
	defer plain.Close()
	c := through(t, strings.Replace(plain.URL, "http://", "http://me:hunter22@", 1), Options{URL: "http://gpu.example"})
	if r, err := c.Preflight(context.Background(), request.Prompt); err != nil || r.Proxy != plain.URL {
		t.Errorf("%v, proxy %q", err, r.Proxy)
	}
}

func TestFailuresOfProxiesAreToldAsTheirs(t *testing.T) {
	answers := func(status int, text string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
		}))
		t.Cleanup(server.Close)
		return strings.Replace(server.URL, "http://", "http://me:hunter22@", 1)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	_ = l.Close()
	gone := "http://" + l.Addr().String()
	tests := []struct {
		sentence, proxy, url string
		want                 bench.Outcome
		message, text        string
	}{
		{"it wants credentials, in a tunnel", answers(407, ""), "https://gpu.example", bench.Unauthorized, "407 Proxy Authentication Required", "wants credentials (the proxy http://127.0.0.1"},
		{"it wants credentials, without one", answers(407, "who is hunter22?"), "http://gpu.example", bench.Unauthorized, "the proxy http://127.0.0.1", "wants credentials"},
		{"it does not reach the server", answers(502, ""), "https://gpu.example", bench.Network, "502 Bad Gateway", "does not reach https://gpu.example/v1/chat/completions (the proxy"},
		{"it may not", answers(403, ""), "https://gpu.example", bench.Network, "403 Forbidden", "does not reach https://gpu.example"},
		{"it, or the server, fails", answers(502, "x"), "http://gpu.example", bench.ServerError, "x", "or the proxy http://127.0.0.1"},
		{"it, or the server, is overloaded", answers(503, "x"), "http://gpu.example", bench.Overloaded, "x", "or the proxy http://127.0.0.1"},
		{"nobody listens, for a tunnel", gone, "https://gpu.example", bench.Refused, "proxyconnect", "nothing listens at the proxy http://127.0.0.1"},
		{"nobody listens, without one", gone, "http://gpu.example", bench.Refused, "proxyconnect", "nothing listens at the proxy http://127.0.0.1"},
	}
	for _, tt := range tests {
		for _, two := range []bool{false, true} {
			c := through(t, tt.proxy, Options{URL: tt.url, HTTP2: two, Limits: bench.Limits{Connect: 10 * time.Second}})
			e := sendBeside(t, c, tt.want)
			_, err := c.Preflight(context.Background(), request.Prompt)
			_, err2 := c.Models(context.Background())
			if !strings.Contains(e.Message, tt.message) || err == nil || err2 == nil || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("%s: %q, then %v", tt.sentence, e.Message, err)
			}
			for _, text := range []string{e.Message, e.Head, err.Error(), err2.Error()} {
				if strings.Contains(text, "hunter22") {
					t.Errorf("%s: the password stands in %q", tt.sentence, text)
				}
			}
			if !strings.Contains(err2.Error(), "the proxy http://127.0.0.1") {
				t.Errorf("%s: the list: %v", tt.sentence, err2)
			}
		}
	}
}

func TestProxiesThatDoNotAnswer(t *testing.T) {
	for _, tt := range []struct {
		sentence, proxy string
		dial            func(ctx context.Context, network, address string) (net.Conn, error)
		want            bench.Outcome
		text            string
	}{
		{"one that swallows everything", "http://192.0.2.9:3128", func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, bench.TimeoutConnect, "no connection to, or through, the proxy http://192.0.2.9:3128"},
		{"a SOCKS proxy that refuses", "socks5://192.0.2.9:1080", func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				defer func() { _ = theirs.Close() }()
				_, _ = theirs.Read(make([]byte, 64))
				_, _ = theirs.Write([]byte{5, 0})
				_, _ = theirs.Read(make([]byte, 512))
				_, _ = theirs.Write([]byte{5, 5, 0, 1, 0, 0, 0, 0, 0, 0})
			}()
			return ours, nil
		}, bench.Network, "the proxy socks5://192.0.2.9:1080 does not reach http://gpu.example/v1/chat/completions (socks connect"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := through(t, tt.proxy, Options{URL: "http://gpu.example", Dial: tt.dial, Limits: bench.Limits{Connect: time.Second}})
			if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("%s: %v", tt.sentence, err)
			}
			send(t, c, tt.want)
			c.Close()
		})
	}
}
