package client

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

// starts counts the requests that have started.
type starts struct{ n atomic.Int64 }

func (s *starts) Started(time.Duration) { s.n.Add(1) }
func (s *starts) Quotas([]bench.Quota)  {}
func (s *starts) Chunk(bench.Chunk)     {}

func TestAStormOfRequestsConnectsInTurn(t *testing.T) {
	const storm = 3 * abreast
	synctest.Test(t, func(t *testing.T) {
		answers := rawServer(3)
		c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", Concurrency: storm, NoProxy: true,
			Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
				time.Sleep(time.Second)
				return answers(ctx, network, address)
			}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var seen starts
		var all sync.WaitGroup
		slowest := make([]time.Duration, storm)
		for i := range storm {
			all.Go(func() {
				e := c.Send(context.Background(), request, &seen)
				if e.Outcome != bench.OK {
					t.Errorf("%v %q", e.Outcome, e.Message)
				}
				slowest[i], _ = e.TTFT()
			})
		}
		time.Sleep(time.Second / 2)
		if n := seen.n.Load(); n != abreast {
			t.Errorf("%d have started, want %d", n, abreast)
		}
		all.Wait()
		for _, ttft := range slowest {
			if ttft > time.Second+time.Millisecond {
				t.Fatalf("a wait for others is in a TTFT of %v", ttft)
			}
		}
		if n := seen.n.Load(); n != storm {
			t.Errorf("%d of %d started", n, storm)
		}
	})
}

func TestARequestThatWaitsForItsTurnCanBeEnded(t *testing.T) {
	for _, tt := range []struct {
		sentence string
		end      func(c *Client, cancel context.CancelCauseFunc)
		want     bench.Outcome
	}{
		{"by the operator", func(_ *Client, cancel context.CancelCauseFunc) { cancel(nil) }, bench.Cancelled},
		{"for a gap in time", func(_ *Client, cancel context.CancelCauseFunc) { cancel(ErrInterrupted) }, bench.Interrupted},
		{"by the client's end", func(c *Client, _ context.CancelCauseFunc) { c.Close() }, bench.Cancelled},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", Concurrency: 2 * abreast, NoProxy: true, Dial: mute})
			if err != nil {
				t.Fatal(err)
			}
			for range abreast {
				c.door.places <- struct{}{}
			}
			var seen starts
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			ended := make(chan bench.Ended)
			go func() { ended <- c.Send(ctx, request, &seen) }()
			time.Sleep(time.Minute)
			tt.end(c, cancel)
			if e := <-ended; e.Outcome != tt.want || seen.n.Load() != 0 || e.Marks.Connected.OK || !e.Marks.Ended.OK {
				t.Errorf("%s: %v %q, %d started", tt.sentence, e.Outcome, e.Message, seen.n.Load())
			}
			c.Close()
		})
	}
}

func TestAConnectionThatFailsGivesItsTurnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", Concurrency: 4, NoProxy: true,
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
			}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for range 10 {
			if e := c.Send(context.Background(), request, nil); e.Outcome == bench.OK {
				t.Error(e.Outcome)
			}
		}
		if n := len(c.door.places); n != 0 {
			t.Errorf("%d places are held", n)
		}
	})
}

func TestNothingIsWatchedPastItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := serve(t, well, func(o *Options) { o.Limits.Idle = time.Minute })
		for range 50 {
			c.Send(context.Background(), request, nil)
		}
		time.Sleep(2 * sweep)
		if n := c.watch.each(func(*flight) {}); n != 0 || c.watch.running.Load() {
			t.Errorf("%d are watched, sweeping: %v", n, c.watch.running.Load())
		}
	})
}
