package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"redline/bench"
	"redline/ui/term"
)

const (
	// maxFlushes bounds how often tea writes to the terminal: keys show within 70 ms, and its idle ticker costs little.
	maxFlushes = 15
	// patience is how long leaving waits for a terminal that takes no output.
	patience = 2 * time.Second
)

// Run shows the dashboard until the operator has left it. The run itself may be over before (the screen then shows DONE and waits) or
// not after: the caller stops an engine that still runs. Cancelling ctx leaves at once.
func Run(ctx context.Context, o Options) (Result, error) {
	o, _, tty := o.filled()
	e := &exit{engine: o.Engine}
	out := o.Out
	var screen *term.Screen
	var early []tea.Msg
	f, isFile := o.Out.(*os.File)
	if isFile {
		screen = term.NewScreen(f, tty && !o.NoSync)
		early = o.ask(ctx, screen)
	}
	m := newModel(o, tty, e)
	m.early = early
	if isFile {
		m.meter.bytes, m.terminal = screen.Bytes, screen
		out = screen
		screen.Enter()
	}
	p := program(ctx, m, o.In, out)
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	s := session{o: &o, exit: e, program: p, done: done}
	if screen != nil {
		s.screen = screen
	}
	err := s.wait(ctx)
	if screen != nil {
		if s.stuck || m.crashed(err) {
			screen.Restore()
		} else if !screen.Leave() {
			s.stuck, err = true, ErrStuck
		}
	}
	return m.result(s.stuck, err)
}

// program is the tea program: no signal handling of its own, as signals belong to the caller.
func program(ctx context.Context, m *model, in io.Reader, out io.Writer) *tea.Program {
	return tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(),
		tea.WithoutSignalHandler(), tea.WithFPS(maxFlushes))
}

// session watches a program from outside, where a terminal that takes no output cannot stop it.
type session struct {
	o       *Options
	exit    *exit
	program *tea.Program
	// screen tells for how long the terminal has taken no output; nil where nothing can.
	screen interface{ BlockedFor(time.Time) time.Duration }
	done   <-chan error
	// stuck says that the program did not end in time and was left behind.
	stuck  bool
	paused bool
}

// ErrStuck says that the dashboard was left while the terminal took no output: nothing more can be shown there.
var ErrStuck = errors.New("the terminal takes no output")

// wait returns when the program has ended.
func (s *session) wait(ctx context.Context) error {
	interrupts := s.o.Interrupts
	watch := time.NewTicker(time.Second)
	defer watch.Stop()
	for {
		select {
		case err := <-s.done:
			return err
		case <-ctx.Done():
			return s.force()
		case _, ok := <-interrupts:
			switch {
			case !ok:
				interrupts = nil
			case s.exit.interrupt():
				return s.force()
			default:
				// Send waits for the program, which may hang on the terminal.
				go s.program.Send(wake{})
			}
		case now := <-watch.C:
			if s.blocked(now) && s.exit.over() && s.exit.leaving() {
				return s.force()
			}
		}
	}
}

// force ends the program, waiting only so long for a terminal that may be gone.
func (s *session) force() error {
	go s.program.Quit()
	for _, end := range []func(){func() {}, s.program.Kill} {
		end()
		late := time.NewTimer(patience)
		select {
		case err := <-s.done:
			late.Stop()
			return err
		case <-late.C:
		}
	}
	s.stuck = true
	return ErrStuck
}

// blocked pauses the run when the terminal has taken no output for too long, once for every time that it happens; it tells whether the
// terminal hangs for good.
func (s *session) blocked(now time.Time) bool {
	if s.screen == nil {
		return false
	}
	hung := s.screen.BlockedFor(now)
	if limit := s.o.BlockedLimit; limit > 0 && hung >= limit {
		if !s.paused {
			s.o.Engine.Post(bench.Pause{Why: "the terminal took no output for " + span(limit)})
		}
		s.paused = true
	} else {
		s.paused = false
	}
	return hung > patience
}

func (m *model) crashed(err error) bool { return m.crash != "" || errors.Is(err, tea.ErrProgramPanic) }

// result is how it went. A program that was told to end from outside has ended well.
func (m *model) result(stuck bool, err error) (Result, error) {
	r := Result{Killed: m.exit.wasKilled(), Private: m.exit.isPrivate(), ASCII: m.o.ASCII}
	if stuck {
		// The program may still run and own the model.
		return r, err
	}
	r.Crash = m.crash
	if m.keep {
		r.Frame = m.frame
	}
	switch {
	case m.crash != "":
		return r, errors.New("the dashboard crashed")
	case errors.Is(err, tea.ErrProgramPanic):
		return r, fmt.Errorf("the dashboard crashed: %w", err)
	case errors.Is(err, tea.ErrProgramKilled):
		return r, nil
	case err != nil:
		return r, fmt.Errorf("screen: %w", err)
	}
	return r, nil
}
