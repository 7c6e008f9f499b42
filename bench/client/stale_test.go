package client

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// lasting answers the first request on a connection well, and does with the second as told.
func lasting(second func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		if n++; n%2 == 1 {
			well(w, r)
			return
		}
		second(w, r)
	}
}

func TestStaleConnections(t *testing.T) {
	const trip = 50 * ms
	far := func(o *Options) { // connecting takes a round trip
		dial := o.Dial
		o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			time.Sleep(trip)
			return dial(ctx, network, address)
		}
	}
	end := func(after time.Duration, reset bool, first string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			nc, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = nc.Write([]byte(first))
			time.Sleep(after)
			if reset {
				nc.(*memnet.Conn).Abort()
			}
			_ = nc.Close()
		}
	}
	tests := []struct {
		sentence string
		second   http.HandlerFunc
		want     bench.Outcome
	}{
		{"a kept connection whose end was on its way when the request left", end(20*ms, false, ""), bench.Stale},
		{"one whose machine refuses the request", end(trip, true, ""), bench.Stale},
		{"one that is closed once the request is there", end(trip+ms, false, ""), bench.Reset},
		{"one that is reset by the server at work", end(2*trip+2*ms, true, ""), bench.Reset},
		{"one that breaks after part of an answer was no old one", end(20*ms, true, "HTTP/1.1 200 OK\r\n"), bench.Reset},
		{"one that breaks after seconds of work was no old one", end(30*time.Second, true, ""), bench.Reset},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, l := serve(t, lasting(tt.second), far)
				send(t, c, bench.OK)
				synctest.Wait()
				if e := send(t, c, tt.want); !e.Reused || e.Message == "" {
					t.Errorf("reused %v, %q", e.Reused, e.Message)
				}
				if l.Dials() != 1 {
					t.Errorf("%d connections: the request went out twice", l.Dials())
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, end(20*ms, true, ""), nil)
		if e := send(t, c, bench.Reset); e.Reused {
			t.Error("a new connection is called a kept one")
		}
	})
}

// An Idempotency-Key tells the transport that it may send a request again, and it would not say that it did.
func TestNoRequestIsSentAgain(t *testing.T) {
	for _, name := range []string{"", "Idempotency-Key", "x-idempotency-key"} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if n++; n == 1 {
					well(w, r)
					return
				}
				panic(http.ErrAbortHandler)
			}, func(o *Options) {
				o.Header = http.Header{}
				if name != "" {
					o.Header[name] = []string{"once"}
				}
			})
			send(t, c, bench.OK)
			synctest.Wait()
			if send(t, c, bench.Stale); n != 2 {
				t.Errorf("%q: the server saw %d requests", name, n)
			}
		})
	}
}

func TestConnectionsAreKeptForLessThanTheServerDoes(t *testing.T) {
	tests := []struct {
		header string
		kept   time.Duration
	}{
		{"timeout=2", time.Second},
		{"max=100, Timeout = \"3\"", 2 * time.Second},
		{"timeout=1", 500 * ms},
		{"timeout=75", idleConn},
		{"timeout=0", idleConn},
		{"timeout=soon", idleConn},
		{"max=5", idleConn},
		{"", idleConn},
	}
	for _, tt := range tests {
		for _, over := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c, l := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if tt.header != "" {
						w.Header().Set("Keep-Alive", tt.header)
					}
					well(w, r)
				}, nil)
				send(t, c, bench.OK) // says how long
				send(t, c, bench.OK)
				synctest.Wait()
				before, wait := l.Dials(), tt.kept-10*ms
				if over {
					wait = tt.kept + 10*ms
				}
				time.Sleep(wait)
				if e := send(t, c, bench.OK); e.Reused == over || l.Dials()-before != map[bool]int{true: 1}[over] {
					t.Errorf("%q: after %v reused %v, %d new connections", tt.header, wait, e.Reused, l.Dials()-before)
				}
			})
		}
	}
}

// closing is a connection that says when it is closed.
type closing struct {
	net.Conn
	closed chan struct{}
	once   sync.Once
}

func (c *closing) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func TestAShorterTimeHoldsForTheConnectionThatSaidIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan struct{})
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Keep-Alive", "timeout=1")
			well(w, r)
		}, func(o *Options) {
			dial := o.Dial
			o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				nc, err := dial(ctx, network, address)
				return &closing{Conn: nc, closed: closed}, err
			}
		})
		began := time.Now()
		send(t, c, bench.OK)
		<-closed
		if took := time.Since(began); took > 500*ms {
			t.Errorf("it was kept for %v", took)
		}
	})
}

func TestAShorterTimeIsNoSignThatConnectionsAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Keep-Alive", "timeout=2")
			well(w, r)
		}, nil)
		if r, err := c.Preflight(context.Background(), request.Prompt); err != nil || !r.Reuses || len(r.Notes) > 0 {
			t.Errorf("%v, %+v", err, r)
		}
	})
}
