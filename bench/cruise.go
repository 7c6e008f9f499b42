package bench

import "time"

// Cruise is a load that is steered so that one promise stays at its edge: what the server carries at a quality that is held.
type Cruise struct {
	// Threshold is a promise on a metric that a single request has: TTFT, TTFA, TPOT, TPS or E2E.
	Threshold Threshold `json:",omitzero"`
	// Least and Most bound the load, as Setpoint.N, in the mode in force when it began.
	Least, Most float64 `json:",omitzero"`
}

// Cruising is a cruise in force, or the last one.
type Cruising struct {
	Cruise *Cruise `json:",omitzero"`
	Mode   Mode    `json:",omitzero"`
	// Began and Ended are instants of the run; Why is what ended it.
	Began time.Duration `json:",omitzero"`
	Ended Mark          `json:",omitzero"`
	Why   string        `json:",omitzero"`
	// Epoch counts the judgements so far, from 0. Share is the share of requests, 0..1, that break the promise at the present load, as smoothed; Aim the
	// share at which it is just kept (0.05 for a p95). Worth is on how many requests Share rests; where the length of an answer matters (E2E) their paces are
	// held against the lengths of all answers so far.
	Epoch      int     `json:",omitzero"`
	Share      Value   `json:",omitzero"`
	Aim, Worth float64 `json:",omitzero"`
	// Kept is the share, 0..1, of all requests since it began that kept the promise, Owed how many they are.
	Kept Value `json:",omitzero"`
	Owed int   `json:",omitzero"`
	// Frozen is until when it does not move, since the server asked for a pause (429); absent else.
	Frozen Mark `json:",omitzero"`
	// Moved is when the load last moved, From and To the loads of that move.
	Moved    Mark     `json:",omitzero"`
	From, To Setpoint `json:",omitzero"`
	// Capacity is the mean load over the last twenty epochs with the promise at its edge, Spread its standard deviation there; absent before five of them, and
	// while the load is on its way to another edge.
	Capacity, Spread Value `json:",omitzero"`
}
