package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// forgetful is a way to a server that forgets connections: what either end writes on one is swallowed, and neither is told.
type forgetful struct {
	l *memnet.Listener
	sync.Mutex
	made []*forgotten
}

type forgotten struct {
	net.Conn
	gone atomic.Bool
	// held is the Unix time, in nanoseconds, until which nothing comes through.
	held atomic.Int64
}

func (f *forgetful) dial(ctx context.Context, network, address string) (net.Conn, error) {
	nc, err := f.l.Dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	k := &forgotten{Conn: nc}
	f.Lock()
	f.made = append(f.made, k)
	f.Unlock()
	return k, nil
}

// forget loses all connections that there are.
func (f *forgetful) forget() {
	f.Lock()
	defer f.Unlock()
	for _, k := range f.made {
		k.gone.Store(true)
	}
}

// hold holds all connections that there are back for a while.
func (f *forgetful) hold(wait time.Duration) {
	f.Lock()
	defer f.Unlock()
	for _, k := range f.made {
		k.held.Store(time.Now().Add(wait).UnixNano())
	}
}

func (k *forgotten) Write(b []byte) (int, error) {
	if k.gone.Load() {
		return len(b), nil
	}
	return k.Conn.Write(b)
}

func (k *forgotten) Read(b []byte) (int, error) {
	for {
		n, err := k.Conn.Read(b)
		time.Sleep(time.Until(time.Unix(0, k.held.Load())))
		if err != nil || !k.gone.Load() {
			return n, err
		}
	}
}

// overForgetful is a client of a server behind a forgetful way, in HTTP/2 or HTTP/1.1.
func overForgetful(t *testing.T, two bool, limits bench.Limits, handler http.HandlerFunc) (*Client, *forgetful) {
	way := &forgetful{}
	change := func(o *Options) { o.Dial, o.Limits = way.dial, limits }
	var c *Client
	if two {
		c, way.l = serve2(t, 100, handler, change)
	} else {
		c, way.l = serve(t, handler, change)
	}
	return c, way
}

func TestALostConnectionTakesOneRequestWithIt(t *testing.T) {
	slow := func(w http.ResponseWriter, _ *http.Request) {
		say(w, role, token)
		time.Sleep(2 * time.Second)
		say(w, token, stop, doneLine)
	}
	for _, tt := range []struct {
		sentence string
		handler  http.HandlerFunc
		limits   bench.Limits
		lose     time.Duration // after the begin of the second request
		want     bench.Outcome
	}{
		{"before the request", threeTokens, bench.Limits{FirstToken: 5 * time.Second}, 0, bench.TimeoutFirst},
		{"before the request, and a limit is short", threeTokens, bench.Limits{FirstToken: 500 * ms}, 0, bench.TimeoutFirst},
		{"before the request, which has one limit", threeTokens, bench.Limits{Total: 10 * time.Second}, 0, bench.TimeoutTotal},
		{"after the first token", slow, bench.Limits{Idle: 5 * time.Second}, time.Second, bench.Stalled},
	} {
		for _, two := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.sentence, ", HTTP/2 ", two), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c, way := overForgetful(t, two, tt.limits, tt.handler)
					send(t, c, bench.OK)
					time.Sleep(700 * ms)
					if tt.lose == 0 {
						way.forget()
					} else {
						time.AfterFunc(tt.lose, way.forget)
					}
					if e := send(t, c, tt.want); !e.Reused {
						t.Error("the request did not use the connection that was lost")
					}
					for range 5 {
						send(t, c, bench.OK)
						synctest.Wait() // the body's end gives the connection back
					}
					if n := way.l.Dials(); n != 2 {
						t.Errorf("%d connections", n)
					}
				})
			})
		}
	}
}

func TestTheOtherStreamsOfAQuietConnectionGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c, way := overForgetful(t, true, bench.Limits{FirstToken: 5 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) != 3 {
				well(w, r)
				return
			}
			say(w, token)
			time.Sleep(20 * time.Second)
			say(w, stop, doneLine)
		})
		send(t, c, bench.OK)
		way.hold(6500 * ms)
		var both sync.WaitGroup
		both.Go(func() { sendBeside(t, c, bench.TimeoutFirst) })
		time.Sleep(2 * time.Second)
		both.Go(func() { sendBeside(t, c, bench.OK) })
		time.Sleep(4 * time.Second)
		if e := send(t, c, bench.OK); e.Reused || way.l.Dials() != 2 {
			t.Errorf("a silent connection was used again: %d connections", way.l.Dials())
		}
		both.Wait()
		time.Sleep(2*idleConn + time.Second)
		send(t, c, bench.OK)
		c.streams.mu.Lock()
		defer c.streams.mu.Unlock()
		if len(c.streams.open) != 1 {
			t.Errorf("%d connections are kept", len(c.streams.open))
		}
	})
}

func TestALimitSaysNothingOfAConnectionThatSpeaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, l := serve2(t, 100, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				say(w, token)
				time.Sleep(50 * ms)
			}
		}, func(o *Options) { o.Limits.Total = 5 * time.Second })
		for range 3 {
			send(t, c, bench.TimeoutTotal)
		}
		if l.Dials() != 1 {
			t.Errorf("%d connections", l.Dials())
		}
	})
}

func TestAGapInTimeGivesUpAllConnections(t *testing.T) {
	for _, two := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c, way := overForgetful(t, two, bench.Limits{FirstToken: 5 * time.Second}, threeTokens)
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() { sendBeside(t, c, bench.OK) })
			}
			both.Wait()
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(60*ms, func() {
				way.forget()
				cancel(ErrInterrupted)
			})
			if e := c.Send(ctx, request, nil); e.Outcome != bench.Interrupted {
				t.Errorf("%v %q", e.Outcome, e.Message)
			}
			for range 4 {
				send(t, c, bench.OK)
			}
		})
	}
}

// Without any limit only a sign of life that is missed tells.
func TestALostConnectionIsNoticedWithoutLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, way := overForgetful(t, true, bench.Limits{}, threeTokens)
		send(t, c, bench.OK)
		way.forget()
		e := send(t, c, bench.Reset)
		if took, _ := e.Marks.Ended.Since(e.Marks.Started); took > pingAfter+pingWait {
			t.Errorf("after %v", took)
		}
		send(t, c, bench.OK)
	})
	synctest.Test(t, func(t *testing.T) {
		c, _ := overForgetful(t, true, bench.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(10 * time.Minute)
			well(w, r)
		})
		send(t, c, bench.OK) // a server that is busy lives
	})
}
