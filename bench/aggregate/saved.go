package aggregate

import (
	"encoding/json"
	"time"

	"redline/bench"
)

// Saved is a State as it can be kept: what the fold needs to go on as if it had never stopped, but for its Run. What seldom changes, levels that are over
// and seconds that are long past, stands in parts beside it (see Saver), of which it has the numbers. Times are in nanoseconds.
type Saved struct {
	// Folded is the end of the last second that was folded.
	Folded time.Duration `json:",omitzero"`
	// Thresholds are the promises in force; the rest of the Run is its own.
	Thresholds list[bench.Threshold] `json:",omitempty"`
	// Cleared is from where on nothing is forgotten, Forgotten the requests that had ended before.
	Cleared   time.Duration `json:",omitzero"`
	Forgotten bench.Tally   `json:",omitzero"`
	// Series are the run's spans, by their length: seconds first. Levels are the parts of the levels that are kept, oldest first.
	Series [4]list[Block] `json:",omitzero"`
	Levels list[int]      `json:",omitempty"`
	Minute list[SavedUse] `json:",omitempty"`
	Total  SavedTotal     `json:",omitzero"`
	// Events are the last ones, EventsGone how many went before them.
	Events     list[bench.Event] `json:",omitempty"`
	EventsGone int               `json:",omitzero"`
	// Failures and Unsent are the groups of events that still grow, Told what was told last of each promise.
	Failures [bench.NumOutcomes]SavedGroup `json:",omitzero"`
	Unsent   SavedGroup                    `json:",omitzero"`
	Told     list[SavedPromise]            `json:",omitempty"`
	// LastError is the newest failure's own words, Broken the newest request of each class that failed or was limited.
	LastError string             `json:",omitzero"`
	Broken    list[bench.Ended]  `json:",omitempty"`
	Quotas    list[bench.Quota]  `json:",omitempty"`
	PerEvent  float64            `json:",omitzero"`
	Source    bench.Source       `json:",omitzero"`
	Health    bench.Health       `json:",omitzero"`
	Server    list[bench.Scrape] `json:",omitempty"`
	// Strained is the verdict on the client that was told last, Eased when it was last as bad as that; Lapses as in a Snapshot.
	Strained bench.Strain   `json:",omitzero"`
	Eased    time.Duration  `json:",omitzero"`
	Lapses   [2]bench.Lapse `json:",omitzero"`
}

// Block is some spans of the series: those of a part, but for so many of its first ones, which have been joined since.
type Block struct {
	Part int
	Skip int `json:",omitzero"`
}

// Part is a part of saved states, which any of those that follow may refer to by its ID: a level, or some spans of the series.
type Part struct {
	ID      int
	Level   *SavedLevel        `json:",omitzero"`
	Buckets list[bench.Bucket] `json:",omitempty"`
}

// SavedUse is what one batch asked of the server.
type SavedUse struct {
	Start            time.Duration `json:",omitzero"`
	Attempts, Tokens int           `json:",omitzero"`
}

// SavedTotal is the whole run.
type SavedTotal struct {
	// Facts hold the counters of all, Live those of the seconds that were active all through, Open those in which the open loop was sending all through.
	Facts, Live, Open                  bench.Facts   `json:",omitzero"`
	Active, Lasted, Opened             time.Duration `json:",omitzero"`
	TTFT, TTFA, ITL, TPS, E2E, TPOT    bench.Sketch  `json:",omitzero"`
	Connect, Handshake                 bench.Sketch  `json:",omitzero"`
	Lag, DueTTFT, DueE2E               bench.Sketch  `json:",omitzero"`
	ServerTTFT, ServerITL, ServerQueue bench.Sketch  `json:",omitzero"`
}

// SavedGroup is a group of failures, or of unsent arrivals, that are told as one event.
type SavedGroup struct {
	Open              bool          `json:",omitzero"`
	Begin, Last, Span time.Duration `json:",omitzero"`
	Number            int           `json:",omitzero"`
}

// SavedPromise is the verdict on a threshold that was told last.
type SavedPromise struct {
	Broken, Ever bool          `json:",omitzero"`
	At           time.Duration `json:",omitzero"`
}

// SavedLevel is a level.
type SavedLevel struct {
	ID                        int                    `json:",omitzero"`
	Load, Was                 bench.Setpoint         `json:",omitzero"`
	Work                      int                    `json:",omitzero"`
	Cause                     bench.Cause            `json:",omitzero"`
	Begin                     time.Duration          `json:",omitzero"`
	Committed, Reached, Ended bench.Mark             `json:",omitzero"`
	State                     bench.Settling         `json:",omitzero"`
	ReadyAt                   bench.Mark             `json:",omitzero"`
	Note                      string                 `json:",omitzero"`
	Unsent, Sent              int                    `json:",omitzero"`
	Ending, Tardy             int                    `json:",omitzero"`
	By                        [bench.NumOutcomes]int `json:",omitzero"`
	Requests                  SavedRequests          `json:",omitzero"`
	Since, Tokens, Ends       SavedWindow            `json:",omitzero"`
	Batches                   SavedSpans             `json:",omitzero"`
	Stood                     bool                   `json:",omitzero"`
	Earlier                   int                    `json:",omitzero"`
	GoesOn, Recount, Dirty    bool                   `json:",omitzero"`
	// Shown is the end of the second behind which its numbers were made.
	Shown time.Duration `json:",omitzero"`
}

// SavedRequests are the requests that a level's statistics rest on.
type SavedRequests struct {
	Facts                      bench.Facts  `json:",omitzero"`
	TTFT, TTFA, E2E, TPOT, TPS bench.Sketch `json:",omitzero"`
	Connect, Handshake         bench.Sketch `json:",omitzero"`
	DueTTFT, DueE2E, Failing   bench.Sketch `json:",omitzero"`
	// Sample are those that are kept one by one, of so many Offered. Draws is the state of the chance by which they are drawn; empty before the first draw.
	Sample             samples `json:",omitempty"`
	Offered            int     `json:",omitzero"`
	Draws              []byte  `json:",omitempty"`
	Regraded, Reckoned bool    `json:",omitzero"`
}

// SavedWindow is what a level measures by instants.
type SavedWindow struct {
	From                               bench.Mark    `json:",omitzero"`
	Frozen                             bool          `json:",omitzero"`
	Facts                              bench.Facts   `json:",omitzero"`
	Active                             time.Duration `json:",omitzero"`
	ITL, Lag                           bench.Sketch  `json:",omitzero"`
	ServerTTFT, ServerITL, ServerQueue bench.Sketch  `json:",omitzero"`
}

// SavedSpans are a level's batches: Full ones of so many buckets Each, and one that holds Grown of them so far.
type SavedSpans struct {
	Full        list[bench.Bucket] `json:",omitempty"`
	Each, Grown int                `json:",omitzero"`
	Growing     *bench.Bucket      `json:",omitzero"`
}

// listed bounds the lists of a saved state: the longest are of events, blocks and spans.
const listed = 4096

// list is a list of which no more is read than a State holds, whatever stands in a file.
type list[T any] []T

// UnmarshalJSON reads a list.
func (l *list[T]) UnmarshalJSON(text []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	if len(all) > listed {
		return broken("a list of %d, which has at most %d", len(all), listed)
	}
	if *l = nil; len(all) > 0 {
		*l = make(list[T], len(all))
	}
	for i, one := range all {
		if err := json.Unmarshal(one, &(*l)[i]); err != nil {
			return err
		}
	}
	return nil
}
