package ui

import (
	"io"
	"time"
)

// Options are what Run needs. Engine, In and Out are required.
type Options struct {
	Engine Engine
	// In and Out are the terminal. Pass files where there are files: tea asks them for raw mode and size.
	In  io.Reader
	Out io.Writer
	// FPS is how often the screen looks for news, 1 to 30 a second; 0 means 4, or 2 with Remote.
	FPS int
	// Remote says that the terminal is reached over a network.
	Remote bool
	// Window is the span of the lanes at the start; 0 means two minutes.
	Window time.Duration
	// Interrupts brings interrupts from outside (signals): each one is what ctrl+c would be. The first stops and drains, the second leaves
	// at once. May be nil.
	Interrupts <-chan struct{}
	// IdleLimit pauses the run after so long without a key, BlockedLimit when the terminal has taken no output for so long. 0 is no limit:
	// leave both 0 for an unattended run.
	IdleLimit, BlockedLimit time.Duration
}

// Result tells how the dashboard was left.
type Result struct {
	// Killed says that the operator did not wait for what was in flight.
	Killed bool
	// Frame is the last frame, if it is to be left in the terminal; else empty.
	Frame string
	// Crash is the trace of a panic in the dashboard, to be printed now that the terminal is itself again; the error says so too.
	Crash string
}
