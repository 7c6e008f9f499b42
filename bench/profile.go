package bench

import "time"

// Profile is a load that is planned ahead: stages that follow one another.
type Profile struct {
	// Text is the profile as the operator wrote it, or its name.
	Text   string
	Mode   Mode
	Stages []Stage
}

// Stage is a span of a profile in which the load stays, or goes evenly from one value to another.
type Stage struct {
	// From and To are loads as Setpoint.N; equal where the load stays.
	From, To float64
	Span     time.Duration
	// Spike marks a stage that stays and yet is no plateau: it makes no level.
	Spike bool
}

// Plateau tells whether the stage makes a level.
func (s Stage) Plateau() bool { return s.From == s.To && !s.Spike }

// Following is a profile in force.
type Following struct {
	Profile *Profile
	// At is how far into the profile the run is; it stands still while Held.
	At time.Duration
	// Held: the hand has taken over, and the profile waits to get the load back. Over: it has come to its end.
	Held, Over bool
}
