package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// step is a key to press once one of several words has been seen.
type step struct {
	words []string
	key   string
}

// converse reads a terminal until its program has gone, pressing a key for each step in turn, and returns all that was read.
func converse(f *os.File, steps ...step) string {
	var all strings.Builder
	seen, buf := 0, make([]byte, 1<<16)
	for {
		n, err := f.Read(buf)
		all.Write(buf[:n])
		if err != nil { // the other end is closed once the program has gone
			return all.String()
		}
		for _, word := range stepWords(steps) {
			if strings.Contains(all.String()[seen:], word) {
				seen = all.Len()
				_, _ = f.WriteString(steps[0].key)
				steps = steps[1:]
				break
			}
		}
	}
}

func stepWords(steps []step) []string {
	if len(steps) == 0 {
		return nil
	}
	return steps[0].words
}

// TestNoFrameRepeatsASecret: what is drawn while the run goes, the help with the facts of the run, and the frame that is left.
func TestNoFrameRepeatsASecret(t *testing.T) {
	for _, kind := range []string{"401", "429", "html", "sse error", "not streaming", "redirect", "headers"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "given"), 0o755); err != nil {
				t.Fatal(err)
			}
			ours, theirs := terminalPair(t)
			if err := unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200}); err != nil {
				t.Fatal(err)
			}
			c := exec.Command(os.Args[0], append(leakArgs(t, dir, kind), "-c", "1")...)
			c.Env = []string{"REDLINE_TEST_AS=program", "TERM=xterm-256color"}
			for name, value := range homes(dir) {
				c.Env = append(c.Env, name+"="+value)
			}
			c.Stdin, c.Stdout, c.Stderr = theirs, theirs, theirs
			c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			_ = theirs.Close()
			late := time.AfterFunc(30*time.Second, func() { _ = c.Process.Kill() })
			defer late.Stop()
			text := converse(ours, step{[]string{"DONE", "PAUSED"}, "?"}, step{[]string{"this run"}, "Q"}, step{[]string{"quit?"}, "k"})
			if err := c.Wait(); err == nil {
				t.Error("a run in which nothing went well ended well")
			}
			for _, want := range []string{"this run", "requests  ", "wire "} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing", want)
				}
			}
			sealedFrom(t, "the terminal", text)
			sealedFrom(t, "a file", files(t, filepath.Join(dir)))
		})
	}
}
