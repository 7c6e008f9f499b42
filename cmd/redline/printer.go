package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// pendingLimit bounds what waits for a reader that takes nothing, in bytes: some minutes of lines.
const pendingLimit = 64 << 10

// printer hands lines to a writer on a goroutine of its own, so that a reader that has stopped reading holds up nothing. What does not fit is
// dropped and counted. Safe for concurrent use.
type printer struct {
	out io.Writer
	// more is told of new lines, failed has the error of the write that nobody took.
	more   chan struct{}
	failed chan error
	gone   chan struct{}
	// limit bounds what waits, in bytes; missing says that so many were dropped.
	limit   int
	missing func(n int) string

	mu      sync.Mutex
	pending []byte
	dropped int
	closed  bool
	// since is when the write that runs now began; zero if none does.
	since time.Time
}

func newPrinter(out io.Writer) *printer {
	p := &printer{out: out, more: make(chan struct{}, 1), failed: make(chan error, 1), gone: make(chan struct{}), limit: pendingLimit, missing: missingSeconds}
	go p.write()
	return p
}

// put adds the lines of one second, unless too much waits already.
func (p *printer) put(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if text == "" {
		return
	}
	if len(p.pending)+len(text) > p.limit {
		p.dropped++
		return
	}
	p.confess()
	p.pending = append(p.pending, text...)
	p.wake()
}

// confess says what was dropped.
func (p *printer) confess() {
	if p.dropped > 0 {
		p.pending = append(p.pending, p.missing(p.dropped)...)
		p.dropped = 0
	}
}

// missingSeconds says that lines of so many seconds were dropped.
func missingSeconds(n int) string {
	return fmt.Sprintf("output of %d s is missing here: the reader did not take it in time\n", n)
}

func (p *printer) wake() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// blockedFor is how long the reader has taken nothing of what was offered.
func (p *printer) blockedFor(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return 0
	}
	return now.Sub(p.since)
}

// close writes what is left and waits until it has been taken, or has failed.
func (p *printer) close() error {
	p.mu.Lock()
	p.closed = true
	p.confess()
	p.wake()
	p.mu.Unlock()
	<-p.gone
	select {
	case err := <-p.failed:
		return err
	default:
		return nil
	}
}

func (p *printer) write() {
	defer close(p.gone)
	for range p.more {
		p.mu.Lock()
		text, closed := p.pending, p.closed
		p.pending, p.since = nil, time.Now()
		p.mu.Unlock()
		if len(text) > 0 {
			if _, err := p.out.Write(text); err != nil {
				p.failed <- err
				return
			}
		}
		p.mu.Lock()
		p.since = time.Time{}
		p.mu.Unlock()
		if closed {
			return
		}
	}
}
