package ui

import (
	"io"
	"os"
	"runtime"
	"time"

	"redline/bench"
	"redline/themes"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
	"redline/ui/term"
	"redline/ui/view"
)

// flowing is how many looks a second make text flow.
const flowing = 10

// WholeRun is the window that holds all of the run.
const WholeRun time.Duration = -1

// Options are what Run needs. Engine, In and Out are required.
type Options struct {
	Engine Engine
	// Deck is the Engine where it plays a recorded run; nil where it drives one.
	Deck Deck
	// In and Out are the terminal. Pass files where there are files: they are asked for raw mode and size.
	In  io.Reader
	Out io.Writer
	// Env is the environment, os.Getenv if nil.
	Env func(string) string
	// Theme is how it looks at the start, themes.ANSI if nil; Color what the user said of colours; ASCII keeps to ASCII even where the
	// terminal could do more, Unicode draws with all characters whatever is known of it.
	Theme   *themes.Theme
	Color   style.Choice
	ASCII   bool
	Unicode bool
	// Graph is how lanes, curves and bars are drawn.
	Graph chart.Mode
	// NoSync leaves out the brackets by which a terminal shows a frame whole.
	NoSync bool
	// FPS is how often the screen looks for news, 1 to 30 a second; 0 means 4, or 2 with Remote.
	FPS int
	// Remote says that the terminal is reached over a network; the environment may say so too.
	Remote bool
	// Window is the span of the lanes at the start; 0 means two minutes, WholeRun all of the run.
	Window time.Duration
	// Step is what + and - add at the start; 0 means 1.
	Step int
	// Keys are the keys in force, those of the table if nil; Mouse hears the mouse from the start.
	Keys  *action.Map
	Mouse bool
	// Curl words a request as a command of curl; nil where there is nothing to ask.
	Curl func(*bench.Request) bench.Curl
	// Recording is asked how the run is kept; nil where nobody keeps it.
	Recording func() view.Recording
	// Interrupts brings interrupts from outside (signals): each one is what ctrl+c would be. The first stops and drains, the second leaves
	// at once. May be nil.
	Interrupts <-chan struct{}
	// IdleLimit pauses the run after so long without a key, BlockedLimit when the terminal has taken no output for so long. 0 is no limit:
	// leave both 0 for an unattended run.
	IdleLimit, BlockedLimit time.Duration
	// Ghost is an earlier run to race, from the first frame on; nil without one.
	Ghost *view.Earlier
	// Private hides from the first frame what a bench.Veil hides.
	Private bool
	// Save writes a frame and what goes with it into files, and tells where in few words. It is called off the screen's loop, one call at a time; nil
	// where nothing can be saved.
	Save func(Frame) (where string, err error)
	// Stands is told whether what raises the load is locked, and whether the screen is private: at the start, and when it changes. It is called from the screen's
	// loop, and may be nil.
	Stands func(locked, private bool)
	// Bell rings the terminal's bell when a promise breaks.
	Bell bool
	// NoTitle leaves the title of the terminal's window alone.
	NoTitle bool

	// flow is how often the screen looks for news while it shows a stream's text, in looks a second.
	flow int
	// asks says that the terminal is to be asked how wide it draws, with so much patience.
	asks     bool
	patience time.Duration
}

// Result tells how the dashboard was left.
type Result struct {
	// Killed says that the operator did not wait for what was in flight.
	Killed bool
	// Frame is the last frame, if it is to be left in the terminal; else empty.
	Frame string
	// Private says that the dashboard was private when it was left: what is told after it has to be, too.
	Private bool
	// ASCII says that the dashboard kept to ASCII: what is told after it has to, too.
	ASCII bool
	// Crash is the trace of a panic in the dashboard, to be printed now that the terminal is itself again; the error says so too.
	Crash string
}

// filled is the options with what was left out.
func (o Options) filled() (Options, term.Facts, bool) {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	f, isFile := o.Out.(*os.File)
	tty := isFile && term.IsTerminal(f)
	facts := term.Look(o.Env, runtime.GOOS, tty)
	o.flow = o.FPS
	if o.FPS < 1 {
		o.FPS, o.flow = facts.FPS(), flowing
		if o.Remote {
			o.FPS = term.Facts{SSH: true}.FPS()
		}
		if o.Remote || facts.SSH {
			o.flow = o.FPS
		}
	}
	o.FPS = min(o.FPS, 30)
	if o.Theme == nil {
		o.Theme = themes.ANSI()
	}
	if o.Window == 0 {
		o.Window = 2 * time.Minute
	}
	o.asks = facts.Asks() && !o.ASCII && !o.Unicode
	o.patience = term.Facts{SSH: o.Remote || facts.SSH}.Patience()
	o.ASCII = o.ASCII || facts.ASCII() && !o.Unicode
	// The text console has no window.
	o.NoTitle = o.NoTitle || facts.Console || facts.Plain()
	o.Step = max(o.Step, 1)
	return o, facts, tty
}

// looks holds the theme in use and makes themes ready.
type looks struct {
	env     func(string) string
	profile style.Profile
	glyphs  *style.Glyphs
	theme   *themes.Theme
}

func newLooks(o *Options, tty bool) looks {
	l := looks{env: o.Env, profile: style.Decide(o.Color, o.Env, tty), glyphs: style.Unicode, theme: o.Theme}
	if o.ASCII {
		l.glyphs = style.ASCII
	}
	return l
}

// set is the theme made ready.
func (l *looks) set() *style.Set { return l.dress(l.theme) }

// dress makes a theme ready.
func (l *looks) dress(t *themes.Theme) *style.Set { return style.New(t, l.profile, l.glyphs) }

// told names the theme in use.
func (l *looks) told() string {
	if l.profile < style.ANSI16 {
		return "theme " + l.theme.Name + " (no colours here)"
	}
	return "theme " + l.theme.Name
}
