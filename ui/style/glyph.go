package style

// Glyphs are the characters that carry data, in one of two sets. Each is one cell wide unless said otherwise.
type Glyphs struct {
	// ASCII tells that nothing beyond ASCII may be written: rows then also fold the text they are given.
	ASCII bool

	// Bars rise from empty to a full cell.
	Bars []string
	// OverPart and OverFull replace a bar's partial and full cells where a breach must show without colour.
	OverPart, OverFull string
	// Zero is a value that is there and is 0, which an absent one is not.
	Zero string
	// Clip is the top of a bar that goes on above the scale.
	Clip string
	// Ghost is an earlier level's value behind the bars.
	Ghost string
	// Threshold, Marker and Cursor are lines through a lane: level, change of load, the user's time cursor.
	Threshold, Marker, Cursor string
	// AxisY closes the labels of a lane, Edge its right side.
	AxisY, Edge string
	// Rule is a line across; CornerL and CornerR end the time axis.
	Rule, CornerL, CornerR string
	// Up, Down, Note and Event stand on the time axis and in the log.
	Up, Down, Note, Event string
	// OK, Fail and Warn are verdicts (OK is two cells in ASCII).
	OK, Fail, Warn string
	// Busy, Drain, Held, Free and Target are the cells of the load bar.
	Busy, Drain, Held, Free, Target string
	// Shade rises from few to many, the first is none.
	Shade []string
	// Running, Ready, Paused, Draining, Done and Down are the states of line 1.
	Running, Ready, Paused, Draining, Done, Dead string
	// Settled, Short, Here and Past are the points of the load curve; between them lies the Trail, whose dots rise within a cell.
	Settled, Short, Here, Past string
	// GhostPoint is a point of an earlier run's curve.
	GhostPoint string
	Trail      []string
	// Redline marks on the axis of the curve the load that a ramp found.
	Redline string
	// Play is a recording that plays, Annotation a note that was added to it, Played the part of its bar that lies behind.
	Play, Annotation, Played string
	// Select points at the chosen row, Ellipsis stands where text was cut, Absent is a number that is not there.
	Select, Ellipsis, Absent string
	// Minus and Plus are signs of differences.
	Minus, Plus string
	// LessEq and GreaterEq are the sides of a threshold.
	LessEq, GreaterEq string
}

// Unicode draws with block elements and box lines: single-width characters outside the emoji that terminals disagree on.
var Unicode = &Glyphs{
	Bars:     []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	OverPart: "▌", OverFull: "▓", Zero: "_", Clip: "▲", Ghost: "·",
	Threshold: "╌", Marker: "┊", Cursor: "│", AxisY: "┤", Edge: "│",
	Rule: "─", CornerL: "└", CornerR: "┘",
	Up: "▲", Down: "▼", Note: "●", Event: "›",
	OK: "✓", Fail: "✗", Warn: "!",
	Busy: "█", Drain: "▒", Held: "▞", Free: "░", Target: "┃",
	Shade:   []string{" ", "·", "░", "▒", "▓", "█"},
	Running: "●", Ready: "○", Paused: "‖", Draining: "▽", Done: "■", Dead: "✗",
	Settled: "●", Short: "○", Here: "◆", Past: "◇", GhostPoint: "□", Trail: []string{".", "·", "˙"}, Redline: "▲",
	Play: "►", Annotation: "✎", Played: "━",
	Select: "›", Ellipsis: "…", Absent: "–", Minus: "−", Plus: "+", LessEq: "≤", GreaterEq: "≥",
}

// ASCII is for terminals and fonts without more.
var ASCII = &Glyphs{
	ASCII:    true,
	Bars:     []string{" ", ".", ":", "-", "=", "+", "*", "#"},
	OverPart: "x", OverFull: "X", Zero: "_", Clip: "^", Ghost: "'",
	Threshold: "-", Marker: "|", Cursor: "!", AxisY: "|", Edge: "|",
	Rule: "-", CornerL: "+", CornerR: "+",
	Up: "^", Down: "v", Note: "*", Event: ">",
	OK: "ok", Fail: "x", Warn: "!",
	Busy: "#", Drain: ":", Held: "%", Free: ".", Target: "|",
	Shade:   []string{" ", ".", ":", "+", "%", "#"},
	Running: "*", Ready: "o", Paused: "=", Draining: "v", Done: "#", Dead: "x",
	Settled: "*", Short: "o", Here: "@", Past: "'", GhostPoint: "+", Trail: []string{"."}, Redline: "^",
	Play: ">", Annotation: "&", Played: "=",
	Select: ">", Ellipsis: "~", Absent: "-", Minus: "-", Plus: "+", LessEq: "<", GreaterEq: ">",
}
