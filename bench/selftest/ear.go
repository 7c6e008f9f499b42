package selftest

import (
	"sync/atomic"
	"time"

	"redline/bench"
	"redline/bench/health"
)

// ear takes the lags of all streams of a plan, and ends a window whenever it is asked for one.
type ear struct {
	lags   health.Lags
	tokens atomic.Int64
	// begun is how many streams have had their first token.
	begun   atomic.Int64
	windows chan Window
}

// Window is about a second of a run.
type Window struct {
	// Truth are the lags of its tokens by their stamps; Health is what the client said of itself, where it was asked.
	Truth  health.Tally
	Health bench.Health
	// signals are what the client saw of itself.
	signals health.Signals
	asked   bool
}

func newEar() *ear { return &ear{windows: make(chan Window, 256)} }

// window ends a window.
func (e *ear) window(w Window) {
	w.Truth = e.lags.Take()
	select {
	case e.windows <- w:
	default: // nobody listens any more
	}
}

// listener is one stream's part of an ear.
type listener struct {
	ear    *ear
	stamps Stamps
	now    int64
	first  bool
	hear   func(sent int64)
}

func (e *ear) listen() *listener {
	l := &listener{ear: e}
	l.hear = l.token
	return l
}

// read takes the bytes of one read with its instant, in nanoseconds of the wall clock.
func (l *listener) read(b []byte, now int64) {
	l.now = now
	l.stamps.Read(b, l.hear)
}

func (l *listener) token(sent int64) {
	l.ear.lags.Add(time.Duration(l.now - sent))
	l.ear.tokens.Add(1)
	if !l.first {
		l.first = true
		l.ear.begun.Add(1)
	}
}
