package action

import (
	"slices"

	"redline/bench"
)

// Binding is one row of the table.
type Binding struct {
	Action Action
	// Name is its word in the palette and in settings: "raise". Alias is another, which both take too: what it was
	// called before, or what it does in one of its views; empty for most.
	Name, Alias string
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
	// Pair is the action that shares its place in the footer: +/-. Also is one whose keys it hears too, whatever they are.
	Pair, Also Action
	// Takes are examples of what may be typed behind its name in the palette; with Must it does nothing without.
	Takes    string
	Must     bool
	Priority int
	// Raises marks what raises the load, always or (with Undecided) depending on the history: what the lock refuses, the second where it would.
	Raises, Undecided bool
	// Right sets it at the footer's right end.
	Right bool
	// Views are those in which it works; all if there are none.
	Views []View
	// needs is the condition under which it works; nil is always.
	needs func(State) bool
}

func running(s State) bool { return !s.over() && s.Run != bench.Waiting }
func open(s State) bool    { return !s.over() }

// paired: there is more than one target.
func paired(s State) bool { return open(s) && s.Targets > 1 }

// elsewhere: a view is not gone to from itself, unless something is open in it.
func elsewhere(v View) func(State) bool {
	return func(s State) bool { return s.View != v || s.Inside }
}

// lists are the views with rows to go through, timed those with a time axis.
var (
	lists = []View{Curve, Requests, Server, Log, Diagnosis}
	timed = []View{Live, Heat, Server}
)

// Table is every binding with the keys that it has by itself, in the order in which help and footer list them. Map says which keys are in force.
var Table = []Binding{
	{Action: Raise, Name: "raise", Pair: Lower, Keys: []string{"+", "="}, Show: "+ =", Group: Load, Class: Drives, Help: "one step more", Label: "load", FootKeys: "+/-", Priority: 1, Raises: true, needs: open},
	{Action: Lower, Name: "lower", Keys: []string{"-", "_"}, Show: "- _", Group: Load, Class: Drives, Help: "one step less", Label: "less", FootKeys: "-", Priority: 1, needs: open},
	{Action: Double, Name: "double", Keys: []string{">"}, Show: ">", Group: Load, Class: Drives, Help: "double the load; a big rise asks", Raises: true, needs: open},
	{Action: Halve, Name: "halve", Keys: []string{"<"}, Show: "<", Group: Load, Class: Drives, Help: "halve the load", needs: open},
	{Action: Step, Name: "step", Takes: "4", Keys: []string{"s"}, Show: "s", Group: Load, Class: Drives, Help: "step size 1, 2, 4, 8, 16; open loop 0.1 to 50 req/s", Label: "step", Priority: 7, needs: open},
	{Action: Exact, Name: "load", Takes: "48, +6, x2, 50%", Keys: []string{"c"}, Show: "c", Group: Load, Class: Drives, Help: "type a load: 48, +6, x2, 50%; open loop 2.5/s, 150/m", Label: "set", Priority: 5, needs: open},
	{Action: Undo, Name: "undo", Keys: []string{"u"}, Show: "u", Group: Load, Class: Drives, Help: "back through the load history; takes a moving burst back", Label: "undo", Priority: 4,
		Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanUndo }},
	{Action: Redo, Name: "redo", Keys: []string{"U"}, Show: "U", Group: Load, Class: Drives, Help: "forward again", Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanRedo }},
	{Action: Flip, Name: "flip", Keys: []string{"z"}, Show: "z", Group: Load, Class: Drives, Help: "flip between the last two loads", Label: "flip", Priority: 11,
		Raises: true, Undecided: true, needs: func(s State) bool { return open(s) && s.CanUndo }},
	{Action: Pause, Name: "pause", Keys: []string{"space"}, Show: "space", Group: Load, Class: Drives, Help: "pause or resume sending; running requests finish", Label: "pause", FootKeys: "spc", Priority: 3, needs: open},
	{Action: Cancel, Name: "stop-all", Keys: []string{"0"}, Show: "0", Group: Load, Class: Drives, Help: "emergency stop: load 0, cancel what is in flight; never asks; in an input line it is text", Label: "stop all", Priority: 9, needs: running},
	{Action: Drain, Name: "drain", Keys: []string{"x"}, Show: "x", Group: Load, Class: Drives, Help: "drain to a pause that can be resumed", needs: running},
	{Action: Loop, Name: "loop", Keys: []string{"m"}, Show: "m", Group: Load, Class: Drives, Help: "closed loop (in flight) or open loop (requests a second); asks", Label: "loop", Priority: 10,
		Raises: true, needs: open},
	{Action: Work, Name: "workload", Keys: []string{"w"}, Show: "w", Group: Load, Class: Drives, Help: "next workload; it begins a level", Label: "work", Priority: 6, needs: func(s State) bool { return open(s) && s.Works > 1 }},
	{Action: Ramp, Name: "ramp", Alias: "profile", Takes: bench.RampForms + "; 4:1m, ramp 4..32 in 2m; off", Keys: []string{"r"}, Show: "r", Group: Load, Class: Drives, Help: "ramp to the redline, the greatest load that keeps the promises; or a profile, a load planned ahead", Label: "ramp", Priority: 8, needs: open},
	{Action: Cruise, Name: "cruise", Alias: "hold", Takes: "ttft, e2e.p95 4..64, off", Keys: []string{"g"}, Show: "g", Group: Load, Class: Drives, Help: "cruise control: keep a promise at its edge by moving the load", Label: "cruise", Priority: 11, needs: open},
	{Action: Other, Name: "other", Alias: "target", Keys: []string{"o"}, Show: "o", Group: Load, Class: Drives, Help: "drive the other target at the same load; where both are driven, show the other", Label: "other", Priority: 6,
		Raises: true, Undecided: true, needs: paired},
	{Action: Both, Name: "both", Alias: "compare", Keys: []string{"b"}, Show: "b", Group: Load, Class: Drives, Help: "drive both targets at the same load, side by side; again for one", Label: "both", Priority: 6,
		Raises: true, Undecided: true, needs: paired},
	{Action: Lock, Name: "lock", Takes: "on, off", Keys: []string{"L"}, Show: "L", Group: Load, Class: Drives, Help: "lock the keys that raise the load; lowering always works", needs: open},

	{Action: Note, Name: "note", Takes: "TEXT", Keys: []string{"n"}, Show: "n", Group: Measure, Class: Measures, Help: "write a note at this instant; it begins a level", Label: "note", Priority: 8, needs: running},
	{Action: Pin, Name: "pin", Keys: []string{"ctrl+r"}, Show: "ctrl+r", Group: Measure, Class: Measures, Help: "pin this level as the reference for Δ; again to unpin"},
	{Action: Scope, Name: "scope", Takes: "level, window, run", Keys: []string{"v"}, Show: "v", Group: Measure, Class: Measures, Help: "scope of the numbers: level, window, run", Label: "scope", Priority: 9},
	{Action: Percentile, Name: "percentile", Takes: "p50, p95, p99, max", Keys: []string{"p"}, Show: "p", Group: Measure, Class: Measures, Help: "plotted percentile: p50, p95, p99, max", Label: "percentile", Priority: 13},
	{Action: Threshold, Name: "promise", Alias: "threshold", Takes: "500ms, ttft.p99<=2s, errors<=1%, none", Keys: []string{"t"}, Show: "t", Group: Measure, Class: Measures, Help: "type the promise of the chosen lane: 500ms, p99<=2s, none", Label: "promise", Priority: 12,
		Views: []View{Live, Curve, Heat}, needs: open},
	{Action: Save, Name: "save", Keys: []string{"S"}, Show: "S", Group: Measure, Class: Measures, Help: "save this frame (text, ANSI) and the summary (JSON, Markdown)", Label: "save", Priority: 14},
	{Action: Clear, Name: "clear", Show: ":clear", Group: Measure, Class: Measures, Help: "forget what was measured so far; asks", needs: open},

	{Action: ShowLive, Name: "live", Keys: []string{"1", "f2"}, Show: "1 F2", Group: Look, Class: Looks, Help: "Live: the load above five lanes", Label: "live", FootKeys: "1", Priority: 6, needs: elsewhere(Live)},
	{Action: ShowCurve, Name: "curve", Keys: []string{"2", "f3"}, Show: "2 F3", Group: Look, Class: Looks, Help: "Curve: what came of each load", Label: "curve", FootKeys: "2", Priority: 6, needs: elsewhere(Curve)},
	{Action: ShowHeat, Name: "heat", Keys: []string{"3", "f4"}, Show: "3 F4", Group: Look, Class: Looks, Help: "Heat: how latencies are spread over time", Label: "heat", FootKeys: "3", Priority: 7, needs: elsewhere(Heat)},
	{Action: ShowRequests, Name: "requests", Keys: []string{"4", "f5"}, Show: "4 F5", Group: Look, Class: Looks, Help: "Requests: single ones, in flight and ended", Label: "requests", FootKeys: "4", Priority: 7, needs: elsewhere(Requests)},
	{Action: ShowServer, Name: "server", Keys: []string{"5", "f6"}, Show: "5 F6", Group: Look, Class: Looks, Help: "Server: its gauges, its quotas, what its answers tell", needs: elsewhere(Server)},
	{Action: ShowLog, Name: "log", Keys: []string{"6", "f7"}, Show: "6 F7", Group: Look, Class: Looks, Help: "Log: all events", needs: elsewhere(Log)},
	{Action: ShowDiagnosis, Name: "diagnosis", Keys: []string{"7", "f8"}, Show: "7 F8", Group: Look, Class: Looks, Help: "Diagnosis: why, the promises, this client, what can be believed", needs: elsewhere(Diagnosis)},
	{Action: Next, Name: "next", Keys: []string{"tab"}, Show: "tab", Group: Look, Class: Looks, Help: "choose the next lane or metric", Label: "lane", Priority: 9, Views: []View{Live, Curve, Heat}},
	{Action: Previous, Name: "previous", Keys: []string{"shift+tab"}, Show: "shift+tab", Group: Look, Class: Looks, Help: "choose the one before", Views: []View{Live, Curve, Heat}},
	{Action: Up, Name: "up", Pair: Down, Keys: []string{"up", "k"}, Show: "up k", Group: Look, Class: Looks, Help: "up: to a lane, row or cell", Label: "choose", FootKeys: "up down", Priority: 11},
	{Action: Down, Name: "down", Keys: []string{"down", "j"}, Show: "down j", Group: Look, Class: Looks, Help: "down"},
	{Action: PageUp, Name: "page-up", Keys: []string{"pgup", "ctrl+u"}, Show: "pgup ^u", Group: Look, Class: Looks, Help: "a page up in a list", Views: lists},
	{Action: PageDown, Name: "page-down", Keys: []string{"pgdown", "ctrl+d"}, Show: "pgdn ^d", Group: Look, Class: Looks, Help: "a page down in a list", Views: lists},
	{Action: First, Name: "first", Keys: []string{"home"}, Show: "home", Group: Look, Class: Looks, Help: "to the first row of a list", Views: lists},
	{Action: Last, Name: "last", Keys: []string{"end"}, Show: "end", Group: Look, Class: Looks, Help: "to the last row, and stay with it", Views: lists},
	{Action: Earlier, Name: "earlier", Keys: []string{"left", "h"}, Show: "left h", Group: Look, Class: Looks, Help: "time cursor: back; reads all lanes there", Views: timed},
	{Action: Later, Name: "later", Keys: []string{"right", "l"}, Show: "right l", Group: Look, Class: Looks, Help: "time cursor: forward, and out at the end", Views: timed},
	{Action: Open, Name: "open", Keys: []string{"enter", "e"}, Show: "enter e", Group: Look, Class: Looks, Help: "open what is chosen: the lane in full, the request, the load of a level", Label: "open", FootKeys: "enter", Priority: 8,
		Views: []View{Live, Curve, Heat, Requests, Log}},
	{Action: Back, Name: "back", Keys: []string{"esc"}, Show: "esc", Group: Look, Class: Looks, Help: "close what is open; then back to Live", Label: "back", Priority: 5,
		needs: func(s State) bool { return s.Inside || s.View != Live }},
	{Action: Logarithm, Name: "log-scale", Keys: []string{"y"}, Show: "y", Group: Look, Class: Looks, Help: "logarithmic or linear scale", Label: "log", Priority: 13, Views: []View{Live, Curve, Heat}},
	{Action: Arrange, Name: "arrange", Alias: "sort", Keys: []string{"a"}, Show: "a", Group: Look, Class: Looks, Help: "Requests: sort by the next column; Heat: time, prompt length or output position across", Label: "across", Priority: 9,
		Views: []View{Heat, Requests}},
	{Action: Reverse, Name: "reverse", Keys: []string{"A"}, Show: "A", Group: Look, Class: Looks, Help: "the other order", Views: []View{Requests}},
	{Action: Filter, Name: "filter", Takes: "WORDS", Keys: []string{"/"}, Show: "/", Group: Look, Class: Looks, Help: "show only what has these words", Label: "filter", Priority: 6, Views: []View{Requests, Log}},
	{Action: Copy, Name: "copy", Keys: []string{"Y"}, Show: "Y", Group: Look, Class: Looks, Help: "copy the request as curl, without its key", Label: "copy curl", Priority: 9, Views: []View{Requests}},
	{Action: Ghost, Name: "ghost", Keys: []string{"G"}, Show: "G", Group: Look, Class: Looks, Help: "a level, or an earlier run, behind the lanes", Views: []View{Live}},
	{Action: Private, Name: "private", Takes: "on, off", Keys: []string{"P"}, Show: "P", Group: Look, Class: Looks, Help: "hide prompts, answers and names of hosts"},
	{Action: Mouse, Name: "mouse", Takes: "on, off", Keys: []string{"M"}, Show: "M", Group: Look, Class: Looks, Help: "mouse on or off; a click chooses, the wheel never changes the load"},

	{Action: Shorter, Name: "shorter", Pair: Longer, Keys: []string{"[", ","}, Show: "[ ,", Group: Look, Class: Looks, Help: "shorter window", Label: "window", FootKeys: "[ ]", Priority: 10},
	{Action: Longer, Name: "longer", Keys: []string{"]", "."}, Show: "] .", Group: Look, Class: Looks, Help: "longer window: 30 s, 1, 2, 5, 15 min, all"},
	{Action: Freeze, Name: "freeze", Takes: "on, off", Keys: []string{"f"}, Show: "f", Group: Look, Class: Looks, Help: "freeze the view; measuring goes on", Label: "freeze", Priority: 6},
	{Action: Theme, Name: "theme", Takes: "NAME", Keys: []string{"T"}, Show: "T", Group: Look, Class: Looks, Help: "themes, each shown as you pass it"},
	{Action: Redraw, Name: "redraw", Keys: []string{"ctrl+l"}, Show: "ctrl+l", Group: Look, Class: Looks, Help: "draw the screen anew"},

	{Action: Palette, Name: "palette", Keys: []string{":"}, Show: ":", Group: App, Class: Looks, Help: "all actions by their names"},
	{Action: Help, Name: "help", Keys: []string{"?"}, Show: "?", Group: App, Class: Looks, Help: "this help; again for more of it", Label: "help", Priority: 2, Right: true,
		needs: func(s State) bool { return s.Mode != Asked }},
	{Action: Quit, Name: "quit", Keys: []string{"q"}, Show: "q", Group: App, Class: Leaves, Help: "quit; asks while loaded", Label: "quit", Priority: 1, Right: true},
	{Action: QuitLeaving, Name: "quit-leaving-frame", Keys: []string{"Q"}, Show: "Q", Group: App, Class: Leaves, Help: "quit, and leave the last frame in the terminal"},
	{Action: Interrupt, Name: "interrupt", Keys: []string{"ctrl+c"}, Show: "ctrl+c", Group: App, Class: Leaves, Help: "once: stop, drain and keep the results; twice: leave at once"},
	{Action: Suspend, Name: "suspend", Keys: []string{"ctrl+z"}, Show: "ctrl+z", Group: App, Class: Leaves, Help: "pause, then suspend to the shell"},

	{Action: Yes, Keys: []string{"y", "enter"}, Show: "y enter", Mode: Asked, Group: Answers, Class: Replies, Help: "yes, to a question; a held enter does not count", Label: "yes", FootKeys: "y", Priority: 1},
	{Action: No, Keys: []string{"n", "esc"}, Show: "n esc", Mode: Asked, Group: Answers, Class: Replies, Help: "no, to a question", Label: "no", FootKeys: "n", Priority: 1},
	{Action: QuitDrain, Keys: []string{"d"}, Show: "d", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: drain and report", Label: "drain and report", Priority: 1},
	{Action: QuitKill, Keys: []string{"k"}, Show: "k", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: kill what is in flight", Label: "kill them", Priority: 2},
	{Action: QuitStay, Also: Quit, Keys: []string{"esc"}, Show: "esc", Mode: Quitting, Group: Answers, Class: Replies, Help: "to quit?: stay", Label: "stay", Priority: 3},
	{Action: CloseHelp, Keys: []string{"esc"}, Show: "esc", Mode: Helping, Group: Answers, Class: Looks, Help: "close help", Label: "close", Priority: 1},
	{Action: Begin, Keys: []string{"enter"}, Show: "enter", Mode: Planning, Group: Answers, Class: Replies, Help: "in the sheet of ramps and profiles: start what is typed, or what is offered, or hand the load back", Label: "start", Priority: 1, Raises: true},
	{Action: Again, Keys: []string{"R"}, Show: "R", Mode: Planning, Group: Answers, Class: Replies, Help: "in that sheet: start the last one from the beginning", Label: "from the beginning", Priority: 3, Raises: true,
		needs: func(s State) bool { return s.Sought && !s.Typed }},
	{Action: GiveUp, Keys: []string{"X"}, Show: "X", Mode: Planning, Group: Answers, Class: Replies, Help: "in that sheet: give the ramp up; the load stays", Label: "give up", Priority: 2,
		needs: func(s State) bool { return s.Ramped && !s.Typed }},
	{Action: Edit, Keys: []string{"tab"}, Show: "tab", Mode: Planning, Group: Answers, Class: Replies, Help: "in that sheet: edit what is offered", Label: "edit", Priority: 4,
		needs: func(s State) bool { return !s.Typed }},
	{Action: CloseSheet, Keys: []string{"esc"}, Show: "esc", Mode: Planning, Group: Answers, Class: Replies, Help: "in that sheet: leave it", Label: "leave", Priority: 2},
	{Action: Steer, Keys: []string{"enter"}, Show: "enter", Mode: Steering, Group: Answers, Class: Replies, Help: "in the sheet of the cruise: start it", Label: "start", Priority: 1, Raises: true},
	{Action: LetGo, Keys: []string{"X"}, Show: "X", Mode: Steering, Group: Answers, Class: Replies, Help: "in that sheet: let go; the load stays", Label: "let go", Priority: 2,
		needs: func(s State) bool { return s.Cruised && !s.Typed }},
	{Action: NextPromise, Pair: LastPromise, Keys: []string{"tab", "down"}, Show: "tab", Mode: Steering, Group: Answers, Class: Replies, Help: "in that sheet: the next promise", Label: "promise", Priority: 3},
	{Action: LastPromise, Keys: []string{"shift+tab", "up"}, Show: "shift+tab", Mode: Steering, Group: Answers, Class: Replies, Help: "in that sheet: the promise before"},
	{Action: CloseCruise, Keys: []string{"esc"}, Show: "esc", Mode: Steering, Group: Answers, Class: Replies, Help: "in that sheet: leave it", Label: "leave", Priority: 2},
	{Action: RunCommand, Keys: []string{"enter"}, Show: "enter", Mode: Commanding, Group: Answers, Class: Replies, Help: "in the palette: do it", Label: "do it", Priority: 1},
	{Action: CommandUp, Pair: CommandDown, Keys: []string{"up", "shift+tab"}, Show: "up", Mode: Commanding, Group: Answers, Class: Replies, Help: "in the palette: the action above", Label: "choose", FootKeys: "up down", Priority: 3},
	{Action: CommandDown, Keys: []string{"down", "tab"}, Show: "down", Mode: Commanding, Group: Answers, Class: Replies, Help: "in the palette: the action below"},
	{Action: ClosePalette, Keys: []string{"esc"}, Show: "esc", Mode: Commanding, Group: Answers, Class: Replies, Help: "in the palette: leave it", Label: "leave", Priority: 2},
	{Action: KeepTheme, Keys: []string{"enter"}, Show: "enter", Mode: Picking, Group: Answers, Class: Replies, Help: "among the themes: keep this one", Label: "keep", Priority: 1},
	{Action: ThemeUp, Pair: ThemeDown, Keys: []string{"up", "k", "shift+tab"}, Show: "up k", Mode: Picking, Group: Answers, Class: Replies, Help: "among the themes: the one above", Label: "choose", FootKeys: "up down", Priority: 3},
	{Action: ThemeDown, Also: Theme, Keys: []string{"down", "j", "tab"}, Show: "down j T", Mode: Picking, Group: Answers, Class: Replies, Help: "among the themes: the one below"},
	{Action: DropTheme, Keys: []string{"esc", "q"}, Show: "esc", Mode: Picking, Group: Answers, Class: Replies, Help: "among the themes: back to the one before", Label: "back", Priority: 2},
}

// Works tells whether the binding has an effect in a state; the lock is left out (see Refused).
func (b *Binding) Works(s State) bool {
	if s.Mode == Helping && b.Turns() {
		return true
	}
	if b.Mode != Driving && b.Mode != s.Mode || len(b.Views) > 0 && !slices.Contains(b.Views, s.View) {
		return false
	}
	// What is to be stopped at once is stopped whatever is open.
	if b.Mode == Driving && s.Mode.alone() && b.Class != Leaves && b.Action != Redraw && b.Action != Cancel {
		return false
	}
	return b.needs == nil || b.needs(s)
}

// Turns tells whether it goes about in the help while that is open, whatever it does in a view: the ways up and down turn its pages, and the filter
// searches in it.
func (b *Binding) Turns() bool {
	switch b.Action {
	case Up, Down, PageUp, PageDown, First, Last, Earlier, Later, Filter:
		return true
	}
	return false
}

// Refused tells whether the lock refuses it: it would raise the load, or may. What the history decides goes to the engine, which knows that.
func (b *Binding) Refused(s State) bool {
	if !s.Locked {
		return false
	}
	if b.Action == Pause {
		// Resuming, and starting, raise the load from nothing.
		return s.Run == bench.Paused || s.Run == bench.Waiting || s.Run == bench.Draining
	}
	if b.Action == Yes {
		return s.Raising
	}
	return b.Raises && !b.Undecided
}

// doubtful tells whether the lock may refuse what the history decides: the engine judges it when its turn comes, and a footer offers what surely works. Was
// is where a flip leads, and a step back only from the end of the history.
func (b *Binding) doubtful(s State) bool {
	if !s.Locked || !b.Undecided {
		return false
	}
	if b.Action == Other || b.Action == Both {
		return !s.Both
	}
	return b.Action == Redo || b.Action == Undo && s.CanRedo || s.Was.N > s.Load.N || s.Was.Mode != s.Load.Mode
}

// Word is the footer's word for it in a state.
func (b *Binding) Word(s State) string {
	switch {
	case b.Action == Play && s.Playing:
		return "pause"
	case b.Action == Pause && s.Run == bench.Waiting:
		return "start"
	case b.Action == Pause && (s.Run == bench.Paused || s.Run == bench.Draining):
		return "resume"
	case b.Action == Both && s.Both:
		return "one"
	case b.Action == Other && s.Both:
		return "show other"
	case b.Action == Loop && s.Load.Mode == bench.Closed:
		return "open loop"
	case b.Action == Loop:
		return "closed loop"
	case b.Action == Raise && (s.Ramped || s.Cruised):
		return "take over"
	case b.Action == Ramp && s.Held:
		return "hands back"
	case (b.Action == Begin || b.Action == Steer) && s.Typed:
	case b.Action == Begin && s.Held:
		return "hand the load back"
	case b.Action == Begin && (s.Followed || s.Ramped), b.Action == Steer && s.Cruised:
		return "go on"
	case b.Action == Up && !slices.Contains(lists, s.View):
		return ""
	case b.Action == Up && (s.View == Server || s.View == Diagnosis):
		return "scroll"
	case b.Action == Up && s.Alone:
		return "scroll"
	case b.Action == Open && s.View == Requests && s.Alone:
		return "list"
	case b.Action == Open && (s.View == Curve || s.View == Heat) && !s.Picked:
		return "choose"
	case b.Action == Open && s.Mode == Driving && s.View != Live:
		return map[View]string{Curve: "go to it", Heat: "requests", Requests: "inspect", Log: "see it"}[s.View]
	case b.Action == Arrange && s.View == Requests:
		return "sort"
	case b.Action == Next && s.View != Live:
		return "metric"
	case b.Action == Freeze && s.Frozen:
		return "go on"
	}
	return b.Label
}
