package main

import (
	"bytes"
	"strings"
	"sync"
)

// tailSize is how much a tail keeps.
const tailSize = 16 << 10

// tail keeps the last of what is written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String is what was kept, in whole lines, without the blanks around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.buf
	if t.cut {
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
	return strings.TrimSpace(string(b))
}
