package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"redline/bench"
)

// BenchmarkMillionRequests keeps runs of many requests, second by second as an engine does, and prints what their files take: bytes a request in all and by their
// parts, and how long it is until a file is open, its last snapshot is there, and an instant in its middle. The files are left in the folder that REDLINE_BENCH_DIR
// names, for BenchmarkReport in cmd/redline.
func BenchmarkMillionRequests(b *testing.B) {
	for _, row := range []struct {
		rate     float64
		requests int
	}{{5, 250_000}, {20, 1_000_000}, {200, 1_000_000}, {1000, 1_000_000}} {
		b.Run(fmt.Sprintf("%.0f a second", row.rate), func(b *testing.B) {
			for range b.N {
				measure(b, row.rate, row.requests)
			}
		})
	}
}

// keep records a made-up run of so many seconds in a file, with a recorder that is given each second once it has done with the one before.
func keep(b *testing.B, path string, p *tape, seconds int) (took time.Duration) {
	r, err := Create(path, Header{Redline: "test", Began: p.run[0].Start, Tracks: []TrackHeader{{Run: p.run[0]}}}, nil)
	if err != nil {
		b.Fatal(err)
	}
	track := r.Track(0)
	p.hand = func(batch *bench.Batch, m moment) {
		begun := time.Now()
		track.Seconds([]*bench.Batch{batch}, &bench.Snapshot{Gauges: m.Gauges})
		for busy := true; busy; runtime.Gosched() {
			r.mu.Lock()
			busy = len(r.in) > 0 && !r.dead
			r.mu.Unlock()
		}
		took += time.Since(begun)
	}
	for range seconds {
		p.next(b)
	}
	begun := time.Now()
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
	return took + time.Since(begun)
}

func measure(b *testing.B, rate float64, requests int) {
	seconds := int(float64(requests) / rate)
	if testing.Short() {
		seconds /= 20
	}
	b.StopTimer()
	dir := os.Getenv("REDLINE_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("run-%.0f%s", rate, Extension))
	_ = os.Remove(path)
	wrote := keep(b, path, newTape(b, 1, rate, 20), seconds)
	runtime.GC()
	begun := time.Now()
	f, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	open := time.Since(begun)
	n := float64(f.Ended)
	b.ReportMetric(float64(f.size)/n, "B/request")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun = time.Now()
	if _, err := f.Final(); err != nil {
		b.Fatal(err)
	}
	final := time.Since(begun)
	runtime.ReadMemStats(&after)
	begun = time.Now()
	player := f.Player()
	defer player.Close()
	if err := player.Seek(f.Length / 2); err != nil {
		b.Fatal(err)
	}
	seek := time.Since(begun)
	begun = time.Now()
	if _, err := player.Journal(); err != nil {
		b.Fatal(err)
	}
	journal := time.Since(begun)
	begun = time.Now()
	read := 0
	if err := f.Requests(0, func(*bench.Ended) bool { read++; return true }); err != nil || read != f.Ended {
		b.Fatal(err, read, f.Ended)
	}
	all := time.Since(begun)
	begun = time.Now()
	f.Check()
	check := time.Since(begun)
	b.Logf("%d requests in %d s, written in %v: %d bytes, %d frames; open %v, last %v (%d MiB allocated), middle %v, journal %v, all requests %v, checked %v", f.Ended, seconds, wrote,
		f.size, len(f.frames), open, final, (after.TotalAlloc-before.TotalAlloc)>>20, seek, journal, all, check)
	spent(b, f)
}

// spent says what the kinds of lines take, each compressed by itself, and so somewhat more than together.
func spent(b *testing.B, f *File) {
	var of [3]bytes.Buffer
	raw := [3]int{}
	l := newLines()
	defer l.close()
	for i := range f.frames {
		f.openFrame(l, i)
		for line, err := l.next(); err == nil; line, err = l.next() {
			kind := 2
			switch {
			case line[0] == '[':
				kind = 0
			case isSecond(line):
				kind = 1
			}
			raw[kind] += len(line) + 1
			of[kind].Write(line)
			of[kind].WriteByte('\n')
		}
	}
	for kind, name := range []string{"requests", "seconds", "checkpoints"} {
		packed := len(appendFast(of[kind].Bytes()))
		b.Logf("%s: %.1f bytes a request (%.1f as text)", name, float64(packed)/float64(f.Ended), float64(raw[kind])/float64(f.Ended))
	}
}

// appendFast packs a text as a recorder does.
func appendFast(text []byte) []byte {
	var out bytes.Buffer
	w, err := newWriter(&out, Header{})
	if err != nil {
		return nil
	}
	_, _ = w.z.Write(text) // to memory
	_ = w.z.Close()
	return out.Bytes()
}
