//go:build unix

package engine_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
)

// BenchmarkRecording prints what keeping a run costs, of streams that go on and of short requests, as a share of the processor time of the whole path in the same run.
// What the engine hands out is caught, and handed to a recorder again when the run is over: that is the only way to tell two per cent on a machine whose speed changes
// by ten. "pairs" is the median ratio of runs with a recorder over runs without one, in turns, with all of that noise.
//
// Run with: go test -run '^$' -bench Recording -benchtime 1x ./bench/engine
func BenchmarkRecording(b *testing.B) {
	tuned(b)
	for _, row := range []struct {
		name          string
		pace          string
		flight, token int
	}{{"streams", pace, streams, maxTokens}, {"requests", "2000", 16, 20}} {
		b.Run(row.name, func(b *testing.B) {
			url := startServer(b, row.pace)
			o := engine.Options{Load: bench.InFlight(row.flight), Run: bench.Run{Max: row.flight, Host: "bench", Model: "m"}}
			keep := func() *record.Recorder {
				return record.Begin(record.Options{Path: filepath.Join(b.TempDir(), "run"), Header: record.Header{Began: time.Now(), Tracks: []record.TrackHeader{{Run: &o.Run}}}})
			}
			for b.Loop() {
				var ratios, shares []float64
				size, requests := 0.0, 0.0
				for i := range 3 {
					o := o
					caught := &tape{}
					o.Recorder = caught
					without := costOf(b, url, o, row.token)
					r := keep()
					alone, err := caught.play(r)
					if err != nil {
						b.Fatal(err)
					}
					shares = append(shares, 100*alone.Seconds()/float64(caught.tokens)/without.Seconds())
					size, requests = size+float64(r.Standing().Bytes), requests+float64(caught.requests)

					r = keep()
					o.Recorder = r.Track(0)
					with := costOf(b, url, o, row.token)
					if err := r.Close(); err != nil {
						b.Fatal(err)
					}
					ratios = append(ratios, with.Seconds()/without.Seconds())
					fmt.Printf("%s, %d: %v a token without, %v with; alone it is %.2f %%\n", row.name, i+1, without, with, shares[i])
				}
				b.ReportMetric(median(shares), "%cpu")
				b.ReportMetric(median(ratios), "pairs")
				b.ReportMetric(size/max(requests, 1), "bytes/request")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// tape is what an engine handed out.
type tape struct {
	mu    sync.Mutex
	calls []func(*record.Track)
	// seconds are how many calls there were when each second was over.
	seconds          []int
	tokens, requests int
}

func (t *tape) Ended(e *bench.Ended) {
	own := *e
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	t.calls = append(t.calls, func(to *record.Track) { to.Ended(&own) })
}

func (t *tape) Seconds(batches []*bench.Batch, shown *bench.Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range batches {
		t.tokens += b.Facts.Out
	}
	t.calls = append(t.calls, func(to *record.Track) { to.Seconds(batches, shown) })
	t.seconds = append(t.seconds, len(t.calls))
}

// play hands all of it to a recorder, second by second, so that it wakes, packs and writes as often as in the run, and gives the processor time that this takes until
// the file is whole.
func (t *tape) play(r *record.Recorder) (time.Duration, error) {
	runtime.GC()
	used := cpu()
	track := r.Track(0)
	from := 0
	for _, to := range t.seconds {
		for _, call := range t.calls[from:to] {
			call(track)
		}
		from = to
		// Time for what this second asks for: sleeping costs nothing.
		time.Sleep(50 * time.Millisecond)
	}
	for _, call := range t.calls[from:] {
		call(track)
	}
	err := r.Close()
	return cpu() - used, err
}

// costOf is the processor time for a token, over one window.
func costOf(b *testing.B, url string, o engine.Options, tokens int) time.Duration {
	runtime.GC()
	w := startWholeOf(b, url, nil, o, tokens)
	defer w.stop()
	time.Sleep(warm)
	before, used := w.Snapshot(), cpu()
	time.Sleep(window)
	used = cpu() - used
	after := w.Snapshot()
	out := 0
	for _, s := range after.Buckets {
		if s.Start >= before.Folded {
			out += s.Out
		}
	}
	if out == 0 {
		b.Fatal("no token came")
	}
	return time.Duration(float64(used) / float64(out) * float64(after.Folded-before.Folded) / float64(window))
}
