package client

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// mute is a proxy that takes connections and says nothing, until they are closed.
func mute(context.Context, string, string) (net.Conn, error) {
	ours, theirs := memnet.Pipe()
	go func() {
		_, _ = io.Copy(io.Discard, theirs)
		_ = theirs.Close()
	}()
	return ours, nil
}

// leads is a proxy that leads to a listener, by HTTP or as SOCKS.
func leads(l *memnet.Listener) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ours, theirs := memnet.Pipe()
		back, err := l.Dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		go func() {
			r := bufio.NewReader(theirs)
			if first, _ := r.Peek(1); len(first) > 0 && first[0] == 5 {
				_, _ = io.CopyN(io.Discard, r, 3) // one method
				_, _ = theirs.Write([]byte{5, 0})
				_, _ = io.CopyN(io.Discard, r, 5+int64(len("gpu.example"))+2)
				_, _ = theirs.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
			} else if _, err := http.ReadRequest(r); err == nil {
				_, _ = io.WriteString(theirs, "HTTP/1.1 200 OK\r\n\r\n")
			}
			go func() {
				_, _ = io.Copy(theirs, back)
				_ = theirs.Close()
			}()
			_, _ = io.Copy(back, r)
			_ = back.Close()
		}()
		return ours, nil
	}
}

func TestAProxyThatNeverAnswersIsOverTheConnectLimit(t *testing.T) {
	for _, tt := range []struct{ sentence, proxy, url string }{
		{"one that is asked to connect", "http://192.0.2.9:3128", "https://gpu.example"},
		{"a SOCKS proxy", "socks5://192.0.2.9:1080", "https://gpu.example"},
		{"a SOCKS proxy, without TLS behind it", "socks5://192.0.2.9:1080", "http://gpu.example"},
	} {
		for _, two := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.sentence, ", HTTP/2 ", two), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := through(t, tt.proxy, Options{URL: tt.url, HTTP2: two, Dial: mute, Limits: bench.Limits{Connect: 3 * time.Second, FirstToken: time.Minute}})
					e := send(t, c, bench.TimeoutConnect)
					if took, _ := e.Marks.Ended.Since(e.Marks.Started); took != 3*time.Second || !strings.Contains(e.Message, "the proxy "+tt.proxy+" answers nothing") {
						t.Errorf("%q after %v", e.Message, took)
					}
					began := time.Now()
					for _, ask := range []func() error{
						func() error { _, err := c.Preflight(context.Background(), request.Prompt); return err },
						func() error { _, err := c.Models(context.Background()); return err },
					} {
						if err := ask(); err == nil || !strings.Contains(err.Error(), "no connection to, or through, the proxy "+tt.proxy) {
							t.Error(err)
						}
					}
					if took := time.Since(began); took != 6*time.Second {
						t.Errorf("preflight and list took %v", took)
					}
					c.Close()
				})
			})
		}
	}
}

// The limit is for the proxy's answer only: what goes through it may last.
func TestAProxyThatAnsweredIsOverNoConnectLimit(t *testing.T) {
	for _, tt := range []struct{ proxy, scheme string }{
		{"http://192.0.2.9:3128", "https"}, {"socks5://192.0.2.9:1080", "https"}, {"socks5://192.0.2.9:1080", "http"},
	} {
		for _, two := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.proxy, " to ", tt.scheme, ", HTTP/2 ", two), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := memnet.Listen()
					server := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						time.Sleep(10 * time.Second)
						well(w, r)
					})}
					var served sync.WaitGroup
					if tt.scheme == "https" {
						cert := newAuthority(t).sign(t, &x509.Certificate{})
						served.Go(func() {
							server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}}
							_ = server.ServeTLS(l, "", "")
						})
					} else {
						served.Go(func() { _ = server.Serve(l) })
					}
					c := through(t, tt.proxy, Options{URL: tt.scheme + "://gpu.example", HTTP2: two, Dial: leads(l), TLS: &tls.Config{InsecureSkipVerify: true}, Limits: bench.Limits{Connect: time.Second}})
					for i := range 3 {
						if e := send(t, c, bench.OK); e.Reused != (i > 0) {
							t.Errorf("request %d: reused %v", i, e.Reused)
						}
						synctest.Wait() // the body's end gives the connection back
					}
					c.Close()
					_ = server.Close()
					served.Wait()
				})
			})
		}
	}
}
