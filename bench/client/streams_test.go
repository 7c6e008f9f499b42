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
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// serve2 is a client of an HTTP/2 server without TLS, over in-memory connections.
func serve2(t *testing.T, most int, handler http.HandlerFunc, change func(*Options)) (*Client, *memnet.Listener) {
	t.Helper()
	l := memnet.Listen()
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	var served sync.WaitGroup
	server := &http.Server{Protocols: &protocols, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: most}, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1) // never from zero: Serve still runs
		defer served.Done()
		handler(w, r)
	})}
	served.Go(func() { _ = server.Serve(l) })
	opt := Options{URL: "http://192.0.2.1/v1", Model: "m", Concurrency: 10, NoProxy: true, HTTP2: true, Dial: l.Dial}
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

// Ten workers and a server that takes one request at a time on a connection: each has to be asked at once, and none may wait inside the
// client, where a wait would pass for the server's.
func TestStreamsNeverWaitInsideTheClient(t *testing.T) {
	for _, most := range []int{1, 3, 250} {
		synctest.Test(t, func(t *testing.T) {
			var inside, peak atomic.Int32
			c, l := serve2(t, most, func(w http.ResponseWriter, r *http.Request) {
				now := inside.Add(1)
				for old := peak.Load(); now > old && !peak.CompareAndSwap(old, now); old = peak.Load() {
				}
				threeTokens(w, r)
				inside.Add(-1)
			}, nil)
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() {
					for range 5 {
						e := c.Send(context.Background(), request, nil)
						if ttft, _ := e.TTFT(); e.Outcome != bench.OK || ttft != 100*ms {
							t.Errorf("at most %d: %v %q, TTFT %v", most, e.Outcome, e.Message, ttft)
						}
					}
				})
			}
			all.Wait()
			if peak.Load() < 10 {
				t.Errorf("at most %d: the server saw %d requests at once", most, peak.Load())
			}
			// A connection may still be ending its stream when its worker goes on.
			if n := l.Dials(); n < 10/most || n > 20 {
				t.Errorf("at most %d: %d connections", most, n)
			}
		})
	}
}

func TestStreamsShareAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve2(t, 100, threeTokens, nil)
		if r, err := c.Preflight(context.Background(), request.Prompt); err != nil || r.Protocol != "HTTP/2" || !r.Reuses || strings.Contains(strings.Join(r.Notes, ""), "HTTP") {
			t.Fatalf("%v, %+v", err, r)
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK || !e.Reused || !e.Marks.Written.OK || !e.Marks.Headers.OK {
					t.Errorf("%v %q, reused %v, marks %+v", e.Outcome, e.Message, e.Reused, e.Marks)
				}
			})
		}
		all.Wait()
		if l.Dials() != 1 {
			t.Errorf("%d connections", l.Dials())
		}
		time.Sleep(idleConn + time.Second)
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.OK || e.Reused || l.Dials() != 2 {
			t.Errorf("after a pause: %v %q, reused %v, %d connections", e.Outcome, e.Message, e.Reused, l.Dials())
		}
	})
}

func TestStreamsAreCancelledAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve2(t, 100, func(w http.ResponseWriter, r *http.Request) {
			say(w, token)
			select {
			case <-r.Context().Done():
			case <-time.After(time.Second):
				say(w, token, stop, usageEnd, doneLine)
			}
		}, func(o *Options) { o.Limits.Total = time.Minute })
		send(t, c, bench.OK)
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() {
			if e := c.Send(ctx, request, nil); e.Outcome != bench.Cancelled || e.Counts.Events != 1 {
				t.Errorf("%v %q, %+v", e.Outcome, e.Message, e.Counts)
			}
		})
		all.Go(func() { sendBeside(t, c, bench.OK) })
		time.AfterFunc(300*ms, cancel)
		all.Wait()
		send(t, c, bench.OK)
		if l.Dials() != 1 {
			t.Errorf("%d connections", l.Dials())
		}
		time.AfterFunc(100*ms, c.Close)
		send(t, c, bench.Cancelled)
	})
}

func TestStreamsOfAServerThatGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conns []net.Conn
		var mu sync.Mutex
		c, l := serve2(t, 100, threeTokens, func(o *Options) {
			dial := o.Dial
			o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				nc, err := dial(ctx, network, address)
				mu.Lock()
				conns = append(conns, nc)
				mu.Unlock()
				return nc, err
			}
		})
		send(t, c, bench.OK)
		conns[0].(*memnet.Conn).Abort() // while it is idle: another connection is no retry
		synctest.Wait()
		send(t, c, bench.OK)
		time.AfterFunc(20*ms, func() { conns[1].(*memnet.Conn).Abort() }) // with the request at work
		if e := c.Send(context.Background(), request, nil); e.Outcome != bench.Reset || !e.Reused {
			t.Errorf("%v %q, reused %v", e.Outcome, e.Message, e.Reused)
		}
		if l.Dials() != 2 {
			t.Errorf("%d connections", l.Dials())
		}
	})
}

func TestHTTP2WithTLS(t *testing.T) {
	ca := newAuthority(t)
	cert := ca.sign(t, &x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})
	for _, tt := range []struct {
		sentence string
		two      bool
		asked    bool
		protocol string
		note     string
	}{
		{"it is spoken where both can", true, true, "HTTP/2", ""},
		{"it is not spoken unasked", true, false, "HTTP/1.1", ""},
		{"a server that does not speak it is told of", false, true, "HTTP/1.1", "HTTP/2 was asked for, and https://127.0.0.1"},
	} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(well))
		server.EnableHTTP2 = tt.two
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		server.StartTLS()
		c := local(t, Options{URL: server.URL, TLS: &tls.Config{RootCAs: ca.pool}, HTTP2: tt.asked})
		r, err := c.Preflight(context.Background(), request.Prompt)
		notes := strings.Join(r.Notes, "\n")
		if err != nil || r.Protocol != tt.protocol || r.Address != strings.TrimPrefix(server.URL, "https://") || !strings.Contains(notes, tt.note) || (tt.note == "") == strings.Contains(notes, "HTTP") {
			t.Errorf("%s: %v, %s at %s, notes %q", tt.sentence, err, r.Protocol, r.Address, notes)
		}
		for range 3 {
			sendBeside(t, c, bench.OK)
		}
		c.Close()
		server.Close()
	}
}

func TestHTTP1InThePoolOfStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cert := newAuthority(t).sign(t, &x509.Certificate{})
		l := memnet.Listen()
		server := &http.Server{Handler: http.HandlerFunc(threeTokens), ErrorLog: log.New(io.Discard, "", 0)}
		var served sync.WaitGroup
		served.Go(func() {
			_ = server.Serve(tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"http/1.1"}}))
		})
		c, err := New(Options{URL: "https://192.0.2.1/v1", Model: "m", NoProxy: true, HTTP2: true, Dial: l.Dial, TLS: &tls.Config{InsecureSkipVerify: true}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if e := send(t, c, bench.OK); e.Reused != (i > 0) {
				t.Errorf("request %d: reused %v", i, e.Reused)
			}
			time.Sleep(idleConn - time.Second)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { sendBeside(t, c, bench.OK) })
		}
		all.Wait()
		if l.Dials() != 4 {
			t.Errorf("%d connections for four at once", l.Dials())
		}
		time.Sleep(idleConn + 10*ms)
		if e := send(t, c, bench.OK); e.Reused || l.Dials() != 5 {
			t.Errorf("after a pause: reused %v, %d connections", e.Reused, l.Dials())
		}
		c.Close()
		_ = server.Close()
		served.Wait()
	})
}

func TestHTTP2WithoutTLSIsNotGuessed(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(well))
	defer server.Close()
	c := local(t, Options{URL: server.URL, HTTP2: true})
	if _, err := c.Preflight(context.Background(), request.Prompt); err == nil || !strings.Contains(err.Error(), "does not speak HTTP/2 without TLS") {
		t.Error(err)
	}
	// A proxy on the way understands HTTP/1.1 only.
	via := httptest.NewServer(http.HandlerFunc(well))
	defer via.Close()
	proxied, err := New(Options{URL: "http://gpu.example", Model: "m", HTTP2: true, Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(via.URL) }})
	if err != nil {
		t.Fatal(err)
	}
	defer proxied.Close()
	if r, err := proxied.Preflight(context.Background(), request.Prompt); err != nil || r.Protocol != "HTTP/1.1" || !strings.Contains(strings.Join(r.Notes, "\n"), "HTTP/2 was asked for") {
		t.Errorf("%v, %+v", err, r)
	}
}
