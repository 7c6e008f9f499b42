package action

import "redline/bench"

// Binding is one row of the table.
type Binding struct {
	Action Action
	// Keys are the names that the keyboard gives, in the words of Key; Show is how help and the footer write them.
	Keys []string
	Show string
	Mode Mode
	// Group and Help place and explain it.
	Group Group
	Class Class
	Help  string
	// Label is its word in the footer, after FootKeys (or Show); empty keeps it out. Priority 1 leaves the footer last.
	Label, FootKeys string
	Priority        int
	// Raises marks what raises the load, always or (with Undecided) depending on the history: what the lock refuses.
	Raises, Undecided bool
	// Right sets it at the footer's right end.
	Right bool
	// needs is the condition under which it works; nil is always.
	needs func(State) bool
}

func running(s State) bool { return !s.over() && s.Run != bench.Waiting }
func open(s State) bool    { return !s.over() }

// Table is every binding, in the order in which help and footer list them.
var Table = []Binding{
	{Action: Raise, Keys: []string{"+", "="}, Show: "+ =", Group: Load, Class: Drives, Help: "one step more", Label: "load", FootKeys: "+/-", Priority: 1, Raises: true, needs: open},
	{Action: Lower, Keys: []string{"-", "_"}, Show: "- _", Group: Load, Class: Drives, Help: "one step less", Label: "less", FootKeys: "-", Priority: 1, needs: open},
	{Action: Double, Keys: []string{">"}, Show: ">", Group: Load, Class: Drives, Help: "double the load; a big rise asks", Raises: true, needs: open},
	{Action: Halve, Keys: []string{"<"}, Show: "<", Group: Load, Class: Drives, Help: "halve the load", needs: open},
	{Action: Step, Keys: []string{"s"}, Show: "s", Group: Load, Class: Drives, Help: "step size 1, 2, 4, 8, 16; open loop 0.1 to 50 req/s", Label: "step", Priority: 7, needs: open},
	{Action: Exact, Keys: []string{"c"}, Show: "c", Group: Load, Class: Drives, Help: "type a load: 48, +6, x2, 50%; open loop 2.5/s, 150/m", Label: "set", Priority: 5, needs: open},
	{Action: Undo, Keys: []string{"u"}, Show: "u", Group: Load, Class: Drives, Help: "back through the load history; takes a moving burst back", Label: "undo", Priority: 4,
		Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanUndo }},
	{Action: Redo, Keys: []string{"U"}, Show: "U", Group: Load, Class: Drives, Help: "forward again", Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanRedo }},
	{Action: Flip, Keys: []string{"z"}, Show: "z", Group: Load, Class: Drives, Help: "flip between the last two loads", Label: "flip", Priority: 11,
		Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanUndo }},
	{Action: Pause, Keys: []string{"space"}, Show: "space", Group: Load, Class: Drives, Help: "pause or resume sending; running requests finish", Label: "pause", FootKeys: "spc", Priority: 3, needs: open},
	{Action: Cancel, Keys: []string{"0"}, Show: "0", Group: Load, Class: Drives, Help: "emergency stop: load 0, cancel what is in flight; never asks", Label: "stop all", Priority: 12, needs: running},
	{Action: Drain, Keys: []string{"x"}, Show: "x", Group: Load, Class: Drives, Help: "drain to a pause that can be resumed", needs: running},
	{Action: Loop, Keys: []string{"m"}, Show: "m", Group: Load, Class: Drives, Help: "closed loop (in flight) or open loop (requests a second); asks", Label: "loop", Priority: 10,
		Raises: true, needs: open},
	{Action: Work, Keys: []string{"w"}, Show: "w", Group: Load, Class: Drives, Help: "next workload; it begins a level", Label: "work", Priority: 6, needs: func(s State) bool { return open(s) && s.Works > 1 }},
	{Action: Profile, Keys: []string{"r"}, Show: "r", Group: Load, Class: Drives, Help: "a load planned ahead: see it, type another, start it, or hand the load back to it", Label: "profile", Priority: 8, needs: open},
	{Action: Lock, Keys: []string{"L"}, Show: "L", Group: Load, Class: Drives, Help: "lock the keys that raise the load; lowering always works", needs: open},

	{Action: Note, Keys: []string{"n"}, Show: "n", Group: Measure, Class: Measures, Help: "write a note at this instant; it begins a level", Label: "note", Priority: 8, needs: running},
	{Action: Pin, Keys: []string{"ctrl+r"}, Show: "ctrl+r", Group: Measure, Class: Measures, Help: "pin this level as the reference for Δ; again to unpin"},
	{Action: Scope, Keys: []string{"v"}, Show: "v", Group: Measure, Class: Measures, Help: "scope of the numbers: level, window, run", Label: "scope", Priority: 9},
	{Action: Percentile, Keys: []string{"p"}, Show: "p", Group: Measure, Class: Measures, Help: "plotted percentile: p50, p95, p99, max", Label: "percentile", Priority: 13},

	{Action: Shorter, Keys: []string{"[", ","}, Show: "[ ,", Group: Look, Class: Looks, Help: "shorter window", Label: "window", FootKeys: "[ ]", Priority: 10},
	{Action: Longer, Keys: []string{"]", "."}, Show: "] .", Group: Look, Class: Looks, Help: "longer window: 30 s, 1, 2, 5, 15 min, all"},
	{Action: Freeze, Keys: []string{"f"}, Show: "f", Group: Look, Class: Looks, Help: "freeze the view; measuring goes on", Label: "freeze", Priority: 6},
	{Action: Theme, Keys: []string{"T"}, Show: "T", Group: Look, Class: Looks, Help: "next theme"},
	{Action: Redraw, Keys: []string{"ctrl+l"}, Show: "ctrl+l", Group: Look, Class: Looks, Help: "draw the screen anew"},

	{Action: Help, Keys: []string{"?"}, Show: "?", Group: App, Class: Looks, Help: "this help; again for more of it", Label: "help", Priority: 2, Right: true},
	{Action: Quit, Keys: []string{"q"}, Show: "q", Group: App, Class: Leaves, Help: "quit; asks while loaded", Label: "quit", Priority: 1, Right: true},
	{Action: QuitLeaving, Keys: []string{"Q"}, Show: "Q", Group: App, Class: Leaves, Help: "quit, and leave the last frame in the terminal"},
	{Action: Interrupt, Keys: []string{"ctrl+c"}, Show: "ctrl+c", Group: App, Class: Leaves, Help: "once: stop, drain and keep the results; twice: leave at once"},
	{Action: Suspend, Keys: []string{"ctrl+z"}, Show: "ctrl+z", Group: App, Class: Leaves, Help: "pause, then suspend to the shell"},

	{Action: Yes, Keys: []string{"y", "enter"}, Show: "y enter", Mode: Asked, Group: Answers, Class: Replies, Help: "yes, to a question", Label: "yes", FootKeys: "y", Priority: 1},
	{Action: No, Keys: []string{"n", "esc"}, Show: "n esc", Mode: Asked, Group: Answers, Class: Replies, Help: "no, to a question", Label: "no", FootKeys: "n", Priority: 1},
	{Action: QuitDrain, Keys: []string{"d"}, Show: "d", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: drain and report", Label: "drain and report", Priority: 1},
	{Action: QuitKill, Keys: []string{"k"}, Show: "k", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: kill what is in flight", Label: "kill them", Priority: 2},
	{Action: QuitStay, Keys: []string{"esc", "q"}, Show: "esc", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: stay", Label: "stay", Priority: 3},
	{Action: CloseHelp, Keys: []string{"esc"}, Show: "esc", Mode: Helping, Group: Answers, Class: Replies, Help: "close help", Label: "close", Priority: 1},
	{Action: Begin, Keys: []string{"enter"}, Show: "enter", Mode: Planning, Group: Answers, Class: Replies, Help: "in the profile sheet: start it, or hand the load back", Label: "start", Priority: 1, Raises: true},
	{Action: Again, Keys: []string{"R"}, Show: "R", Mode: Planning, Group: Answers, Class: Replies, Help: "in the profile sheet: start it from the beginning", Label: "from the beginning", Priority: 3, Raises: true,
		needs: func(s State) bool { return (s.Followed || s.Held) && !s.Typed }},
	{Action: CloseSheet, Keys: []string{"esc"}, Show: "esc", Mode: Planning, Group: Answers, Class: Replies, Help: "in the profile sheet: leave it", Label: "leave", Priority: 2},
}

// Works tells whether the binding has an effect in a state; the lock is left out (see Refused).
func (b *Binding) Works(s State) bool {
	if b.Mode != Live && b.Mode != s.Mode {
		return false
	}
	if b.Mode == Live && (s.Mode == Quitting || s.Mode == Planning) && b.Class != Leaves && b.Action != Redraw {
		return false
	}
	return b.needs == nil || b.needs(s)
}

// Refused tells whether the lock refuses it: it would raise the load, or may.
func (b *Binding) Refused(s State) bool {
	if !s.Locked {
		return false
	}
	if b.Action == Pause {
		// Resuming, and starting, raise the load from nothing.
		return s.Run == bench.Paused || s.Run == bench.Waiting
	}
	if b.Undecided && b.Action != Redo {
		return s.Was.N > s.Load.N || s.Was.Mode != s.Load.Mode
	}
	return b.Raises
}

// Word is the footer's word for it in a state.
func (b *Binding) Word(s State) string {
	switch {
	case b.Action == Pause && s.Run == bench.Waiting:
		return "start"
	case b.Action == Pause && (s.Run == bench.Paused || s.Run == bench.Draining):
		return "resume"
	case b.Action == Loop && s.Load.Mode == bench.Closed:
		return "open loop"
	case b.Action == Loop:
		return "closed loop"
	case b.Action == Profile && s.Held:
		return "hands back"
	case b.Action == Begin && s.Typed:
	case b.Action == Begin && s.Held:
		return "hand the load back"
	case b.Action == Begin && s.Followed:
		return "go on"
	case b.Action == Freeze && s.Frozen:
		return "go on"
	}
	return b.Label
}
