package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"redline/bench"
)

// endgame takes what ends a run from outside: signals, a crash, an output that is gone. It belongs to the whole session, so that a signal is
// answered while the flags are checked, and while the target has not answered yet, too.
//
//	input              | before the run                  | during it
//	SIGINT, the first  | give up, leave after lastResort | stop: drain, keep the results
//	SIGINT, the second | leave at once                   | leave at once, cutting what is in flight
//	SIGTERM, SIGHUP    | give up, leave after lastResort | stop, kill after shortDrain, leave after lastResort
//	crash              |                                 | kill, leave the screen, report
type endgame struct {
	main   *Main
	cancel context.CancelFunc
	forced chan<- int
	// interrupts are passed on to the screen, which answers them as it does ctrl+c.
	interrupts chan struct{}

	mu     sync.Mutex
	child  *child
	run    run
	screen context.CancelFunc
	exit   int
	ints   int
	killed bool
	gone   error
	// left is why a run without a screen was ended before its end, as nobody could go on with it.
	left string
}

const (
	// shortDrain is how long running requests may go on after SIGTERM or SIGHUP: who sends these does not wait for long.
	shortDrain = 5 * time.Second
	// lastResort is how long leaving may take before the process is ended under whatever still hangs; more than the screen needs to find out
	// that its terminal takes nothing.
	lastResort = 6 * time.Second
	// parting is how long it may take where the terminal takes nothing and the run was cut: there is nothing left to wait for.
	parting = 500 * time.Millisecond
)

func newEndgame(m *Main, cancel context.CancelFunc, forced chan<- int) *endgame {
	return &endgame{main: m, cancel: cancel, forced: forced, interrupts: make(chan struct{}, 8)}
}

// attend answers signals from now on until rest is called. The context ends with the first one that gives up.
func (m *Main) attend(parent context.Context, forced chan<- int) (ctx context.Context, end *endgame, rest func()) {
	m.hear()
	watching, stop := context.WithCancel(parent)
	ctx, cancel := context.WithCancel(watching)
	end = newEndgame(m, cancel, forced)
	go end.watch(watching)
	return ctx, end, func() {
		cancel()
		stop()
	}
}

// givenUp is the end of what a signal ended before it began; nil where none did.
func (e *endgame) givenUp() error {
	if code := e.code(); code != exitOK {
		return &exit{code, errors.New("given up before anything was started")}
	}
	return nil
}

// adopt tells it of the simulated server, which must not be left behind.
func (e *endgame) adopt(c *child) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.child = c
}

// engage tells it that the run has begun.
func (e *endgame) engage(r run) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.run = r
}

// onScreen tells it how the screen is left from outside; nil when there is none any more.
func (e *endgame) onScreen(leave context.CancelFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.screen = leave
}

// watch answers signals until ctx ends.
func (e *endgame) watch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-e.main.Signals:
			if s == os.Interrupt {
				e.interrupt()
			} else {
				e.terminate(s)
			}
		}
	}
}

// interrupt is SIGINT; on a screen that holds the keyboard ctrl+c is a key and does not come here (see noteInterrupt).
func (e *endgame) interrupt() {
	e.mu.Lock()
	e.ints++
	n, r, screen := e.ints, e.run, e.screen
	e.exit = exitInterrupted
	e.mu.Unlock()
	switch {
	case r == nil:
		e.cancel()
		if n > 1 {
			e.force(exitInterrupted, 0)
			return
		}
		e.force(exitInterrupted, lastResort)
	case n == 1:
		// An output that takes nothing hears of no interrupt: the run ends all the same, and then the output is not waited for.
		r.Post(bench.Stop{Why: whyInterrupted})
		go func() {
			<-r.Done()
			e.force(exitInterrupted, lastResort)
		}()
	case screen == nil:
		e.kill(whyInterrupted)
	}
	if r != nil && screen != nil {
		select {
		case e.interrupts <- struct{}{}:
		default:
		}
	}
	if n > 1 {
		e.force(exitInterrupted, lastResort)
	}
}

// whyInterrupted is the reason that an interrupt gives to the run.
const whyInterrupted = "interrupted"

// noteInterrupt keeps that the operator has interrupted the run by a key.
func (e *endgame) noteInterrupt() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.exit == exitOK {
		e.exit = exitInterrupted
	}
}

// terminate ends in order, with deadlines: nobody may be there to look or to press a key.
func (e *endgame) terminate(s os.Signal) {
	e.mu.Lock()
	e.exit = signalCode(s)
	code, r := e.exit, e.run
	e.mu.Unlock()
	if r == nil {
		e.cancel()
		e.force(code, lastResort)
		return
	}
	why := "terminated"
	if s == syscall.SIGHUP {
		why = "hung up"
	}
	r.Post(bench.Stop{Why: why})
	e.force(code, shortDrain+lastResort)
	go func() {
		select {
		case <-r.Done():
		case <-time.After(shortDrain):
			e.kill(why)
		}
		e.leave()
	}()
}

// stopAll ends the run now and leaves the screen: something is broken.
func (e *endgame) stopAll(why string) {
	e.kill(why)
	e.leave()
}

func (e *endgame) kill(why string) {
	e.mu.Lock()
	e.killed = true
	r := e.run
	e.mu.Unlock()
	if r != nil {
		r.Post(bench.Kill{Why: why})
	}
}

func (e *endgame) leave() {
	e.mu.Lock()
	screen := e.screen
	e.mu.Unlock()
	if screen != nil {
		screen()
	}
}

// force ends the process with a code when it is still there after a while: a terminal that takes no bytes must not keep it.
func (e *endgame) force(code int, after time.Duration) {
	time.AfterFunc(after, func() {
		e.mu.Lock()
		c, screen := e.child, e.screen
		e.mu.Unlock()
		if screen != nil {
			restoreTerminal()
		}
		if c != nil {
			go c.stop()
		}
		select {
		case e.forced <- code:
		default:
		}
	})
}

// lost keeps that the output takes nothing any more.
func (e *endgame) lost(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.gone == nil {
		e.gone = err
	}
}

// outputGone is why the output takes nothing any more; nil while it does.
func (e *endgame) outputGone() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gone
}

// giveUp keeps why a run is ended before its end. A budget is an end that was asked for.
func (e *endgame) giveUp(why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left == "" && why != whyBudget {
		e.left = why
	}
}

// whyBudget is the reason that a run has for its pause when its budget is used up.
const whyBudget = "budget used up"

// givesUp is why the run was ended before its end; empty where it was not.
func (e *endgame) givesUp() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.left
}

// cut tells whether what was in flight was not waited for.
func (e *endgame) cut() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.killed
}

// code is the exit code that signals, keys and a lost output ask for; 0 if none of them came.
func (e *endgame) code() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.exit == exitOK && e.gone != nil {
		return exitNothing
	}
	return e.exit
}

// childWords are the last words of a simulated server that has ended by itself.
func (e *endgame) childWords() string {
	e.mu.Lock()
	c := e.child
	e.mu.Unlock()
	if c == nil || !c.dead() {
		return ""
	}
	if words := c.errs.String(); words != "" {
		return words
	}
	return "it said nothing"
}
