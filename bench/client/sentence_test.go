package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redline/bench"
)

func TestPreflightOfTLSWithAPlainPort(t *testing.T) {
	for _, row := range []struct {
		sentence string
		dial     func(context.Context, string, string) (net.Conn, error)
		outcome  bench.Outcome
		want     string
	}{
		{"a server that waits for more", func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			return ours, nil
		}, bench.TimeoutConnect, "the TLS handshake with https://192.0.2.1/v1/chat/completions got no answer: does it speak plain http?"},
		{"a server that hangs up", func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			go func() {
				_, _ = theirs.Read(make([]byte, 64<<10))
				_ = theirs.Close()
			}()
			return ours, nil
		}, bench.Reset, "in the TLS handshake (EOF): does it speak plain http?"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, err := New(Options{URL: "https://192.0.2.1/v1", Model: "m", Dial: row.dial, NoProxy: true, Limits: bench.Limits{Connect: time.Second}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Preflight(context.Background(), request.Prompt)
			c.Close()
			var r *Refusal
			if !errors.As(err, &r) || r.Outcome != row.outcome || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: %v, want %s", row.sentence, err, row.want)
			}
		})
	}
}
