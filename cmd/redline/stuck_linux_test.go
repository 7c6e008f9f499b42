//go:build e2e

package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"redline/bench/sim"
	"redline/ui/term/termtest"
)

// tap is a terminal that reads what a program writes, until it is told to stop.
type tap struct {
	*os.File
	mu   sync.Mutex
	more *sync.Cond
	off  bool
	seen *termtest.Terminal
}

func newTap(t *testing.T, f *os.File, w, h int) *tap {
	p := &tap{File: f, seen: termtest.New(w, h)}
	p.more = sync.NewCond(&p.mu)
	if err := unix.IoctlSetWinsize(int(f.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(w), Row: uint16(h)}); err != nil {
		t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 4096)
		for {
			p.mu.Lock()
			for p.off {
				p.more.Wait()
			}
			p.mu.Unlock()
			n, err := f.Read(buf)
			p.mu.Lock()
			_, _ = p.seen.Write(buf[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}

func (p *tap) reading(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = !on
	p.more.Broadcast()
}

// shows tells whether the screen has all texts.
func (p *tap) shows(texts ...string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := strings.Join(p.seen.Rows(), "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			return false
		}
	}
	return true
}

// rows are what the screen shows.
func (p *tap) rows() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Rows()
}

func (p *tap) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := p.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// generated is how many tokens a simulated server has made so far.
func generated(t *testing.T, base string) float64 {
	t.Helper()
	answer, err := http.Get(strings.TrimSuffix(base, "/v1") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(page), "\n") {
		if strings.HasPrefix(line, "vllm:generation_tokens_total") {
			v, _ := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			return v
		}
	}
	t.Fatalf("no tokens in %s", page)
	return 0
}

// pace is how many tokens a second the server makes, over some seconds.
func pace(t *testing.T, base string, span time.Duration) float64 {
	t.Helper()
	was, at := generated(t, base), time.Now()
	time.Sleep(span)
	return (generated(t, base) - was) / time.Since(at).Seconds()
}

// launched is the program on a terminal of its own.
func launched(t *testing.T, base string) (*tap, *exec.Cmd, <-chan int) {
	t.Helper()
	ours, theirs := terminalPair(t)
	p := newTap(t, ours, 120, 36)
	c := exec.Command(os.Args[0], "--url", base, "--model", "redline-sim-7b", "-c", "8", "--max-tokens", "64", "--input-tokens", "32", "--drain-timeout", "2s")
	c.Env = []string{"REDLINE_TEST_AS=program", "TERM=xterm-256color", "LANG=C.UTF-8"}
	c.Stdin, c.Stdout, c.Stderr = theirs, theirs, theirs
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	go func() { _ = c.Wait(); ended <- c.ProcessState.ExitCode() }()
	t.Cleanup(func() { _ = c.Process.Kill() })
	if !poll(patient, func() bool { return p.shows("RUNNING", "TTFT") }) {
		t.Fatalf("it does not run:\n%s", strings.Join(p.rows(), "\n"))
	}
	return p, c, ended
}

// clog stops reading, and lets the program draw until the terminal is full.
func (p *tap) clog(t *testing.T) {
	t.Helper()
	p.reading(false)
	for range 40 {
		p.press(t, "\x0c")
		time.Sleep(50 * time.Millisecond)
	}
}

func TestE2EAStuckTerminalHoldsNothingUp(t *testing.T) {
	base := simulated(t, func(o *sim.Options) { o.Speed = 1 })
	p, _, ended := launched(t, base)
	before := pace(t, base, 4*time.Second)
	p.clog(t)
	stuck := pace(t, base, 4*time.Second)
	t.Logf("%.0f tokens a second while the terminal reads, %.0f while it does not", before, stuck)
	if before < 50 || stuck < before/2 || stuck > before*2 {
		t.Errorf("%.0f tokens a second while the terminal reads, %.0f while it does not", before, stuck)
	}
	// Keys are heard that nobody sees.
	p.press(t, "0")
	if !poll(10*time.Second, func() bool { return pace(t, base, 500*time.Millisecond) == 0 }) {
		t.Error("the emergency stop is not heard on a stuck terminal")
	}
	p.reading(true)
	if !poll(patient, func() bool { return p.shows("requests cancelled", "TTFT", "TPM", "? help") }) {
		t.Errorf("no proper frame once the terminal reads again:\n%s", strings.Join(p.rows(), "\n"))
	}
	p.mu.Lock()
	faults := p.seen.Faults()
	p.mu.Unlock()
	if len(faults) > 0 {
		t.Errorf("torn: %q", faults)
	}
	p.press(t, "qd")
	select {
	case code := <-ended:
		if code != exitOK {
			t.Errorf("exit code %d", code)
		}
	case <-time.After(patient):
		t.Errorf("it does not end:\n%s", strings.Join(p.rows(), "\n"))
	}
}

func TestE2EAStuckTerminalKeepsNobodyIn(t *testing.T) {
	for _, row := range []struct {
		sentence string
		end      func(p *tap, c *exec.Cmd)
		code     int
		within   time.Duration
	}{
		{"ctrl+c once", func(p *tap, _ *exec.Cmd) { p.press(t, "\x03") }, exitInterrupted, patient},
		{"ctrl+c twice", func(p *tap, _ *exec.Cmd) { p.press(t, "\x03\x03") }, exitInterrupted, 3 * time.Second},
		{"a termination", func(_ *tap, c *exec.Cmd) { _ = c.Process.Signal(syscall.SIGTERM) }, exitTerminated, shortDrain + 3*time.Second},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			base := simulated(t, func(o *sim.Options) { o.Speed = 1 })
			p, c, ended := launched(t, base)
			p.clog(t)
			began := time.Now()
			row.end(p, c)
			select {
			case code := <-ended:
				t.Logf("ended after %.1f s", time.Since(began).Seconds())
				if code != row.code {
					t.Errorf("exit code %d, want %d", code, row.code)
				}
			case <-time.After(row.within):
				t.Errorf("it does not end within %v", row.within)
			}
		})
	}
}
