package bench

import (
	"slices"
	"time"
)

// RunState is what the run as a whole is doing.
type RunState uint8

const (
	// Waiting: not started yet.
	Waiting RunState = iota
	Running
	// Paused: no new requests; running ones finish.
	Paused
	// Draining: towards a pause or the end, with a deadline.
	Draining
	// Down: the target does not answer; slots are held.
	Down
	// Warming: the target answers again, and has not finished a request yet that began since.
	Warming
	// Done: over.
	Done
)

// String is the state's word on screen.
func (s RunState) String() string {
	return [...]string{"READY", "RUNNING", "PAUSED", "DRAINING", "TARGET DOWN", "WARMING UP", "DONE", ""}[s&7]
}

// Run is what does not change while a run lasts, but for its Thresholds: when a promise is changed the snapshots that follow have another Run.
type Run struct {
	// Version of redline; Start the wall time of instant 0.
	Version string    `json:",omitzero"`
	Start   time.Time `json:",omitzero"`
	// Target is the URL in use, Host its host and port, Model the model's name.
	Target, Host, Model string `json:",omitzero"`
	// Demo: the target is the embedded simulated server. Public: not a loopback or private address.
	Demo, Public bool `json:",omitzero"`
	// Max bounds the requests in flight, in either mode; MaxRate the arrivals a second.
	Max     int     `json:",omitzero"`
	MaxRate float64 `json:",omitzero"`
	// Works are the workloads that the run can switch among, at least one.
	Works []Workload `json:",omitzero"`
	// Arrivals is how those of the open loop are spread.
	Arrivals Arrivals `json:",omitzero"`
	// Scenario is the name of the scenario whose promises and lengths are in force; empty if none is.
	Scenario string `json:",omitzero"`
	// Warmup is how many requests go before the measuring begins; they belong to no level.
	Warmup int    `json:",omitzero"`
	Seed   uint64 `json:",omitzero"`
	// API is the protocol, Protocol the version of HTTP ("HTTP/1.1"), Address the address that the host resolved to.
	API               API    `json:",omitzero"`
	Protocol, Address string `json:",omitzero"`
	// Limits bound each request.
	Limits Limits `json:",omitzero"`
	// QuotaReserve is the share of each quota, 0..1, that the run leaves to others.
	QuotaReserve float64 `json:",omitzero"`
	// Duration and Requests bound what is measured: neither the warm-up before it nor the drain after it is in them.
	Duration time.Duration `json:",omitzero"`
	Requests int           `json:",omitzero"`
	// Stall is the chunk gap from which on a gap is a stall.
	Stall      time.Duration `json:",omitzero"`
	Thresholds []Threshold   `json:",omitzero"`
	Prices     Prices        `json:",omitzero"`
	// Notes are what preflight found worth saying.
	Notes []string `json:",omitzero"`
}

// ArrivalsOf is how arrivals of the open loop are spread while a workload, as its place in Works, is in force: one that has no times of its own to keep to
// has independent users.
func (r *Run) ArrivalsOf(work int) Arrivals {
	if r.Arrivals.Shape == Recorded && (work < 0 || work >= len(r.Works) || !(r.Works[work].Rate > 0)) {
		return Arrivals{Shape: Poisson}
	}
	return r.Arrivals
}

// Workload is a workload in words and figures, for the screens.
type Workload struct {
	// Name is its short name, Words what it is in a few words.
	Name, Words string `json:",omitzero"`
	// InputTokens and OutputTokens are the mean lengths that it asks for; 0 where they are not known. MaxTokens is the largest bound of an answer.
	InputTokens, OutputTokens, MaxTokens int `json:",omitzero"`
	// Rate is the mean arrivals a second of the trace that it replays; 0 where it has none.
	Rate float64 `json:",omitzero"`
	// Left says how many rows of its file were left out, and why; empty if none.
	Left string `json:",omitzero"`
}

// Tail is the end of a run, after its window.
type Tail struct {
	// Began is when sending stopped, for the last time.
	Began Mark `json:",omitzero"`
	// Span is how long what ran then took to end, Finished how many of those ended by themselves, Cut how many were cut.
	Span          time.Duration `json:",omitzero"`
	Finished, Cut int           `json:",omitzero"`
}

// Spend is what the run has used so far.
type Spend struct {
	// In and Out are all tokens of this run, those of failed, cancelled and preflight requests too; Reserved the most that requests in flight
	// may still add.
	In, Out, Reserved int `json:",omitzero"`
	// Cost so far; absent without prices. PerHour is the burn: what GPUs cost, or else what the last minute's tokens do, or how many these are.
	Cost, PerHour Value `json:",omitzero"`
	// Budget and BudgetTokens are the limits; 0 means none.
	Budget       float64 `json:",omitzero"`
	BudgetTokens int     `json:",omitzero"`
}

// Ask is a question that waits for an Answer.
type Ask struct {
	ID int `json:",omitzero"`
	// Text is the question: "raise to 64, from 16?".
	Text string `json:",omitzero"`
	// To is the load that a yes would set, for questions about the load (Load).
	To   Setpoint `json:",omitzero"`
	Load bool     `json:",omitzero"`
	// Raises tells that a yes raises the load, counts it in another unit, or sends again: what a lock refuses.
	Raises bool `json:",omitzero"`
	// Forgets tells that a yes forgets what was measured.
	Forgets bool `json:",omitzero"`
}

// Gauges are the facts of this very moment.
type Gauges struct {
	At    time.Duration `json:",omitzero"`
	State RunState      `json:",omitzero"`
	// Since is when the state began; Why its reason, if there is one worth words.
	Since time.Duration `json:",omitzero"`
	Why   string        `json:",omitzero"`
	// Target is the load as set; MovingSince is set while a burst of changes has not rested.
	Target Setpoint `json:",omitzero"`
	Moving Mark     `json:",omitzero"`
	// Work is the workload in force, as its place in Run.Works.
	Work int `json:",omitzero"`
	// Following is the profile in force, or that waits to get the load back; nil without one.
	Following *Following `json:",omitzero"`
	// Ramping and Cruising are the ramp and the cruise in force, or the last ones; nil without. At most one of Following, Ramping and Cruising sets the load.
	Ramping  *Ramping  `json:",omitzero"`
	Cruising *Cruising `json:",omitzero"`
	// Warmed is how many requests of the warm-up have ended, while it lasts (State Warming).
	Warmed int `json:",omitzero"`
	// InFlight, Held and Draining (running above the target) are slots.
	InFlight, Held, Draining int `json:",omitzero"`
	// HeldBy is what holds the slots, in a word or two: a class of failure, or HeldByQuota. HeldNext is when the next of them tries again.
	HeldBy   string `json:",omitzero"`
	HeldNext Mark   `json:",omitzero"`
	// Was is the load before the last committed change, Changed when that was.
	Was     Setpoint `json:",omitzero"`
	Changed Mark     `json:",omitzero"`
	Ask     *Ask     `json:",omitzero"`
	Spend   Spend    `json:",omitzero"`
	// Silent is since when no token has come though streams that had begun, or should have by now, are in flight; absent while tokens flow.
	Silent Mark `json:",omitzero"`
	// CanUndo and CanRedo are the depths of the history.
	CanUndo, CanRedo int `json:",omitzero"`
	// Deadline is when a drain, an unattended run or a --duration ends, with Why; absent if nothing is near.
	Deadline Mark `json:",omitzero"`
}

// Snapshot is the run as it can be shown: the state after the last folded second, and the gauges of now. It never changes.
type Snapshot struct {
	Run *Run
	Gauges
	// Folded is the end of the last second that is in the rest of the snapshot.
	Folded time.Duration
	// Levels are the levels kept, oldest first; the last is the present one. Empty before the start.
	Levels []*Level
	// Buckets are the run's spans, oldest first: seconds at the end, longer ones before.
	Buckets []*Bucket
	// Total is the whole run, since it was Cleared.
	Total Summary
	// Cleared is the instant from which on the run is measured, where what was measured before is forgotten; Forgotten are the requests that had ended by
	// then. The Spend is that of all.
	Cleared   Mark
	Forgotten Tally
	// Minute is the trailing 60 s: attempts and tokens, for quotas.
	Minute Use
	// Quotas are what the server's headers last said of its quotas, in the order of their names.
	Quotas []Quota
	// Events are the last ones, oldest first, at most 512 and those that are not folded yet; EventsGone is how many went before them, so that
	// Events[i] is the run's event number EventsGone+i. The N of a group of failures grows in place.
	Events     []Event
	EventsGone int
	// Promised are the promises that the run began with, where they have been changed since; nil where they have not.
	Promised []Threshold
	// Outages are those since the run was Cleared.
	Outages Outages
	// LastError is the newest failure's own words. Failures are the newest request of each class that failed or was limited, newest first.
	LastError string
	Failures  []Ended
	// PerEvent and Source tell how tokens are counted (see Batch).
	PerEvent float64
	Source   Source
	Health   Health
	// Server is what was last read at each address of the server's own metrics; empty where none is asked.
	Server []Scrape
	// Strained is how many seconds of the run the client was Busy, and Saturated.
	Strained [2]int
	// Lapses are the newest seconds in which it was Busy, and Saturated.
	Lapses [2]Lapse
	// Tail is the end of the run, once it has begun.
	Tail Tail
	// Rivals are the targets of a run that drives several; nil where there is one.
	Rivals *Rivals
}

// HeldForTurn is what Gauges.HeldBy says of slots that wait for a conversation to go on, where the workload has nothing else.
const HeldForTurn = "next turn"

// HeldByQuota is what Gauges.HeldBy says of slots that wait for the sake of Run.QuotaReserve.
const HeldByQuota = "quota reserve"

// Use is what was asked of the server over a trailing span: Attempts are all that was sent, whatever came of it; Tokens are those of Facts.Tokens, so that a
// prompt which was refused, or failed before its first token, is not among them.
type Use struct {
	Span     time.Duration
	Attempts int
	Tokens   int
}

// Level is the present level; nil before the start.
func (s *Snapshot) Level() *Level {
	if len(s.Levels) == 0 {
		return nil
	}
	return s.Levels[len(s.Levels)-1]
}

// comparable is how long a level that never settled must have been measured to be compared with.
const comparable = 5 * time.Second

// LevelBefore is the level that the present one is compared with: the latest earlier one that settled, else the latest that was measured for
// five seconds and has a number that is ready; nil if there is none. A level that was only touched on the way is never it. One of the same mode and
// workload goes before all others, so that a difference is of one change, unless the mode or the workload is what has just been changed: that is
// then the difference which is asked for. (Where the two are not alike, screens have to say so.)
func (s *Snapshot) LevelBefore() *Level {
	last := len(s.Levels) - 1
	if last < 1 {
		return nil
	}
	now, past := s.Levels[last], s.Levels[:last]
	if now.Alike(past[last-1]) {
		if l := measured(past, now.Alike); l != nil {
			return l
		}
	}
	return measured(past, func(*Level) bool { return true })
}

// measured is the latest level of a kind that settled, else the latest that was measured for long enough.
func measured(levels []*Level, kind func(*Level) bool) *Level {
	var short *Level
	for _, l := range slices.Backward(levels) {
		switch {
		case !kind(l):
		case l.State == Settled:
			return l
		case short == nil && l.Span >= comparable && l.anyReady():
			short = l
		}
	}
	return short
}

// Alike tells whether two levels differ in nothing but the load, so that a difference of their numbers is its doing.
func (l *Level) Alike(o *Level) bool { return l.Load.Mode == o.Load.Mode && l.Work == o.Work }

func (l *Level) anyReady() bool {
	for _, m := range Lanes {
		if l.Stats[m].Readiness == Ready {
			return true
		}
	}
	return false
}
