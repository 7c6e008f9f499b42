package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"redline/bench/sim"
)

// pathServer, in the environment, makes this test binary a paced simulated server: the benchmarks measure a client alone, so the server
// has to be another process.
const pathServer = "REDLINE_PATH_SERVER"

func TestMain(m *testing.M) {
	if pace := os.Getenv(pathServer); pace != "" {
		if err := servePath(pace); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func servePath(pace string) error {
	opts := sim.Defaults()
	if err := opts.Pace.Set(pace); err != nil {
		return err
	}
	opts.PaceTokens = maxTokens
	server, err := sim.New(opts)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	ctx, cancel := context.WithCancel(context.Background())
	// The parent holds the other end of standard input: when it goes, this process goes.
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); cancel() }()
	return server.Serve(ctx, l)
}

// startServer starts a paced server process and gives its base URL.
func startServer(tb testing.TB, pace string) string {
	tb.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), pathServer+"="+pace)
	child.Stderr = os.Stderr
	in, err := child.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := child.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		in.Close()
		_ = child.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return "http://" + strings.TrimSpace(line) + "/v1"
}
