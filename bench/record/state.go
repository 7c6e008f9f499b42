package record

import (
	"encoding/json"
	"time"

	"redline/bench"
	"redline/bench/aggregate"
)

// checkpointLine is the run up to an instant: what a fold needs to go on.
type checkpointLine struct {
	At time.Duration `json:"at"`
	tally
	Shown  int         `json:"shown,omitzero"`
	Both   bool        `json:"both,omitzero"`
	Tracks []trackLine `json:"tracks"`
}

// trackLine is what is kept of a track: the end of its last second, the moment behind it (none before the first), and the state of the fold.
type trackLine struct {
	Folded time.Duration   `json:"folded,omitzero"`
	Moment *momentLine     `json:"moment,omitzero"`
	State  json.RawMessage `json:"state"`
}

func saveState(s *aggregate.State) (json.RawMessage, error) { return json.Marshal(s.Save()) }

func loadState(run *bench.Run, saved json.RawMessage) (*aggregate.State, error) {
	var w aggregate.Whole
	if err := json.Unmarshal(saved, &w); err != nil {
		return nil, err
	}
	return w.Load(run)
}
