package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"redline/bench/sim/model"
)

// child is the embedded simulated server: a process of its own, so that its work is not mistaken for the client's, which ends when this
// process does, however that happens: it reads a pipe that only we hold, and a pipe closes even when its holder is killed.
type child struct {
	cmd   *exec.Cmd
	hold  io.Closer
	errs  *tail
	once  sync.Once
	ended chan struct{}
	// address is what the child prints first.
	address string
}

const (
	childStart = 10 * time.Second
	childEnd   = 2 * time.Second
)

// startChild starts the simulated server (see startServer).
func startChild(command []string, preset model.Preset, seed uint64) (*child, error) {
	return startServer(command, "--preset", preset.String(), "--seed", fmt.Sprint(seed))
}

// startServer starts a server with flags of the verb sim on a free port of the loopback interface and waits until it has told its address. It gets no
// environment, hence no key.
func startServer(command []string, flags ...string) (*child, error) {
	args := append(append([]string{}, command[1:]...), "sim", "--parent", "--addr", "127.0.0.1:0")
	args = append(args, flags...)
	c := &child{cmd: exec.Command(command[0], args...), errs: &tail{}, ended: make(chan struct{})}
	c.cmd.Env = []string{}
	c.cmd.Stderr = c.errs
	apart(c.cmd)
	hold, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("simulated server: %w", err)
	}
	c.hold = hold
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("simulated server: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("simulated server: start %s: %w", command[0], err)
	}
	first := make(chan string, 1)
	go func() {
		defer close(c.ended)
		r := bufio.NewReader(out)
		line, _ := r.ReadString('\n')
		first <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, r)
		_ = c.cmd.Wait()
	}()
	select {
	case c.address = <-first:
	case <-time.After(childStart):
	}
	if _, err := parseTarget(c.address); err != nil {
		c.stop()
		return nil, c.failure("simulated server: told no address" + within(c.address))
	}
	return c, nil
}

func within(address string) string {
	if address == "" {
		return ""
	}
	return fmt.Sprintf(" but %q", address)
}

// failure is an error with the child's own last words.
func (c *child) failure(text string) error {
	if words := c.errs.String(); words != "" {
		text += ": " + words
	}
	return errors.New(text)
}

// dead tells whether the child has ended although nobody stopped it.
func (c *child) dead() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// stop closes the pipe that keeps the child alive, and ends it the hard way if it does not go by itself. It may be called twice.
func (c *child) stop() {
	c.once.Do(func() {
		_ = c.hold.Close()
		select {
		case <-c.ended:
		case <-time.After(childEnd):
			_ = c.cmd.Process.Kill()
			<-c.ended
		}
	})
}
