package selftest

import (
	"context"
	"fmt"
	"net"

	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
	"redline/bench/health"
)

// path is the whole way that a token goes in a run: client, parser, meter, engine and the folds of each second.
type path struct{}

func (path) name() string { return "redline" }

// run reads all streams to their end. What came is counted by the folds.
func (path) run(ctx context.Context, at string, p Plan, e *ear) (got int, err error) {
	clock := bench.NewClock(time.Now())
	monitor := health.New(clock)
	w := &watcher{Monitor: monitor, ear: e, wall: &wall{clock: clock}}
	c, err := client.New(client.Options{
		URL: "http://" + at + "/v1", Model: "selftest", Concurrency: p.Streams, NoProxy: true, Clock: clock, Stall: time.Second, Version: "selftest",
		Watch:  func(c net.Conn) net.Conn { hardEnd(c); return monitor.Watch(c) },
		Limits: bench.Limits{Connect: patience, FirstToken: patience, Idle: patience},
	})
	if err != nil {
		return 0, err
	}
	defer c.Close()
	w.set()
	sender := &tapping{client: c, watcher: w}
	run := engine.New(engine.Options{
		Load: bench.InFlight(p.Streams), Unmanned: true, DrainTimeout: time.Hour, Health: w,
		Run: bench.Run{Max: p.Streams, Stall: time.Second, Requests: p.Streams, Works: []bench.Workload{{Name: "selftest", MaxTokens: p.Tokens}}},
	}, clock, sender, []engine.Prompts{same{p.Tokens}}, nil)
	run.Learn(1, bench.FromEvents, 0, 0)
	if err := run.Run(ctx); err != nil {
		return 0, err
	}
	if bad := sender.failed.Load(); bad != nil && ctx.Err() == nil {
		return 0, fmt.Errorf("%s: %s", bad.Outcome, bad.Message)
	}
	for _, b := range run.Snapshot().Buckets {
		got += b.Out
	}
	return got, ctx.Err()
}

// watcher is the run's monitor, whose seconds end the windows.
type watcher struct {
	*health.Monitor
	*wall
	ear *ear
}

// Second implements engine.Health.
func (w *watcher) Second(t health.Traffic) bench.Health {
	h := w.Monitor.Second(t)
	w.ear.window(Window{Health: h, signals: w.Signals(), asked: true})
	w.set()
	return h
}

// wall turns instants of a run into those of the wall clock. The two drift apart while the wall clock is being corrected.
type wall struct {
	clock  bench.Clock
	offset atomic.Int64
}

func (w *wall) set()                      { w.offset.Store(time.Now().UnixNano() - int64(w.clock.Now())) }
func (w *wall) of(at time.Duration) int64 { return w.offset.Load() + int64(at) }

// tapping sends requests whose bytes are tapped.
type tapping struct {
	client *client.Client
	*watcher
	failed atomic.Pointer[bench.Ended]
}

// Send implements engine.Sender.
func (s *tapping) Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended {
	ended := s.client.Send(ctx, r, &tap{obs, s.ear.listen(), s.wall})
	if ended.Outcome != bench.OK {
		s.failed.CompareAndSwap(nil, &ended)
	}
	return ended
}

// tap notes the lags of one request's stream, and passes on what its observer is told.
type tap struct {
	bench.Observer
	*listener
	wall *wall
}

// Bytes implements client.Tap.
func (t *tap) Bytes(b []byte, at time.Duration) { t.read(b, t.wall.of(at)) }

// same makes one prompt again and again.
type same struct{ tokens int }

func (s same) Next(time.Duration) (bench.Prompt, bool) {
	return bench.Prompt{Text: "go", InputTokens: 1, MaxTokens: s.tokens}, true
}

func (same) Ended(time.Duration, *bench.Ended) {}

func (same) Pending() int { return 0 }

func (same) Gap() float64 { return 1 }
