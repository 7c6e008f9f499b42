package client

import (
	"errors"
	"io"
	"time"
)

// tailTime is how long the end of a body is waited for where it matters when, and whether, it comes.
const tailTime = 5 * time.Second

// tail is how a body ended behind the end of its answer; nil for nobody who wants to know.
type tail struct {
	known chan struct{}
	took  time.Duration
	err   error
}

func newTail() *tail { return &tail{known: make(chan struct{})} }

// patience is how long the end is waited for.
func (t *tail) patience() time.Duration {
	if t == nil {
		return drainTime
	}
	return tailTime
}

// set says after how long the reading ended, and with which error: io.EOF at the body's end, nil where more came than is read.
func (t *tail) set(took time.Duration, err error) {
	if t == nil {
		return
	}
	t.took, t.err = took, err
	close(t.known)
}

// late tells whether the body's end is one for which no request waits, and open that it did not come at all. It holds once t is known.
func (t *tail) late() (late, open bool) {
	open = t.err == nil || t.took >= tailTime
	return open || errors.Is(t.err, io.EOF) && t.took > drainTime, open
}
