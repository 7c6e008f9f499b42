package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"redline/bench/sim/script"
)

func TestScriptsAreListed(t *testing.T) {
	o := start(t, nil, "sim", "--script", "list")
	if code := o.run(t); code != exitOK {
		t.Fatalf("exit code %d, %s", code, o.errs.String())
	}
	if n := strings.Count(o.out.String(), "\n"); n != len(script.Names()) || !strings.Contains(o.out.String(), "\nopenai ") {
		t.Errorf("%d lines for %d scripts:\n%s", n, len(script.Names()), o.out.String())
	}
}

func TestScriptProblemsAreToldBeforeAnythingStarts(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.toml")
	if err := os.WriteFile(bad, []byte("title = \"x\"\ncolour = 1\n[[answer]]\nstatus = 42\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"a file with problems tells all of them", []string{"--script", bad}, []string{"bad.toml: 3 problems", "line 2: colour: no such key", `why ""`, "status 42: 200 to 999"}},
		{"flags of the engine have nothing to do", []string{"--script", "openai", "--preset", "hosted", "--api-key", testKey}, []string{"--preset: not together with --script", "--api-key: not"}},
		{"a name that is none", []string{"--script", "nope"}, []string{`--script "nope": neither a file nor one of the built-in scripts`}},
		{"an empty name", []string{"--script", ""}, []string{`--script "": neither`}},
		{"a file that is not there", []string{"--script", "./nope.toml"}, []string{"./nope.toml"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := start(t, nil, append([]string{"sim", "--addr", "127.0.0.1:0"}, tt.args...)...)
			if code := o.run(t); code != exitUsage || o.out.String() != "" {
				t.Errorf("exit code %d, %q", code, o.out.String())
			}
			clean(t, o)
			for _, want := range tt.want {
				if !strings.Contains(o.errs.String(), want) {
					t.Errorf("%q is missing in:\n%s", want, o.errs.String())
				}
			}
		})
	}
}

func TestScriptedServerIsServed(t *testing.T) {
	o := start(t, nil, "sim", "--script", "html-502", "--addr", "127.0.0.1:0")
	o.signals <- os.Interrupt
	if code := o.run(t); code != exitInterrupted || !strings.HasPrefix(o.out.String(), "http://127.0.0.1:") {
		t.Errorf("exit code %d, %q, %s", code, o.out.String(), o.errs.String())
	}
}

// TestRunAgainstAScript drives a server whose preflight is answered well, and every second request of the run is not.
func TestRunAgainstAScript(t *testing.T) {
	s, err := script.Parse([]byte(`
title = "Every second answer fails"
why = "Half of a server is down."
healthy = 8
[[answer]]
steps = [
  { event = '{"choices":[{"index":0,"delta":{"content":" a"}}]}' },
  { event = '{"choices":[{"index":0,"delta":{"content":" b"},"finish_reason":"stop"}]}' },
  { event = "[DONE]" },
]
[[answer]]
status = 500
body = '{"error":{"message":"half of it is down, {{authorization json}}"}}'
`), "half")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- script.New(s).Serve(ctx, ln) }()
	o := start(t, map[string]string{"K": testKey}, small("http://"+ln.Addr().String()+"/v1", "--requests", "20", "-c", "2", "--api-key-env", "K")...)
	if code := o.run(t); code != exitOK {
		t.Errorf("exit code %d\n%s", code, o.errs.String())
	}
	clean(t, o)
	for _, want := range []string{"scripted", "20 sent", "half of it is down"} {
		if !strings.Contains(o.out.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, o.out.String())
		}
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// fails is a reader of output that has gone, or a disk that is full.
type fails struct{ with error }

func (f fails) Write([]byte) (int, error) { return 0, f.with }

// TestAReaderOfTheListMayHaveSeenEnough: as head does; any other error is told.
func TestAReaderOfTheListMayHaveSeenEnough(t *testing.T) {
	if err := listScripts(fails{&os.PathError{Op: "write", Err: syscall.EPIPE}}); err != nil {
		t.Errorf("a reader that went: %v", err)
	}
	if err := listScripts(fails{syscall.ENOSPC}); err == nil {
		t.Error("a full disk is no error")
	}
}
