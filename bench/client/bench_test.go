package client

import (
	"context"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/memnet"
)

// benchTokens is the length of a benchmark's answer.
const benchTokens = 200

type silent struct{ chunks int }

func (s *silent) Started(time.Duration) {}
func (s *silent) Quotas([]bench.Quota)  {}
func (s *silent) Chunk(bench.Chunk)     { s.chunks++ }

// rawServer answers every request on a connection with one canned answer, so that hardly anything but the client is measured.
func rawServer(tokens int) func(context.Context, string, string) (net.Conn, error) {
	answer := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	chunk := func(s string) string { return strings.ToUpper(hex(len(s))) + "\r\n" + s + "\r\n" }
	for range tokens {
		answer += chunk(token)
	}
	answer += chunk(stop) + chunk(usageEnd) + chunk(doneLine) + "0\r\n\r\n"
	return func(context.Context, string, string) (net.Conn, error) {
		here, server := memnet.Pipe()
		go func() {
			buf := make([]byte, 64<<10)
			for {
				if _, err := server.Read(buf); err != nil {
					return
				}
				if _, err := server.Write([]byte(answer)); err != nil {
					return
				}
			}
		}()
		return here, nil
	}
}

func hex(n int) string {
	const digits = "0123456789abcdef"
	s := ""
	for ; n > 0; n /= 16 {
		s = digits[n%16:n%16+1] + s
	}
	return s
}

func benchClient(b *testing.B, tokens int) *Client {
	c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", Key: NewSecret("sk-x"), Concurrency: 8, NoProxy: true, Dial: rawServer(tokens),
		Limits: bench.Limits{FirstToken: time.Minute, Idle: time.Minute}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

func benchmarkSend(b *testing.B, tokens int) {
	c := benchClient(b, tokens)
	var seen silent
	b.ReportAllocs()
	for b.Loop() {
		if e := c.Send(context.Background(), request, &seen); e.Outcome != bench.OK || e.Counts.Events != tokens {
			b.Fatalf("%v %q %+v", e.Outcome, e.Message, e.Counts)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tokens), "ns/token")
}

// The difference of the two, divided by the difference of their tokens, is the price of a token.
func BenchmarkSend200(b *testing.B)  { benchmarkSend(b, benchTokens) }
func BenchmarkSend2000(b *testing.B) { benchmarkSend(b, 10*benchTokens) }

// BenchmarkMemoryPerStream holds streams open after their second token, and weighs them: buffers, goroutines and the in-memory
// connection's 200 bytes of backlog.
func BenchmarkMemoryPerStream(b *testing.B) {
	const streams = 500
	part := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + token + token
	c, err := New(Options{URL: "http://192.0.2.1/v1", Model: "m", Concurrency: streams, NoProxy: true, Limits: bench.Limits{Idle: time.Hour},
		Dial: func(context.Context, string, string) (net.Conn, error) {
			here, server := memnet.Pipe()
			go func() {
				_, _ = server.Read(make([]byte, 1<<10))
				_, _ = server.Write([]byte(part))
			}()
			return here, nil
		}})
	if err != nil {
		b.Fatal(err)
	}
	before := weight()
	seen := counter{want: 2 * streams, reached: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for range streams {
		all.Go(func() { c.Send(ctx, request, &seen) })
	}
	<-seen.reached
	during := weight()
	for b.Loop() {
	}
	b.ReportMetric((during-before)/streams, "B/stream")
	cancel()
	all.Wait()
	c.Close()
}

func weight() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}

// counter tells when a number of events has come.
type counter struct {
	sync.Mutex
	want    int
	reached chan struct{}
}

func (w *counter) Started(time.Duration) {}
func (w *counter) Quotas([]bench.Quota)  {}

func (w *counter) Chunk(c bench.Chunk) {
	w.Lock()
	defer w.Unlock()
	if w.want -= c.Events; w.want == 0 {
		close(w.reached)
	}
}

// BenchmarkSweep is one look at the limits of ten thousand requests; there are four of them a second.
func BenchmarkSweep(b *testing.B) {
	c := benchClient(b, 1)
	for range 10_000 {
		f := &flight{cancel: func(error) {}}
		stamp(&f.last, c.now())
		c.watch.put(f)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n := c.sweepOnce(); n != 10_000 {
			b.Fatal(n)
		}
	}
}
