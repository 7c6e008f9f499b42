// Package view draws screens: pure functions of a snapshot and of what the operator has chosen to look at, giving rows of text. It
// keeps caches, but none that a frame depends on; it knows no keyboard, no clock and no terminal.
package view

import (
	"time"

	"redline/bench"
	"redline/bench/analysis"
	"redline/ui/action"
	"redline/ui/chart"
	"redline/ui/style"
)

// Scope is the stretch of the run that the number columns speak of.
type Scope uint8

const (
	// Level: since the last change of load, note or recovery.
	Level Scope = iota
	// Window: what the lanes show.
	Window
	// Run: everything.
	Run
	numScopes
)

// String is the scope's word.
func (s Scope) String() string { return [...]string{"level", "window", "run"}[s%numScopes] }

// Next is the scope after this one.
func (s Scope) Next() Scope { return (s + 1) % numScopes }

// Windows are the spans that lanes can show, shortest first; 0 is the whole run.
var Windows = []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 0}

// Asking is what the input line asks for.
type Asking uint8

const (
	// ForLoad: a load, in the unit of the mode in force.
	ForLoad Asking = iota
	ForNote
	// ForProfile: a ramp to the redline, or a profile; ForCruise: the limits of a cruise.
	ForProfile
	ForCruise
	// ForPromise: the promise of the chosen metric.
	ForPromise
	// ForFilter: words that rows must have.
	ForFilter
	// ForCommand: the name of an action.
	ForCommand
	// ForHelp: words that rows of the help must have.
	ForHelp
)

// Entry is the input line.
type Entry struct {
	For Asking
	// Prompt asks for Text; Hint stands dim behind it, Problem instead of Hint when the text was refused.
	Prompt, Text, Hint, Problem string
}

// State is what the operator has chosen, and what the program knows besides the snapshot.
type State struct {
	Set  *style.Set
	W, H int
	// Window is the span of the lanes, 0 the whole run; with Growing a run that is younger than that has a shorter one that it fills.
	// Percentile what the TTFT and ITL lanes plot.
	Window     time.Duration
	Growing    bool
	Percentile bench.Percentile
	Scope      Scope
	// Reference is the pinned level; nil compares with the level before.
	Reference *bench.Level
	// Why is the diagnosis of the level in force, as it was followed; nil makes one of the snapshot alone.
	Why *analysis.Diagnosis
	// Step is what + and - add.
	Step           float64
	Locked, Frozen bool
	// FrozenFor is how old a frozen view is, Live the run as it is now: the load goes on being shown and driven.
	FrozenFor time.Duration
	Live      *bench.Snapshot
	Mode      action.Mode
	// View is what is looked at, Metric the lane or the metric that is chosen in it; Chosen tells that one is, so that Live shows it.
	View   action.View
	Metric bench.Metric
	Chosen bool
	// Expanded shows the chosen lane alone, in full.
	Expanded bool
	// Log are the views whose values stand on a logarithmic scale.
	Log [action.NumViews]bool
	// Cursor is the instant that the time cursor reads; absent while there is none.
	Cursor bench.Mark
	// Graph is how lanes, curves and bars are drawn.
	Graph chart.Mode
	// Ghost is the level of this run that stands behind the lanes; nil without one. Earlier is the run that can stand there instead, nil without one, and Aligned by what
	// it does; at most one of the two stands there.
	Ghost   *bench.Level
	Earlier *Earlier
	Aligned Alignment
	// Private hides prompts, answers and names of hosts.
	Private bool
	// Mouse tells that the mouse is heard.
	Mouse bool
	// Journal is what is known of single requests, while a view shows them; nil before.
	Journal *bench.Journal
	// Row is the chosen row of each list, from 0; the Requests hold on to a request instead, by its ID (0: none yet), since rows come and go. So does the Curve:
	// its Row is the ID of a level at the chosen load, and 1 (0: none yet).
	Row     [action.NumViews]int
	Told    Told
	Request uint64
	// Inspecting shows the chosen request in full, from line Scroll on.
	Inspecting bool
	Scroll     int
	// Filter is what the rows of each list must have, Sort the column that the Requests are sorted by, Reversed the other order.
	Filter   [action.NumViews]string
	Sort     Sort
	Reversed bool
	// Across is what Heat has on its x axis, Cell its chosen cell.
	Across Across
	Cell   Cell
	// Within is the cell of Heat that the Requests are held to (see State.within).
	Within Within
	// Palette and Picker are the lists in front of the view; nil while they are closed. The palette's text is in Entry.
	Palette *Palette
	Picker  *Picker
	// HelpPage is the page of the help that is open, from 0; HelpWords are what its rows must have.
	HelpPage  int
	HelpWords string
	// Keys are the keys in force; nil are the table's own.
	Keys  *action.Map
	Entry *Entry
	// Sheet is the sheet of ramps and profiles, Course that of the cruise; nil while they are closed. Their text is in Entry.
	Sheet  *Sheet
	Course *Course
	// Notice stands in the footer for a while: a refusal, a hint.
	Notice string
	// Replay is how the recording is being shown that the run comes from; nil where the run is driven.
	Replay *bench.Playback
	// Recording is how the run is kept.
	Recording Recording
	// BytesPerSecond is what this screen has cost lately; below 0 not known. FPS is how often it is drawn.
	BytesPerSecond float64
	// Drawing is the share of one core, 0..1, that drawing has taken lately; absent while it is not known.
	Drawing bench.Value
	FPS     int
}

// EffectiveWindow is the window in force at an instant of the run, on a plot of so many cells: a growing one has the most cells for each
// second, or else the fewest seconds for each cell, with which the whole run still fits.
func (s *State) EffectiveWindow(now time.Duration, cells int) time.Duration {
	if !s.Growing {
		return s.Window
	}
	for repeat := max(cells/30, min(cells/12, 2)); repeat >= 1; repeat-- {
		if w := time.Duration(cells/repeat) * time.Second; w >= now && (w < s.Window || s.Window == 0) {
			return w
		}
	}
	if cells < 1 {
		return s.Window
	}
	for _, width := range roundWidths[1:] {
		// Near the window that was asked for it takes its place.
		if w := time.Duration(cells) * width; w >= s.Window-s.Window/12 {
			break
		} else if w >= now {
			return w
		}
	}
	return s.Window
}

// Action is the state as the table of actions sees it.
func (s *State) Action(snap *bench.Snapshot) action.State {
	out := ActionState(snap, s.Locked, s.Frozen, s.Mode)
	out.Typed = s.Entry != nil && s.Entry.Text != ""
	out.View, out.Inside = s.View, s.Inside()
	out.Recorded = s.Replay != nil
	out.Playing = out.Recorded && s.Replay.Playing
	return out
}

// ActionState is what a snapshot and the dashboard's own switches mean for the table of actions.
func ActionState(s *bench.Snapshot, locked, frozen bool, mode action.Mode) action.State {
	works := 0
	if s.Run != nil {
		works = len(s.Run.Works)
	}
	raising := s.Ask != nil && s.Ask.Raises
	followed, held := false, false
	if p := s.Following; p != nil && !p.Over {
		followed, held = !p.Held, p.Held
	}
	onRamp, onCruise := onRamp(s) != nil, onCruise(s) != nil
	sought := s.Following != nil && s.Following.Profile != nil || s.Ramping != nil && s.Ramping.Ramp != nil
	targets, both := 1, false
	if r := s.Rivals; r != nil {
		targets, both = len(r.Names), r.Both
	}
	return action.State{Works: works, Targets: targets, Both: both, Followed: followed, Held: held, Ramped: onRamp, Cruised: onCruise, Sought: sought, Run: s.State, CanUndo: s.CanUndo > 0 || s.Moving.OK, CanRedo: s.CanRedo > 0, Load: s.Target, Was: s.Was, InFlight: s.InFlight,
		Raising: raising, Locked: locked, Frozen: frozen, Mode: mode}
}
