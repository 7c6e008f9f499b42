package ui

import (
	"sync"

	"redline/bench"
)

// interrupted is the reason that an interrupt gives, whether it comes as a key or as a signal.
const interrupted = "interrupted"

// exit is the way out. It is shared by the keys and by what comes from outside, so that a key and a signal count as two.
//
//	state      interrupt                     over
//	staying    stop the run; draining        –
//	draining   kill the run; leave at once   leave
type exit struct {
	engine Engine

	mu     sync.Mutex
	count  int
	ending bool
	killed bool
	// private is what the screen is, for those who cannot ask a screen that hangs.
	private bool
}

// interrupt takes the next step out, and tells whether to leave at once.
func (e *exit) interrupt() (leave bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count++
	switch {
	case e.over():
		return true
	case e.count == 1 && !e.ending:
		e.ending = true
		e.engine.Post(bench.Stop{Why: interrupted})
		return false
	}
	e.killed = true
	e.engine.Post(bench.Kill{Why: interrupted})
	return true
}

// end stops the run in the ordinary way: it drains, or with kill it is cut.
func (e *exit) end(kill bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ending = true
	if kill {
		e.killed = true
		e.engine.Post(bench.Kill{Why: "quit"})
		return
	}
	e.engine.Post(bench.Stop{Why: "quit"})
}

// leaving tells whether the dashboard closes by itself when the run is over.
func (e *exit) leaving() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ending
}

func (e *exit) setPrivate(private bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.private = private
}

func (e *exit) isPrivate() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.private
}

func (e *exit) wasKilled() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.killed
}

// over tells whether the engine is done.
func (e *exit) over() bool {
	select {
	case <-e.engine.Done():
		return true
	default:
		return false
	}
}
