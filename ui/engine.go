// Package ui is the terminal dashboard: the one tea.Model, its keys, its quit paths, and Run, which sets a terminal up and gives it
// back. It pulls immutable snapshots on its own tick and posts commands; it knows nothing else of the engine, and the engine
// nothing of it, so that a recorded run shows through the same screens.
package ui

import (
	"time"

	"redline/bench"
)

// Engine is what the dashboard drives. All may be called from any goroutine.
type Engine interface {
	// Snapshot is the newest state of the run; never nil, and cheap.
	Snapshot() *bench.Snapshot
	// Journal is what is known of single requests: it is asked for only while they are looked at. With read the text of one stream is followed from now on,
	// until it was not asked for a while.
	Journal(read bool) *bench.Journal
	// Post hands a command over; it never blocks and never loses one.
	Post(bench.Command)
	// Done is closed when the run is over and its results are safe.
	Done() <-chan struct{}
}

// Deck is an engine that plays a recorded run. None of its methods waits for the recording.
type Deck interface {
	Engine
	// Playback is how the run is being shown; never nil.
	Playback() *bench.Playback
	// Play plays, or rests.
	Play(on bool)
	// Seek goes to an instant of the run, Skip by a time from where it is or is on its way to, Leap to the next landmark or, below 0, to the one before.
	Seek(at time.Duration)
	Skip(by time.Duration)
	Leap(by int)
	SetSpeed(bench.Tempo)
	// Annotate adds a note to the recording; what became of it is said in the Playback.
	Annotate(at time.Duration, text string)
}
