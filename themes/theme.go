// Package themes owns the looks of the dashboard: which colour and which attributes each meaning has, read from small TOML
// files that inherit from one another. It must not know how a terminal is told of a colour, nor any drawing library: that is
// ui/style's.
package themes

// Token is a meaning that the screen gives a colour to. Its name is the key in a theme file.
type Token uint8

const (
	// BG is the background of the whole screen; most themes leave it to the terminal.
	BG Token = iota
	// FG is plain text and numbers.
	FG
	// Dim is text that explains, units, thresholds.
	Dim
	// Faint is rules, free slots, what is hardly to be seen.
	Faint
	// Accent is bars and the big number.
	Accent
	// Accent2 is the load, the cause beside the effects.
	Accent2
	// Good, Warn and Bad are verdicts: kept, in doubt, broken.
	Good
	Warn
	Bad
	// Mark is the line of a marker through the lanes.
	Mark
	// SelectFG and SelectBG are the chosen row.
	SelectFG
	SelectBG
	// LaneLoad to LaneTPM are the bars of each lane.
	LaneLoad
	LaneTTFT
	LaneITL
	LaneTPS
	LaneRPM
	LaneTPM
	// NumTokens is how many there are; not a token.
	NumTokens
)

var tokenNames = [NumTokens]string{
	"bg", "fg", "dim", "faint", "accent", "accent2", "good", "warn", "bad", "mark", "select.fg", "select.bg",
	"lane.load", "lane.ttft", "lane.itl", "lane.tps", "lane.rpm", "lane.tpm",
}

// String is the token's key in a theme file.
func (t Token) String() string {
	if t < NumTokens {
		return tokenNames[t]
	}
	return "token?"
}

func tokenNamed(name string) (Token, bool) {
	for t, n := range tokenNames {
		if n == name {
			return Token(t), true
		}
	}
	return 0, false
}

// Ink is how a token looks: one colour for each depth of a terminal, and attributes that need no colour.
type Ink struct {
	True, X256, X16                 Colour
	Bold, Faint, Underline, Reverse bool
}

// Coloured tells whether the ink has a colour of its own.
func (i Ink) Coloured() bool { return i.True.Kind != Unset }

// Variant is the kind of terminal background that a theme is made for.
type Variant uint8

const (
	// Any is a theme that reads well on both.
	Any Variant = iota
	// Dark and Light are the terminal's background, or the theme's own.
	Dark
	Light
)

// String is the variant as theme files write it.
func (v Variant) String() string { return [...]string{"any", "dark", "light"}[v%3] }

// Theme is a resolved look: every token has an ink, whatever the file left out.
type Theme struct {
	Name    string
	Variant Variant
	// Source is the path of the file, or "built in".
	Source string
	// Heat is the ramp of the heat map from few to many, at least two inks.
	Heat []Ink
	// Warnings are faults that do no harm, one sentence each with file and line: for the log, once.
	Warnings []string

	inks [NumTokens]Ink
}

// Ink is how a token looks in this theme.
func (t *Theme) Ink(token Token) Ink {
	if token >= NumTokens {
		return Ink{}
	}
	return t.inks[token]
}

// Painted tells whether the theme lays its own background over the terminal's.
func (t *Theme) Painted() bool { return t.inks[BG].Coloured() }
