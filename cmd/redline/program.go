package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"

	"golang.org/x/term"
)

// Exit codes. A signal that ended the run adds its number to 128, as shells do. Those of run have a table of their own (see runCodes).
const (
	exitOK = 0
	// exitNothing: requests were answered, but none well.
	exitNothing = 1
	// exitBroken is that of run: a promise was broken, or could not be judged.
	exitBroken = 1
	// exitUsage: the flags, or the target, cannot be used; nothing was measured.
	exitUsage = 2
	// exitNone and exitLeft are those of find: no load keeps every promise, and the redline is not known: the search was given up, or ended, before it had found anything, or
	// the client was too busy for more than a lower bound.
	exitNone = 3
	exitLeft = 4
	// exitSaturated is that of run: the client itself did not keep up, so that its numbers may not be the target's.
	exitSaturated = 3
	// exitCrash: redline itself is broken (EX_SOFTWARE of sysexits).
	exitCrash       = 70
	exitHungUp      = 128 + 1
	exitInterrupted = 128 + 2
	exitTerminated  = 128 + 15
)

// signalCode is the exit code for a signal.
func signalCode(s os.Signal) int {
	switch s {
	case os.Interrupt:
		return exitInterrupted
	case syscall.SIGHUP:
		return exitHungUp
	}
	return exitTerminated
}

// lookup finds a variable of the environment.
type lookup func(name string) (value string, ok bool)

// Main is the program without its process: all that it takes from the outside is here, so that a test can start it as it is.
type Main struct {
	// Args are the arguments, without the program's name.
	Args []string
	Env  lookup
	// Environ lists the environment as NAME=VALUE, for what is misspelt in it; nil where that is not looked for.
	Environ        func() []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Signals brings interrupts and the like; nil for none.
	Signals <-chan os.Signal
	// heard tells that a verb answers signals itself.
	heard *atomic.Bool
	// Simulator is the command that runs this program again, for the embedded server.
	Simulator []string
	// Resolve looks plain host names up.
	Resolve resolver
	// Folder is the current folder; empty is that of the process.
	Folder string
	// Files is how many files the process may have open at once, 0 if that is not known.
	Files func() uint64
}

// newProcess is the program of this process.
func newProcess() *Main {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// A reader that has gone is an error of the write, to be answered in order, not the end of the process.
	ignorePipe()
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return &Main{
		Args: os.Args[1:], Env: os.LookupEnv, Environ: os.Environ, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Signals: signals, Simulator: []string{self}, Resolve: lookUp, Files: openFiles,
	}
}

// Run runs the program and returns its exit code: 0 when all went well, 1 when requests were answered but none of them well, 2 when flags or
// target cannot be used, 3 and 4 where find found nothing, those of runCodes where run was asked for, 70 after a panic, 128 + n when signal n ended it (130 for ctrl+c).
func (m *Main) Run(ctx context.Context) int {
	over := make(chan struct{})
	defer close(over)
	// Buffered: when the program is left at once, nobody takes the code.
	done, forced := make(chan int, 1), make(chan int, 1)
	own := *m
	m = &own
	m.heard = new(atomic.Bool)
	m.Signals = relay(m.Signals, m.heard, forced, over)
	go func() {
		defer func() {
			if reason := recover(); reason != nil {
				fmt.Fprintf(m.Stderr, "redline: internal error: %v\n\n%s", reason, debug.Stack())
				done <- exitCrash
			}
		}()
		done <- m.execute(ctx, forced)
	}()
	select {
	case code := <-done:
		return code
	case code := <-forced:
		return code
	}
}

// exit is an error that carries the exit code; one without words has been told already.
type exit struct {
	code int
	err  error
}

// Error is what is to be told.
func (e *exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// execute runs the verb that the arguments name. It is the one place that prints errors.
func (m *Main) execute(ctx context.Context, forced chan<- int) int {
	err := m.command(forced).ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code := exitUsage
	var with *exit
	if errors.As(err, &with) {
		code = with.code
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(m.Stderr, "redline: %s\n", text)
	}
	return code
}

// text is a variable of the environment, empty when it is not set.
func (m *Main) text(name string) string {
	v, _ := m.Env(name)
	return v
}

// terminal tells whether there is somebody to show a screen to and to take keys from.
func (m *Main) terminal() bool {
	out, ok := m.Stdout.(*os.File)
	in, also := m.Stdin.(*os.File)
	return ok && also && m.text("TERM") != "dumb" && term.IsTerminal(int(out.Fd())) && term.IsTerminal(int(in.Fd()))
}

// usualWidth is what a terminal has at least, where it does not say.
const usualWidth = 80

// width is that of the terminal that the output goes to. Where it goes to none it is what COLUMNS says, or 0: as wide as need be.
func (m *Main) width() int {
	if out, ok := m.Stdout.(*os.File); ok && term.IsTerminal(int(out.Fd())) {
		if width, _, err := term.GetSize(int(out.Fd())); err == nil && width > 0 {
			return width
		}
		return usualWidth
	}
	if n, err := strconv.Atoi(m.text("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 0
}
