package engine_test

import (
	"bytes"
	"context"
	"net"
	"net/http/httptrace"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/client"
	"redline/bench/engine"
)

// maxTokens is the length of the answers of the benchmarks' server, paced or flooded.
const maxTokens = 4000

// wholeRun is redline without its screen: workload, gate, client, stream, meter, batches and folds.
type wholeRun struct {
	*engine.Engine
	client *client.Client
	sender *countingSender
	done   chan struct{}
}

// countingSender counts tokens beside the meter, and notes lags when it is asked to.
type countingSender struct {
	client *client.Client
	clock  bench.Clock
	lags   *lags
	tokens atomic.Int64
}

func (s *countingSender) Send(ctx context.Context, r bench.Request, obs bench.Observer) bench.Ended {
	if s.lags != nil {
		watch := &lagObserver{Observer: obs, s: s}
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { watch.conn, _ = i.Conn.(*stampedConn) }})
		obs = watch
	}
	e := s.client.Send(ctx, r, obs)
	s.tokens.Add(int64(e.Counts.Events))
	return e
}

// stampedConn keeps the newest send time that came over a connection.
type stampedConn struct {
	net.Conn
	line atomic.Pointer[[]byte]
}

func (c *stampedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if i := bytes.LastIndex(p[:n], []byte(`"sent_ns":`)); i >= 0 {
		line := bytes.Clone(p[i:n])
		c.line.Store(&line)
	}
	return n, err
}

type lagObserver struct {
	bench.Observer
	s    *countingSender
	conn *stampedConn
}

func (o *lagObserver) Chunk(c bench.Chunk) {
	o.Observer.Chunk(c)
	if o.conn == nil {
		return
	}
	if line := o.conn.line.Load(); line != nil {
		o.s.lags.add(*line, o.s.clock.Start().Add(c.At))
	}
}

func startWhole(tb testing.TB, url string, streams int, lags *lags) *wholeRun {
	return startWholeWith(tb, url, streams, streams, lags)
}

// startWholeWith starts at a load of streams, with at most so many.
func startWholeWith(tb testing.TB, url string, streams, most int, lags *lags) *wholeRun {
	tb.Helper()
	return startWholeOf(tb, url, lags, engine.Options{Load: bench.InFlight(streams), Run: bench.Run{Max: most}}, maxTokens)
}

// startWholeOf starts with options, and answers of so many tokens.
func startWholeOf(tb testing.TB, url string, lags *lags, o engine.Options, tokens int) *wholeRun {
	tb.Helper()
	most := o.Run.Max
	clock := bench.NewClock(time.Now())
	dialer := net.Dialer{}
	opts := client.Options{URL: url, Model: "redline-sim-7b", Concurrency: most, Stall: time.Second, Version: "bench", Clock: clock,
		Limits: bench.Limits{Connect: 10 * time.Second, FirstToken: time.Minute, Idle: time.Minute}}
	if lags != nil {
		opts.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &stampedConn{Conn: conn}, nil
		}
	}
	c, err := client.New(opts)
	if err != nil {
		tb.Fatal(err)
	}
	sender := &countingSender{client: c, clock: clock, lags: lags}
	w := &wholeRun{client: c, sender: sender, done: make(chan struct{})}
	o.DrainTimeout, o.Run.Stall = time.Second, time.Second
	w.Engine = engine.New(o, clock, sender, equalPrompts(16, tokens), nil)
	w.Learn(1, bench.FromUsage, 0, 0)
	go func() {
		defer close(w.done)
		_ = w.Run(context.Background())
	}()
	return w
}

// seen is how many tokens the folded run holds.
func (w *wholeRun) seen() int64 {
	var sum int64
	for _, b := range w.Snapshot().Buckets {
		sum += int64(b.Out)
	}
	return sum
}

func (w *wholeRun) stop() {
	w.Post(bench.Kill{})
	<-w.done
	w.client.Close()
}

// lags are times between the server's own stamp of a token and the client's.
type lags struct {
	mu  sync.Mutex
	all []time.Duration
	on  atomic.Bool
}

func (l *lags) add(line []byte, now time.Time) {
	if !l.on.Load() {
		return
	}
	_, rest, ok := bytes.Cut(line, []byte(`"sent_ns":`))
	if !ok {
		return
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	sent, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if err != nil {
		return
	}
	l.mu.Lock()
	l.all = append(l.all, time.Duration(now.UnixNano()-sent))
	l.mu.Unlock()
}

// take gives the p-quantile of what was noted, and forgets it.
func (l *lags) take(p float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 0 {
		return 0
	}
	slices.Sort(l.all)
	v := l.all[int(p*float64(len(l.all)-1))]
	l.all = l.all[:0]
	return v
}
