//go:build unix

package engine_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"redline/bench"
	"redline/bench/engine"
	"redline/bench/record"
)

// BenchmarkRecording prints the processor time of the whole path with a recorder over that without one, of streams that go on and of short requests: the median
// ratio of interleaved pairs. The processor time is that of this process for what it took in, so that the two may differ in how much that was.
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
			for b.Loop() {
				var ratios []float64
				size, requests := int64(0), 0
				for i := range 7 {
					cost := func(recorded bool) time.Duration {
						o := o
						if recorded {
							path := filepath.Join(b.TempDir(), "run")
							r := record.Begin(record.Options{Path: path, Header: record.Header{Began: time.Now(), Tracks: []record.TrackHeader{{Run: &o.Run}}}})
							o.Recorder = r.Track(0)
							defer func() {
								if err := r.Close(); err != nil {
									b.Error(err)
								}
								size = r.Standing().Bytes
							}()
						}
						used, ended := costOf(b, url, o, row.token)
						requests = ended
						return used
					}
					// Who goes first changes, so that what drifts is in both.
					one := cost(i%2 == 1)
					other := cost(i%2 == 0)
					without, with := one, other
					if i%2 == 1 {
						without, with = other, one
					}
					ratios = append(ratios, float64(with)/float64(without))
					fmt.Printf("%s, pair %d: without %v, with %v a token, ratio %.3f\n", row.name, i+1, without, with, ratios[i])
				}
				b.ReportMetric(median(ratios), "ratio")
				b.ReportMetric(float64(size)/float64(max(requests, 1)), "bytes/request")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// costOf is the processor time for a token, over one window, and how many requests have ended.
func costOf(b *testing.B, url string, o engine.Options, tokens int) (time.Duration, int) {
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
	per := float64(used) / float64(out) * float64(after.Folded-before.Folded) / float64(window)
	return time.Duration(per), after.Total.Tally.OK
}
