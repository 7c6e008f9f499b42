package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"redline/bench"
	"redline/ui"
	"redline/ui/chart"
	"redline/ui/style"
)

// An interactive run on somebody else's machine pauses when nobody seems to be there.
const (
	idleLimit    = 30 * time.Minute
	blockedLimit = 30 * time.Second
)

// heard is the engine as the screen sees it, with an ear for the interrupt: ctrl+c is a key there, and the exit code must tell of it.
type heard struct {
	ui.Engine
	end *endgame
}

// Post hands a command over.
func (h heard) Post(c bench.Command) {
	switch c := c.(type) {
	case bench.Stop:
		if c.Why == whyInterrupted {
			h.end.noteInterrupt()
		}
	case bench.Kill:
		if c.Why == whyInterrupted {
			h.end.noteInterrupt()
		}
	}
	h.Engine.Post(c)
}

// showScreen opens the dashboard and ends the run when it is left. It returns the frame to leave in the terminal, and what libraries wrote
// meanwhile.
func (r *session) showScreen() (frame, stray string) {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	keepTerminal()
	release := capture()
	r.end.onScreen(leave)
	result, err := r.openScreen(ctx)
	r.end.onScreen(nil)
	r.private, r.ascii = result.Private, result.ASCII
	restoreModes()
	stray = release()
	switch {
	case result.Crash != "":
		r.crash.note(result.Crash)
		r.end.kill("internal error")
	case errors.Is(err, ui.ErrStuck):
		// The summary may wait for ever to be taken.
		patience := lastResort
		if result.Killed {
			r.end.kill("quit")
		} else {
			r.engine.Post(bench.Stop{Why: "quit"})
		}
		code := r.end.code()
		if r.end.cut() || code != exitOK && code != exitInterrupted {
			// Who cuts what is in flight waits for nothing, and whoever sends other signals does not wait for long.
			patience = parting
		}
		r.end.force(code, patience)
	case err != nil && ctx.Err() == nil:
		r.crash.note("screen: " + err.Error())
		r.end.kill("internal error")
	case result.Killed:
		r.end.kill("quit")
	default:
		r.engine.Post(bench.Stop{Why: "quit"})
	}
	return result.Frame, stray
}

// away tells whether any target is not on this machine.
func (r *session) away() bool {
	return r.target.away || slices.ContainsFunc(r.others, func(o *contender) bool { return o.target.away })
}

// attended tells whether the run has to be watched: it is somebody else's machine, and there is no end to it.
func (r *session) attended() bool { return r.away() && !r.set.unattended && r.set.duration == 0 }

func (r *session) openScreen(ctx context.Context) (result ui.Result, err error) {
	defer r.crash.catch(func() { r.end.kill("internal error") })
	s := r.set.screen
	o := ui.Options{
		Engine: heard{r.engine, r.end}, In: r.Stdin, Out: r.Stdout, Env: r.text, Interrupts: r.end.interrupts,
		Theme: s.look, ASCII: s.ascii, Unicode: s.unicode, NoSync: s.noSync, FPS: s.fps, Window: s.window, Step: r.set.step,
		Curl: r.curl, Recording: r.recording.shown,
		Keys: s.keys, Mouse: s.mouse,
	}
	o.Deck, o.Ghost = r.deck, s.past
	o.Stands = r.door.stands
	o.Private, o.Bell, o.NoTitle = s.private, s.bell == "slo", s.noTitle
	saver := &saver{dir: s.saveDir, clean: r.clean, end: r.set.wording(), kept: r.recording.kept, now: time.Now}
	o.Save = saver.save
	defer saver.wait()
	if o.Color, err = style.ParseChoice(s.color); err != nil {
		return ui.Result{}, err
	}
	if o.Graph, err = chart.ParseMode(s.graph); err != nil {
		return ui.Result{}, err
	}
	if r.attended() {
		o.IdleLimit, o.BlockedLimit = idleLimit, blockedLimit
	}
	return ui.Run(ctx, o)
}
