package bench

import "time"

// EventKind tells what happened.
type EventKind uint8

const (
	// EventStart begins the run.
	EventStart EventKind = iota
	// EventOpen opens a level: the load begins to move (or another cause is in force); From is the old load, To the new one so far.
	EventOpen
	// EventCommit commits the level that is open: the hand has rested at load To.
	EventCommit
	// EventReach says that the level's load is in force: in flight + held = target. Once more in the same level, it drops what was measured there before; N is 1
	// where all that is in flight by then is the load's own.
	EventReach
	// EventNote is an operator's note; it opens a level, or the next that opens carries it in its Text: one where the run did not send, or a profile ramped.
	EventNote
	EventPause
	EventResume
	EventDrain
	EventDrained
	// EventCancel is the emergency stop: load 0, N requests cancelled.
	EventCancel
	// EventDown says that the target is gone, EventUp that it is back.
	EventDown
	EventUp
	// EventGap is a jump of time (suspend, sleep) of length Span: what spans it is interrupted.
	EventGap
	// EventBudget says that the budget is used up.
	EventBudget
	// EventAsk is a question to the operator, EventAnswer what came of it.
	EventAsk
	EventAnswer
	// EventFailure is a group of N failures of one class; derived in the fold.
	EventFailure
	// EventBroken and EventKept say that a threshold was crossed; derived in the fold.
	EventBroken
	EventKept
	// EventBusy says that the client itself became the bottleneck; derived in the fold.
	EventBusy
	// EventWarn is anything else that the operator must know.
	EventWarn
	// EventMode says that the loop was closed or opened, EventWork that another workload is in force; each opens a level.
	EventMode
	EventWork
	// EventProfile says what becomes of a profile: N is one of ProfileBegins and its fellows.
	EventProfile
	// EventUnsent is a group of N arrivals that could not be sent; derived in the fold.
	EventUnsent
	// EventPromise: a promise was changed while running; Promise holds it, Text the sentence.
	EventPromise
	// EventClear: what was measured before is forgotten.
	EventClear
	// EventRamp says what becomes of a ramp: N is its RampPhase, To the load it is about.
	EventRamp
	// EventCruise says what becomes of a cruise: N is one of CruiseBegins and its fellows.
	EventCruise
	// EventServer says that the server's own gauges came, went, or that its counters began anew.
	EventServer
	// EventTarget says that another target is driven, or both are.
	EventTarget
	// EventEnd ends the run.
	EventEnd
	// EventAnnotation is a note that was added to a recorded run when it was over; it begins no level.
	EventAnnotation
	// EventRemote says that what follows was asked for from elsewhere than the screen, and what that was.
	EventRemote
)

var eventNames = [...]string{"start", "load", "load", "reach", "note", "pause", "resume", "drain", "drained", "cancel", "down", "up", "gap",
	"budget", "ask", "answer", "error", "slo", "slo", "client", "warn", "mode", "work", "profile", "unsent", "slo", "clear", "ramp", "cruise", "server", "target", "end", "added", "remote"}

// String is the event's word in the log.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "event?"
}

// What an EventProfile says, in its N.
const (
	ProfileBegins = iota
	// ProfileHeld: the hand has taken the load; ProfileGoesOn: it has given it back.
	ProfileHeld
	ProfileGoesOn
	ProfileOver
)

// What an EventCruise says, in its N.
const (
	CruiseBegins = iota
	// CruiseMoves: the load has moved, by more than a tenth, or by that since the last one was told. From is the load just before.
	CruiseMoves
	CruiseOver
)

// Cause tells why a level began.
type Cause uint8

const (
	CauseStart Cause = iota
	CauseLoad
	CauseNote
	CauseResume
	CauseRecovery
	CauseGap
	CauseMode
	CauseWork
	CauseProfile
	CauseClear
	CauseRamp
	CauseCruise
	// CauseTarget: another target is driven too, or no longer.
	CauseTarget
)

// Event is something that happened at an instant, in words that need no other context.
type Event struct {
	At   time.Duration `json:",omitzero"`
	Kind EventKind     `json:",omitzero"`
	// Level is the level that it concerns (for EventOpen the new one).
	Level int   `json:",omitzero"`
	Cause Cause `json:",omitzero"`
	// From and To are loads, N a count, Span a length of time: of a group that grows (EventFailure, EventUnsent) for how long it does.
	From, To Setpoint      `json:",omitzero"`
	N        int           `json:",omitzero"`
	Span     time.Duration `json:",omitzero"`
	// Work is the workload that an EventOpen or EventWork puts in force, as its place in Run.Works.
	Work int `json:",omitzero"`
	// Outcome is the class of an EventFailure.
	Outcome Outcome `json:",omitzero"`
	// Promise is the new threshold of an EventPromise; Dropped tells that it was taken away.
	Promise Threshold `json:",omitzero"`
	Dropped bool      `json:",omitzero"`
	// Locked tells that an EventWarn is a command that the lock has refused.
	Locked bool `json:",omitzero"`
	// Text is the note, the question, or the rest of the sentence.
	Text string `json:",omitzero"`
}
