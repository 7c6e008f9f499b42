package client

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestStreamsThatAreCancelledAtRandomLeaveNothing(t *testing.T) {
	for _, most := range []int{1, 7, 100} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := serve2(t, most, threeTokens, func(o *Options) { o.Concurrency = 100 })
			var all sync.WaitGroup
			for i := range 100 {
				all.Go(func() {
					for j := range 4 {
						ctx, cancel := context.WithCancel(context.Background())
						want := bench.OK
						if (i+j)%3 == 0 { // before, while and after the answer comes
							time.AfterFunc(time.Duration((i*7+j*13)%130)*ms, cancel)
							want = bench.Cancelled
						}
						if e := c.Send(ctx, request, nil); e.Outcome != bench.OK && e.Outcome != want {
							t.Errorf("at most %d: %v %q", most, e.Outcome, e.Message)
						}
						cancel()
					}
				})
			}
			all.Wait()
			time.Sleep(2*idleConn + time.Second)
			c.streams.mu.Lock()
			defer c.streams.mu.Unlock()
			if n := len(c.streams.open); n > 0 {
				t.Errorf("at most %d: %d connections are open after a pause", most, n)
			}
		})
	}
}

func TestAStreamThatTheServerAbortsIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c, l := serve2(t, 100, func(w http.ResponseWriter, r *http.Request) {
			switch asked++; asked {
			case 1:
				panic(http.ErrAbortHandler)
			case 2:
				say(w, role, token)
				panic(http.ErrAbortHandler)
			}
			well(w, r)
		}, nil)
		for _, want := range []bench.Outcome{bench.Reset, bench.Truncated, bench.OK} {
			send(t, c, want)
		}
		if l.Dials() > 2 {
			t.Errorf("%d connections", l.Dials())
		}
	})
}
