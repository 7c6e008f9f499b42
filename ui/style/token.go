package style

import (
	"redline/bench"
	"redline/themes"
)

// Token is a look that a run of text can have. Views name meanings; the theme and the depth of the terminal decide the rest.
type Token uint8

const (
	// FG is plain text and numbers.
	FG Token = iota
	// Strong is plain text in bold: titles, the numbers that count most.
	Strong
	// Dim is text that explains: units, thresholds, earlier values.
	Dim
	// Faint is rules, free slots and grid.
	Faint
	// Accent is bars of no lane in particular; Big is the accent in bold, for the big number.
	Accent
	Big
	// Accent2 is the load, the cause beside the effects.
	Accent2
	// Good, Warn and Bad are verdicts.
	Good
	Warn
	Bad
	// Alert is bad in reverse, for chips that must be seen from across the room.
	Alert
	// Mark is the line of a marker through the lanes, and what belongs to a change.
	Mark
	// Select is the chosen row or the time cursor.
	Select
	// LaneLoad to LaneTPM are the bars of each lane.
	LaneLoad
	LaneTTFT
	LaneITL
	LaneTPS
	LaneRPM
	LaneTPM
	// Heat is the first step of the heat ramp; see HeatAt.
	Heat
)

const (
	// HeatSteps is the length of the heat ramp.
	HeatSteps = 8
	// NumTokens is how many there are; not a token.
	NumTokens = Heat + HeatSteps
)

// Lane is the look of the bars of a metric's lane.
func Lane(m bench.Metric) Token {
	switch m {
	case bench.TTFT:
		return LaneTTFT
	case bench.ITL:
		return LaneITL
	case bench.TPS:
		return LaneTPS
	case bench.RPM:
		return LaneRPM
	case bench.TPM:
		return LaneTPM
	}
	return Accent
}

// fromTheme is where each token's ink comes from.
var fromTheme = [Heat]themes.Token{
	FG: themes.FG, Strong: themes.FG, Dim: themes.Dim, Faint: themes.Faint, Accent: themes.Accent, Big: themes.Accent,
	Accent2: themes.Accent2, Good: themes.Good, Warn: themes.Warn, Bad: themes.Bad, Alert: themes.Bad, Mark: themes.Mark,
	Select: themes.SelectFG, LaneLoad: themes.LaneLoad, LaneTTFT: themes.LaneTTFT, LaneITL: themes.LaneITL,
	LaneTPS: themes.LaneTPS, LaneRPM: themes.LaneRPM, LaneTPM: themes.LaneTPM,
}
