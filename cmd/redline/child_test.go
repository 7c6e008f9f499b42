package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"redline/bench/sim/model"
)

// holdChild is a parent that does nothing but hold a child and tell its address.
func holdChild() {
	c, err := startChild([]string{os.Args[0]}, model.SmallGPU, 1)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(c.address)
	select {}
}

// gone waits until whoever serves an address is not there any more; a connection tells without asking again and again.
func gone(t *testing.T, conn net.Conn) {
	t.Helper()
	if err := conn.SetReadDeadline(time.Now().Add(8 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err := conn.Read(make([]byte, 1))
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the simulated server still lives: %v", err)
	}
}

func needShell(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh here")
	}
}

func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", hostOf(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestChildServesAndEndsWithItsPipe(t *testing.T) {
	c, err := startChild([]string{os.Args[0]}, model.SmallGPU, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer c.stop()
	resp, err := http.Get(strings.TrimSuffix(c.address, "/v1") + "/health")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("health: %v, %v", resp, err)
	}
	_ = resp.Body.Close()
	if !strings.HasPrefix(c.address, "http://127.0.0.1:") {
		t.Errorf("it listens on %s", c.address)
	}
	conn := dial(t, c.address)
	if c.dead() {
		t.Error("dead while it serves")
	}
	c.stop()
	c.stop()
	gone(t, conn)
	if !c.dead() {
		t.Error("not dead after stop")
	}
}

func TestChildDiesWithAParentThatIsKilled(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "REDLINE_TEST_AS=holder")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(address, "http://") {
		t.Fatalf("address %q, %v", address, err)
	}
	conn := dial(t, strings.TrimSpace(address))
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	gone(t, conn)
}

func TestChildThatCannotServeSaysWhy(t *testing.T) {
	needShell(t)
	for _, row := range []struct{ sentence, script, want string }{
		{"one that says nothing", "echo no memory left >&2; exit 3", "told no address: no memory left"},
		{"one that says something else", "echo hello", `told no address but "hello"`},
	} {
		c, err := startChild([]string{"/bin/sh", "-c", row.script, "sh"}, model.SmallGPU, 1)
		if err == nil {
			c.stop()
			t.Errorf("%s: started", row.sentence)
		} else if !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q in it", row.sentence, err, row.want)
		}
	}
	if _, err := startChild([]string{"/nonexistent/redline"}, model.SmallGPU, 1); err == nil || !strings.Contains(err.Error(), "/nonexistent/redline") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func TestChildGetsNoEnvironment(t *testing.T) {
	needShell(t)
	t.Setenv("OPENAI_API_KEY", testKey)
	_, err := startChild([]string{"/bin/sh", "-c", "export -p >&2", "sh"}, model.SmallGPU, 1)
	if err == nil || strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), "OPENAI") {
		t.Errorf("the child saw: %v", err)
	}
}

func TestSimulatorEndsWithItsInputOrASignal(t *testing.T) {
	r, w := io.Pipe()
	m := start(t, nil, "sim", "--parent", "--addr", "127.0.0.1:0")
	m.Stdin = r
	told, out := io.Pipe()
	m.Stdout = out
	code := make(chan int)
	go func() { code <- m.run(t) }()
	line, err := bufio.NewReader(told).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
		t.Fatalf("address %q, %v", line, err)
	}
	_ = w.Close()
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d after its input ended", got)
	}

	m = start(t, nil, "sim", "--addr", "127.0.0.1:0")
	m.signals <- os.Interrupt
	if got := m.run(t); got != exitInterrupted {
		t.Errorf("exit code %d after an interrupt", got)
	}
	m = start(t, nil, "sim", "--addr", "nowhere", "--speed", "0")
	if got := m.run(t); got != exitUsage || !strings.Contains(m.errs.String(), "speed 0") || !strings.Contains(m.errs.String(), `addr "nowhere"`) {
		t.Errorf("exit code %d, %s", got, m.errs.String())
	}
}
