package selftest

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/health"
)

const (
	// settle is the pause between the last stream's coming and the first token.
	settle = 300 * time.Millisecond
	// nearly is how far ahead of its time a token may be sent: a sleep is no more exact.
	nearly = 30 * time.Microsecond
	// fair is the longest sleep, after which the server looks whether it is to end.
	fair = 100 * time.Millisecond
)

// stream is one connection's part in a run.
type stream struct {
	conn interface{ Write([]byte) (int, error) }
	done chan struct{}
	// broken is written before done is closed.
	broken bool
}

// run is a plan that is being followed.
type run struct {
	plan    Plan
	streams []*stream
	tokens  atomic.Int64
	broken  atomic.Int64
	behind  health.Lags
	late    atomic.Int64
}

// join adds a stream, and tells whether it is the last one. The server holds its lock. One too many ends at once.
func (r *run) join(s *stream) (full bool) {
	if len(r.streams) == r.plan.Streams {
		s.broken = true
		close(s.done)
		return false
	}
	r.streams = append(r.streams, s)
	return len(r.streams) == r.plan.Streams
}

func (r *run) sum() Sent {
	return Sent{Tokens: int(r.tokens.Load()), Broken: int(r.broken.Load()), Behind: bench.Millis(time.Duration(r.late.Load()))}
}

// play sends all tokens in time. A quarter of the processors send, so that the rest are left to whoever is measured.
func (r *run) play(ctx context.Context) {
	begin := time.Now().Add(settle)
	writers := min(max(runtime.NumCPU()/4, 1), r.plan.Streams)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() { newWriter(r, begin, w, writers).play(ctx) })
	}
	wg.Wait()
	behind := r.behind.Take()
	r.late.Store(int64(behind.Quantile(0.99)))
}

// writer sends every writers-th stream its tokens, from a thread of its own.
type writer struct {
	run            *run
	begin          time.Time
	first, writers int
	token          []byte
	stamp          []byte
}

func newWriter(r *run, begin time.Time, first, writers int) *writer {
	w := &writer{run: r, begin: begin, first: first, writers: writers}
	size := len(head) + digits + len(tail)
	w.token = fmt.Appendf(nil, "%x\r\n%s%0*d%s\r\n", size, head, digits, 0, tail)
	at := len(w.token) - len(tail) - len("\r\n") - digits
	w.stamp = w.token[at : at+digits]
	return w
}

// due is when a stream's k-th token is to be sent, from 0.
func (w *writer) due(k, stream int) time.Time {
	period := w.run.plan.period()
	at := time.Duration(k) * period
	if !w.run.plan.Burst {
		at += time.Duration(float64(period) * float64(stream) / float64(w.run.plan.Streams))
	}
	return w.begin.Add(at)
}

func (w *writer) play(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for k := range w.run.plan.Tokens {
		for i := w.first; i < len(w.run.streams); i += w.writers {
			s := w.run.streams[i]
			if s.broken {
				continue
			}
			now, ok := waitFor(ctx, w.due(k, i))
			if !ok {
				return
			}
			w.run.behind.Add(now.Sub(w.due(k, i)))
			w.send(s, now)
		}
	}
	end := fmt.Appendf(nil, "%x\r\n%s\r\n0\r\n\r\n", len(last), last)
	for i := w.first; i < len(w.run.streams); i += w.writers {
		s := w.run.streams[i]
		if s.broken {
			continue
		}
		if _, ok := waitFor(ctx, w.due(w.run.plan.Tokens, i)); !ok {
			return
		}
		_, err := s.conn.Write(end)
		w.finish(s, err)
	}
}

// send writes a token with the instant at which it is written.
func (w *writer) send(s *stream, now time.Time) {
	putStamp(w.stamp, now)
	if _, err := s.conn.Write(w.token); err != nil {
		w.finish(s, err)
		return
	}
	w.run.tokens.Add(1)
}

func (w *writer) finish(s *stream, err error) {
	if err != nil {
		w.run.broken.Add(1)
		s.broken = true
	}
	close(s.done)
}

// waitFor waits until an instant, and gives the present one; ok is false when ctx has ended.
func waitFor(ctx context.Context, due time.Time) (now time.Time, ok bool) {
	for {
		now = time.Now()
		ahead := due.Sub(now)
		if ahead <= nearly {
			return now, true
		}
		if ctx.Err() != nil {
			return now, false
		}
		health.Nap(min(ahead, fair))
	}
}
