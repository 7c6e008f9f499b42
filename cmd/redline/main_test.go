package main

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary stand in for the program: as the simulated server that a Main under test starts, and as the whole
// program where a test needs a process that it can kill.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "sim", os.Getenv("REDLINE_TEST_AS") == "program":
		main()
	case os.Getenv("REDLINE_TEST_AS") == "holder":
		holdChild()
	case os.Getenv("REDLINE_TEST_AS") == "environment":
		fmt.Println(os.Environ())
		os.Exit(exitOK)
	}
	code := m.Run()
	for _, f := range atEnd {
		f()
	}
	os.Exit(code)
}

// atEnd is what tests leave to be done when all are over.
var atEnd []func()

// output is what a Main writes, for a test that reads along.
type output struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.more != nil {
		close(o.more)
		o.more = nil
	}
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// await waits until a text has been written.
func (o *output) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		o.mu.Lock()
		if strings.Contains(o.buf.String(), text) {
			o.mu.Unlock()
			return
		}
		if o.more == nil {
			o.more = make(chan struct{})
		}
		more := o.more
		o.mu.Unlock()
		select {
		case <-more:
		case <-late:
			t.Fatalf("%q did not come in:\n%s", text, o)
		}
	}
}

// outside is all that a Main under test meets.
type outside struct {
	Main
	out, errs output
	signals   chan os.Signal
}

// start makes a Main with an environment of its own, which no network and no terminal can reach.
func start(t *testing.T, env map[string]string, args ...string) *outside {
	t.Helper()
	o := &outside{signals: make(chan os.Signal, 4)}
	o.Main = Main{
		Args: args, Stdin: strings.NewReader(""), Stdout: &o.out, Stderr: &o.errs, Signals: o.signals,
		Env:       func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Simulator: []string{os.Args[0]}, Files: func() uint64 { return 0 },
		Resolve: func(_ context.Context, _, host string) ([]netip.Addr, error) {
			return map[string][]netip.Addr{"gpu-7": {netip.MustParseAddr("10.0.0.7")}}[host], nil
		},
	}
	return o
}

// run runs it to its end.
func (o *outside) run(t *testing.T) int {
	t.Helper()
	return o.Run(t.Context())
}
