//go:build e2e && unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patient is how long a real terminal on a busy machine may take to show something.
const patient = 25 * time.Second

// program is the built program, once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "redline-e2e")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "redline")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return path, nil
})

// pane is a shell in a terminal of tmux's, of a known size, with nobody's configuration.
type pane struct {
	t      *testing.T
	socket string
	dir    string
}

// open starts a shell in a new terminal.
func open(t *testing.T, width, height int) *pane {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t: t, dir: t.TempDir(), socket: fmt.Sprintf("redline-e2e-%d-%d", os.Getpid(), time.Now().UnixNano())}
	if err := os.Symlink(path, filepath.Join(p.dir, "redline")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", p.socket, "kill-server").Run() })
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height),
		"env -i TERM=screen-256color LANG=C.UTF-8 PATH=/usr/bin:/bin HOME="+p.dir+" PS1='ready> ' sh")
	p.tmux("set-option", "-g", "history-limit", "5000")
	p.await("ready>")
	p.line("cd " + p.dir + " && stty -a >before")
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// keys presses keys by tmux's names.
func (p *pane) keys(names ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, names...)...)
}

// line types a line into the shell.
func (p *pane) line(text string) {
	p.t.Helper()
	p.tmux("send-keys", "-l", text)
	p.keys("Enter")
}

// screen is what the terminal shows; all is the scrollback too.
func (p *pane) screen() string { return p.tmux("capture-pane", "-p") }
func (p *pane) all() string    { return p.tmux("capture-pane", "-p", "-J", "-S", "-") }

// poll looks again and again until something is true: the program under test is a process of its own, and nothing else tells.
func poll(within time.Duration, truth func() bool) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if truth() {
			return true
		}
	}
	return truth()
}

// await waits until the screen holds all texts at once.
func (p *pane) await(texts ...string) {
	p.t.Helper()
	ok := poll(patient, func() bool {
		s := p.screen()
		for _, text := range texts {
			if !strings.Contains(s, text) {
				return false
			}
		}
		return true
	})
	if !ok {
		p.t.Fatalf("%q did not show:\n%s", texts, p.screen())
	}
}

// start starts redline from the shell, waits until it drives, and returns its process.
func (p *pane) start(args string) int {
	p.t.Helper()
	p.line("sh -c 'echo $$ >pid; exec ./redline " + args + "'; echo code=$?")
	p.await("RUNNING")
	text, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		p.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		p.t.Fatal(err)
	}
	return pid
}

// left waits until redline has gone with a code, and checks that it has left a summary and the terminal as it was.
func (p *pane) left(code int) {
	p.t.Helper()
	p.await(fmt.Sprintf("code=%d", code))
	all := p.all()
	for _, want := range []string{"redline dev: redline-sim-7b at 127.0.0.1:", "requests  ", "tokens    "} {
		if !strings.Contains(all, want) {
			p.t.Errorf("%q is missing in the scrollback:\n%s", want, all)
		}
	}
	for _, garbage := range []string{"rgb:", "[?2026", "panic"} {
		if strings.Contains(all, garbage) {
			p.t.Errorf("%q is left in the scrollback:\n%s", garbage, all)
		}
	}
	if flags := strings.TrimSpace(p.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); flags != "0 1 0" {
		p.t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", flags)
	}
	p.line("clear; stty -a >after; cmp before after && echo as it was")
	p.await("as it was")
}

// offspring are the processes that a process has started.
func offspring(t *testing.T, parent int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("no /proc here")
	}
	var out []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// pid (name) state ppid
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			out = append(out, pid)
		}
	}
	return out
}

// alive tells whether a process runs; one that only waits for its parent to take note of its end does not.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func TestE2EKeysChangeTheLoad(t *testing.T) {
	p := open(t, 120, 36)
	p.start("")
	p.keys("+", "+")
	p.await("8 → 16")
	p.keys("?")
	p.await("one step more")
	p.keys("Escape")
	p.await("8 → 16", "TTFT", "ITL", "TPS", "RPM", "TPM")
	for _, size := range [][2]int{{80, 24}, {60, 15}, {40, 8}, {120, 36}} {
		p.tmux("resize-window", "-x", strconv.Itoa(size[0]), "-y", strconv.Itoa(size[1]))
		p.await("TTFT", "TPM")
	}
	p.keys("q")
	p.await("drain and report")
	p.keys("d")
	p.left(exitOK)
	if all := p.all(); !strings.Contains(all, " 16 ") {
		t.Errorf("no level of 16 in the summary:\n%s", all)
	}
}

func TestE2EInterruptOnceDrainsAndKeepsTheResults(t *testing.T) {
	p := open(t, 100, 30)
	p.start("--duration 5m --max-tokens 8")
	p.keys("C-c")
	if !poll(patient, func() bool { s := p.screen(); return strings.Contains(s, "DONE") || strings.Contains(s, "code=") }) {
		t.Fatalf("it goes on:\n%s", p.screen())
	}
	if !strings.Contains(p.screen(), "code=") {
		p.keys("q")
	}
	p.left(exitInterrupted)
}

func TestE2EInterruptTwiceLeavesAtOnce(t *testing.T) {
	p := open(t, 100, 30)
	p.start("--max-tokens 4096")
	began := time.Now()
	p.keys("C-c")
	p.keys("C-c")
	p.await("code=130")
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("leaving took %v", took)
	}
	p.left(exitInterrupted)
}

func TestE2ETerminationEndsInOrder(t *testing.T) {
	p := open(t, 100, 30)
	pid := p.start("")
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.left(exitTerminated)
}

func TestE2ELostTerminalEndsTheProgramAndItsServer(t *testing.T) {
	p := open(t, 100, 30)
	pid := p.start("")
	children := offspring(t, pid)
	if len(children) != 1 {
		t.Fatalf("children %v", children)
	}
	p.tmux("kill-server")
	if !poll(patient, func() bool { return !alive(pid) && !alive(children[0]) }) {
		t.Errorf("alive after the terminal has gone: redline %v, its server %v", alive(pid), alive(children[0]))
	}
}

func TestE2EKilledProgramTakesItsServerWithIt(t *testing.T) {
	p := open(t, 100, 30)
	pid := p.start("")
	children := offspring(t, pid)
	if len(children) != 1 {
		t.Fatalf("children %v", children)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if !poll(patient, func() bool { return !alive(children[0]) }) {
		t.Error("the simulated server outlives the program")
	}
}

func TestE2EProblemsNeverTouchTheScreen(t *testing.T) {
	p := open(t, 100, 30)
	p.line("./redline --max 0 --url nowhere; echo code=$?")
	p.await("code=2", "--max 0: want", "--url nowhere: want")
	p.line("clear; ./redline --url http://127.0.0.1:9 --model m; echo code=$?")
	p.await("code=2", "nothing listens")
	p.line("clear; ./redline --requests 3 --max-tokens 8 | cat; echo code=$?")
	p.await("code=0", "3 sent: 3 ok")
	p.line("clear; TERM=dumb ./redline --requests 3 --max-tokens 8; echo code=$?")
	p.await("code=0", "3 sent: 3 ok")
}
