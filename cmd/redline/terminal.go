package main

import (
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// kept is the terminal as it was before the screen, for an end in which the screen cannot give it back itself.
var kept struct {
	sync.Mutex
	state *term.State
}

// keepTerminal remembers the state of the terminal.
func keepTerminal() {
	state, err := term.GetState(int(os.Stdin.Fd()))
	if err != nil {
		return
	}
	kept.Lock()
	defer kept.Unlock()
	kept.state = state
}

// restoreModes sets the terminal's modes back as they were: echo, lines, signals from keys. A screen that was left in order has done so itself.
func restoreModes() {
	kept.Lock()
	defer kept.Unlock()
	if kept.state != nil {
		_ = term.Restore(int(os.Stdin.Fd()), kept.state)
	}
}

// leaveSequence shows the cursor, ends mouse and paste modes, gives back the ordering of letters and alternate scroll (on, and where the terminal remembers, as it was) and
// leaves the alternate screen.
const leaveSequence = "\x1b[0m\x1b[?2004l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[8h\x1b[?1007h\x1b[?1007r\x1b[?25h\x1b[?1049l"

// restoreTerminal gives back the terminal when a screen that has it cannot; one that takes no bytes is not waited for.
func restoreTerminal() {
	restoreModes()
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = os.Stdout.WriteString(leaveSequence)
	}()
	select {
	case <-written:
	case <-time.After(200 * time.Millisecond):
	}
}
