package record

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"time"

	"redline/bench"
)

// BenchmarkMillionRequests writes and reads runs of many requests, and prints what they take: bytes a request in all and by their parts, and how long it is until
// the file is open, its last snapshot is there, and an instant in its middle.
func BenchmarkMillionRequests(b *testing.B) {
	for _, rate := range []float64{200, 1000} {
		b.Run(fmt.Sprintf("%.0f a second", rate), func(b *testing.B) {
			for range b.N {
				measure(b, rate)
			}
		})
	}
}

func measure(b *testing.B, rate float64) {
	const requests = 1_000_000
	seconds := int(requests / rate)
	if testing.Short() {
		seconds /= 20
	}
	b.StopTimer()
	p := newTape(b, 1, rate, 20)
	for range seconds {
		p.next(b)
	}
	if err := p.w.close(true); err != nil {
		b.Fatal(err)
	}
	data := p.out.Bytes()
	begun := time.Now()
	f, err := opened(data)
	if err != nil {
		b.Fatal(err)
	}
	open := time.Since(begun)
	n := float64(f.Ended)
	b.ReportMetric(float64(len(data))/n, "B/request")
	p.w, p.fold, p.meter = nil, nil, nil
	runtime.GC()
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
	b.Logf("%d requests in %d s: %d bytes; open %v, last %v (%d MiB allocated, %d MiB of heap in all), middle %v, journal %v, all requests %v", f.Ended, seconds, len(data),
		open, final, (after.TotalAlloc-before.TotalAlloc)>>20, (after.HeapSys-after.HeapReleased)>>20, seek, journal, all)
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
