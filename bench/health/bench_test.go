package health

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"redline/bench"
)

// BenchmarkMonitor prints how much of one processor a monitor takes in a process that does nothing else.
func BenchmarkMonitor(b *testing.B) {
	for b.Loop() {
		m := New(bench.NewClock(time.Now()))
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() { m.Run(ctx) })
		used, began := ProcessCPU(), time.Now()
		for range 5 {
			time.Sleep(time.Second)
			m.Second(Traffic{})
		}
		b.ReportMetric(100*(ProcessCPU()-used).Seconds()/time.Since(began).Seconds(), "%cpu")
		cancel()
		wg.Wait()
	}
}

// BenchmarkRead prints what a read of a token costs, without and with a look at when its bytes came.
func BenchmarkRead(b *testing.B) {
	for name, watch := range map[string]func(c net.Conn) net.Conn{
		"plain":   func(c net.Conn) net.Conn { return c },
		"watched": New(bench.NewClock(time.Now())).Watch,
		"one in sixteen": func(c net.Conn) net.Conn {
			m := New(bench.NewClock(time.Now()))
			m.reads.oneIn.Store(16)
			return m.Watch(c)
		},
	} {
		b.Run(name, func(b *testing.B) {
			near, far, err := loop()
			if err != nil {
				b.Fatal(err)
			}
			defer near.Close()
			defer far.Close()
			c, buf := watch(near), make([]byte, 200)
			for b.Loop() {
				b.StopTimer()
				if _, err := far.Write(buf); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if _, err := c.Read(buf); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
