package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminalPair is a terminal that nobody answers for: what is written to the second end can be read from the first.
func terminalPair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no terminals here: ", err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	theirs, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { _ = theirs.Close() })
	return ours, theirs
}

// inTerminal runs the program in the foreground of a terminal that never answers, and returns what it wrote.
func inTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	ours, theirs := terminalPair(t)
	c := exec.Command(os.Args[0], args...)
	c.Env = append([]string{"REDLINE_TEST_AS=program"}, env...)
	c.Stdin, c.Stdout, c.Stderr = theirs, theirs, theirs
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	var text strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := ours.Read(buf)
		text.Write(buf[:n])
		if err != nil { // the other end is closed once the program has gone
			break
		}
	}
	_ = c.Wait()
	return text.String()
}

func TestTheTerminalIsNotAskedBeforeTheProgramBegins(t *testing.T) {
	for _, kind := range [][]string{{"TERM=xterm-256color"}, {"TERM=xterm-kitty", "COLORTERM=truecolor"}, {}} {
		for _, row := range []struct {
			want string
			args []string
		}{
			{"redline ", []string{"version"}},
			{"--first-token-timeout", []string{"--help"}},
			{"--max 0: want", []string{"--max", "0"}},
			{"nothing listens", []string{"--url", "http://127.0.0.1:9", "--model", "m"}},
		} {
			text := inTerminal(t, kind, row.args...)
			if !strings.Contains(text, row.want) {
				t.Errorf("%q %q misses %q:\n%q", kind, row.args, row.want, text)
			}
			for _, question := range []string{"\x1b]10;", "\x1b]11;", "\x1b[6n"} {
				if strings.Contains(text, question) {
					t.Errorf("%q %q asks the terminal %q", kind, row.args, question)
				}
			}
		}
	}
}

func TestTheEnvironmentIsItselfWhenTheProgramBegins(t *testing.T) {
	for _, kind := range []string{"TERM=xterm-256color", "TERM=dumb", "TERM=", ""} {
		c := exec.Command(os.Args[0])
		c.Env = []string{"REDLINE_TEST_AS=environment"}
		if kind != "" {
			c.Env = append(c.Env, kind)
		}
		out, err := c.Output()
		want := fmt.Sprintln(append([]string{}, c.Env...))
		if err != nil || string(out) != want {
			t.Errorf("%q: %q, %v, want %q", kind, out, err, want)
		}
	}
}
