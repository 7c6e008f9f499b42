package bench

// Command is something that the operator asks of the engine. Commands are resolved in their order by the engine's one control goroutine;
// none is computed from a snapshot.
type Command interface{ command() }

type (
	// Add moves the load by N, up or down, in the unit of the mode in force. It is the throttle: a held key raises by at most 16 requests in flight,
	// or four requests a second, each second.
	Add struct{ N float64 }
	// Times multiplies the load by F, above 0, rounding to the nearest, at least by one.
	Times struct{ F float64 }
	// Set puts the load at N, in the unit of the mode in force.
	Set struct{ N float64 }
	// Switch goes to the other mode, at a load that keeps the request rate about as it is; it asks first.
	Switch struct{}
	// NextWork goes on to the next workload; a new level.
	NextWork struct{}
	// Follow begins a profile; with none it gives the load back to the one that the hand has taken it from, where that one stopped.
	Follow struct{ Profile *Profile }
	// Seek begins a ramp, which then sets the load until it is over or a load is set by hand; nil ends it, and the load stays.
	Seek struct{ Ramp *Ramp }
	// Steer begins a cruise, in the mode in force; nil ends it, and the load stays.
	Steer struct{ Cruise *Cruise }
	// Undo goes back in the history of committed loads (and takes a moving burst back); Redo forward; Flip to the one before, and again back.
	Undo struct{}
	Redo struct{}
	Flip struct{}
	// Pause stops sending and lets running requests finish; Resume goes on, in a new level; Toggle does the one that applies.
	Pause  struct{ Why string }
	Resume struct{}
	Toggle struct{}
	// Drain goes to a resumable pause, with the drain's deadline.
	Drain struct{}
	// Cancel puts the load at 0 and cuts what is in flight; the session lives. Never asked.
	Cancel struct{}
	// Note marks this instant and begins a level; where none can be measured, the next one carries it.
	Note struct{ Text string }
	// Remark puts a sentence of redline's own into the log, as an EventWarn; it begins nothing.
	Remark struct{ Text string }
	// Promise puts a threshold in place of the one on the same metric and percentile, or adds it; with Drop it takes that one away. Verdicts are judged
	// anew at once.
	Promise struct {
		Threshold Threshold
		Drop      bool
	}
	// Clear forgets what was measured so far, and begins a level; it asks first. What is spent, and the use of quotas, stay.
	Clear struct{}
	// Answer answers the question that is open, if its ID is ID.
	Answer struct {
		ID  int
		Yes bool
	}
	// Locked is a Command that is done unless it would raise the load when its turn comes, count it in another unit, or send again: what an operator gives
	// under the lock.
	Locked struct{ Command Command }
	// Agreed is a Command with a yes to the question that it makes, if it makes one: to no other.
	Agreed struct{ Command Command }
	// Remote is a Command that comes from elsewhere than the screen: the log has its Text first, in words of redline's own. Taken, which may be nil, is closed
	// when it has been done and snapshots show what came of it. An engine that has ended takes none.
	Remote struct {
		Text    string
		Command Command
		Taken   chan<- struct{}
	}
	// Other drives the next target of several, at the same load, and lets the one before rest; where all are driven it only goes to the next.
	// Both drives all of them at the same load, or the one that is shown alone again. An engine, which has one target, knows neither.
	Other struct{}
	Both  struct{}
	// Match puts the load and the workload of another engine in force, which has judged them: nothing is asked, and nothing throttled. While Moving
	// the load is a burst that has not rested.
	Match struct {
		Load   Setpoint
		Work   int
		Moving bool
	}
	// Turn notes that other targets are driven from now on; with Level, and while the run sends, it begins a level. With Anew the arrivals of the open
	// loop begin again with the first of the seed, put off by Delay mean gaps.
	Turn struct {
		Text  string
		Level bool
		Anew  bool
		Delay float64
	}
	// Forget is a Clear that was asked, and answered, elsewhere.
	Forget struct{}
	// Touch says that an operator is there (any key).
	Touch struct{}
	// Stop ends the run: no new request, running ones may finish until the drain's deadline. Kill ends it now.
	Stop struct{ Why string }
	Kill struct{ Why string }
)

func (Add) command()      {}
func (Times) command()    {}
func (Set) command()      {}
func (Switch) command()   {}
func (NextWork) command() {}
func (Follow) command()   {}
func (Seek) command()     {}
func (Steer) command()    {}
func (Undo) command()     {}
func (Redo) command()     {}
func (Flip) command()     {}
func (Pause) command()    {}
func (Resume) command()   {}
func (Toggle) command()   {}
func (Drain) command()    {}
func (Cancel) command()   {}
func (Note) command()     {}
func (Remark) command()   {}
func (Promise) command()  {}
func (Clear) command()    {}
func (Answer) command()   {}
func (Locked) command()   {}
func (Agreed) command()   {}
func (Remote) command()   {}
func (Other) command()    {}
func (Both) command()     {}
func (Match) command()    {}
func (Turn) command()     {}
func (Forget) command()   {}
func (Touch) command()    {}
func (Stop) command()     {}
func (Kill) command()     {}
