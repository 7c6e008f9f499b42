// Package view draws screens: pure functions of a snapshot and of what the operator has chosen to look at, giving rows of text. It
// keeps caches, but none that a frame depends on; it knows no keyboard, no clock and no terminal.
package view

import (
	"time"

	"redline/bench"
	"redline/ui/action"
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

// Entry is the input line.
type Entry struct {
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
	// Step is what + and - add.
	Step           float64
	Locked, Frozen bool
	// FrozenFor is how old a frozen view is, Live the run as it is now: the load goes on being shown and driven.
	FrozenFor time.Duration
	Live      *bench.Snapshot
	Mode      action.Mode
	// HelpPage is the page of the help that is open, from 0.
	HelpPage int
	Entry    *Entry
	// Sheet is the profile sheet, nil while it is closed; its text is in Entry.
	Sheet *Sheet
	// Notice stands in the footer for a while: a refusal, a hint.
	Notice string
	// Recording shows REC.
	Recording bool
	// BytesPerSecond is what this screen has cost lately; below 0 not known. FPS is how often it is drawn.
	BytesPerSecond float64
	FPS            int
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

// action is the state as the table of actions sees it.
func (s *State) action(snap *bench.Snapshot) action.State {
	out := ActionState(snap, s.Locked, s.Frozen, s.Mode)
	out.Typed = s.Entry != nil && s.Entry.Text != ""
	return out
}

// ActionState is what a snapshot and the dashboard's own switches mean for the table of actions.
func ActionState(s *bench.Snapshot, locked, frozen bool, mode action.Mode) action.State {
	works := 0
	if s.Run != nil {
		works = len(s.Run.Works)
	}
	followed, held := false, false
	if p := s.Following; p != nil && !p.Over {
		followed, held = !p.Held, p.Held
	}
	return action.State{Works: works, Followed: followed, Held: held, Run: s.State, CanUndo: s.CanUndo > 0 || s.Moving.OK, CanRedo: s.CanRedo > 0, Load: s.Target, Was: s.Was, InFlight: s.InFlight,
		Locked: locked, Frozen: frozen, Mode: mode}
}
