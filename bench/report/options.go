package report

import (
	"time"

	"redline/bench"
)

// Options are what a document tells beside the snapshot, and how.
type Options struct {
	// Why the run ended, in a few words: "interrupted", "quit", "duration".
	Why string
	// Cut: what was in flight was not waited for.
	Cut bool
	// Aim is what the scenario is about.
	Aim Aim
	// Private: the snapshot is veiled, and the document says so.
	Private bool
	// Saved is when the document is made, in wall time.
	Saved time.Time
	// Name is what the run is called where there are several; empty where nothing names it but its target. An Origin's own name stands before it.
	Name string
	// Origin is what is known of a run that was read from a file; nil of one in force.
	Origin *Origin
	// Kept is how the run is kept; nil where that is not known, and of one that was read from its file.
	Kept *Kept
	// Advice is what can be done about a request that failed so; empty where nothing is known. It may be nil.
	Advice func(*bench.Ended) string
	// Ramp and Cruise are what the screen says of a search for the redline and of a cruise, so that a document has the same words. They may be nil: then only
	// their phase is told.
	Ramp   func(*bench.Ramping) string
	Cruise func(c *bench.Cruising, now time.Duration) string
}

// advise is the advice for a request that failed.
func (o *Options) advise(e *bench.Ended) string {
	if o.Advice == nil {
		return ""
	}
	return o.Advice(e)
}

// ramped are the words for what a ramp has come to; empty while it is not over.
func (o *Options) ramped(r *bench.Ramping) string {
	if o.Ramp == nil {
		return ""
	}
	return Printable(o.Ramp(r))
}

// cruised are the words for what a cruise has come to; empty where there was none.
func (o *Options) cruised(s *bench.Snapshot) string {
	if o.Cruise == nil {
		return ""
	}
	return Printable(o.Cruise(s.Cruising, s.At))
}
