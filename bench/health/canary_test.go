package health

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"redline/bench"
)

func TestCanariesTellHowLateTheyAreTaken(t *testing.T) {
	for name, hatch := range map[string]func() (canary, error){"the system's": newCanary, "the pair": newPair} {
		c, err := hatch()
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			lag, err := c.fly(time.Millisecond)
			if err != nil || lag < 0 || lag > time.Minute {
				t.Errorf("%s: late by %v, %v", name, lag, err)
			}
		}
		c.close()
		if _, err := c.fly(time.Millisecond); err == nil {
			t.Errorf("%s flies on when it is closed", name)
		}
	}
}

func TestACanaryInFlightIsEndedByItsContext(t *testing.T) {
	for _, hatch := range []func() (canary, error){newCanary, newPair} {
		c, err := hatch()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var lags Lags
		watchCanary(ctx, c, &lags)
	}
}

func TestWatchedReadsTellHowLongTheirBytesLay(t *testing.T) {
	m := New(bench.NewClock(time.Now()))
	near, far, err := loop()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	c := m.Watch(near)
	if c == near {
		t.Skip("no kernel here says when bytes came")
	}
	// The kernel begins to stamp somewhat after the first connection has asked for it.
	buf := make([]byte, 8)
	for round := 0; m.reads.lags.n.Load() == 0; round++ {
		if round == 1_000_000 {
			t.Fatal("no read tells how long its bytes lay")
		}
		if _, err := far.Write([]byte("token")); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != "token" {
			t.Fatalf("read %q, %v", buf[:n], err)
		}
	}
	for range 400 {
		_, _ = far.Write([]byte("token"))
		if n, err := c.Read(buf); err != nil || string(buf[:n]) != "token" {
			t.Fatalf("read %q, %v", buf[:n], err)
		}
	}
	if tally := m.reads.lags.Take(); tally.N < 400 || tally.Max >= credible {
		t.Errorf("%d of 400 reads told, at most %v", tally.N, tally.Max)
	}
	_ = far.Close()
	for range 8 {
		if _, err := c.Read(buf); err != io.EOF {
			t.Fatalf("%v, want the end", err)
		}
	}
	_ = c.Close()
	for range 8 {
		if _, err := c.Read(buf); err == nil {
			t.Fatal("it reads when it is closed")
		}
	}
}

func TestWatchedReadsKeepTheirDeadline(t *testing.T) {
	near, far, err := loop()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	defer near.Close()
	c := New(bench.NewClock(time.Now())).Watch(near)
	_ = c.SetReadDeadline(time.Now().Add(-time.Second))
	for range 8 {
		_, err := c.Read(make([]byte, 1))
		op, ok := err.(*net.OpError)
		if !ok || !op.Timeout() || op.Op != "read" {
			t.Fatalf("%v, want a read that timed out", err)
		}
	}
}

func TestAnotherKindOfConnectionIsLeftAsItIs(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if New(bench.NewClock(time.Now())).Watch(a) != a {
		t.Error("a pipe was wrapped")
	}
}

func TestMonitorEndsWithItsContext(t *testing.T) {
	m := New(bench.NewClock(time.Now()))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { m.Run(ctx); close(ended) }()
	h := m.Second(Traffic{Late: 2})
	if h.Late != 2 || h.CPU < 0 || h.CPU > 1 || h.GC < 0 || h.GC > 1 {
		t.Errorf("%+v", h)
	}
	cancel()
	<-ended
}
