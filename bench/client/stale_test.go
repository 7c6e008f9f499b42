package client

import (
	"context"
	"fmt"
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
		{"a kept connection that is closed under the request", end(20*ms, false, ""), bench.Stale},
		{"one that is reset under it", end(20*ms, true, ""), bench.Stale},
		{"one that breaks after part of an answer was no old one", end(20*ms, true, "HTTP/1.1 200 OK\r\n"), bench.Reset},
		{"one that breaks after seconds of work was no old one", end(30*time.Second, true, ""), bench.Reset},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, l := serve(t, lasting(tt.second), nil)
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

type quotaSeer struct {
	chunks
	quotas []bench.Quota
	before int // chunks that came before the quotas
}

func (s *quotaSeer) Quotas(quotas []bench.Quota) { s.quotas, s.before = quotas, len(s.all) }

func TestQuotasComeWithTheHeaders(t *testing.T) {
	for _, status := range []int{200, 429, 503} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Ratelimit-Limit-Requests", "60")
				w.Header().Set("X-Ratelimit-Remaining-Requests", "59")
				w.WriteHeader(status)
				threeTokens(w, r)
			}, nil)
			var seen quotaSeer
			c.Send(context.Background(), request, &seen)
			if len(seen.quotas) != 1 || seen.quotas[0].Limit != bench.Some(60) || seen.before != 0 || (status == 200) != (len(seen.all) == 3) {
				t.Errorf("%d: quotas %+v after %d of %d chunks", status, seen.quotas, seen.before, len(seen.all))
			}
			if r, _ := c.Preflight(context.Background(), request.Prompt); len(r.Quotas) != 1 {
				t.Errorf("%d: the report has %+v", status, r.Quotas)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, well, nil)
		seen := quotaSeer{before: -1}
		if c.Send(context.Background(), request, &seen); seen.before != -1 {
			t.Error("told of quotas that nobody stated")
		}
	})
}

func TestRefusalsKeepTheirFirstBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "<html>\r\n\x1b[31m no "
		c, l := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(502)
			say(w, page, testKey)
			for range 300 {
				say(w, fmt.Sprintf("%0100d", 0))
			}
		}, nil)
		for range 2 {
			e := send(t, c, bench.ServerError)
			if len(e.Head) != bench.HeadBytes || e.Head[:len(page)+3] != page+"***" {
				t.Errorf("%d bytes: %q", len(e.Head), e.Head)
			}
			synctest.Wait()
		}
		if l.Dials() != 1 {
			t.Errorf("%d connections: the body was not read to its end", l.Dials())
		}
	})
}

func TestCompressedAnswersAreNoGarbage(t *testing.T) {
	tests := []struct {
		encoding string
		status   int
		want     bench.Outcome
		message  string
	}{
		{"gzip", 200, bench.Malformed, "the answer is compressed (gzip), which nobody asked for"},
		{"BR", 200, bench.Malformed, "the answer is compressed (br), which nobody asked for"},
		{"identity, zstd", 200, bench.Malformed, "the answer is compressed (zstd), which nobody asked for"},
		{"gzip", 400, bench.ClientError, "400 Bad Request, with a body compressed by gzip, which nobody asked for"},
		{"identity", 200, bench.OK, ""},
		{"utf-8", 200, bench.OK, ""}, // a slip of servers that mean the charset
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", tt.encoding)
				w.WriteHeader(tt.status)
				if tt.want == bench.OK {
					well(w, r)
					return
				}
				say(w, "\x1f\x8b\x08\x00garbage")
			}, nil)
			if e := send(t, c, tt.want); e.Message != tt.message || e.Status != tt.status || e.Head != "" {
				t.Errorf("%s: %d %q, head %q", tt.encoding, e.Status, e.Message, e.Head)
			}
		})
	}
}
