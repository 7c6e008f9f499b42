//go:build unix

package engine_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"syscall"
	"testing"
	"time"

	"redline/bench"
)

// Run with: go test -run '^$' -bench 'Path|Lag|Memory|Key' -benchtime 1x ./bench/engine
// and, apart because it takes minutes: go test -run '^$' -bench Flat -benchtime 1x -timeout 30m ./bench/engine

const (
	streams = 1000
	pace    = "20"
	warm    = 3 * time.Second
	window  = 5 * time.Second
)

// reader is a client under measurement.
type reader interface {
	seen() int64
	stop()
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// tuned sets the collector as the program does while it runs.
func tuned(b *testing.B) {
	old := debug.SetGCPercent(400)
	b.Cleanup(func() { debug.SetGCPercent(old) })
}

// perToken is the processor time that a reader uses for a token, over one window after its streams have begun.
func perToken(b *testing.B, start func() reader) time.Duration {
	runtime.GC()
	r := start()
	defer r.stop()
	time.Sleep(warm)
	used := cpu()
	began := time.Now()
	time.Sleep(window)
	used = cpu() - used
	// The rate is known; counting both sides' tokens to the same instant would measure the counting.
	tokens := float64(streams) * 20 * time.Since(began).Seconds()
	if seen := r.seen(); float64(seen) < tokens/2 {
		b.Fatalf("only %d tokens came", seen)
	}
	return time.Duration(float64(used) / tokens)
}

// BenchmarkPathAgainstRawReader prints the whole path's processor time per token beside that of net/http with a line reader, on the same
// streams of another process: the median ratio of five interleaved pairs.
func BenchmarkPathAgainstRawReader(b *testing.B) {
	tuned(b)
	url := startServer(b, pace)
	for b.Loop() {
		var ratios []float64
		for i := range 5 {
			raw := perToken(b, func() reader { return startRaw(b, url, streams, nil) })
			whole := perToken(b, func() reader { return startWhole(b, url, streams, nil) })
			ratios = append(ratios, float64(whole)/float64(raw))
			fmt.Printf("pair %d: raw %v, redline %v a token, ratio %.2f\n", i+1, raw, whole, ratios[i])
		}
		b.ReportMetric(median(ratios), "ratio")
	}
}

// BenchmarkLagAgainstRawReader prints the p99 of the time from the server's own stamp to the client's, ours over the raw reader's: the
// median ratio of seven interleaved pairs.
func BenchmarkLagAgainstRawReader(b *testing.B) {
	tuned(b)
	url := startServer(b, pace)
	for b.Loop() {
		var ratios []float64
		for i := range 7 {
			raw50, raw := lagOf(func(l *lags) reader { return startRaw(b, url, streams, l) })
			own50, own := lagOf(func(l *lags) reader { return startWhole(b, url, streams, l) })
			ratios = append(ratios, float64(own)/float64(raw))
			fmt.Printf("pair %d: raw p50 %v p99 %v, redline p50 %v p99 %v, ratio of p99 %.2f\n", i+1, raw50, raw, own50, own, ratios[i])
		}
		b.ReportMetric(median(ratios), "ratio")
	}
}

func lagOf(start func(*lags) reader) (p50, p99 time.Duration) {
	l := &lags{all: make([]time.Duration, 0, 1<<18)}
	runtime.GC()
	r := start(l)
	defer r.stop()
	time.Sleep(warm)
	l.on.Store(true)
	time.Sleep(window)
	l.on.Store(false)
	l.mu.Lock()
	all := slices.Clone(l.all)
	l.mu.Unlock()
	slices.Sort(all)
	return all[len(all)/2], l.take(0.99)
}

// BenchmarkMemoryPerStream prints heap and stacks per stream in flight.
func BenchmarkMemoryPerStream(b *testing.B) {
	url := startServer(b, pace)
	for b.Loop() {
		before := memory()
		w := startWhole(b, url, streams, nil)
		time.Sleep(warm)
		b.ReportMetric(float64(memory()-before)/streams/1024, "KiB/stream")
		w.stop()
	}
}

func memory() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// BenchmarkFlatHeap floods 20 million tokens through 100 streams and prints the heap after a collection at the end over that at a quarter.
func BenchmarkFlatHeap(b *testing.B) {
	const total = 20_000_000
	tuned(b)
	url := startServer(b, "0")
	for b.Loop() {
		w := startWhole(b, url, 100, nil)
		heapAt := func(tokens int64) float64 {
			for w.seen() < tokens {
				time.Sleep(100 * time.Millisecond)
			}
			runtime.GC()
			runtime.GC()
			// What the collection found alive: what came since is mostly garbage already.
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(live)
			heap := float64(live[0].Value.Uint64())
			fmt.Printf("%d tokens after %v: heap %.1f MiB\n", w.seen(), w.Snapshot().At.Round(time.Second), heap/(1<<20))
			return heap
		}
		quarter := heapAt(total / 4)
		heapAt(total / 2)
		b.ReportMetric(heapAt(total)/quarter, "ratio")
		w.stop()
	}
}

// BenchmarkKeyToWire prints the time from a command to the first new request in the server's handler.
func BenchmarkKeyToWire(b *testing.B) {
	arrived := make(chan time.Time, 1024)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- time.Now()
		// Only once the body is read does the server notice that the client has gone.
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	b.Cleanup(server.Close)
	w := startWholeWith(b, server.URL+"/v1", 1, 250, nil)
	defer w.stop()
	<-arrived
	var took []float64
	for b.Loop() {
		for range 40 {
			time.Sleep(300 * time.Millisecond)
			pressed := time.Now()
			w.Post(bench.Add{N: 1})
			took = append(took, float64((<-arrived).Sub(pressed).Microseconds()))
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2]/1000, "p50-ms")
	b.ReportMetric(took[len(took)-1]/1000, "max-ms")
}

func median[T cmp.Ordered](v []T) T {
	slices.Sort(v)
	return v[len(v)/2]
}
