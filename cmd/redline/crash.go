package main

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// crash keeps the first panic of a run until the terminal is itself again and the trace can be read. Safe for concurrent use.
type crash struct {
	mu    sync.Mutex
	trace string
}

func (c *crash) note(trace string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trace == "" {
		c.trace = trace
	}
}

// panicked notes a panic with the stack it came from.
func (c *crash) panicked(reason any, stack []byte) {
	c.note(fmt.Sprintf("panic: %v\n\n%s", reason, stack))
}

func (c *crash) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trace
}

// catch is to be deferred: it keeps a panic and does then what has to be done.
func (c *crash) catch(then func()) {
	if reason := recover(); reason != nil {
		c.panicked(reason, debug.Stack())
		then()
	}
}
