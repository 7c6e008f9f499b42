package aggregate

import (
	"reflect"
	"time"

	"redline/bench"
)

// Saved is a State as it can be kept: what the fold needs to go on as if it had never stopped, but for its Run. What seldom changes, levels that are over
// and seconds that are long past, stands in parts beside it (see Saver), of which it has the numbers. Times are in nanoseconds.
type Saved struct {
	// Folded is the end of the last second that was folded.
	Folded time.Duration
	// Thresholds are the promises in force; the rest of the Run is its own.
	Thresholds []bench.Threshold
	// Promised are those that the run began with, where they were Changed since.
	Promised []bench.Threshold
	Changed  bool
	// Cleared is from where on nothing is forgotten, Forgotten the requests that had ended before.
	Cleared   time.Duration
	Forgotten bench.Tally
	// Series are the run's spans, by their length: seconds first. Levels are the parts of the levels that are kept, oldest first.
	Series [4][]Block
	Levels []int
	Minute []SavedUse
	Total  SavedTotal
	// Events are the last ones, EventsGone how many went before them.
	Events     []bench.Event
	EventsGone int
	// Outages as in a Snapshot.
	Outages bench.Outages
	// Failures and Unsent are the groups of events that still grow, Told what was told last of each promise.
	Failures [bench.NumOutcomes]SavedGroup
	Unsent   SavedGroup
	Told     []SavedPromise
	// LastError is the newest failure's own words, Broken the newest request of each class that failed or was limited.
	LastError string
	Broken    []bench.Ended
	Quotas    []bench.Quota
	PerEvent  float64
	Source    bench.Source
	Health    bench.Health
	Server    []bench.Scrape
	// Strained is the verdict on the client that was told last, Eased when it was last as bad as that; Lapses as in a Snapshot.
	Strained bench.Strain
	Eased    time.Duration
	Lapses   [2]bench.Lapse
}

// Block is some spans of the series: those of a part, but for so many of its first ones, which have been joined since.
type Block struct {
	Part int
	Skip int
}

// Part is a part of saved states, which any of those that follow may refer to by its ID: a level, or some spans of the series.
type Part struct {
	ID      int
	Level   *SavedLevel
	Buckets []bench.Bucket
}

// SavedUse is what one batch asked of the server.
type SavedUse struct {
	Start            time.Duration
	Attempts, Tokens int
}

// SavedTotal is the whole run.
type SavedTotal struct {
	// Facts hold the counters of all, Live those of the seconds that were active all through, Open those in which the open loop was sending all through.
	Facts, Live, Open                  bench.Facts
	Active, Lasted, Opened             time.Duration
	TTFT, TTFA, ITL, TPS, E2E, TPOT    bench.Sketch
	Connect, Handshake                 bench.Sketch
	Lag, DueTTFT, DueE2E               bench.Sketch
	ServerTTFT, ServerITL, ServerQueue bench.Sketch
}

// SavedGroup is a group of failures, or of unsent arrivals, that are told as one event.
type SavedGroup struct {
	Open              bool
	Begin, Last, Span time.Duration
	Number            int
}

// SavedPromise is the verdict on a threshold that was told last.
type SavedPromise struct {
	Broken, Ever bool
	At           time.Duration
}

// SavedLevel is a level.
type SavedLevel struct {
	ID                        int
	Load, Was                 bench.Setpoint
	Work                      int
	Cause                     bench.Cause
	Begin                     time.Duration
	Committed, Reached, Ended bench.Mark
	State                     bench.Settling
	ReadyAt                   bench.Mark
	Note                      string
	Unsent, Sent              int
	Ending, Tardy             int
	By                        [bench.NumOutcomes]int
	Requests                  SavedRequests
	Since, Tokens, Ends       SavedWindow
	Batches                   SavedSpans
	Stood                     bool
	Earlier                   int
	GoesOn, Recount, Dirty    bool
	// Shown is the end of the second behind which its numbers were made.
	Shown time.Duration
}

// SavedRequests are the requests that a level's statistics rest on.
type SavedRequests struct {
	Facts                      bench.Facts
	TTFT, TTFA, E2E, TPOT, TPS bench.Sketch
	Connect, Handshake         bench.Sketch
	DueTTFT, DueE2E, Failing   bench.Sketch
	// Sample are those that are kept one by one, of so many Offered. Draws is the state of the chance by which they are drawn; empty before the first draw.
	Sample             samples
	Offered            int
	Draws              []byte
	Regraded, Reckoned bool
}

// SavedWindow is what a level measures by instants.
type SavedWindow struct {
	From                               bench.Mark
	Frozen                             bool
	Facts                              bench.Facts
	Active                             time.Duration
	ITL, Lag                           bench.Sketch
	ServerTTFT, ServerITL, ServerQueue bench.Sketch
}

// SavedSpans are a level's batches: Full ones of so many buckets Each, and one that holds Grown of them so far.
type SavedSpans struct {
	Full        []bench.Bucket
	Each, Grown int
	Growing     *bench.Bucket
}

// MarshalJSON is the state as one line, without what is zero.
func (s *Saved) MarshalJSON() ([]byte, error) {
	return appendTerse(nil, reflect.ValueOf(s).Elem()), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Saved) UnmarshalJSON(text []byte) error {
	*s = Saved{}
	return readTerse(text, s)
}

// MarshalJSON is the part as one line, without what is zero.
func (p *Part) MarshalJSON() ([]byte, error) { return appendTerse(nil, reflect.ValueOf(p).Elem()), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Part) UnmarshalJSON(text []byte) error {
	*p = Part{}
	return readTerse(text, p)
}
