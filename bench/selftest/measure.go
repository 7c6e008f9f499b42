package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"time"

	"redline/bench"
	"redline/bench/health"
)

// reader reads all streams of a plan, which is to be had at a host and a path, to their end, and gives how many tokens came.
type reader interface {
	name() string
	run(ctx context.Context, at string, p Plan, e *ear) (got int, err error)
}

// rig measures against a server in another process.
type rig struct {
	// host is the server's host and port; seconds how many windows each plan is measured for, at least 1.
	host    string
	seconds int
	// seen, unless nil, is told of each window that is measured.
	seen func(w *Window)
	id   int
}

const (
	// spare is for how long the streams go on beside the windows: until all have begun, to the end of the window in which that is, and behind the last.
	spare = 2500 * time.Millisecond
	// patience bounds the coming of all streams, and their end.
	patience = 60 * time.Second
)

// tokens is how many tokens a stream needs to last over the windows.
func (g *rig) tokens(p Plan) int {
	return max(int((time.Duration(g.seconds)*time.Second+p.period()+spare)/p.period()), 1) + 1
}

// measure runs a plan with a reader. How many tokens its streams have is set here.
func (g *rig) measure(ctx context.Context, r reader, p Plan) (res Result, err error) {
	p.Tokens = g.tokens(p)
	if err := p.check(); err != nil {
		return res, err
	}
	g.id++
	ctx, cancel := context.WithTimeout(ctx, patience+time.Duration(p.Tokens)*p.period())
	defer cancel()
	res = Result{Plan: p, Reader: r.name()}
	before := memory()
	e := newEar()
	ended := make(chan error, 1)
	go func() {
		var err error
		res.Got, err = r.run(ctx, g.host+p.Path(g.id), p, e)
		ended <- err
	}()
	failed := g.windows(e, &res, ended)
	if failed == nil {
		res.Memory = max(int(memory()-before), 0) / p.Streams
	} else if !errors.Is(failed, errEnded) {
		cancel()
	}
	if err := <-ended; err != nil {
		return res, fmt.Errorf("%s, %d streams: %w", r.name(), p.Streams, err)
	}
	if failed != nil {
		return res, fmt.Errorf("%s, %d streams: %w", r.name(), p.Streams, failed)
	}
	res.Sent, err = g.sent(ctx)
	return res, err
}

var errEnded = errors.New("the streams ended before they were measured")

// windows waits until all streams flow, and measures.
func (g *rig) windows(e *ear, res *Result, ended chan error) error {
	next := func() (w Window, err error) {
		select {
		case w = <-e.windows:
			return w, nil
		case err := <-ended:
			ended <- err
			return w, errEnded
		}
	}
	for flowing := false; !flowing; {
		if _, err := next(); err != nil {
			return err
		}
		flowing = int(e.begun.Load()) == res.Plan.Streams
	}
	cpu, began, tokens := health.ProcessCPU(), time.Now(), e.tokens.Load()
	var all []time.Duration
	for range g.seconds {
		w, err := next()
		if err != nil {
			return err
		}
		res.Lags.Merge(&w.Truth)
		res.Agreement.add(&w)
		if g.seen != nil {
			g.seen(&w)
		}
		all = append(all, w.Truth.Quantile(0.99))
	}
	slices.Sort(all)
	res.P99, res.Span = all[len(all)/2], time.Since(began)
	n := float64(e.tokens.Load() - tokens)
	res.Rate = n / res.Span.Seconds()
	if used := health.ProcessCPU() - cpu; used > 0 && n > 0 {
		res.PerMillion = bench.Some(used.Seconds() / n * 1e6)
	}
	return nil
}

// sent asks the server what it has sent.
func (g *rig) sent(ctx context.Context) (s Sent, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/%d/sent", g.host, g.id), nil)
	if err != nil {
		return s, err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	return s, json.NewDecoder(resp.Body).Decode(&s)
}

// memory is the heap and the stacks in use, after a collection.
func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
