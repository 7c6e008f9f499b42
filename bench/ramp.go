package bench

import (
	"strings"
	"time"
)

// Rise is how a ramp goes from one load to the next, until a promise breaks.
type Rise uint8

const (
	// RiseTimes multiplies the load, RiseAdd adds to it, RiseList goes through a list.
	RiseTimes Rise = iota
	RiseAdd
	RiseList
)

// Ramp is a search for the redline: the greatest load that keeps every promise. It raises the load in steps until a promise breaks, halves the way back between
// the last load that kept all and the first that did not, and confirms what it found once.
type Ramp struct {
	Mode Mode `json:",omitzero"`
	// From is the first load, Most the greatest that may be set, as Setpoint.N.
	From, Most float64 `json:",omitzero"`
	Rise       Rise    `json:",omitzero"`
	// By is the factor, above 1 (RiseTimes), or what is added, above 0 (RiseAdd); Loads are the list, rising (RiseList).
	By    float64   `json:",omitzero"`
	Loads []float64 `json:",omitzero"`
	// Cap bounds a step once its load is in force and has settled, CapRequests the requests that are judged in it; then what was seen so far decides. One that
	// confirms may take twice as much, and one with many in flight a few generations of them. 0 is a minute, and 400.
	Cap         time.Duration `json:",omitzero"`
	CapRequests int           `json:",omitzero"`
	// PastLimits goes on past a load at which the server limited requests (429).
	PastLimits bool `json:",omitzero"`
}

// RampPhase is how far a ramp is.
type RampPhase uint8

const (
	// RampRising raises the load until a promise breaks, RampHalving halves the way back, RampConfirming holds what was found once more.
	RampRising RampPhase = iota
	RampHalving
	RampConfirming
	// RampFound: the redline is known. RampOpen: every promise is kept at the greatest load that may be set. RampNone: none is kept even at the least.
	RampFound
	RampOpen
	RampNone
	// RampLeft: it was given up; Why says by what.
	RampLeft
)

// Over tells whether the ramp sets the load no more.
func (p RampPhase) Over() bool { return p >= RampFound }

// String is the phase's word.
func (p RampPhase) String() string {
	return [...]string{"rising", "halving", "confirming", "found", "not reached", "none", "left", ""}[p&7]
}

// Ramping is a ramp in force, or the last one.
type Ramping struct {
	Ramp  *Ramp     `json:",omitzero"`
	Phase RampPhase `json:",omitzero"`
	// Why is what ended it, or what keeps it from rising; empty if nothing is worth words.
	Why string `json:",omitzero"`
	// Began and Ended are instants of the run.
	Began time.Duration `json:",omitzero"`
	Ended Mark          `json:",omitzero"`
	// Now is the load that is being tried (zero when over), Trials those that are decided, in their order.
	Now    Trial   `json:",omitzero"`
	Trials []Trial `json:",omitzero"`
	// Found is the redline, once it is known (RampFound and RampOpen).
	Found *Redline `json:",omitzero"`
	// Requests and Tokens are what it has sent and used so far, Cost what that cost; absent without prices.
	Requests, Tokens int   `json:",omitzero"`
	Cost             Value `json:",omitzero"`
}

// Holds is what a trial says of a load.
type Holds uint8

const (
	// NotYet: too few samples. Kept: every promise is. Broke: one is not.
	NotYet Holds = iota
	Kept
	Broke
)

// Trial is one load that a ramp has tried.
type Trial struct {
	Load Setpoint `json:",omitzero"`
	// Level is the level's ID; Begin when the load was set, End when it was decided.
	Level int           `json:",omitzero"`
	Begin time.Duration `json:",omitzero"`
	End   Mark          `json:",omitzero"`
	Holds Holds         `json:",omitzero"`
	// Rough: it was decided by the cap, from what had been seen by then. Brief: all was so far within the limits that it was kept after few requests, of which the
	// interval of the share may reach beyond what is allowed.
	Rough, Brief bool `json:",omitzero"`
	// Binding is the promise that broke, or the one that was nearest to it; Value its metric there.
	Binding Threshold `json:",omitzero"`
	Value   Value     `json:",omitzero"`
	// N requests were judged, which are worth Worth independent ones; Over of them broke the binding promise. Low and High bound the true share, 0..1, with 95 %.
	// Of a promise that no single request keeps or breaks, as on the gaps between tokens, Over and Worth are zero, and Low and High absent.
	N, Over   int     `json:",omitzero"`
	Worth     float64 `json:",omitzero"`
	Low, High Value   `json:",omitzero"`
	// Need is about how many more requests the verdict takes; 0 when decided or not known.
	Need int `json:",omitzero"`
	// Why is what stopped it other than a promise: "429", "client busy" (it never kept up again), "client busy twice" (and once more after it had), "no answer" (nothing has
	// ended, well or not); else empty.
	Why string `json:",omitzero"`
	// Lag is how late the client was at worst, in ms, where it was busy for as long as would have stopped the trial, but late by too little to touch a promise;
	// absent else.
	Lag Value `json:",omitzero"`
}

// Redline is what a ramp has found.
type Redline struct {
	// Load is the greatest load that keeps every promise, Above the least tried one that does not; zero where every one was kept.
	Load, Above Setpoint `json:",omitzero"`
	// Level is the ID of the level that confirmed it, or, where the client was too busy for that, of the one that kept it (Rough).
	Level int `json:",omitzero"`
	// RPM, TPM, Goodput (percent) and PerMillion (currency per million output tokens) are of that level.
	RPM, TPM, Goodput, PerMillion Value `json:",omitzero"`
	// Bound is the promise that breaks above, AtAbove its metric there; Why what stopped the ramp in its place.
	Bound   Threshold `json:",omitzero"`
	AtAbove Value     `json:",omitzero"`
	Why     string    `json:",omitzero"`
	// Rough: some verdict that it rests on was decided by a cap.
	Rough bool `json:",omitzero"`
	// Lag is that of the trial that confirmed it.
	Lag Value `json:",omitzero"`
}

// AtLeast tells whether the redline is no less than Load, and it is not known how much more: above, the client could not hold the load.
func (r *Redline) AtLeast() bool { return strings.HasPrefix(r.Why, "client") }
