package bench

import "time"

// Batch is one second's deltas: all that a fold needs to go from the state before that second to the state after it, and all that a
// run file has to keep.
type Batch struct {
	// Start is the second's first instant; Span is one second, less for the run's last batch.
	Start, Span time.Duration
	// Active is the part of the span in which the run was sending.
	Active time.Duration
	// Target is the load set at the end of the span.
	Target Setpoint
	// Facts holds the counters and the sketches Gap and ITL; the other sketches follow from FirstTokens and Ended.
	Facts Facts
	// Starts are the requests sent in the second, by the level that they belong to; together Facts.Sent.
	Starts []Starts
	// Unsent are the arrivals that were dropped in the second, in the order of their instants; together Facts.Unsent.
	Unsent []Unsent
	// FirstTokens are the first tokens of the second, and Ended its finished requests, in the order of their instants.
	FirstTokens []FirstToken
	Ended       []Ended
	// Fixes are the parts of Facts.InFix and OutFix, by the requests whose ends brought them.
	Fixes []TokenFix
	// LateITL are ITL samples of earlier seconds, whose weight became known only now.
	LateITL []SecondSketch
	// Quotas are the newest of each name that the second's headers stated.
	Quotas []Quota
	// Events are the control's events, in order.
	Events []Event
	// PerEvent is how many tokens an event holds on this target, as learned so far (0: nothing learned); Source where counts come from.
	PerEvent float64
	Source   Source
	Health   Health
	// Server is what the server's metrics said last, by address; Facts.Server are their deltas.
	Server []Scrape
}

// Starts is how many requests of a level were sent.
type Starts struct{ Level, Sent int }

// Unsent are N arrivals of a level that were dropped at an instant or up to ten milliseconds after it.
type Unsent struct {
	At       time.Duration
	Level, N int
}

// FirstToken is the instant at which a request showed its first token.
type FirstToken struct {
	At, Started, TTFT time.Duration
	Level             int
	// Scheduled is when its request should have gone (open loop only).
	Scheduled Mark
	// InputTokens is the prompt's length as asked.
	InputTokens int
}

// TokenFix is what the end of a request adds to the tokens that were counted on its way, between its First token and its Last; either sign.
type TokenFix struct {
	First, Last time.Duration
	In, Out     int
}

// SecondSketch is a correction of the second starting at Start: the ITL samples that belong to it after all, those that were booked in it and do
// not, the chunk gaps that do not, and what its DecodeTokens and DecodeSeconds lack (either sign).
type SecondSketch struct {
	Start                  time.Duration `json:",omitzero"`
	Sketch, Wrong          Sketch        `json:",omitzero"`
	WrongGap               Sketch        `json:",omitzero"`
	DecodeFix, DecodeSpare float64       `json:",omitzero"`
}
