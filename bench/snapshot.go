package bench

import "time"

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

// Run is what does not change while a run lasts.
type Run struct {
	// Version of redline; Start the wall time of instant 0.
	Version string
	Start   time.Time
	// Target is the URL in use, Host its host and port, Model the model's name.
	Target, Host, Model string
	// Demo: the target is the embedded simulated server. Public: not a loopback or private address.
	Demo, Public bool
	// Max bounds the load. InputTokens and MaxTokens are the prompt's asked length and the answer's bound.
	Max, InputTokens, MaxTokens int
	Seed                        uint64
	// API is the protocol, Protocol the version of HTTP ("HTTP/1.1"), Address the address that the host resolved to.
	API               API
	Protocol, Address string
	// Limits bound each request.
	Limits Limits
	// QuotaReserve is the share of each quota, 0..1, that the run leaves to others.
	QuotaReserve float64
	Duration     time.Duration
	Requests     int
	// Stall is the chunk gap from which on a gap is a stall.
	Stall      time.Duration
	Thresholds []Threshold
	Prices     Prices
	// Notes are what preflight found worth saying.
	Notes []string
}

// Prices are in the operator's currency per million tokens; 0 means not set.
type Prices struct{ Input, Output float64 }

// Set tells whether there are prices at all.
func (p Prices) Set() bool { return p.Input > 0 || p.Output > 0 }

// Spend is what the run has used so far.
type Spend struct {
	// In and Out are all tokens of this run, those of failed, cancelled and preflight requests too; Reserved the most that requests in flight
	// may still add.
	In, Out, Reserved int
	// Cost so far; absent without prices. PerHour is the burn over the last minute: in currency with prices, else tokens.
	Cost, PerHour Value
	// Budget and BudgetTokens are the limits; 0 means none.
	Budget       float64
	BudgetTokens int
}

// Ask is a question that waits for an Answer.
type Ask struct {
	ID int
	// Text is the question: "raise to 64, from 16?".
	Text string
	// To is the load that a yes would set, for questions about the load.
	To int
}

// Gauges are the facts of this very moment.
type Gauges struct {
	At    time.Duration
	State RunState
	// Since is when the state began; Why its reason, if there is one worth words.
	Since time.Duration
	Why   string
	// Target is the load as set; MovingSince is set while a burst of changes has not rested.
	Target int
	Moving Mark
	// InFlight, Held and Draining (running above the target) are slots.
	InFlight, Held, Draining int
	// HeldBy is what holds the slots, in a word or two: a class of failure, or HeldByQuota. HeldNext is when the next of them tries again.
	HeldBy   string
	HeldNext Mark
	// Was is the load before the last committed change, Changed when that was.
	Was     int
	Changed Mark
	Ask     *Ask
	Spend   Spend
	// Silent is since when no token has come though streams that had begun, or should have by now, are in flight; absent while tokens flow.
	Silent Mark
	// CanUndo and CanRedo are the depths of the history.
	CanUndo, CanRedo int
	// Deadline is when a drain, an unattended run or a --duration ends, with Why; absent if nothing is near.
	Deadline Mark
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
	// Total is the whole run.
	Total Summary
	// Minute is the trailing 60 s: attempts and tokens, for quotas.
	Minute Use
	// Quotas are what the server's headers last said of its quotas, in the order of their names.
	Quotas []Quota
	// Events are the last ones, oldest first, at most 512 and those that are not folded yet; EventsGone is how many went before them, so that
	// Events[i] is the run's event number EventsGone+i. The N of a group of failures grows in place.
	Events     []Event
	EventsGone int
	// LastError is the newest failure's own words. Failures are the newest request of each class that failed or was limited, newest first.
	LastError string
	Failures  []Ended
	// PerEvent and Source tell how tokens are counted (see Batch).
	PerEvent float64
	Source   Source
	Health   Health
}

// HeldByQuota is what Gauges.HeldBy says of slots that wait for the sake of Run.QuotaReserve.
const HeldByQuota = "quota reserve"

// Use is what was asked of the server over a trailing span.
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
// five seconds and has a number that is ready; nil if there is none. A level that was only touched on the way is never it.
func (s *Snapshot) LevelBefore() *Level {
	var short *Level
	for i := len(s.Levels) - 2; i >= 0; i-- {
		l := s.Levels[i]
		if l.State == Settled {
			return l
		}
		if short == nil && l.Span >= comparable && l.anyReady() {
			short = l
		}
	}
	return short
}

func (l *Level) anyReady() bool {
	for _, m := range Lanes {
		if l.Stats[m].Readiness == Ready {
			return true
		}
	}
	return false
}
