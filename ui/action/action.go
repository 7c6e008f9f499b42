// Package action owns the table of what an operator can do: one row per action with its keys, its words and its conditions.
// Dispatch, footer, help and the written key table all read it. It knows nothing of engines, frames or terminals.
package action

import (
	"strings"

	"redline/bench"
)

// Action is something that a key asks for.
type Action uint8

const (
	// None is no action.
	None Action = iota
	Raise
	Lower
	Double
	Halve
	Step
	Exact
	Undo
	Redo
	Flip
	Pause
	Cancel
	Drain
	Loop
	Work
	// Ramp opens the sheet of what sets the load by itself: a ramp to the redline, or a profile; Cruise that of a cruise.
	Ramp
	Cruise
	// Other drives the next target of several, Both all of them.
	Other
	Both
	Lock
	Note
	Pin
	Scope
	Percentile
	Shorter
	Longer
	Freeze
	Theme
	Save
	Threshold
	Clear
	ShowLive
	ShowCurve
	ShowHeat
	ShowRequests
	ShowServer
	ShowLog
	ShowDiagnosis
	Next
	Previous
	Up
	Down
	PageUp
	PageDown
	First
	Last
	Earlier
	Later
	Open
	Back
	Logarithm
	Arrange
	Reverse
	Filter
	Copy
	Ghost
	Private
	Mouse
	Palette
	Help
	Quit
	QuitLeaving
	Interrupt
	Suspend
	Redraw
	// Yes and No answer the engine's open question.
	Yes
	No
	// QuitDrain, QuitKill and QuitStay answer "quit?".
	QuitDrain
	QuitKill
	QuitStay
	// CloseHelp closes the help overlay.
	CloseHelp
	// Begin, Again, GiveUp, Edit and CloseSheet answer the sheet of ramps and profiles.
	Begin
	Again
	GiveUp
	Edit
	CloseSheet
	// Steer, NextPromise, LastPromise, LetGo and CloseCruise answer that of the cruise.
	Steer
	NextPromise
	LastPromise
	LetGo
	CloseCruise
	// RunCommand, CommandUp, CommandDown and ClosePalette answer the command palette.
	RunCommand
	CommandUp
	CommandDown
	ClosePalette
	// KeepTheme, ThemeUp, ThemeDown and DropTheme answer the list of themes.
	KeepTheme
	ThemeUp
	ThemeDown
	DropTheme
	// Play and those behind it are of a recording that is shown (see Recording): it plays or rests, and they go about in it.
	Play
	SkipBack
	SkipOn
	MinuteBack
	MinuteOn
	LandmarkBack
	LandmarkOn
	ToBegin
	ToEnd
	Slower
	Faster
	// SeekTo goes to an instant that is typed, Tempo plays at a speed that is.
	SeekTo
	Tempo
	numActions
)

// Group is the heading under which help lists an action.
type Group uint8

const (
	Load Group = iota
	// Replay: what goes about in a recording.
	Replay
	Measure
	Look
	App
	Answers
	numGroups
)

// String is the heading.
func (g Group) String() string {
	return [...]string{"load", "replay", "measure", "look", "app", "answers"}[min(g, numGroups-1)]
}

// Mode says who hears the keys: the dashboard, or a question in front of it.
type Mode uint8

const (
	// Driving: the dashboard.
	Driving Mode = iota
	// Asked: the engine's question is open; keys that do not answer it stay the dashboard's.
	Asked
	// Quitting: "quit?" is open; only its answers are heard.
	Quitting
	// Helping: the help overlay covers the screen; the dashboard's keys go on working.
	Helping
	// Planning: the sheet of ramps and profiles is open; what is typed goes into it.
	Planning
	// Steering: that of the cruise is; what is typed are its limits.
	Steering
	// Commanding: the command palette is open; what is typed narrows it.
	Commanding
	// Picking: the list of themes is open, and the screen shows the one that is chosen.
	Picking
	numModes
)

// alone tells whether the dashboard's own keys wait until it is closed.
func (m Mode) alone() bool {
	return m == Quitting || m == Planning || m == Steering || m == Commanding || m == Picking
}

// View is what the screen shows.
type View uint8

const (
	// Live: the load above five lanes.
	Live View = iota
	// Curve: what came of each load.
	Curve
	// Heat: how latencies are spread, over time.
	Heat
	// Requests: single requests.
	Requests
	// Server: what its answers tell.
	Server
	// Log: all events.
	Log
	// Diagnosis: promises, this client, what can be believed.
	Diagnosis
	NumViews
)

// String is the view's name.
func (v View) String() string {
	return [...]string{"live", "curve", "heat", "requests", "server", "log", "diagnosis", ""}[v&7]
}

// Title is the view's name as a heading.
func (v View) Title() string {
	name := v.String()
	return strings.ToUpper(name[:min(len(name), 1)]) + name[min(len(name), 1):]
}

// Class is what kind of thing an action changes. A key has one class, whatever is on screen.
type Class uint8

const (
	// Changes the load or the sending of requests.
	Drives Class = iota
	// Measures: marks, scopes and references; no request is sent or held for it.
	Measures
	// Looks: only what is drawn.
	Looks
	// Leaves or returns to the program.
	Leaves
	// Replies to a question.
	Replies
)

// State is what the availability of actions depends on.
type State struct {
	Run              bench.RunState
	CanUndo, CanRedo bool
	// Load is the load as set, Was the one before; InFlight counts running requests.
	Load, Was      bench.Setpoint
	InFlight       int
	Locked, Frozen bool
	// Works is how many workloads there are; Followed tells that a profile has the load, Held that it waits to get it back. Ramped tells that a ramp has it,
	// Cruised that a cruise has, Sought that there was a ramp or a profile, which could begin anew.
	Works           int
	Followed, Held  bool
	Ramped, Cruised bool
	Sought          bool
	// Targets is how many targets there are, Both tells that all of them are driven.
	Targets int
	Both    bool
	// Raising tells that the open question is one whose yes raises the load, or sends again.
	Raising bool
	// Typed tells that something stands in the input line.
	Typed bool
	Mode  Mode
	View  View
	// Inside tells that something is open within the view, which Back closes first.
	Inside bool
	// Rows is how many there are to choose from in the view's list or picture, Picked tells that one is chosen that can be opened, Scrolls that more is to be
	// read than there is room for, Alone that the chosen one is shown in full and nothing else. Only the footer asks: they are of the frame drawn last.
	Rows                   int
	Picked, Scrolls, Alone bool
	// Recorded tells that a recording is shown, Playing that it moves on.
	Recorded, Playing bool
}

// Loaded tells whether leaving now would end something that runs.
func (s State) Loaded() bool {
	switch s.Run {
	case bench.Running, bench.Draining, bench.Down, bench.Warming:
		return true
	case bench.Paused:
		return s.InFlight > 0
	}
	return false
}

// over tells whether no load command can have an effect any more.
func (s State) over() bool { return s.Run == bench.Done || s.Recorded }
