//go:build unix

package main

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// pipeFile makes a named pipe that nobody writes to.
func pipeFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	return path
}

func TestSignalsAreAnsweredWhileFlagsAreChecked(t *testing.T) {
	key := pipeFile(t, "key")
	t.Cleanup(func() { // lets the reader that was left behind go
		if f, err := os.OpenFile(key, os.O_RDWR, 0); err == nil {
			_ = f.Close()
		}
	})
	for _, row := range []struct {
		sentence string
		signal   os.Signal
		code     int
		args     []string
	}{
		{"a key that does not come", os.Interrupt, exitInterrupted, []string{"--url", "http://127.0.0.1:9", "--api-key-file", key}},
		{"and a termination", syscall.SIGTERM, exitTerminated, []string{"--url", "http://127.0.0.1:9", "--api-key-file", key}},
		{"a key that does not come, for what is in force", os.Interrupt, exitInterrupted, []string{"config", "--url", "http://127.0.0.1:9", "--api-key-file", key}},
		{"a name that is looked up for long", os.Interrupt, exitInterrupted, []string{"--url", "http://slow:9"}},
	} {
		o := start(t, nil, row.args...)
		o.Resolve = func(ctx context.Context, _, _ string) ([]netip.Addr, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		o.signals <- row.signal
		if code := o.run(t); code != row.code || !strings.Contains(o.errs.String(), "given up before anything was started") || o.out.String() != "" {
			t.Errorf("%s: exit code %d\n%s%s", row.sentence, code, o.out.String(), o.errs.String())
		}
	}
}

func TestAKeyMayComeThroughAPipe(t *testing.T) {
	key := pipeFile(t, "key")
	go func() {
		f, err := os.OpenFile(key, os.O_WRONLY, 0)
		if err == nil {
			_, _ = f.WriteString(testKey + "\n")
			_ = f.Close()
		}
	}()
	if text, err := readKey(t.Context(), key); err != nil || strings.TrimSpace(text) != testKey {
		t.Errorf("%q, %v", text, err)
	}
}

func TestProfilesAndScriptsAreRegularFiles(t *testing.T) {
	for _, args := range [][]string{{"--profile"}, {"config", "--profile"}, {"sim", "--script"}} {
		o := start(t, nil, append(args, pipeFile(t, "slow.toml"))...)
		if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "slow.toml: want a regular file") {
			t.Errorf("%q: exit code %d\n%s", args, code, o.errs.String())
		}
	}
}

func TestAThemeIsARegularFile(t *testing.T) {
	o := start(t, nil, "--theme", pipeFile(t, "slow.toml"))
	if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "slow.toml: not a regular file") {
		t.Errorf("exit code %d\n%s", code, o.errs.String())
	}
}

// TestAPipeInTheFolderKeepsNobodyWaiting: a file of settings that is found is read only if it is one.
func TestAPipeInTheFolderKeepsNobodyWaiting(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, fileName), 0o600); err != nil {
		t.Fatal(err)
	}
	o := start(t, nil, "--plain")
	o.Folder = dir
	if code := o.run(t); code != exitUsage || !strings.Contains(o.errs.String(), "want a regular file") {
		t.Errorf("exit code %d\n%s", code, o.errs.String())
	}
}
