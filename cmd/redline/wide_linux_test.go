//go:build e2e

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// answering is a terminal that answers the question for its cursor as it is told, and keeps what is written to it.
type answering struct {
	*os.File
	mu    sync.Mutex
	seen  []byte
	asked int
}

func (a *answering) listen(reply string) {
	buf := make([]byte, 4096)
	for {
		n, err := a.Read(buf)
		a.mu.Lock()
		a.seen = append(a.seen, buf[:n]...)
		asked := bytes.Count(a.seen, []byte("\x1b[6n"))
		if asked > a.asked {
			_, _ = a.WriteString(reply)
		}
		a.asked = asked
		a.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// has tells whether texts were written since the last call of forget.
func (a *answering) has(texts ...string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, text := range texts {
		if !bytes.Contains(a.seen, []byte(text)) {
			return false
		}
	}
	return true
}

// told is what was written since the last call of forget.
func (a *answering) told() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return string(a.seen)
}

func (a *answering) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen, a.asked = nil, 0
}

// doubtful is the program on a terminal that answers, with its run not started.
func doubtful(t *testing.T, reply, env, args string) *answering {
	t.Helper()
	ours, theirs := terminalPair(t)
	if err := unix.IoctlSetWinsize(int(ours.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 100, Row: 30}); err != nil {
		t.Fatal(err)
	}
	a := &answering{File: ours}
	go a.listen(reply)
	p := exec.Command(os.Args[0], strings.Fields("--paused "+args)...)
	p.Env = []string{"REDLINE_TEST_AS=program", "TERM=xterm-256color", env}
	p.Stdin, p.Stdout, p.Stderr = theirs, theirs, theirs
	p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	return a
}

func TestE2EADoubtfulTerminalIsAskedHowWideItDraws(t *testing.T) {
	// curve and live are words that stand in these views alone.
	const curve, live = "no settled level yet", "TTFT"
	for _, c := range []struct {
		sentence, env, args, reply string
		// late comes when nobody waits any more, in pieces with a while between them.
		late         string
		asks, blocks bool
		// shows is what stands there after the keys that were typed around the answer.
		shows string
	}{
		{"one cell, with a key before it", "LC_ALL=zh_CN.UTF-8", "", "2\x1b[1;18R", "", true, true, curve},
		{"two cells, with a key behind it", "LANG=ja_JP.UTF-8", "", "\x1b[1;19R2", "", true, false, curve},
		{"garbage", "LC_ALL=ko_KR.UTF-8", "", "\x1b[1;1R\x1b[?x", "", true, false, live},
		{"no answer, and a late one on the first row", "LC_ALL=zh_CN.UTF-8", "", "", "\x1b[1;18R", true, false, live},
		{"half an answer, and the other half late", "LC_ALL=zh_CN.UTF-8", "", "\x1b[", "2| |;18R", true, false, live},
		{"another language", "LC_ALL=de_DE.UTF-8", "", "", "", false, true, live},
		{"ASCII is asked for", "LC_ALL=zh_CN.UTF-8", "--ascii", "", "", false, false, live},
		{"ASCII is refused", "LC_ALL=zh_CN.UTF-8", "--ascii=false", "", "", false, true, live},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			a := doubtful(t, c.reply, c.env, c.args)
			if !poll(patient, func() bool { return a.has("\x1b[?1049h", "quit", c.shows) }) {
				t.Fatalf("%q does not show: %q", c.shows, a.told())
			}
			if asked := a.has("\x1b[6n"); asked != c.asks {
				t.Errorf("asked: %v", asked)
			}
			for piece := range strings.SplitSeq(c.late, "| |") {
				if _, err := a.WriteString(piece); err != nil {
					t.Fatal(err)
				}
				if c.late != "" && c.shows == live && poll(300*time.Millisecond, func() bool { return a.has(curve) }) {
					t.Errorf("%q is taken for a key", piece)
				}
			}
			a.forget()
			if _, err := a.WriteString("\x0c"); err != nil { // draws anew
				t.Fatal(err)
			}
			if !poll(patient, func() bool { return a.has("quit", c.shows) }) {
				t.Errorf("%q does not show any more: %q", c.shows, a.told())
			}
			if blocks := a.has("─") || a.has("│"); blocks != c.blocks {
				t.Errorf("lines of boxes: %v: %q", blocks, a.told())
			}
		})
	}
}
