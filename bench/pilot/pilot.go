package pilot

import (
	"time"

	"redline/bench"
)

// Pilot sets the load while it has it. Its methods are called by one goroutine, Begin first and once, End last.
type Pilot interface {
	// Begin is what it wants at first, at an instant, the load being what it is.
	Begin(now time.Duration, load bench.Setpoint) Order
	// Second takes in what has been folded, and says what is wanted from now on. It is called about once a second, while the run does not send too.
	Second(s *Second) Order
	// End tells it that the load was taken from it, by what why says. Nothing of the Order that it returns but what is shown and told comes into force.
	End(now time.Duration, why string) Order
}

// Second is what a pilot is told. It keeps nothing of it but what never changes: batches and snapshots.
type Second struct {
	// Now is the instant of the call, a little after the end of the last batch.
	Now time.Duration
	// Batches are the seconds folded since the last call, oldest first: one, where time has not jumped.
	Batches []*bench.Batch
	// Snapshot is the run after them; its Gauges are not set.
	Snapshot *bench.Snapshot
	// State is what the run does, Load the load that is set, Level the ID of the level in force. That is another one than the pilot's last order began where
	// something else began one: a note, a pause that ended, a target that is back. The load is then the same.
	State bench.RunState
	Load  bench.Setpoint
	Level int
	// Silent is since when no token has come though they should (see Gauges.Silent).
	Silent bench.Mark
	// Running and Held are the slots of this moment.
	Running, Held int
}

// Sending tells whether the run sends, and measures: at other times a pilot stands still, and the load that it asks for is not put into force.
func (s *Second) Sending() bool { return s.State == bench.Running }

// restarted tells whether the server has begun its counters anew in these seconds.
func (s *Second) restarted() bool {
	for _, b := range s.Batches {
		for i := range b.Events {
			if e := &b.Events[i]; e.Kind == bench.EventServer && e.N == bench.ServerRestarted {
				return true
			}
		}
	}
	return false
}

// after tells whether the last second that was folded ended after an instant: what the run was before is not what it was then.
func (s *Second) after(at time.Duration) bool {
	n := len(s.Batches)
	return n > 0 && s.Batches[n-1].Start+s.Batches[n-1].Span > at
}

// Order is what a pilot wants.
type Order struct {
	// Load is the load wanted; one beyond the run's bounds is cut to them. It is the load in force where nothing is to change.
	Load bench.Setpoint
	// Level begins a level, committed at once, even at the load in force, which is a step of the history. Without it another load begins one too, for a level has
	// one load, but as a small move, which the way back leads past.
	Level bool
	// Settled says from which instant on, not before the end of the last batch, the level in force is to be measured: what it was like before was still the
	// doing of the load before it. It is absent where nothing is to change, and where a level begins.
	Settled bench.Mark
	// Over gives the load back; it stays at Load.
	Over bool
	// Events are what is worth a line of the log, of kind EventRamp or EventCruise; those without an instant or a level are of now.
	Events []bench.Event
	// Ramping or Cruising is what is shown from now on. What they point to never changes once it is handed out.
	Ramping  *bench.Ramping
	Cruising *bench.Cruising
}
